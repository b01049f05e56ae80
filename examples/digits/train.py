#!/usr/bin/env python3
"""Trains the 64-256-10 digit classifier of this example with NumPy and writes it as safetensors.

Rows 1-1437 of digits.csv.gz are for training, the last 360 are held out. Every choice (the candidates below) is made on
the training rows; the held-out rows are read once, at the end, to report the accuracy. See README.md for the data.
"""
import os

# One BLAS thread: fast enough here, and the order of summation (hence every weight) stays the same from run to run.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import gzip
import hashlib
import json
import pathlib
import struct
import time
from dataclasses import dataclass

import numpy as np

TRAIN_ROWS = 1437
TEST_ROWS = 360
TRAIN_SHA256 = "e8b77f84483de1ed1704ca3dbb3a654f2a390f9de5a9a7437762b3e5bd8255f3"
TEST_SHA256 = "18f979c3e19091ff86ebe4fc4ae346bb8738ba57e5e958ee2243dd2dffcc14ff"

SIDE = 8
PIXELS = SIDE * SIDE
HIDDEN = 256
CLASSES = 10
PIXEL_MAX = 16

SEED = 20240611
FOLDS = 5
MIN_ACCURACY = 0.955


@dataclass(frozen=True)
class Settings:
    """Hyperparameters of one training run; `noise` is in units of the scaled input (white = 1)."""

    epochs: int = 300
    batch: int = 64
    rate: float = 8e-3
    weight_decay: float = 0.05
    shift: float = 0.3  # share of images moved by up to one pixel
    noise: float = 0.2  # standard deviation
    average: float = 0.995  # of the weight averaging


CANDIDATES = (
    Settings(shift=0.0, noise=0.0),
    Settings(shift=0.3),
    Settings(shift=0.6),
)


# === data ===


def read_rows(path):
    """Returns (training, test) as uint8 arrays [rows, 65] after checking the SHA-256 of the CSV text of each."""
    lines = gzip.decompress(pathlib.Path(path).read_bytes()).splitlines(keepends=True)
    if len(lines) != TRAIN_ROWS + TEST_ROWS:
        raise SystemExit(f"{path}: {len(lines)} rows, expected {TRAIN_ROWS + TEST_ROWS}")
    parts = []
    for name, part, expected in (
        ("training", lines[:TRAIN_ROWS], TRAIN_SHA256),
        ("test", lines[TRAIN_ROWS:], TEST_SHA256),
    ):
        actual = hashlib.sha256(b"".join(part)).hexdigest()
        if actual != expected:
            raise SystemExit(f"{path}: SHA-256 of the {name} rows is {actual}, expected {expected}")
        parts.append(np.array([[int(value) for value in line.split(b",")] for line in part], np.uint8))
    return parts


def scaled(images):
    """uint8 pixels 0..16 to float32 0..1; exact, since 16 is a power of two."""
    return images.astype(np.float32) / np.float32(PIXEL_MAX)


def shift_table():
    """Pixel indices [9, 64] into an image padded to 10x10 that shift it by -1, 0 or 1 in each direction; row 4 is no shift."""
    grid = np.arange((SIDE + 2) ** 2).reshape(SIDE + 2, SIDE + 2)
    return np.stack([grid[y : y + SIDE, x : x + SIDE].ravel() for y in range(3) for x in range(3)])


# === model ===


def initial_parameters(random):
    """PyTorch's names and layouts (weight: [out, in]); He initialisation, zero biases."""
    return {
        "fc1.weight": random.standard_normal((HIDDEN, PIXELS), np.float32) * np.float32(np.sqrt(2 / PIXELS)),
        "fc1.bias": np.zeros(HIDDEN, np.float32),
        "fc2.weight": random.standard_normal((CLASSES, HIDDEN), np.float32) * np.float32(np.sqrt(2 / HIDDEN)),
        "fc2.bias": np.zeros(CLASSES, np.float32),
    }


def forward(parameters, x):
    """Returns (hidden [B, 256], logits [B, 10]) for x: [B, 64]."""
    hidden = np.maximum(x @ parameters["fc1.weight"].T + parameters["fc1.bias"], 0)
    return hidden, hidden @ parameters["fc2.weight"].T + parameters["fc2.bias"]


def gradients(parameters, x, labels):
    """Gradients of the mean softmax cross-entropy."""
    hidden, logits = forward(parameters, x)
    d_logits = np.exp(logits - logits.max(axis=1, keepdims=True))
    d_logits /= d_logits.sum(axis=1, keepdims=True)
    d_logits[np.arange(len(labels)), labels] -= 1
    d_logits /= len(labels)
    d_hidden = (d_logits @ parameters["fc2.weight"]) * (hidden > 0)
    return {
        "fc1.weight": d_hidden.T @ x,
        "fc1.bias": d_hidden.sum(axis=0),
        "fc2.weight": d_logits.T @ hidden,
        "fc2.bias": d_logits.sum(axis=0),
    }


def correct(parameters, images, labels):
    """Number of images whose largest logit is the label's."""
    return int((forward(parameters, scaled(images))[1].argmax(axis=1) == labels).sum())


# === training ===


def train(images, labels, settings, seed):
    """Adam with decoupled weight decay and a cosine rate; returns the exponential moving average of the parameters."""
    random = np.random.Generator(np.random.PCG64(seed))
    padded = np.pad(scaled(images).reshape(-1, SIDE, SIDE), ((0, 0), (1, 1), (1, 1))).reshape(len(images), -1)
    shifts = shift_table()
    parameters = initial_parameters(random)
    average = {name: value.copy() for name, value in parameters.items()}
    first = {name: np.zeros_like(value) for name, value in parameters.items()}
    second = {name: np.zeros_like(value) for name, value in parameters.items()}
    beta1, beta2, epsilon = 0.9, 0.999, 1e-8
    steps = settings.epochs * -(-len(images) // settings.batch)
    step = 0
    for _ in range(settings.epochs):
        order = random.permutation(len(images))
        for start in range(0, len(order), settings.batch):
            rows = order[start : start + settings.batch]
            moved = random.random(len(rows)) < settings.shift
            choice = np.where(moved, random.integers(0, len(shifts), len(rows)), len(shifts) // 2)
            x = padded[rows[:, None], shifts[choice]]
            x += np.float32(settings.noise) * random.standard_normal(x.shape, np.float32)

            rate = settings.rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            step += 1
            scale = np.float32(rate * np.sqrt(1 - beta2**step) / (1 - beta1**step))
            for name, gradient in gradients(parameters, x, labels[rows]).items():
                value = parameters[name]
                first[name] += np.float32(1 - beta1) * (gradient - first[name])
                second[name] += np.float32(1 - beta2) * (gradient * gradient - second[name])
                if value.ndim == 2:  # biases are not decayed
                    value *= np.float32(1 - rate * settings.weight_decay)
                value -= scale * first[name] / (np.sqrt(second[name]) + np.float32(epsilon))
                average[name] += np.float32(1 - settings.average) * (value - average[name])
    return average


def validation_accuracy(images, labels, settings, seed):
    """Cross-validated accuracy over contiguous blocks of rows.

    Blocks, not shuffled rows: neighbouring rows are often one writer's, and the held-out rows are a block of their own,
    so a shuffled split would flatter every candidate.
    """
    hits = 0
    for block in np.array_split(np.arange(len(images)), FOLDS):
        rest = np.setdiff1d(np.arange(len(images)), block)
        hits += correct(train(images[rest], labels[rest], settings, seed), images[block], labels[block])
    return hits / len(images)


# === files ===


def write_safetensors(path, tensors):
    """Writes arrays in the given order, contiguous from offset 0, the header padded with spaces to 8 bytes."""
    names = {np.dtype(np.float32): "F32", np.dtype(np.uint8): "U8"}
    header, offset = {}, 0
    for name, array in tensors.items():
        end = offset + array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(array.astype(array.dtype.newbyteorder("<")).tobytes())


def write_checksums(folder, names):
    """Writes SHA256SUMS in the format of sha256sum."""
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="path of scikit-learn's digits.csv.gz")
    parser.add_argument("--out", default=pathlib.Path(__file__).parent, type=pathlib.Path, help="folder to write to")
    arguments = parser.parse_args()

    training, test = read_rows(arguments.data)
    images, labels = training[:, :PIXELS], training[:, PIXELS]

    begin = time.perf_counter()
    best, best_accuracy = None, -1.0
    for settings in CANDIDATES:
        accuracy = validation_accuracy(images, labels, settings, SEED)
        print(f"validation {accuracy:.4f}  {settings}", flush=True)
        if accuracy > best_accuracy:
            best, best_accuracy = settings, accuracy
    print(f"chosen     {best_accuracy:.4f}  {best}")

    parameters = train(images, labels, best, SEED)
    print(f"trained in {time.perf_counter() - begin:.1f} s, validation included")

    test_images, test_labels = test[:, :PIXELS].copy(), test[:, PIXELS].copy()
    hits = correct(parameters, test_images, test_labels)
    print(f"test       {hits}/{TEST_ROWS} = {hits / TEST_ROWS:.4f}")
    if hits / TEST_ROWS < MIN_ACCURACY:
        raise SystemExit(f"accuracy below {MIN_ACCURACY}: nothing written")

    arguments.out.mkdir(parents=True, exist_ok=True)
    write_safetensors(arguments.out / "weights.safetensors", parameters)
    write_safetensors(arguments.out / "test.safetensors", {"images": test_images, "labels": test_labels})
    write_checksums(arguments.out, ("weights.safetensors", "test.safetensors"))


if __name__ == "__main__":
    main()
