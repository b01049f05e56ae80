#!/usr/bin/env python3
"""Compiles the code blocks of README.md and docs/**/*.md, but for docs/errors, which shows programs of tests/compile_fail.

    snippets.py --root DIR --out DIR [--nvcc PROGRAM] -- COMPILER FLAGS...

A block fenced as `cpp` is a complete translation unit; `cpp continues` appends it to the block before it on the page.
`cuda` and `cuda continues` are the same for nvcc, and are skipped without --nvcc. Text that is no program belongs into
`text` or `console`; any other spelling of the language (`c++`, `cpp ignore`) is an error, so that no code escapes.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
CODE = re.compile(r"^(c|c\+\+|cc|cxx|cpp|hpp|cu|cuda)\b", re.IGNORECASE)
ACCEPTED = {"cpp", "cpp continues", "cuda", "cuda continues"}


def blocks_of(page):
    """Yields (line number of the first line of code, info string, lines of code) of each fenced block."""
    fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        match = FENCE.match(line)
        if fence is None:
            if match:
                fence, info, indent, first, lines = match[2], match[3], len(match[1]), number + 1, []
        elif match and match[2].startswith(fence) and not match[3]:
            yield first, info, lines
            fence = None
        else:
            lines.append(line[indent:] if not line[:indent].strip() else line)
    if fence is not None:
        sys.exit(f"{page}:{first - 1}: the block is not closed")


def programs_of(page, name):
    """The translation units of a page as (name, language, text), and what is wrong with its blocks."""
    programs, errors = [], []
    for first, info, lines in blocks_of(page):
        if not CODE.match(info):
            continue
        if info not in ACCEPTED:
            errors.append(f"{name}:{first - 1}: `{info}` is none of {', '.join(sorted(ACCEPTED))}")
            continue
        language, continues = info.split()[0], info.endswith(" continues")
        text = f'#line {first} "{name}"\n' + "\n".join(lines) + "\n"
        if not continues:
            programs.append((f"{name}:{first - 1}", language, text))
        elif programs and programs[-1][1] == language:
            # The longer program contains the shorter one, which then needs no test of its own.
            programs[-1] = (f"{name}:{first - 1}", language, programs[-1][2] + text)
        else:
            errors.append(f"{name}:{first - 1}: `{info}` has no `{language}` block before it on the page")
    return programs, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--nvcc")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    pages = [page for page in [options.root / "README.md"] if page.exists()]
    made = options.root / "docs" / "errors"
    pages += sorted(page for page in (options.root / "docs").rglob("*.md") if page.parent != made)
    unique, errors = {}, []
    for page in pages:
        programs, wrong = programs_of(page, page.relative_to(options.root).as_posix())
        errors += wrong
        for name, language, text in programs:
            unique.setdefault((language, re.sub(r"^#line .*$", "", text, flags=re.MULTILINE)), (name, language, text))

    def check(program):
        name, language, text = program
        source = options.out / (re.sub(r"\W", "_", name) + (".cpp" if language == "cpp" else ".cu"))
        source.write_text(text, encoding="utf-8")
        command = [*options.compiler, "-fsyntax-only", str(source)]
        if language == "cuda":
            include = options.root / "include"
            command = [options.nvcc, "-std=c++20", "-arch=sm_90a", f"-I{include}", "-c", "-o", os.devnull, str(source)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return name, done.returncode, done.stdout

    wanted = [program for program in unique.values() if program[1] == "cpp" or options.nvcc]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, code, output in pool.map(check, wanted):
            if code != 0:
                errors.append(f"{name}: the block does not compile\n{output}")
    for error in errors:
        print(error)
    left_out = len(unique) - len(wanted)
    print(f"{len(pages)} pages, {len(wanted)} programs compiled, {left_out} skipped (no nvcc), {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
