#!/usr/bin/env python3
"""Keeps docs/errors true: the pages show the programs of tests/compile_fail and what the compilers say about them.

    catalogue.py verify FILE COMPILER_ID COMPILER   reads the compiler's output on stdin; called by check.sh
    catalogue.py one-to-one                         the codes of core/error_catalogue.hpp, the pages and the cases
    catalogue.py --update|--check [--only TEXT] [--gcc PROGRAM] [--clang PROGRAM] [--nvcc PROGRAM]

--update rewrites the made part of every page with the compilers that are found; --check fails where a page differs, and
where a .cu case does not compile with TOROID_GOOD (check.sh does that for the others). `--gcc=` leaves out a compiler.
Pages are made with g++ 12, clang 16 and nvcc 13; the output of other versions is not compared. Comparison ignores the
numbers of lines and columns, so that a header may change elsewhere.

A case is one file. Besides the lines of check.sh it has
    // code: E012                  the code that its first error carries
    // first note: Clang NVIDIA    compilers whose first error line cannot carry it: their first note does
    // errors: 1                   the number of errors in all
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "compile_fail"
PAGES = ROOT / "docs" / "errors"
TABLE = ROOT / "include" / "toroid" / "core" / "error_catalogue.hpp"
BEGIN, END = "<!-- made by tests/compile_fail/catalogue.py -->", "<!-- end of what is made -->"
TITLES = {"GNU": "g++ 12", "Clang": "clang 16", "NVIDIA": "nvcc 13"}
MOST_FRAMES = 5
MOST_LINES = 30

ERROR = re.compile(r"(?::|^)(?: fatal)? error: |\berror: ")
NOTE = re.compile(r"\bnote(?: #\S+)?: ")
FRAME = {
    "GNU": re.compile(r"^include/toroid/\S+   +required from "),
    "Clang": re.compile(r"^include/toroid/\S+ note: in instantiation of "),
}


class Case:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.name = self.path.relative_to(ROOT).as_posix()
        lines = self.path.read_text(encoding="utf-8").splitlines()
        header = [line[3:] for line in lines if line.startswith("// ")]
        directives = [line for line in header if re.match(r"[a-z -]+(\(\w+\))?: ", line) and line != header[0]]
        self.directives = [re.match(r"([a-z -]+)(?:\((\w+)\))?: *(.*)", line).groups() for line in directives]
        self.text = header[0]
        self.code = self.value("code") or sys.exit(f"{self.name}: has no line `// code: E…`")
        body = lines[next(i for i, line in enumerate(lines) if not line.startswith("//")) :]
        self.wrong, self.right = (self.resolved(body, good) for good in (False, True))

    def value(self, name, compiler_id=None):
        return next((v for n, c, v in self.directives if n == name and c in (None, compiler_id)), None)

    @staticmethod
    def resolved(body, good):
        """The program with or without TOROID_GOOD, its blocks of `#if` taken away."""
        kept, active = [], True
        for line in body:
            if re.match(r"#ifn?def TOROID_GOOD", line):
                active = good == line.startswith("#ifdef")
            elif line.startswith("#else"):
                active = not active
            elif line.startswith("#endif"):
                active = True
            elif active:
                kept.append(line)
        return "\n".join(kept).strip("\n")

    def compilers(self):
        if self.path.suffix == ".cu":
            return ["NVIDIA"]
        if self.value("wrong flags") is None and any(n == "wrong flags" for n, _, _ in self.directives):
            return [c for c in TITLES if self.value("wrong flags", c)]
        return ["GNU", "Clang"] if self.code == "E003" else list(TITLES)

    def command(self, compiler_id, program):
        flags = self.value("wrong flags", compiler_id)
        flags = flags.split() if flags else []
        if compiler_id != "NVIDIA":
            return [program, "-std=c++20", "-Iinclude", "-fsyntax-only", *flags, self.name]
        if not any(flag.startswith("-std") for flag in flags):
            flags = ["-std=c++20", *flags]
        if "-gencode" not in flags:
            flags = ["-arch=sm_90a", *flags]
        return [program, "-Iinclude", "-cubin", "-o", os.devnull, *flags, "-x", "cu", self.name]


def cases():
    return [Case(path) for path in sorted(CASES.rglob("*.c*")) if path.suffix in (".cpp", ".cu")]


def normalised(output):
    output = output.replace(f"{ROOT}/", "")
    output = re.sub(r"/\S*/include/c\+\+/\d+/", "c++/", output)
    return re.sub(r"/\S*/(boost/hana/)", r"\1", output)


def first_error(output, compiler_id):
    """The lines of the first error: the stack above it (g++), the error, its source and notes, the stack below it."""
    lines = [line for line in output.splitlines() if not re.match(r"In file included from |  +from \S+:\d+[:,]", line)]
    at = next((i for i, line in enumerate(lines) if ERROR.search(line)), None)
    if at is None:
        return []
    begin = at if compiler_id == "Clang" else 0
    end = at + 1
    stop = r"\d+ errors? "
    if compiler_id == "GNU":
        stop += r"|\S+: In |\S+   +(required|in 'constexpr')"
    while end < len(lines) and not ERROR.search(lines[end]) and not re.match(stop, lines[end]):
        if compiler_id == "NVIDIA" and not lines[end]:
            break
        end += 1
    return lines[begin:end]


def error_line(block):
    return next((line for line in block if ERROR.search(line)), "")


def frames_of_toroid(block, compiler_id):
    """Instantiations that were asked for by a line of include/toroid: what stands between the error and the user."""
    if compiler_id != "NVIDIA":
        return sum(bool(FRAME[compiler_id].match(line)) for line in block)
    count, file = 0, error_line(block).split("(")[0]
    for line in block:
        frame = re.search(r"instantiation of .* at line \d+(?: of (\S+))?$", line)
        if frame:
            file = (frame[1] or file).strip('"')
            count += file.startswith("include/toroid/")
        hidden = re.search(r"\[ *(\d+) instantiation contexts not shown", line)
        count += int(hidden[1]) if hidden else 0
    return count


def shown(block):
    more = [] if len(block) <= MOST_LINES else [f"[{len(block) - MOST_LINES} more lines]"]
    return "\n".join(line.rstrip() for line in block[:MOST_LINES] + more)


def comparable(text):
    """Without the numbers of lines and columns, and without what depends on their width."""
    text = re.sub(r":\d+(:\d+)?|\(\d+\)|\bline \d+", "", text)
    text = re.sub(r"^ *\d* \| ?", "| ", text, flags=re.MULTILINE)
    return [re.sub(r"[ ~^]+", " ", line).strip() for line in text.splitlines()]


def section(case, compiler_id):
    """What the page shows of one compiler's output, or None."""
    page = PAGES / f"{case.code}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    pattern = rf"`{re.escape(case.name)}`.*?\n{re.escape(TITLES[compiler_id])}:\n\n```text\n(.*?)\n```"
    part = re.search(pattern, text, flags=re.DOTALL)
    return part[1] if part and f"\n`tests/" not in part[0][1:] else None


def is_catalogued_version(compiler_id, program):
    option = "--version" if compiler_id == "NVIDIA" else "-dumpversion"
    said = subprocess.run([program, option], capture_output=True, text=True, check=False).stdout
    version = re.search(r"release (\d+)" if compiler_id == "NVIDIA" else r"^(\d+)", said)
    return bool(version) and version[1] == TITLES[compiler_id].split()[1]


def problems(case, compiler_id, output, compare):
    """What is wrong with the output of a compiler for a case."""
    found = []
    output = normalised(output)
    block = first_error(output, compiler_id)
    code = re.compile(rf"\btoroid[ _]{case.code}[:_]")
    line = error_line(block)
    if compiler_id in (case.value("first note") or "").split():
        line = next((text for text in block if NOTE.search(text) and "in instantiation of" not in text), "")
    if not code.search(line):
        found.append(f"the first error does not carry `toroid {case.code}` where it should: {line}")
    frames = frames_of_toroid(block, compiler_id)
    if frames > MOST_FRAMES:
        found.append(f"the first error has {frames} frames of include/toroid, more than {MOST_FRAMES}")
    count = sum(bool(ERROR.search(text)) for text in output.splitlines())
    if case.value("errors") and count != int(case.value("errors")):
        found.append(f"has {count} errors, not {case.value('errors')}")
    if compare and compiler_id in case.compilers():
        page = section(case, compiler_id)
        if page is None or comparable(page) != comparable(shown(block)):
            found.append(f"docs/errors/{case.code}.md does not show this output: run catalogue.py --update")
    return found


def one_to_one():
    """What is wrong between the table of codes, the pages, the index and the cases."""
    table = re.findall(r'\{"(E\d{3})", "(.*)"\}', TABLE.read_text(encoding="utf-8"))
    codes = [code for code, _ in table]
    found = []
    if codes != [f"E{i:03}" for i in range(1, len(codes) + 1)]:
        found.append("the codes of error_catalogue.hpp are not E001, E002, …")
    for name, other in (
        ("pages in docs/errors", [page.stem for page in PAGES.glob("E*.md")]),
        ("codes of the cases", [case.code for case in cases()]),
        ("codes in messages", re.findall(r"\btoroid[ _](E\d{3})[:_]", "".join(
            path.read_text(encoding="utf-8") for path in sorted((ROOT / "include").rglob("*.hpp")) if path != TABLE))),
    ):
        if set(other) != set(codes):
            found.append(f"{name} without an entry: {sorted(set(other) - set(codes))}, "
                         f"entries without {name}: {sorted(set(codes) - set(other))}")
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    if made(index) != made(index_part(table)):
        found.append("docs/errors/index.md does not list the codes of error_catalogue.hpp: run catalogue.py --update")
    for page in sorted(PAGES.glob("E*.md")):
        text = page.read_text(encoding="utf-8")
        wanted = [case for case in cases() if case.code == page.stem]
        shown_cases = re.findall(r"^`(tests/compile_fail/\S+)`", text, flags=re.MULTILINE)
        if shown_cases != [case.name for case in wanted]:
            found.append(f"{page.name} shows {shown_cases}, the cases are {[case.name for case in wanted]}")
        for case in wanted:
            if f"```cpp\n{case.wrong}\n```" not in text or f"```cpp\n{case.right}\n```" not in text:
                found.append(f"{page.name} does not show the programs of {case.name}: run catalogue.py --update")
    return found


def made(text):
    return text.split(BEGIN)[1].split(END)[0] if BEGIN in text and END in text else None


def index_part(table):
    rows = "".join(f"| [{code}]({code}.md) | {meaning} |\n" for code, meaning in table)
    return f"{BEGIN}\n\n| code | meaning |\n|---|---|\n{rows}\n{END}"


def replace_made(path, part):
    text = path.read_text(encoding="utf-8")
    if made(text) is None:
        sys.exit(f"{path}: has no lines `{BEGIN}` and `{END}`")
    path.write_text(text.split(BEGIN)[0] + part + text.split(END)[1], encoding="utf-8")


def page_part(page_cases, outputs):
    parts = [BEGIN]
    for case in page_cases:
        flags = ", compiled with " + ", ".join(
            f"`{v}`" + (f" ({c})" if c else "") for n, c, v in case.directives if n == "wrong flags")
        parts.append(f"## {case.text}" if len(page_cases) > 1 else case.text)
        parts.append(f"`{case.name}`" + (flags if "`-" in flags else ""))
        parts.append(f"Wrong:\n\n```cpp\n{case.wrong}\n```")
        parts.append(f"Right:\n\n```cpp\n{case.right}\n```" if case.right != case.wrong else
                     f"Right: the same, compiled without these flags.\n\n```cpp\n{case.right}\n```")
        for compiler_id in case.compilers():
            text = outputs.get((case.name, compiler_id)) or section(case, compiler_id)
            if text:
                parts.append(f"{TITLES[compiler_id]}:\n\n```text\n{text}\n```")
    return "\n\n".join(parts + [END])


def run(job):
    """(the case, the compiler, its output, what it says about the right version of a .cu file)"""
    case, compiler_id, program = job

    def compiled(*command):
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, stderr=subprocess.STDOUT,
                              check=False, env={**os.environ, "LC_ALL": "C"})

    right = None
    if case.path.suffix == ".cu":
        right = compiled(program, "-std=c++20", "-arch=sm_90a", "-Iinclude", "-DTOROID_GOOD", "-ptx", "-o", os.devnull, case.name)
    return case, compiler_id, compiled(*case.command(compiler_id, program)).stdout, right


def main():
    if sys.argv[1:2] == ["verify"]:
        case, compiler_id, program = Case(sys.argv[2]), sys.argv[3], sys.argv[4]
        found = problems(case, compiler_id, sys.stdin.read(), is_catalogued_version(compiler_id, program))
        print("\n".join(found))
        return 1 if found else 0
    if sys.argv[1:2] == ["one-to-one"]:
        found = one_to_one()
        print("\n".join(found) or "codes, messages, pages and cases agree")
        return 1 if found else 0

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--gcc", default="g++")
    parser.add_argument("--clang", default="clang++-16")
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    options = parser.parse_args()
    programs = {"GNU": options.gcc, "Clang": options.clang, "NVIDIA": options.nvcc}
    programs = {c: p for c, p in programs.items() if p and shutil.which(p) and is_catalogued_version(c, p)}
    chosen = [case for case in cases() if options.only in case.name]
    jobs = [(case, c, p) for case in chosen for c, p in programs.items() if c in case.compilers()]
    outputs, errors, frames = {}, [], {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, compiler_id, output, right in pool.map(run, jobs):
            if right and right.returncode:
                errors.append(f"{case.name}: does not compile with -DTOROID_GOOD\n{right.stdout}")
            errors += [f"{case.name} ({TITLES[compiler_id]}): {p}"
                       for p in problems(case, compiler_id, output, options.check)]
            block = first_error(normalised(output), compiler_id)
            outputs[case.name, compiler_id] = shown(block)
            frames.setdefault(compiler_id, []).append((frames_of_toroid(block, compiler_id), case.name))
    if options.update:
        table = re.findall(r'\{"(E\d{3})", "(.*)"\}', TABLE.read_text(encoding="utf-8"))
        replace_made(PAGES / "index.md", index_part(table))
        for code in sorted({case.code for case in chosen}):
            replace_made(PAGES / f"{code}.md", page_part([c for c in cases() if c.code == code], outputs))
    if options.update or options.check:
        errors += one_to_one()
    print("\n".join(errors))
    for compiler_id, measured in frames.items():
        print(f"{TITLES[compiler_id]}: {len(measured)} cases, frames of include/toroid in the first error: at most "
              f"{max(measured)[0]} ({max(measured)[1]}), {sum(n for n, _ in measured) / len(measured):.1f} on average")
    print(f"{len(errors)} problems")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
