"""PyTorch on the GPU, eager and by torch.compile, for the rows of benchmark_cuda (cuda.py tells the commands).

Inputs and outputs rotate as ours do; so many calls as ours are captured in a CUDA graph, whose replays are timed. Rows
that end in _call are timed with the host.
"""

import gc
import json
import os
import re
import sys
import time

import torch
import torch.nn.functional as F

BF16, F32 = torch.bfloat16, torch.float32
NO_GRAPHS, GRAPHS = "max-autotune-no-cudagraphs", "max-autotune"  # modes of torch.compile


#=== workloads: (function, function that makes the arguments of one call) ===#


def normal(*shape, dtype=BF16):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def copy(x):
    return x.clone()


def chain(a, b, c):
    return F.gelu(a * b + c, approximate="tanh") * torch.sigmoid(a)


def bias_gelu(x, b):
    return F.gelu(x + b, approximate="tanh")


def transpose_add(x, y):
    return x.t() + y


def softmax(x):
    return torch.softmax(x, -1)


def rmsnorm(x, weight):
    return F.rms_norm(x, weight.shape, weight, 1e-6)


def layernorm(x, weight, bias):
    return F.layer_norm(x, weight.shape, weight, bias, 1e-5)


def add_rmsnorm(x, residual, weight):
    h = x + residual
    return h, rmsnorm(h, weight)


def sum_all(x):
    return x.sum()


def column_sum(x):
    return x.sum(0)


def cross_entropy(x, wanted):
    return F.cross_entropy(x.float(), wanted, reduction="none")


def mlp(x, *layers):
    """layers: weight and bias of each, as torch.nn.Linear stores them."""
    for weight, bias in zip(layers[:-2:2], layers[1:-2:2]):
        x = F.relu(F.linear(x, weight, bias))
    return torch.softmax(F.linear(x, *layers[-2:]), -1)


def mlp_arguments(batch):
    """The weights are the same in every call."""
    sizes = (784, 256, 128, 10)
    layers = []
    for inner, outer in zip(sizes, sizes[1:]):
        layers += [normal(outer, inner, dtype=F32) / inner**0.5, normal(outer, dtype=F32)]
    return lambda: (normal(batch, sizes[0], dtype=F32), *layers)


def targets(rows, classes):
    return torch.randint(0, classes, (rows,), device="cuda")


def workload(name):
    """What a row computes, or None where there is no such row."""
    one = {
        "copy_bf16_1G": lambda: (copy, lambda: (normal(1 << 30),)),
        "pointwise_bf16_128M": lambda: (chain, lambda: tuple(normal(1 << 27) for _ in range(3))),
        "pointwise_f32_128M": lambda: (chain, lambda: tuple(normal(1 << 27, dtype=F32) for _ in range(3))),
        "sum_all_f32_256M": lambda: (sum_all, lambda: (normal(1 << 28, dtype=F32),)),
        "mlp_f32_64": lambda: (mlp, mlp_arguments(64)),
        "mlp_f32_64_call": lambda: (mlp, mlp_arguments(64)),
    }
    if name in one:
        return one[name]()
    shaped = re.fullmatch(r"(\w+?)_(?:bf16|f32)_(\d+)x(\d+)", name)
    if not shaped:
        return None
    m, n = int(shaped[2]), int(shaped[3])
    return {
        "bias_gelu": (bias_gelu, lambda: (normal(m, n), normal(n))),
        "transpose_add": (transpose_add, lambda: (normal(m, n, dtype=F32), normal(m, n, dtype=F32))),
        "softmax": (softmax, lambda: (normal(m, n),)),
        "rmsnorm": (rmsnorm, lambda: (normal(m, n), normal(n))),
        "layernorm": (layernorm, lambda: (normal(m, n), normal(n), normal(n))),
        "add_rmsnorm": (add_rmsnorm, lambda: (normal(m, n), normal(m, n), normal(n))),
        "colsum": (column_sum, lambda: (normal(m, n, dtype=F32),)),
        "cross_entropy": (cross_entropy, lambda: (normal(m, n), targets(m, n))),
    }.get(shaped[1])


#=== participants ===#


class Replay:
    """Calls on rotating inputs, captured in a graph. Results are kept for a round, so that they rotate too."""

    def __init__(self, function, sets, calls):
        self.calls = calls
        results = [None] * len(sets)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for arguments in sets * 3:
                function(*arguments)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for i in range(calls):
                results[i % len(sets)] = None
                results[i % len(sets)] = function(*sets[i % len(sets)])
        self.results = results
        self.begin, self.end = torch.cuda.Event(True), torch.cuda.Event(True)
        self.seconds()

    def seconds(self):
        """Of one call: the median of three replays, after one that brings the GPU back from another process."""
        self.graph.replay()
        times = []
        for _ in range(3):
            self.begin.record()
            self.graph.replay()
            self.end.record()
            self.end.synchronize()
            times.append(self.begin.elapsed_time(self.end) * 1e-3 / self.calls)
        return sorted(times)[1]


class Calls:
    """Calls that follow each other without waiting, until the queue is empty; the time of the host counts."""

    def __init__(self, function, sets, calls):
        self.function, self.arguments, self.calls = function, sets[0], calls
        self.many()

    def many(self):
        for _ in range(self.calls):
            self.function(*self.arguments)
        torch.cuda.synchronize()

    def seconds(self):
        self.many()
        start = time.perf_counter()
        self.many()
        return (time.perf_counter() - start) / self.calls


def compiled(function, mode, arguments):
    """The compiled function and the seconds that its first call took."""
    torch._dynamo.reset()
    result = torch.compile(function, mode=mode, dynamic=False)
    start = time.perf_counter()
    result(*arguments)
    torch.cuda.synchronize()
    return result, time.perf_counter() - start


def prepare(name, set_count, calls, which):
    """Participants by name, and what is told about each."""
    found = workload(name)
    if not found:
        return {}, {}
    function, make = found
    sets = [make() for _ in range(set_count)]
    timed_by = Calls if name.endswith("_call") else Replay
    modes = {"eager": None}
    if which != "eager":
        modes["compile"] = NO_GRAPHS
        if timed_by is Calls:
            modes["compile_graphs"] = GRAPHS
    participants, facts = {}, {}
    for participant, mode in modes.items():
        try:
            cold = 0.0
            chosen = function
            if mode:
                chosen, cold = compiled(function, mode, sets[0])
            participants[participant] = timed_by(chosen, sets, calls)
            facts[participant] = {"cold_seconds": round(cold, 2)}
        except Exception as problem:  # one mode that fails must not hide the others
            facts[participant] = {"failure": repr(problem)[:300]}
    return participants, facts


def main():
    which = sys.argv[1] if len(sys.argv) > 1 else "all"
    # Only answers go to the pipe; whatever the packages print goes to stderr.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if not torch.cuda.is_available():
        raise SystemExit("PyTorch finds no GPU")
    torch.set_float32_matmul_precision("highest")
    participants = {}
    with torch.no_grad():
        for line in sys.stdin:
            command, *arguments = line.split()
            answer = {}
            if command == "version":
                answer = {"version": torch.__version__}
            elif command == "prepare":
                participants = {}
                participants, answer = prepare(arguments[0], int(arguments[1]), int(arguments[2]), which)
            elif command == "run":
                answer = {"seconds": participants[arguments[0]].seconds()}
            elif command == "drop":
                participants = {}
                torch._dynamo.reset()
                gc.collect()
                torch.cuda.empty_cache()
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
