#!/usr/bin/env python3
"""Computes with PyTorch what compare_torch.cu wrote, on the same inputs, and compares. Exits non-zero on a difference.

    compare_torch.py FILE
"""

import json
import pathlib
import struct
import sys

import torch
from torch.nn import functional

DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
          "I64": torch.int64, "I32": torch.int32, "U8": torch.uint8, "BOOL": torch.bool}

MODELS = {
    "softmax": lambda x: functional.softmax(x, dim=-1),
    "log_softmax": lambda x: functional.log_softmax(x, dim=-1),
    "layer_norm": lambda x, weight, bias: functional.layer_norm(x, x.shape[-1:], weight, bias, 1e-5),
    "rms_norm": lambda x, weight: functional.rms_norm(x, x.shape[-1:], weight, 1e-5),
    "gelu": functional.gelu,
    "var": lambda x: torch.var(x, dim=-1),
    "argmax": lambda x: torch.argmax(x, dim=-1),
    "matmul": torch.matmul,
    "linear_gelu": lambda x, weight, bias: functional.gelu(functional.linear(x, weight, bias)),
}

# Sums of products in another order; the defaults of torch.testing.assert_close are for single operations.
PRODUCT_TOLERANCES = {torch.float32: (2e-6, 1e-4), torch.float16: (2e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2)}


def read(path):
    """The tensors of a safetensors file."""
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        flat = torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[entry["dtype"]])
        tensors[name] = flat.reshape(entry["shape"])
    return tensors


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tensors = read(sys.argv[1])
    cases = sorted({name.rpartition(".")[0] for name in tensors})
    failures = 0
    for case in cases:
        model = case.partition(".")[0]
        inputs = []
        while f"{case}.input{len(inputs)}" in tensors:
            inputs.append(tensors[f"{case}.input{len(inputs)}"].to(device))
        result = tensors[f"{case}.result"].to(device)
        expected = MODELS[model](*inputs)
        rtol, atol = PRODUCT_TOLERANCES[result.dtype] if model in ("matmul", "linear_gelu") else (None, None)
        try:
            torch.testing.assert_close(result, expected, rtol=rtol, atol=atol, equal_nan=True)
            error = (result.double() - expected.double()).abs().max().item()
            print(f"{case}: largest difference {error:.3g}")
        except AssertionError as difference:
            failures += 1
            print(f"{case}: {difference}")
    print(f"{len(cases)} models compared on {device}, {failures} differ")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
