#!/usr/bin/env python3
"""Adds up JUnit files of CTest: prints `N passed, N failed[, N skipped]` and exits non-zero if anything failed.

    summary.py [--failed N] FILE...

An entry that ran doctest counts its test cases; every other entry counts one.
"""

import argparse
import re
import sys
import xml.etree.ElementTree

DOCTEST = re.compile(r"\[doctest\] test cases: *\d+ *\| *(\d+) passed *\| *(\d+) failed")


def count(case):
    """(passed, failed, skipped) of one entry."""
    status = case.get("status")
    if status != "run" and case.find("skipped") is not None:
        # CTest calls a program that it cannot find skipped, too.
        return (0, 0, 1) if case.find("skipped").get("message", "").startswith("SKIP_") else (0, 1, 0)
    cases = DOCTEST.findall(case.findtext("system-out") or "")
    passed, failed = (int(number) for number in cases[-1]) if cases else (int(status == "run"), 0)
    # A crash, or a fault outside the test cases, is one failure more than doctest knows.
    return passed, max(failed, int(status != "run")), 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failed", type=int, default=0, help="failures that are in no file")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()

    passed, failed, skipped = 0, options.failed, 0
    for file in options.files:
        try:
            cases = xml.etree.ElementTree.parse(file).getroot().iter("testcase")
            counts = [count(case) for case in cases]
        except (OSError, xml.etree.ElementTree.ParseError) as problem:
            print(f"{file}: {problem}")
            counts = [(0, 1, 0)]
        passed += sum(entry[0] for entry in counts)
        failed += sum(entry[1] for entry in counts)
        skipped += sum(entry[2] for entry in counts)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
