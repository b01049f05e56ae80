#!/usr/bin/env python3
"""Compiles each tests/benchmarks/compile_time/*.cpp with every compiler found and prints seconds and peak memory.

    compile_time.py [FILTER]

No flag but the language standard is given, as a user would compile. The best of three runs counts, as other load on the
machine only adds. FILTER is a part of the file names to measure.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = (
    ("g++", ["-std=c++20"]),
    ("clang++-16", ["-std=c++20"]),
    ("nvcc", ["-std=c++20", "-arch=sm_90a", "-x", "cu"]),
)
RUNS = 3


def measure(command):
    """(best seconds, peak MiB of the largest process) of a few runs, or None when the compiler rejects the source."""
    best, peak = None, 0
    for _ in range(RUNS):
        start = time.perf_counter()
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        if process.returncode != 0:
            return None
        best = seconds if best is None else min(best, seconds)
        peak = max(peak, usage.ru_maxrss / 1024)
    return best, peak


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    sources = sorted((ROOT / "tests/benchmarks/compile_time").glob("*.cpp"))
    sources = [source for source in sources if part in source.name]
    compilers = [(name, flags) for name, flags in COMPILERS if shutil.which(name)]
    if not sources:
        print(f"no source in tests/benchmarks/compile_time matches '{part}'", file=sys.stderr)
        return 1
    rejected = 0
    print(f"{'source':32} {'compiler':12} {'seconds':>8} {'MiB':>8}")
    for source in sources:
        for name, flags in compilers:
            result = measure([name, *flags, f"-I{ROOT / 'include'}", "-c", str(source), "-o", os.devnull])
            rejected += result is None
            figures = f"{result[0]:8.2f} {result[1]:8.0f}" if result else f"{'rejected':>17}"
            print(f"{source.stem:32} {name:12} {figures}", flush=True)
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
