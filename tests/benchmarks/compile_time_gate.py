#!/usr/bin/env python3
"""Tests that compile_time.py --check is alive: a slowdown of 3 % fails as REGRESSION, a speedup of 3 % as WIN.

The slowdown is planted: steps of constant evaluation in the cheapest case, as many as add 3 % to its instructions. The
speedup is the same source against results of the slow one.
"""

import csv
import pathlib
import shutil
import sys
import tempfile

import compile_time
import front_end

CASE, METRIC = "dim_arithmetic", "g++ instructions"
SHARE = 0.03
STEPS = 5000


def main():
    if shutil.which("valgrind") is None or not front_end.available("g++"):
        print("skipped: valgrind or g++ was not found")
        return 77
    source = f"{CASE}.cpp"
    usual = front_end.instructions("g++", source, [])
    some = front_end.instructions("g++", source, [f"-DPLANTED_WORK={STEPS}"])
    steps = round(STEPS * SHARE * usual / (some - usual))
    planted = front_end.instructions("g++", source, [f"-DPLANTED_WORK={steps}"])
    print(f"{CASE}: {usual:,} instructions; {steps} planted steps make it {planted:,}, {planted / usual - 1:+.2%}")

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "expected_results.csv"
        for expected, more, outcome, status in (
            (usual, [], "PASS", 0),
            (usual, ["-D", f"PLANTED_WORK={steps}"], "REGRESSION", 1),
            (planted, [], "WIN", 1),
        ):
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(compile_time.COLUMNS)
                writer.writerow((CASE, METRIC, expected, compile_time.MARGIN, front_end.version("g++")))
            done = front_end.try_run(
                [sys.executable, str(pathlib.Path(__file__).with_name("compile_time.py")), "--check", "--quick"]
                + ["--compiler", "g++", "--expected", str(path), *more, CASE]
            )
            ok = done.returncode == status and done.stdout.startswith(outcome)
            wrong += not ok
            print(f"{'as wanted' if ok else f'NOT {outcome}'}, exit status {done.returncode}: {done.stdout.strip()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
