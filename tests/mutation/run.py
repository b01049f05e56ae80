#!/usr/bin/env python3
"""Plants faults in a copy of the headers, one at a time, and demands that the detector finds each.

    run.py --root DIR --work DIR -- COMPILER FLAGS...

A fault is found when detect.cpp no longer compiles or its program fails. The unchanged headers must pass. A fault whose
text is no longer in its header is an error: write it anew. Prints a score; exits with 1 unless every fault is found.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

# (what is wrong, header, right text, wrong text); any run of spaces matches any other.
FAULTS = [
    ("cse takes subtraction for commutative", "pass/cse.hpp", "return o == op::add ||", "return o == op::add || o == op::sub ||"),
    ("softmax subtracts the wrong way round", "pass/decompose.hpp", "const int shifted = add(op::sub, t, wide, x, top);",
     "const int shifted = add(op::sub, t, wide, top, x);"),
    ("mean counts the axes that stay", "pass/decompose.hpp",
     "if (has_axis(n.payload, a)) elements = elements *", "if (!has_axis(n.payload, a)) elements = elements *"),
    ("x + 0 is x, also for -0", "pass/simplify.hpp", "if (is_constant(n.operands[1], floating ? -0.0 : 0.0)) return n.operands[0];",
     "if (is_constant(n.operands[1], 0.0)) return n.operands[0];"),
    ("dce keeps what the first output needs", "pass/dce.hpp", "for (int i = 0; i < g.output_count; ++i) live[g.outputs[i].node] = true;",
     "live[g.outputs[0].node] = true;"),
    ("strides of a slice ignore its step", "schedule/build.hpp", "graph.dims.intern(dim(slice_step(n.payload)))", "1"),
    ("a node joins a kernel that waits for another", "schedule/fusion.hpp",
     "if (depends_on(base, group, -1, budget)) return fusion_reason::would_cycle;", ""),
    ("kernels with other constants count as equal", "schedule/structure.hpp",
     "same_facts(left, right) && left.payload == right.payload;", "same_facts(left, right);"),
    ("in place without a look at the indices", "wrapper/lower.hpp",
     "if (read.strides[r] != written.strides[r]) return false;", ";"),
    ("storage is reused whatever its bytes", "wrapper/lower.hpp",
     "if (candidate.type != b.type || !(candidate.bytes == b.bytes)) continue;", "if (candidate.type != b.type) continue;"),
    ("a buffer dies at its first use", "wrapper/lower.hpp", "last_step[buffer_of[at]] = step;",
     "if (last_step[buffer_of[at]] < 0) last_step[buffer_of[at]] = step;"),
    ("a slot is free in the last step of its block", "wrapper/memory.hpp", "if (slot.busy_until >= block.begin) continue;",
     "if (slot.busy_until > block.begin) continue;"),
    ("blocks that meet in one step share bytes", "wrapper/memory.hpp", "if (other.end < block.begin ||", "if (other.end <= block.begin ||"),
    ("the largest of nothing is 0", "codegen/body.hpp",
     "if constexpr (number_limits<T>::has_infinity) return -number_limits<T>::infinity;", "if constexpr (number_limits<T>::has_infinity) return T(0);"),
    ("argmax takes the last of equals", "codegen/body.hpp", "(ties && index < best_index)", "(ties && index > best_index)"),
]


def plant(text, right, wrong):
    """`text` with one place changed, or None when there is not exactly one."""
    pattern = r"\s+".join(re.escape(word) for word in right.split())
    changed, count = re.subn(pattern, lambda _: wrong, text)
    return changed if count == 1 else None


def run_detector(include, directory, compiler, detector):
    """None when the detector is content, else how it failed."""
    program = directory / "detect"
    # The changed headers come first, so that a root in the flags does not matter.
    command = [compiler[0], f"-I{include}", *compiler[1:], "-O0", "-w", "-pthread", str(detector), "-o", str(program)]
    try:
        build = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if build.returncode != 0:
            errors = [line for line in build.stderr.splitlines() if "error" in line]
            return "does not compile: " + (errors[0] if errors else build.stderr[-300:])
        result = subprocess.run([str(program)], capture_output=True, text=True, timeout=30)
        return None if result.returncode == 0 else (result.stdout.splitlines() or ["crashes"])[0]
    except subprocess.TimeoutExpired:
        return "takes too long"


def try_fault(number, fault, arguments, compiler, detector):
    name, header, right, wrong = fault
    directory = arguments.work / f"fault{number}"
    include = directory / "include"
    shutil.copytree(arguments.root / "include", include)
    path = include / "toroid" / header
    text = plant(path.read_text(), right, wrong)
    if text is None:
        return name, False, f"the text is not once in {header}: write the fault anew"
    path.write_text(text)
    how = run_detector(include, directory, compiler, detector)
    shutil.rmtree(directory)
    return name, how is not None, how or "not found"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("compiler", nargs="+")
    arguments = parser.parse_args()
    detector = arguments.root / "tests" / "mutation" / "detect.cpp"
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)

    unchanged = run_detector(arguments.root / "include", arguments.work, arguments.compiler, detector)
    if unchanged is not None:
        sys.exit(f"the unchanged headers fail: {unchanged}")
    found = 0
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        trials = [pool.submit(try_fault, i, fault, arguments, arguments.compiler, detector) for i, fault in enumerate(FAULTS)]
        for trial in trials:
            name, ok, how = trial.result()
            found += ok
            print(f"{'found ' if ok else 'MISSED'}  {name}: {how}", flush=True)
    print(f"mutation score: {found} of {len(FAULTS)}")
    return found != len(FAULTS)


if __name__ == "__main__":
    sys.exit(main())
