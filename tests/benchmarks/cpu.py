#!/usr/bin/env python3
"""Runs benchmark_cpu beside NumPy, ONNX Runtime and Eigen, where installed, and prints one table.

    cpu.py BUILD_FOLDER [FILTER]

Each program is a process that waits for commands (protocol.hpp). In every round each of them runs the row once, one after
the other, so that other load on the machine meets all alike; the median of the rounds counts. Two threads each.
FILTER is a part of the names of the rows to run. See docs/performance.md.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 7
THREADS = "2"
BYTE_ROWS = ["chain", "exp_tanh_chain", "softmax", "layer_norm", "column_sum", "transpose_add", "sum"]
COPIES = ["copy", "copy_plain", "copy_streaming"]
FLOP_ROWS = ["digits_1", "digits_256"] + [
    f"gemm_{shape}"
    for shape in ("128x128x128", "512x512x512", "2048x2048x2048", "256x256x64_bt", "256x10x256_bt", "1x4096x4096_bt",
                  "32x4096x1024_bt", "4096x64x4096")
]


def environment():
    """Two threads for everyone, which sleep when idle. OpenBLAS chooses its kernels itself."""
    values = dict(os.environ, OMP_NUM_THREADS=THREADS, OPENBLAS_NUM_THREADS=THREADS, MKL_NUM_THREADS=THREADS,
                  TOROID_THREADS=THREADS, OMP_WAIT_POLICY="passive")
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        values.pop(name, None)
    return values


class Program:
    """One benchmark process."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment())

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended during '{command}'")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def python_peer(script):
    """(command, version) of a peer in Python, or (None, None) where its package is missing."""
    command = [sys.executable, str(HERE / "peers" / script)]
    found = subprocess.run([*command, "--version"], capture_output=True, text=True, env=environment())
    return (command, found.stdout.strip()) if found.returncode == 0 else (None, None)


def measure(participants):
    """Median seconds of (program, row) pairs, their rounds interleaved; with what `prepare` told. Missing rows are left out."""
    ready = {}
    for program, row in participants:
        answer = program.ask("prepare " + row)
        if answer:
            ready[program.name] = (program, answer, [])
    for _ in range(ROUNDS):
        for program, _, seconds in ready.values():
            seconds.append(program.ask("run")["seconds"])
            time.sleep(0.01)  # threads of a pool that still spin must not run beside the next program
    for program, _, _ in ready.values():
        program.ask("drop")
    return {name: (statistics.median(seconds), answer) for name, (_, answer, seconds) in ready.items()}


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    byte_rows = [row for row in BYTE_ROWS if part in row]
    flop_rows = [row for row in FLOP_ROWS if part in row]
    if not byte_rows + flop_rows:
        raise SystemExit(f"no row matches '{part}'; the rows are: {' '.join(BYTE_ROWS + FLOP_ROWS)}")

    def start(name, command):
        return Program(name, command) if command else None

    benchmark = [str(folder / "benchmark_cpu")]
    toroid = start("Toroid", benchmark)
    blas = start("OpenBLAS", benchmark)
    numpy, numpy_version = python_peer("numpy_rows.py")
    onnx, onnx_version = python_peer("onnx_rows.py")
    eigen = folder / "benchmark_eigen"
    peers = {
        "NumPy": start("NumPy", numpy),
        "ONNX Runtime": start("ONNX Runtime", onnx),
        "Eigen": start("Eigen", [str(eigen)] if eigen.exists() else None),
    }
    for name, version in (("NumPy", numpy_version), ("ONNX Runtime", onnx_version)):
        print(f"{name}: {version or 'not installed'}")
    print(f"Eigen: {'built' if peers['Eigen'] else 'not installed'}")

    def peer_cells(ours, results):
        return "".join(
            f" {(f'{results[name][0] / ours:.2f}x' if name in results else '-'):>13}" for name in peers)

    heads = "".join(f" {name:>13}" for name in peers)
    if byte_rows:
        # The copies take part in the rounds of every row, through a process of their own.
        copier = start("copy", benchmark)
        streamer = start("streaming", benchmark)
        copies = {row: [] for row in COPIES}
        print(f"\nGB/s counts every input and output once. Copy: this row's speed over that of a copy by memcpy.\n"
              f"Peers: their time over ours; above 1 Toroid is faster.\n")
        print(f"{'row':16} {'ms':>8} {'GB/s':>7} {'copy':>6} {'streaming':>9}{heads}", flush=True)
        for row in byte_rows:
            found = measure([(copier, "copy"), (streamer, "copy_streaming"), (toroid, row)]
                            + [(peer, row) for peer in peers.values() if peer])
            seconds, facts = found["Toroid"]
            speed = facts["bytes"] / seconds
            copy = found["copy"][1]["bytes"] / found["copy"][0]
            copies["copy"].append(copy)
            streaming = float("nan")
            if "streaming" in found:
                streaming = found["streaming"][1]["bytes"] / found["streaming"][0]
                copies["copy_streaming"].append(streaming)
            print(f"{row:16} {seconds * 1e3:8.2f} {speed / 1e9:7.2f} {speed / copy:6.2f} {speed / streaming:9.2f}"
                  f"{peer_cells(seconds, found)}", flush=True)
        plain = measure([(copier, "copy_plain")])
        if "copy" in plain:
            copies["copy_plain"].append(plain["copy"][1]["bytes"] / plain["copy"][0])
        print("\ncopies of 256 MB, GB/s: " + ", ".join(
            f"{row} {statistics.median(speeds) / 1e9:.2f}" for row, speeds in copies.items() if speeds))
        copier.close()
        streamer.close()

    if flop_rows:
        print(f"\n{'row':24} {'us':>9} {'GFLOP/s':>8} {'OpenBLAS':>9}{heads}", flush=True)
        for row in flop_rows:
            found = measure([(toroid, row), (blas, row + "/cblas")] + [(peer, row) for peer in peers.values() if peer])
            seconds, facts = found["Toroid"]
            other = f"{found['OpenBLAS'][0] / seconds:.2f}x" if "OpenBLAS" in found else "-"
            print(f"{row:24} {seconds * 1e6:9.2f} {facts['flops'] / seconds / 1e9:8.1f} {other:>9}"
                  f"{peer_cells(seconds, found)}", flush=True)

    for program in (toroid, blas, *peers.values()):
        if program:
            program.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
