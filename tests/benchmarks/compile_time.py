#!/usr/bin/env python3
"""Measures what a model costs to compile: each case of tests/benchmarks/compile_time with every compiler found.

    compile_time.py [FILTER]                      table of instructions, instantiations, processor seconds and memory
    compile_time.py --check [--quick] [FILTER]    compares the counts with expected_results.csv
    compile_time.py --update [--quick] [FILTER]   writes the counts into expected_results.csv; other rows stay
    compile_time.py --growth                      counts over 50 to 2,000 operations, and how far from linear they are
    compile_time.py --bytes                       machine code per kernel and per layer
    compile_time.py --precompiled                 seconds with and without a precompiled header
    compile_time.py --clangd                      clangd on the examples: its errors and how long it takes
    compile_time.py --docs                        writes what these print into docs/build_time.md

FILTER is a part of the names of cases. --compiler NAME[,NAME] takes g++, clang or nvcc only, --seconds-only leaves out
the counts, which take some 20 times as long as compiling. --jobs N counts N at a time, by default one per processor.

The outcome of a row is PASS, WIN or REGRESSION; the exit status is 1 unless all pass, as a WIN that is not written down
hides the next regression. Rows that another version of a compiler made are skipped. 77: everything was skipped.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import io
import os
import pathlib
import re
import shutil
import sys
import tempfile
import typing

import front_end

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = front_end.FOLDER / "expected_results.csv"
COLUMNS = ("name", "metric", "expected", "margin", "compiler")
MARGIN = 0.015
REJECTED = "rejected"


class Case(typing.NamedTuple):
    name: str
    source: str
    defines: list[str]


CASES = [
    Case("include", "include.cpp", []),
    Case("dim_arithmetic", "dim_arithmetic.cpp", []),
    Case("add_loop_plan_100", "add_loop.cpp", ["-DOPERATIONS=100", "-DPLAN_ONLY"]),
    Case("add_loop_plan_1000", "add_loop.cpp", ["-DOPERATIONS=1000", "-DPLAN_ONLY"]),
    Case("add_loop_100", "add_loop.cpp", ["-DOPERATIONS=100"]),
    Case("add_loop_1000", "add_loop.cpp", ["-DOPERATIONS=1000"]),
    Case("deep_shared_chain", "deep_shared_chain.cpp", []),
    Case("mm_loop", "mm_loop.cpp", []),
    Case("list_of_linears_20", "list_of_linears.cpp", ["-DLAYERS=20"]),
    Case("list_of_linears_100", "list_of_linears.cpp", ["-DLAYERS=100"]),
    Case("nested_module", "nested_module.cpp", []),
    Case("sum_floordiv", "sum_floordiv.cpp", []),
    Case("kernels_50", "kernels.cpp", ["-DKERNELS=50"]),
    Case("digits", "digits.cpp", []),
    Case("llama_2", "llama.cpp", ["-DLAYERS=2"]),
    Case("llama_16", "llama.cpp", ["-DLAYERS=16"]),
    Case("llama_32", "llama.cpp", ["-DLAYERS=32"]),
]
QUICK = ("include", "dim_arithmetic", "add_loop_plan_100")
SIZES = (50, 100, 200, 500, 1000, 2000)
#: Seconds that are aimed at; of a plan alone, for nvcc those of cudafe++. Memory: 1,024 MiB everywhere.
TARGETS = {
    ("include", "g++"): 0.6,
    ("add_loop_plan_1000", "g++"): 2.0,
    ("add_loop_plan_1000", "clang"): 2.5,
    ("add_loop_plan_1000", "nvcc"): 5.0,
    ("llama_32", "nvcc"): 15.0,
}
#: Metrics: instructions of a front end, and instantiations of clang.
METRICS = {f"{name} instructions": compiler for name, compiler in front_end.FRONT_ENDS.items()}
METRICS["clang instantiations"] = "clang"


def count(metric, case):
    """A count, or `rejected`."""
    try:
        if metric == "clang instantiations":
            return front_end.instantiations(case.source, case.defines)
        return front_end.instructions(metric.removesuffix(" instructions"), case.source, case.defines)
    except front_end.Rejected as reason:
        print(f"{case.name}, {metric}: rejected: {reason}", file=sys.stderr)
        return REJECTED


#=== expected results ===#


def read_expected(path):
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {(row["name"], row["metric"]): row for row in csv.DictReader(file)}


def write_expected(path, rows):
    order = {case.name: i for i, case in enumerate(CASES)}
    metrics = list(METRICS)
    kept = [row for row in rows.values() if row["name"] in order and row["metric"] in METRICS]
    kept.sort(key=lambda row: (order[row["name"]], metrics.index(row["metric"])))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)


def outcome(actual, row):
    """(PASS, WIN or REGRESSION, why)."""
    expected = row["expected"]
    if REJECTED in (actual, expected):
        if actual == expected:
            return "PASS", "rejected, as expected"
        return ("REGRESSION", "rejected now") if actual == REJECTED else ("WIN", "accepted now")
    expected, margin = int(expected), float(row["margin"])
    change = actual / expected - 1
    text = f"{actual:,} is {abs(change):.2%} {'above' if change > 0 else 'below'} {expected:,}, margin {margin:.1%}"
    if abs(change) <= margin:
        return "PASS", text
    return ("REGRESSION" if change > 0 else "WIN"), text


def wanted_counts(options):
    """(case, metric) of what is to be counted here."""
    names = QUICK if options.quick else [case.name for case in CASES]
    metrics = [m for m, compiler in METRICS.items() if compiler in options.compilers and options.metric in m]
    if options.quick:
        metrics = [m for m in metrics if m == "g++ instructions"]
    chosen = [case for case in CASES if case.name in names and options.filter in case.name]
    return [(case._replace(defines=case.defines + options.defines), m) for case in chosen for m in metrics]


def count_all(options, wanted):
    """Yields ((case, metric), count); counts do not depend on what else the machine does."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from zip(wanted, pool.map(lambda pair: count(pair[1], pair[0]), wanted))


def check(options):
    rows = read_expected(options.expected)
    here, failed, skipped = [], 0, 0
    for case, metric in wanted_counts(options):
        row = rows.get((case.name, metric))
        version = front_end.version(METRICS[metric])
        if row and row["compiler"] != version:
            print(f"skipped     {case.name}, {metric}: expected of {row['compiler']}, this is {version}")
            skipped += 1
        else:
            here.append((case, metric))
    for (case, metric), actual in count_all(options, here):
        row = rows.get((case.name, metric))
        verdict, text = outcome(actual, row) if row else ("MISSING", f"{actual}; write it down with --update")
        failed += verdict != "PASS"
        print(f"{verdict:11} {case.name}, {metric}: {text}", flush=True)
    print(f"{len(here) - failed} of {len(here)} passed, {skipped} skipped")
    if failed:
        print(f"after a change that is meant: tests/benchmarks/compile_time.py --update {options.filter}".rstrip())
    return 1 if failed else 0 if here else 77


def update(options):
    rows = read_expected(options.expected)
    for (case, metric), actual in count_all(options, wanted_counts(options)):
        margin = rows.get((case.name, metric), {}).get("margin", MARGIN)
        version = front_end.version(METRICS[metric])
        rows[case.name, metric] = dict(zip(COLUMNS, (case.name, metric, actual, margin, version)))
        write_expected(options.expected, rows) # at once, as the whole takes long
        print(f"{case.name}, {metric}: {actual}", flush=True)
    return 0


#=== figures ===#


def cell(value, scale=1.0, digits=0):
    return value if isinstance(value, str) else f"{value / scale:,.{digits}f}"


def table(options):
    titles = f"{'seconds':>8} {'target':>6} {'MiB':>6} {'M instructions':>17} {'instantiations':>14}"
    print(f"{'case':20} {'compiler':8} {titles}")
    for case in CASES:
        if options.filter not in case.name:
            continue
        for compiler in options.compilers:
            counts = [m for m, by in METRICS.items() if by == compiler and not options.seconds_only]
            numbers = {m: count(m, case) for m in counts}
            steps = " + ".join(cell(n, 1e6) for m, n in numbers.items() if m.endswith(" instructions")) or "-"
            classes = cell(numbers.get("clang instantiations", "-"))
            target = TARGETS.get((case.name, compiler), "")
            try:
                seconds, peak = front_end.compile_resources(compiler, case.source, case.defines, options.runs)
                line = f"{seconds:8.2f} {target:>6} {peak:6.0f}"
                if compiler == "nvcc":
                    classes = f"cudafe++ {front_end.cudafe_seconds(case.source, case.defines):.2f} s"
            except front_end.Rejected:
                line = f"{REJECTED:>8} {target:>6} {'':6}"
            print(f"{case.name:20} {compiler:8} {line} {steps:>17} {classes:>14}", flush=True)
    return 0


def linear_fit(points):
    """(constant, slope) of the least squares."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def growth(options):
    for metric, compiler in METRICS.items():
        if compiler not in options.compilers or metric == "clang instantiations":
            continue
        cases = [
            Case(f"add_loop_plan_{n}", "add_loop.cpp", [f"-DOPERATIONS={n}", "-DPLAN_ONLY"]) for n in options.sizes
        ]
        points = []
        for (case, _), number in count_all(options, [(case, metric) for case in cases]):
            operations = int(case.name.rsplit("_", 1)[1])
            print(f"{metric}, {operations:5} operations: {cell(number, 1e6):>9} M", flush=True)
            if number != REJECTED:
                points.append((operations, number))
        if len(points) < 3:
            print(f"{metric}: too few sizes are accepted for a fit")
            continue
        constant, slope = linear_fit(points)
        residual = max(abs(y / (constant + slope * x) - 1) for x, y in points)
        first = (points[1][1] - points[0][1]) / (points[1][0] - points[0][0])
        last = (points[-1][1] - points[-2][1]) / (points[-1][0] - points[-2][0])
        verdict = "linear" if residual <= 0.05 else "not linear"
        print(
            f"{metric}: {constant / 1e6:,.0f} M + {slope / 1e6:.2f} M per operation, residuals up to {residual:.1%}, "
            f"marginal cost {first / 1e6:.2f} M at first, {last / 1e6:.2f} M at last: {verdict}"
        )
    return 0


def code_bytes(options):
    for compiler in options.compilers:
        for name, source, macro, few, many in (
            ("kernel", "kernels.cpp", "KERNELS", 2, 10),
            ("layer of the llama", "llama.cpp", "LAYERS", 2, 8),
        ):
            try:
                small, large = (
                    front_end.text_bytes(compiler, source, [f"-D{macro}={size}"]) for size in (few, many)
                )
            except front_end.Rejected as reason:
                print(f"{compiler}: {name}: rejected: {reason}")
                continue
            each = (large - small) / (many - few)
            print(f"{compiler}: {each:,.0f} bytes per {name}; {few} are {small:,}, {many} are {large:,}", flush=True)
    return 0


def precompiled(options):
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "precompiled.hpp"
        header.write_text("#include <toroid/toroid.hpp>\n", encoding="utf-8")
        made = f"{header}.gch"
        command = ["g++", *front_end.STANDARD, *front_end.INCLUDE, "-x", "c++-header", str(header), "-o", made]
        seconds, _ = front_end.resources(command)
        size = os.path.getsize(made) / 2**20
        print(f"g++: the precompiled header of toroid.hpp takes {seconds:.2f} s and {size:.0f} MiB")
        for case in CASES:
            if case.name not in ("include", "digits", "llama_2"):
                continue
            before, _ = front_end.compile_resources("g++", case.source, case.defines, options.runs)
            used = ["-include", str(header), *case.defines]
            after, _ = front_end.compile_resources("g++", case.source, used, options.runs)
            print(f"g++: {case.name}: {before:.2f} s, with it {after:.2f} s", flush=True)
    return 0


def clangd(options):
    program = shutil.which("clangd-16") or shutil.which("clangd")
    if program is None:
        print("skipped: clangd was not found")
        return 77
    print(front_end.run([program, "--version"]).splitlines()[0])
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        flags = [*front_end.STANDARD, f"-I{ROOT / 'include'}"]
        (pathlib.Path(folder) / "compile_flags.txt").write_text("\n".join(flags) + "\n", encoding="utf-8")
        for source in sorted((ROOT / "examples").glob("*/main.cpp")):
            # Everything that clangd does at a token, but refactorings, which may refuse.
            command = [program, f"--compile-commands-dir={folder}", "--tweaks=none", f"--check={source}"]
            done = front_end.try_run(command, ROOT)
            at = {}
            for line in done.stdout.splitlines():
                match = re.match(r"[IE]\[(\d+):(\d+):([\d.]+)\] (Building preamble|Building AST|Building inlay)", line)
                if match:
                    at[match[4]] = int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
                if re.match(r"E\[.*\] \[|Failed", line):
                    print(line)
            errors += done.returncode != 0
            if len(at) == 3:
                headers, ast, end = at.values()
                times = f"headers parsed and indexed in {ast - headers:.1f} s, the file in {end - ast:.1f} s"
            else:
                times = "clangd did not come to an end"
            name = source.relative_to(ROOT)
            print(f"{name}: {times}, {'no error' if done.returncode == 0 else 'errors'}", flush=True)
    return 1 if errors else 0


#=== documentation ===#


def docs(options):
    """Replaces the parts of docs/build_time.md between `<!-- begin: NAME -->` and `<!-- end: NAME -->`."""
    page = ROOT / "docs/build_time.md"
    for name, measure in FIGURES.items():
        if options.filter not in name:
            continue
        output = io.StringIO()
        part = argparse.Namespace(**{**vars(options), "filter": ""})
        with contextlib.redirect_stdout(output):
            measure(part)
        text = page.read_text(encoding="utf-8")
        new = f"<!-- begin: {name} -->\n```text\n{output.getvalue().rstrip()}\n```\n<!-- end: {name} -->"
        old = re.compile(f"<!-- begin: {name} -->.*?<!-- end: {name} -->", re.DOTALL)
        if not old.search(text):
            sys.exit(f"{page} has no place for {name}")
        page.write_text(old.sub(lambda _: new, text), encoding="utf-8")
        print(f"{name}: written", flush=True)
    return 0


FIGURES = {
    "table": table,
    "growth": growth,
    "bytes": code_bytes,
    "precompiled": precompiled,
    "clangd": clangd,
}


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(action=table)
    for name, action in (("check", check), ("update", update), ("docs", docs), *FIGURES.items()):
        if name != "table":
            parser.add_argument(f"--{name}", dest="action", action="store_const", const=action)
    parser.add_argument("filter", nargs="?", default="", metavar="FILTER")
    parser.add_argument("--quick", action="store_true", help="some g++ rows, a minute")
    parser.add_argument("--compiler", default=",".join(front_end.COMPILERS))
    parser.add_argument("--metric", default="", help="a part of the metrics that are compared or written")
    parser.add_argument("--seconds-only", action="store_true")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="operations of --growth")
    parser.add_argument("--expected", type=pathlib.Path, default=EXPECTED)
    parser.add_argument("-D", dest="defines", action="append", default=[], help="a macro for every case")
    options = parser.parse_args(words)
    options.sizes = [int(size) for size in options.sizes.split(",")]
    options.defines = [f"-D{define}" for define in options.defines]
    chosen = options.compiler.split(",")
    options.compilers = [name for name in front_end.COMPILERS if name in chosen and front_end.available(name)]
    if not any(options.filter in case.name for case in CASES) and options.action is not docs:
        parser.error(f"no case has '{options.filter}' in its name")
    return options


def main():
    options = parse(sys.argv[1:])
    for name in front_end.COMPILERS:
        if name not in options.compilers and name in options.compiler.split(","):
            print(f"skipped: {front_end.COMPILERS[name]} was not found")
    counts = options.action in (check, update, growth) or (options.action in (table, docs) and not options.seconds_only)
    if counts and shutil.which("valgrind") is None:
        print("skipped: valgrind was not found")
        return 77
    return options.action(options)


if __name__ == "__main__":
    sys.exit(main())
