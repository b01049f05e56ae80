"""The answering side of protocol.hpp for peers in Python, and the rows' shapes and inputs."""

import json
import re
import sys
import time

import numpy as np

FLAT, WIDE, SQUARE = (64 << 20,), (32768, 1024), (8192, 8192)


def ramp(shape):
    """Values in [-1, 1) that are the same in every program."""
    size = int(np.prod(shape))
    return (np.arange(2048, dtype=np.float32) / 1024 - 1)[np.arange(size) % 2048].reshape(shape)


def gemm_shape(name):
    """(m, n, k, B is stored [n, k]) of a row gemm_MxNxK or gemm_MxNxK_bt, or None for other rows."""
    match = re.fullmatch(r"gemm_(\d+)x(\d+)x(\d+)(_bt)?", name)
    return match and (*(int(match[i]) for i in (1, 2, 3)), match[4] is not None)


def serve(prepare):
    """Answers commands until the input ends. prepare(name) is a function without arguments to time, or None."""
    call, calls = None, 1

    def seconds(count):
        start = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - start) / count

    for line in sys.stdin:
        command, _, name = line.strip().partition(" ")
        answer = {}
        if command == "prepare":
            call = None
            call = prepare(name)
            if call:
                call()
                # Short calls are timed in groups of about 5 ms.
                calls = max(1, int(5e-3 / max(seconds(1), 1e-7)))
                answer = {"bytes": 0, "flops": 0}
        elif command == "run":
            answer = {"seconds": seconds(calls)}
        elif command == "drop":
            call = None
        print(json.dumps(answer), flush=True)
