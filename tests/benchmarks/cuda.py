#!/usr/bin/env python3
"""Runs benchmark_cuda beside PyTorch, where it is installed, and prints one table.

    cuda.py BUILD_FOLDER [FILTER]

FILTER: parts of row names, separated by commas; the copies run always. Both programs are processes that wait for
commands (cuda/main.cu). A row is prepared once on each side: compiled, run, checked on ours, and captured as a CUDA
graph of several calls. Then, in 10 rounds, ours, eager PyTorch and compiled PyTorch are timed one after the other;
the median counts.

TOROID_BENCHMARK_TORCH=none|eager leaves out PyTorch or its compiler. TOROID_BENCHMARK_JSON=FILE writes the rows as JSON
lines.
"""

import json
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 10
# Seconds until a program counts as hung.
PATIENCE = {"rows": 30, "prepare": 60, "run": 15, "drop": 30}
PATIENCE_WITH_TORCH = {"version": 180, "prepare": 300, "run": 30, "drop": 60}
COPY = "copy_"


class Ended(Exception):
    """A program ended or hangs."""


class Program:
    """One benchmark process, which is started again after it has failed."""

    def __init__(self, name, command, patience, log=None):
        self.name, self.command, self.patience, self.log = name, command, patience, log
        self.process = None

    def start(self):
        log = open(self.log, "a") if self.log else None
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                        text=True)
        if log:
            log.close()
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, args=(self.process.stdout, self.lines), daemon=True).start()

    @staticmethod
    def listen(output, lines):
        for line in output:
            lines.put(line)
        lines.put(None)

    def ask(self, command):
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=self.patience[command.split()[0]])
        except (queue.Empty, BrokenPipeError) as problem:
            self.stop()
            raise Ended(f"{self.name} hangs or ended in '{command}'") from problem
        if line is None:
            self.stop()
            raise Ended(f"{self.name} ended in '{command}'")
        answer = json.loads(line)
        if "failure" in answer:
            self.stop()  # an error of the GPU stays with its process
            raise Ended(f"{self.name}: {answer['failure']}")
        return answer

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def progress(text):
    print(f"[{time.monotonic() - START:6.1f} s] {text}", file=sys.stderr, flush=True)


#=== one row ===#


def prepare_torch(torch, row, facts):
    """What PyTorch told of its participants; those that failed are left out."""
    try:
        told = torch.ask(f"prepare {row} {facts['sets']} {facts['calls']}")
    except Ended as problem:
        progress(str(problem))
        return {}
    for name, each in told.items():
        if "failure" in each:
            progress(f"PyTorch, {name}: {each['failure']}")
    return {name: each for name, each in told.items() if "failure" not in each}


def run_rounds(toroid, torch, participants):
    """Seconds of every participant in every round."""
    seconds = {name: [] for name in ("toroid", *participants)}
    for _ in range(ROUNDS):
        seconds["toroid"].append(toroid.ask("run")["seconds"])
        for name in participants:
            try:
                seconds[name].append(torch.ask("run " + name)["seconds"])
            except Ended as problem:
                progress(str(problem))
                participants = {}
                break
    return {name: each for name, each in seconds.items() if len(each) == ROUNDS}


def measure(toroid, torch, row):
    """Facts and figures of a row. Raises Ended where ours fails."""
    facts = toroid.ask("prepare " + row)
    told = prepare_torch(torch, row, facts) if torch else {}
    seconds = run_rounds(toroid, torch, told)
    toroid.ask("drop")
    if torch:
        try:
            torch.ask("drop")
        except Ended as problem:
            progress(str(problem))
    us = {name: statistics.median(each) * 1e6 for name, each in seconds.items()}
    ours = us["toroid"]
    found = {"row": row, "us": ours, "low_us": min(seconds["toroid"]) * 1e6, "high_us": max(seconds["toroid"]) * 1e6,
             **{name: facts[name] for name in ("launches", "sets", "calls", "error", "tolerance")},
             "wrong": not facts["error"] <= facts["tolerance"]}
    if facts["flops"]:
        found["tflops"] = facts["flops"] / ours * 1e-6
    else:
        found["gbps"] = facts["bytes"] / ours * 1e-3
    # The better of the two modes of torch.compile, where both were timed.
    compiled = [name for name in ("compile", "compile_graphs") if name in us]
    for name, chosen in (("eager", ["eager"] if "eager" in us else []), ("compile", compiled)):
        if chosen:
            best = min(chosen, key=us.get)
            found |= {f"{name}_us": us[best], f"{name}_ratio": us[best] / ours, f"{name}_by": best}
    for name in compiled:
        found[f"{name}_cold_seconds"] = told[name]["cold_seconds"]
    return found


#=== the table ===#


def head(torch):
    line = f"{'row':28} {'us':>9} {'+-%':>5} {'GB/s':>7} {'copy':>6} {'launches':>8} {'error':>8}"
    if torch:
        line += f" {'eager us':>9} {'compile us':>10} {'eager':>7} {'compile':>7}"
    return line


def line_of(found, roof, torch):
    spread = (found["high_us"] - found["low_us"]) / 2 / found["us"]
    speed = f"{found['gbps']:.0f}" if "gbps" in found else f"{found['tflops']:.2f}T"
    share = f"{found['gbps'] / roof:.1%}" if "gbps" in found and roof else "-"
    line = (f"{found['row']:28} {found['us']:9.2f} {spread:5.1%} {speed:>7} {share:>6} {found['launches']:8}"
            f" {found['error']:8.1e}")
    if torch:
        for name, width in (("eager", 9), ("compile", 10)):
            line += f" {found[f'{name}_us']:{width}.2f}" if f"{name}_us" in found else f" {'-':>{width}}"
        for name in ("eager", "compile"):
            text = f"{found[f'{name}_ratio']:.2f}x" if f"{name}_ratio" in found else "-"
            line += f" {text:>7}"
    return line + ("  WRONG" if found["wrong"] else "")


def summary(results, torch):
    rows = [each for each in results if not each["row"].startswith(COPY)]
    for name in ("eager", "compile") if torch else ():
        ratios = {each["row"]: each[f"{name}_ratio"] for each in rows if f"{name}_ratio" in each}
        slower = [row for row, ratio in ratios.items() if ratio < 1]
        if ratios:
            print(f"faster than {name} in {len(ratios) - len(slower)} of {len(ratios)} rows, geometric mean "
                  f"{statistics.geometric_mean(ratios.values()):.2f}x" +
                  (f"; slower in: {', '.join(slower)}" if slower else ""))


def start_torch(folder):
    which = os.environ.get("TOROID_BENCHMARK_TORCH", "all")
    if which == "none":
        return None, "left out"
    log = folder / "torch_rows.log"
    log.unlink(missing_ok=True)
    torch = Program("PyTorch", [sys.executable, str(HERE / "peers" / "torch_rows.py"), which], PATIENCE_WITH_TORCH, log)
    try:
        return torch, torch.ask("version")["version"] + f", output in {log}"
    except Ended:
        lines = log.read_text().strip().splitlines()
        return None, "not usable" + (f" ({lines[-1]})" if lines else "")


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    parts = (sys.argv[2] if len(sys.argv) > 2 else "").split(",")
    toroid = Program("Toroid", [str(folder / "cuda" / "benchmark_cuda")], PATIENCE)
    every = toroid.ask("rows")["rows"]
    copies = [row for row in every if row.startswith(COPY)]
    chosen = [row for row in every if row not in copies and any(part in row for part in parts)]
    if not chosen and not any(part in row for part in parts for row in copies):
        raise SystemExit(f"no row matches '{','.join(parts)}'; the rows are: {' '.join(every)}")

    torch, version = start_torch(folder)
    print(f"PyTorch: {version}")
    print("us: GPU time of one call from replays of a CUDA graph; rows in _call: with the host.\n"
          "GB/s counts inputs and outputs once; copy: share of the fastest copy below.\n"
          "eager, compile: PyTorch's time over ours; above 1 Toroid is faster.\n")
    print(head(torch), flush=True)

    results, failures, roof = [], [], 0
    written = open(os.environ["TOROID_BENCHMARK_JSON"], "w") if os.environ.get("TOROID_BENCHMARK_JSON") else None
    for number, row in enumerate([*copies, *chosen], 1):
        progress(f"{number}/{len(copies) + len(chosen)} {row}")
        try:
            found = measure(toroid, torch, row)
        except Ended as problem:
            failures.append(row)
            toroid.stop()
            print(f"{row:28} FAILED: {problem}", flush=True)
            found = {"row": row, "failure": str(problem)}
        else:
            results.append(found)
            if row in copies:
                copied = found["gbps"] * found["us"]
                roof = max([roof, *(copied / found[key] for key in ("us", "eager_us", "compile_us") if key in found)])
            if roof and "gbps" in found:
                found["roof"] = found["gbps"] / roof
            if found["wrong"]:
                failures.append(row)
            print(line_of(found, roof, torch), flush=True)
        if written:
            print(json.dumps(found), file=written, flush=True)
    print(f"\nfastest copy: {roof:.0f} GB/s")
    summary(results, torch)
    if failures:
        print(f"failed or wrong: {', '.join(failures)}")
    for program in (toroid, torch):
        if program:
            program.stop()
    progress("done")
    return 1 if failures else 0


START = time.monotonic()
if __name__ == "__main__":
    sys.exit(main())
