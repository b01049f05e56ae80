#!/usr/bin/env python3
"""Writes linear_64x64.safetensors: a square linear layer in PyTorch's convention, y = x @ weight.T + bias.

With in = out, shapes cannot tell weight from its transpose; only the values can. x: [5, 64], weight: [64, 64] as
[out, in], bias: [64], y: [5, 64], all float32. y is computed in float64 from the float32 inputs, then rounded once.
"""
import json
import pathlib
import struct

import numpy as np

SEED = 64
BATCH, WIDTH = 5, 64


def tensors():
    """The four arrays by name."""
    random = np.random.Generator(np.random.PCG64(SEED))
    bound = 1 / np.sqrt(WIDTH)  # nn.Linear's own initialisation range
    weight = random.uniform(-bound, bound, (WIDTH, WIDTH)).astype(np.float32)
    bias = random.uniform(-bound, bound, WIDTH).astype(np.float32)
    x = random.uniform(-1, 1, (BATCH, WIDTH)).astype(np.float32)
    y = x.astype(np.float64) @ weight.astype(np.float64).T + bias
    # The file is of no use unless the wrong layout is far outside any tolerance.
    wrong = x.astype(np.float64) @ weight.astype(np.float64) + bias
    if np.abs(wrong - y).max(axis=1).min() < 0.5:
        raise SystemExit("a transposed weight gives nearly the same y: choose another seed")
    return {"weight": weight, "bias": bias, "x": x, "y": y.astype(np.float32)}


def write_safetensors(path, arrays):
    """Writes float32 arrays in the given order, contiguous from offset 0, the header padded with spaces to 8 bytes."""
    header, offset = {}, 0
    for name, array in arrays.items():
        end = offset + array.nbytes
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.astype("<f4").tobytes())


if __name__ == "__main__":
    write_safetensors(pathlib.Path(__file__).with_name("linear_64x64.safetensors"), tensors())
