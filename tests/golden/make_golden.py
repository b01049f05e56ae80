#!/usr/bin/env python3
"""Writes ops_<dtype>.safetensors: for every element type, inputs and the results of every operation that takes it.

Made with Python 3.11.7, NumPy 2.4.6, mpmath 1.4.1; the pointwise results were compared with JAX 0.10.2 on a
CPU where it has the operation and the same convention. Results follow the documentation of include/toroid/ops and
include/toroid/expr, never the code:

- Exact operations are rounded once. Other functions are computed to 300 bits and rounded once: the tests allow what the
  headers of ops/math promise.
- f16 and bf16 are computed in f32 and rounded once more. Integers and bool are taken in f32 where the result is
  floating.
- Reductions are the exact values, with the largest error that any order of summation can make beside them
  (`<name>.tolerance`): that of f32 sums for f16, bf16 and integers.

Tensors of a file: `x` and one tensor for each unary operation and conversion (`to_f32`, ...); `a`, `b`, `c` and one for
each operation of two and three operands (`where` takes `c` as its condition); `rows` [rows, 67] and one for each
reduction of its last axis.
"""
import json
import math
import pathlib
import struct

import numpy as np

from exact_numbers import DTYPES, FLOATS, INF, INTEGERS, NAN, is_float, round_once, round_to
from exact_pointwise import binary, product, unary
from exact_reductions import reductions

SEED = 1789
COLUMNS = 67  # a block of 64 lanes and a rest

#=== inputs ===#


def float_facts(dtype):
    digits, low, high = FLOATS[dtype]
    smallest = math.ldexp(1.0, low - digits + 1)
    return {"smallest": smallest, "subnormal": math.ldexp(1.0, low) - smallest, "normal": math.ldexp(1.0, low),
            "largest": (2.0 - math.ldexp(1.0, 1 - digits)) * math.ldexp(1.0, high),
            "epsilon": math.ldexp(1.0, 1 - digits)}


def unary_inputs(dtype, random):
    if dtype == "bool":
        return [bool(v) for v in random.integers(0, 2, 69)]
    if dtype in INTEGERS:
        low, high = INTEGERS[dtype]
        special = [low, low + 1, -1, 0, 1, 2, 3, 10, -7, high // 2 + 1, high - 1, high, 88, 127, 128, 255, 256, -128,
                   -129, 2**11 + 1, 2**15, -(2**15) - 1, 2**24 + 1, 2**31 - 1, 2**31, 2**53 + 1, 2**62 + 2**38 + 1]
        inside = [v for v in special if low <= v <= high]
        return inside + [int(v) for v in random.integers(low, high, 69 - len(inside), endpoint=True)]
    f = float_facts(dtype)
    sizes = [0.0, f["smallest"], f["subnormal"], f["normal"], f["largest"], 1.0, 1 + f["epsilon"], 1 - f["epsilon"] / 2,
             0.5, 1.5, 2.5, 3.5, 0.4, 0.49, 2.0, 10.0, 17.0, 26.0, 88.0, 104.0, 700.0, 745.0, 127.5, 128.5, 255.5,
             256.5, 32767.5, 65535.5, 1.5707963, 3.1415927, 710.0, 1e5, 1e22, 1e30, 6e300, 2.0**23 + 0.5, 2.0**31 - 1,
             2.0**31, 2.0**32 + 1, 2.0**52 + 0.5, 2.0**63, 2.0**64, 1e-3, 1e-5, 1e-20, 1e-200, INF]
    sizes = list(dict.fromkeys(round_once(v, dtype) for v in sizes))
    values = [NAN] + [s for size in sizes for s in (size, -size)]
    values += [round_once(float(v), dtype) for v in random.normal(0, 3, 16)]
    values += [round_once(float(v), dtype) for v in np.exp(random.uniform(-12, 9, 8)) * random.choice([-1, 1], 8)]
    return values


def binary_inputs(dtype, random):
    if dtype == "bool":
        return [[bool(i >> k & 1) for i in range(72)] for k in range(3)]
    if dtype in INTEGERS:
        low, high = INTEGERS[dtype]
        bits = (high - low).bit_length()
        special = [v for v in (low, low + 1, -7, -3, -2, -1, 0, 1, 2, 3, 2 ** (bits // 2), high - 1, high) if low <= v]
        random_values = [int(v) for v in random.integers(low, high, 64, endpoint=True)]
        small = [int(v) for v in random.integers(max(low, -9), 10, 64)]
        extra = list(zip(random_values, small)) + list(zip(small[:16], random_values[:16]))
        extra += list(zip(small, small[::-1]))
    else:
        f = float_facts(dtype)
        special = [NAN, INF, -INF, 0.0, -0.0, f["smallest"], -f["subnormal"], f["largest"], -f["largest"], 1.0, -1.0,
                   0.5, -2.5, 3.0, -3.0, 2.0]
        near = [1 + f["epsilon"], 1 - f["epsilon"] / 2]
        extra = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-6.0, 3.0), (6.0, -3.0), (10.0, 30.0), (near[0], near[0]),
                 (near[0], near[1]), (near[0], 600.0), (near[1], 4096.0), (0.1, 7.0), (2.0, -130.0), (2.0, 0.5),
                 (9.0, 0.5)]
        extra += list(zip(random.normal(0, 3, 16), random.normal(0, 3, 16)))
        extra += list(zip(np.exp(random.uniform(-3, 3, 16)), random.uniform(-9, 9, 16)))
        extra = [tuple(round_once(float(v), dtype) for v in pair) for pair in extra]
    pairs = [(x, y) for x in special for y in special] + extra
    third = [special[(5 * i + i // len(special)) % len(special)] for i in range(len(pairs))]
    if is_float(dtype):
        # Products that c nearly cancels: a rounding before the addition would show.
        third[-40:] = [-round_to(product(x, y), dtype) for x, y in pairs[-40:]]
    return [[x for x, _ in pairs], [y for _, y in pairs], third]


def row_inputs(dtype, random):
    n = COLUMNS
    if dtype == "bool":
        one_true, one_false = [False] * n, [True] * n
        one_true[65], one_false[3] = True, False
        return [[bool(v) for v in random.integers(0, 2, n)], [False] * n, [True] * n, one_true, one_false]
    if dtype in INTEGERS:
        low, high = INTEGERS[dtype]
        rows = [random.integers(low, high, n, endpoint=True), random.integers(0, 5, n), random.integers(1, 4, n),
                [0] * n, [7] * n, [high] * n, [low] * n, random.integers(max(low, -50), 100, n)]
        single = [0] * n
        single[66] = 1
        return [[int(v) for v in row] for row in rows + [single]]
    f = float_facts(dtype)
    normal = [list(random.normal(0, 1, n)) for _ in range(5)]
    normal[1][31] = normal[1][50] = NAN
    normal[2][40] = INF
    normal[3][2], normal[3][66] = INF, -INF
    normal[4][0] = normal[4][65] = -INF
    zeros = list(random.choice([-0.0, 0.0], n))
    ties = list(random.integers(0, 5, n))
    large = list(random.uniform(1.0, 6.0, n) * 1e4)
    tiny = list(random.integers(-3, 9, n) * f["smallest"])
    offset = list(1000.0 + random.normal(0, 1, n))
    rows = normal + [[-INF] * n, zeros, ties, large, tiny, [3.25] * n, offset]
    return [[round_once(float(v), dtype, float(v)) for v in row] for row in rows]


#=== file ===#

NAMES = {"bool": "BOOL", "u8": "U8", "i8": "I8", "i16": "I16", "i32": "I32", "i64": "I64", "f16": "F16", "bf16": "BF16",
         "f32": "F32", "f64": "F64"}
NUMPY = {"bool": "?", "u8": "<u1", "i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "f16": "<f2", "f32": "<f4",
         "f64": "<f8"}


def data_of(dtype, values):
    if dtype == "bf16":
        return (np.array(values, "<f4").view("<u4") >> 16).astype("<u2").tobytes()
    with np.errstate(over="raise"):
        return np.array(values, NUMPY[dtype]).tobytes()


def write_safetensors(path, tensors):
    """tensors: name -> (dtype, shape, values); contiguous from offset 0, the header padded with spaces to 8 bytes."""
    header, blob = {}, b""
    # Largest elements first keeps every tensor aligned.
    by_size = sorted(tensors.items(), key=lambda t: -np.dtype(NUMPY.get(t[1][0], "<u2")).itemsize)
    for name, (dtype, shape, values) in by_size:
        data = data_of(dtype, values)
        header[name] = {"dtype": NAMES[dtype], "shape": shape, "data_offsets": [len(blob), len(blob) + len(data)]}
        blob += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + blob)


def tensors_of(dtype):
    random = np.random.Generator(np.random.PCG64([SEED, DTYPES.index(dtype)]))
    x = unary_inputs(dtype, random)
    a, b, c = binary_inputs(dtype, random)
    rows = row_inputs(dtype, random)
    tensors = {name: (dtype, [len(values)], values) for name, values in (("x", x), ("a", a), ("b", b), ("c", c))}
    tensors["rows"] = (dtype, [len(rows), COLUMNS], [v for row in rows for v in row])
    for name, (result, values) in {**unary(dtype, x), **binary(dtype, a, b, c)}.items():
        tensors[name] = (result, [len(values)], values)
    for name, (result, values, tolerances) in reductions(dtype, rows).items():
        shape = [len(rows), COLUMNS] if "softmax" in name else [len(rows)]
        tensors[name] = (result, shape, values)
        if tolerances is not None:
            # Tolerances are few digits: f32 holds them, except for the subnormal range of f64.
            tensors[name + ".tolerance"] = ("f64" if dtype == "f64" else "f32", shape, tolerances)
    return tensors


if __name__ == "__main__":
    for dtype in DTYPES:
        write_safetensors(pathlib.Path(__file__).with_name(f"ops_{dtype}.safetensors"), tensors_of(dtype))
