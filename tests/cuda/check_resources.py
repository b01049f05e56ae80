#!/usr/bin/env python3
"""Runs nvcc with -Xptxas -v and checks what its kernels need: no spills, and registers and stack within the bounds.

    check_resources.py BOUNDS ARCHITECTURE -- NVCC FLAGS... SOURCE

BOUNDS names every kernel family of the source (namespace families), one a line:

    NAME  REGISTERS_SM_80  REGISTERS_SM_90A  [stack: WHY]

Only a family whose line says `stack:` may have a stack frame. A family that is missing on either side is an error.
"""

import re
import subprocess
import sys

COLUMNS = {"sm_80": 0, "sm_90a": 1}

PROPERTIES = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
REGISTERS = re.compile(r"Used (\d+) registers")
FAMILY = re.compile(r"\bfamilies::(\w+)")


def read_bounds(path):
    """{family: ([registers on sm_80, registers on sm_90a], may have a stack frame)}."""
    bounds = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.partition("#")[0].split(None, 3)
            if words:
                bounds[words[0]] = ([int(words[1]), int(words[2])], len(words) > 3 and words[3].startswith("stack:"))
    return bounds


def demangled(symbols):
    if not symbols:
        return []
    result = subprocess.run(["c++filt"], input="\n".join(symbols), text=True, check=True, stdout=subprocess.PIPE)
    return result.stdout.splitlines()


def read_kernels(output):
    """(symbol, architecture, registers or None, stack, spilled bytes) of every function that ptxas reports."""
    functions = []
    architecture = ""
    for line in output.splitlines():
        if match := ENTRY.search(line):
            architecture = match[2]
        elif match := PROPERTIES.search(line):
            functions.append([match[1], architecture, None, 0, 0])
        elif match := FRAME.search(line):
            functions[-1][3:] = [int(match[1]), int(match[2]) + int(match[3])]
        elif (match := REGISTERS.search(line)) and functions:
            functions[-1][2] = int(match[1])
    return functions


def main():
    bounds_path, architecture, separator, *command = sys.argv[1:]
    if separator != "--" or architecture not in COLUMNS:
        sys.exit(__doc__)
    bounds = read_bounds(bounds_path)
    nvcc = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    functions = read_kernels(nvcc.stdout)
    problems = []
    if nvcc.returncode != 0 or "warning" in nvcc.stdout or not functions:
        print(nvcc.stdout)
        problems.append(f"nvcc exits with {nvcc.returncode} and reports {len(functions)} kernels")

    needs = {}
    for name, (symbol, found, registers, stack, spilled) in zip(demangled([f[0] for f in functions]), functions):
        family = FAMILY.search(name)
        family = family[1] if family else symbol
        if found != architecture:
            problems.append(f"{family}: compiled for {found}, not {architecture}")
        worst = needs.setdefault(family, [0, 0, 0])
        for i, need in enumerate((registers or 0, stack, spilled)):
            worst[i] = max(worst[i], need)

    for family in sorted(needs.keys() | bounds.keys()):
        if family not in needs:
            problems.append(f"{family}: has bounds, but no kernel")
        elif family not in bounds:
            problems.append(f"{family}: has no line in {bounds_path}; it needs {needs[family][0]} registers")
        else:
            registers, stack, spilled = needs[family]
            (most, may_have_stack) = bounds[family][0][COLUMNS[architecture]], bounds[family][1]
            print(f"{family:24} {registers:4} of {most:4} registers, {stack:4} bytes of stack")
            if registers > most:
                problems.append(f"{family}: {registers} registers on {architecture}, the bound is {most}")
            if stack and not may_have_stack:
                problems.append(f"{family}: {stack} bytes of stack on {architecture}")
            if spilled:
                problems.append(f"{family}: spills {spilled} bytes on {architecture}")
    print("\n".join(problems) if problems else f"{len(needs)} families within their bounds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
