"""NumPy: every operation writes into memory allocated before (`out=`). NumPy threads matrix products only."""

import sys

import numpy as np
from protocol import FLAT, SQUARE, WIDE, gemm_shape, ramp, serve


def chain():
    x, y = ramp(FLAT), np.empty(FLAT, np.float32)

    def call():
        np.multiply(x, np.float32(0.5), out=y)
        np.add(y, np.float32(1), out=y)
        np.multiply(y, x, out=y)
        np.subtract(y, np.float32(0.25), out=y)
        np.maximum(y, np.float32(0), out=y)
        np.multiply(y, np.float32(2), out=y)

    return call


def exp_tanh_chain():
    x, y = ramp(FLAT), np.empty(FLAT, np.float32)

    def call():
        np.multiply(x, np.float32(0.5), out=y)
        np.add(y, np.float32(1), out=y)
        np.exp(y, out=y)
        np.multiply(y, np.float32(0.25), out=y)
        np.subtract(y, x, out=y)
        np.tanh(y, out=y)

    return call


def softmax():
    x, y = ramp(WIDE), np.empty(WIDE, np.float32)

    def call():
        np.subtract(x, x.max(axis=1, keepdims=True), out=y)
        np.exp(y, out=y)
        np.divide(y, y.sum(axis=1, keepdims=True), out=y)

    return call


def layer_norm():
    x, y, square = ramp(WIDE), np.empty(WIDE, np.float32), np.empty(WIDE, np.float32)

    def call():
        np.subtract(x, x.mean(axis=1, keepdims=True), out=y)
        np.multiply(y, y, out=square)
        np.divide(y, np.sqrt(square.mean(axis=1, keepdims=True) + np.float32(1e-5)), out=y)

    return call


def column_sum():
    x, y = ramp(WIDE), np.empty(1024, np.float32)
    return lambda: np.sum(x, axis=0, out=y)


def transpose_add():
    x, b, y = ramp(SQUARE), ramp(SQUARE), np.empty(SQUARE, np.float32)
    return lambda: np.add(x.T, b, out=y)


def total():
    x = ramp(FLAT)
    return x.sum


def digits(batch):
    x, w1, w2 = ramp((batch, 64)), ramp((256, 64)), ramp((10, 256))
    b1, b2 = np.ones(256, np.float32), np.ones(10, np.float32)
    h, y = np.empty((batch, 256), np.float32), np.empty((batch, 10), np.float32)

    def call():
        np.matmul(x, w1.T, out=h)
        np.add(h, b1, out=h)
        np.maximum(h, np.float32(0), out=h)
        np.matmul(h, w2.T, out=y)
        np.add(y, b2, out=y)
        np.subtract(y, y.max(axis=1, keepdims=True), out=y)
        np.exp(y, out=y)
        np.divide(y, y.sum(axis=1, keepdims=True), out=y)

    return call


def gemm(m, n, k, b_transposed):
    a, b, c = ramp((m, k)), ramp((n, k)).T if b_transposed else ramp((k, n)), np.empty((m, n), np.float32)
    return lambda: np.matmul(a, b, out=c)


ROWS = {
    "chain": chain,
    "exp_tanh_chain": exp_tanh_chain,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "column_sum": column_sum,
    "transpose_add": transpose_add,
    "sum": total,
    "digits_1": lambda: digits(1),
    "digits_256": lambda: digits(256),
}


def prepare(name):
    shape = gemm_shape(name)
    return gemm(*shape) if shape else ROWS[name]() if name in ROWS else None


if __name__ == "__main__":
    if "--version" in sys.argv:
        print(np.__version__)
    else:
        serve(prepare)
