#!/usr/bin/env python3
"""Writes ops_<dtype>.safetensors: for every element type, inputs and the results of every operation that takes it.

Made with Python 3.11.7, NumPy 2.4.6 and mpmath 1.4.1; the pointwise results were compared with JAX 0.10.2 on a CPU where
it has the operation and the same convention. Results follow the documentation of include/toroid/ops and
include/toroid/expr, never the code:

- Exact operations are rounded once. Other functions are computed to 300 bits and rounded once: the tests allow what the
  headers of ops/math promise.
- f16 and bf16 are computed in f32 and rounded once more. Integers and bool are taken in f32 where the result is floating.
- Reductions are the exact values, with the largest error that any order of summation can make beside them
  (`<name>.tolerance`): sums and counts are those of f32 for f16, bf16 and integers.

Tensors of a file: `x` and one tensor for each unary operation and conversion (`to_f32`, ...); `a`, `b`, `c` and one for
each operation of two and three operands (`where` takes `c` as its condition); `rows` [rows, 67] and one for each
reduction of its last axis.
"""
import json
import math
import pathlib
import struct
from fractions import Fraction

import mpmath
import numpy as np

mpmath.mp.prec = 300
SEED = 1789
COLUMNS = 67  # a block of 64 lanes and a rest
INTEGERS = {"u8": (0, 255), "i8": (-128, 127), "i16": (-(2**15), 2**15 - 1), "i32": (-(2**31), 2**31 - 1),
            "i64": (-(2**63), 2**63 - 1)}
# bits of the significand, smallest and largest exponent of a normal number
FLOATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}
DTYPES = ["bool", *INTEGERS, *FLOATS]
NAN, INF = math.nan, math.inf

#=== numbers: a value of every dtype is held as a Python bool, int or (exactly) float ===#


def is_float(dtype):
    return dtype in FLOATS


def compute(dtype):
    return "f32" if dtype in ("f16", "bf16") else dtype


def floating(dtype):
    return dtype if is_float(dtype) else "f32"


def is_special(x):
    return isinstance(x, float) and not math.isfinite(x)


def exact(x):
    """The rational of a finite float, int, mpf or Fraction."""
    if isinstance(x, mpmath.mpf):
        sign, mantissa, exponent, _ = x._mpf_
        value = Fraction(int(mantissa)) * Fraction(2) ** exponent
        return -value if sign else value
    return Fraction(x)


def round_once(x, dtype, zero=0.0):
    """The float of `dtype` nearest to a rational or mpf, ties to even; `zero` is the zero of an exact 0."""
    if is_special(x):
        return x
    value = exact(x)
    if value == 0:
        return zero
    digits, low, high = FLOATS[dtype]
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = max(exponent, low) - digits + 1
    whole = round(size / Fraction(2) ** unit)  # Python rounds fractions half to even
    sign = -1.0 if value < 0 else 1.0
    if whole >= 2**digits and unit + digits > high or whole * Fraction(2) ** unit >= Fraction(2) ** (high + 1):
        return sign * INF
    return sign * math.ldexp(float(whole), unit)


def round_to(x, dtype, zero=0.0):
    """As an operation stores its result: rounded in the compute type, then in the dtype."""
    inner = round_once(x, compute(dtype), zero)
    return inner if compute(dtype) == dtype else round_once(inner, dtype, inner)


def wrap(x, dtype):
    low, high = INTEGERS[dtype]
    return (x - low) % (high - low + 1) + low


def convert(x, source, target):
    if source == target:
        return x
    if target == "bool":
        return x != 0  # NaN is not 0
    if target in INTEGERS:
        if not is_float(source):
            return wrap(int(x), target)
        low, high = INTEGERS[target]
        if math.isnan(x):
            return 0
        return low if x < low else high if x > high else math.trunc(x)
    return round_to(x if is_float(source) else Fraction(int(x)), target, x if is_float(source) else 0.0)


#=== floating functions: floats in, a float, mpf or Fraction out ===#


def with_nan(f):
    return lambda x: NAN if math.isnan(x) else f(x)


def at_limits(f, minus, plus, big=20000.0):
    """`f` between -big and big, the limits outside."""
    return with_nan(lambda x: plus if x > big else minus if x < -big else f(mpmath.mpf(x)))


def odd(f):
    """`f` for finite x != 0, and ±0 for ±0."""
    return lambda x: x if x == 0 else f(x)


TINY = Fraction(1, 2**4000)  # rounds to 0


def reciprocal_root(x):
    if x == 0:
        return math.copysign(INF, x)
    return NAN if x < 0 else 0.0 if x == INF else 1 / mpmath.sqrt(mpmath.mpf(x))


def logarithm(f):
    return with_nan(lambda x: -INF if x == 0 else NAN if x < 0 else x if x == INF else f(mpmath.mpf(x)))


def log1p(x):
    if x == 0 or x == INF:
        return x
    return -INF if x == -1 else NAN if x < -1 else mpmath.log1p(mpmath.mpf(x))


def turning(f):
    return lambda x: NAN if is_special(x) else f(mpmath.mpf(x))


def sign(x):
    return x if math.isnan(x) or x == 0 else math.copysign(1.0, x)


def relu(x):
    return x if math.isnan(x) or x > 0 else 0.0


def rounding(f):
    """A rounding function of integers as one of floats that keeps the sign of a zero."""
    return lambda x: x if is_special(x) else math.copysign(float(f(x)), x)


FLOAT_UNARY = {
    "neg": lambda x: -x,
    "abs": abs,
    "square": lambda x: x * x if is_special(x) else Fraction(x) ** 2,
    "sign": sign,
    "relu": relu,
    "floor": rounding(math.floor),
    "ceil": rounding(math.ceil),
    "trunc": rounding(math.trunc),
    "round": rounding(round),
}
ANY_UNARY = {
    "reciprocal": lambda x: math.copysign(INF, x) if x == 0 else 1 / x if is_special(x) else 1 / Fraction(x),
    "sqrt": with_nan(odd(lambda x: NAN if x < 0 else x if x == INF else mpmath.sqrt(mpmath.mpf(x)))),
    "rsqrt": with_nan(reciprocal_root),
    "exp": at_limits(mpmath.exp, TINY, INF),
    "exp2": at_limits(lambda x: mpmath.power(2, x), TINY, INF),
    "expm1": odd(at_limits(mpmath.expm1, -1.0, INF)),
    "log": logarithm(mpmath.log),
    "log2": logarithm(lambda x: mpmath.log(x, 2)),
    "log10": logarithm(lambda x: mpmath.log(x, 10)),
    "log1p": with_nan(log1p),
    "sin": odd(turning(mpmath.sin)),
    "cos": turning(mpmath.cos),
    "tan": odd(turning(mpmath.tan)),
    "tanh": odd(at_limits(mpmath.tanh, -1.0, 1.0)),
    "sigmoid": at_limits(lambda x: 1 / (1 + mpmath.exp(-x)), TINY, 1.0),
    "erf": odd(at_limits(mpmath.erf, -1.0, 1.0, 200.0)),
    "erfc": at_limits(mpmath.erfc, 2.0, TINY, 200.0),
}
TESTS = {"logical_not": lambda x: x == 0, "isnan": lambda x: x != x, "isinf": lambda x: x in (INF, -INF)}


def quotient(a, b):
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (abs(a) == INF and abs(b) == INF):
        return NAN
    sign_of = math.copysign(1.0, a) * math.copysign(1.0, b)
    if b == 0 or abs(a) == INF:
        return sign_of * INF
    if abs(b) == INF or a == 0:
        return sign_of * 0.0
    return Fraction(a) / Fraction(b)


def multiply_add(a, b, c):
    """Exact a * b + c; the zeros are those of rounding to nearest."""
    if any(map(is_special, (a, b, c))):
        if any(map(math.isnan, (a, b, c))) or ((a == 0 or b == 0) and not (math.isfinite(a) and math.isfinite(b))):
            return NAN
        if math.isfinite(a) and math.isfinite(b):
            return c
        return math.copysign(INF, a) * math.copysign(1.0, b) + c
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total != 0:
        return total
    product_sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    negative = (a == 0 or b == 0) and c == 0 and product_sign < 0 and math.copysign(1.0, c) < 0
    return -0.0 if negative else 0.0


def product(a, b):
    if is_special(a) or is_special(b):
        return a * b
    return Fraction(a) * Fraction(b) or math.copysign(0.0, math.copysign(1.0, a) * math.copysign(1.0, b))


def extreme(a, b, largest):
    if a != a or b != b:
        return NAN
    if a == b == 0:
        negative = [math.copysign(1.0, v) < 0 for v in (a, b)]
        return -0.0 if (all(negative) if largest else any(negative)) else 0.0
    return (max if largest else min)(a, b)


def float_fmod(a, b):
    if math.isnan(a) or math.isnan(b) or abs(a) == INF or b == 0:
        return NAN
    return math.fmod(a, b)


def float_remainder(a, b):
    rest = float_fmod(a, b)
    if math.isnan(rest):
        return rest
    if rest == 0:
        return math.copysign(0.0, b)
    if (rest < 0) == (b < 0):
        return rest
    return b if is_special(b) else Fraction(rest) + Fraction(b)


def float_power(a, b):
    if is_special(a) or is_special(b) or b == 0 or (a == 0 and b > 0):
        return math.pow(a, b)  # C's cases, which are those of IEEE 754
    negative = math.copysign(1.0, a) < 0 and math.fmod(b, 2) in (1, -1)
    if a == 0:
        return -INF if negative else INF
    if a < 0 and b != math.trunc(b):
        return NAN
    exponent = mpmath.mpf(b) * mpmath.log(abs(mpmath.mpf(a)))
    size = INF if exponent > 20000 else TINY if exponent < -20000 else mpmath.exp(exponent)
    if abs(a) == 1:
        size = 1.0
    return -size if negative else size


FLOAT_BINARY = {
    "sub": lambda a, b: multiply_add(1.0, a, -b),
    "fmod": float_fmod,
    "remainder": float_remainder,
    "pow": float_power,
}


def integer_power(a, b):
    if b >= 0:
        return pow(a, b, 2**64)  # wraps further to any narrower type
    return 1 if a == 1 else (1 if b % 2 == 0 else -1) if a == -1 else 0


INTEGER_UNARY = {"neg": lambda x: -x, "abs": abs, "square": lambda x: x * x, "sign": lambda x: (x > 0) - (x < 0),
                 "relu": lambda x: max(x, 0), **{name: lambda x: x for name in ("floor", "ceil", "trunc", "round")}}
INTEGER_BINARY = {
    "sub": lambda a, b: a - b,
    "fmod": lambda a, b: 0 if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1),
    "remainder": lambda a, b: 0 if b == 0 else a % b,
    "pow": integer_power,
}
COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "logical_and": lambda a, b: a != 0 and b != 0, "logical_or": lambda a, b: a != 0 or b != 0,
    "logical_xor": lambda a, b: (a != 0) != (b != 0),
}

#=== pointwise operations of a dtype: name -> (dtype of the result, values) ===#


def unary(dtype, x):
    result = {"identity": (dtype, x)}
    real = floating(dtype)
    values = [convert(v, dtype, real) for v in x]
    for name, f in ANY_UNARY.items():
        # A 0 that no function above gave a sign to is that of an exact result, as log(1): positive.
        result[name] = (real, [round_to(f(v), real, keep_zero(f(v))) for v in values])
    for name, f in TESTS.items():
        result[name] = ("bool", [bool(f(v)) for v in x])
    if is_float(dtype):
        for name, f in FLOAT_UNARY.items():
            result[name] = (dtype, [round_to(f(v), dtype, keep_zero(f(v))) for v in x])
    elif dtype != "bool":
        for name, f in INTEGER_UNARY.items():
            result[name] = (dtype, [wrap(f(v), dtype) for v in x])
    for target in DTYPES:
        result["to_" + target] = (target, [convert(v, dtype, target) for v in x])
    return result


def keep_zero(value):
    return value if isinstance(value, float) and value == 0 else 0.0


def binary(dtype, a, b, c):
    result = {}
    real = floating(dtype)
    pairs = list(zip(a, b))

    def store(name, f, target, operands):
        values = [f(*v) for v in operands]
        if is_float(target):
            values = [round_to(v, target, keep_zero(v)) for v in values]
        elif target != "bool":
            values = [wrap(int(v), target) for v in values]
        result[name] = (target, values)

    store("div", quotient, real, [tuple(float(convert(v, dtype, real)) for v in p) for p in pairs])
    if dtype == "bool":
        store("add", lambda x, y: x or y, dtype, pairs)
        store("mul", lambda x, y: x and y, dtype, pairs)
    elif is_float(dtype):
        store("add", lambda x, y: multiply_add(1.0, x, y), dtype, pairs)
        store("mul", product, dtype, pairs)
        store("fma", multiply_add, dtype, zip(a, b, c))
    else:
        store("add", lambda x, y: x + y, dtype, pairs)
        store("mul", lambda x, y: x * y, dtype, pairs)
        store("fma", lambda x, y, z: x * y + z, dtype, zip(a, b, c))
    store("minimum", lambda x, y: extreme(x, y, False), dtype, pairs)
    store("maximum", lambda x, y: extreme(x, y, True), dtype, pairs)
    for name, f in ({} if dtype == "bool" else FLOAT_BINARY if is_float(dtype) else INTEGER_BINARY).items():
        store(name, f, dtype, pairs)
    for name, f in COMPARISONS.items():
        store(name, f, "bool", pairs)
    result["where"] = (dtype, [x if z != 0 else y for x, y, z in zip(a, b, c)])
    return result


#=== reductions of rows: name -> (dtype, values, tolerances or None) ===#


def reductions(dtype, rows):
    result = {}
    real = floating(dtype)
    inner = compute(real)
    digits, low, _ = FLOATS[inner]
    # Unit roundoff of one addition, and room for the error of exp, log and the division.
    unit = Fraction(1, 2**digits)
    count = len(rows[0])

    def place(value):
        """One unit in the last place of the stored dtype: what a half gains by its own rounding."""
        if is_special(value):
            return 0
        width, smallest, _ = FLOATS[real]
        exponent = math.frexp(value)[1] - 1 if value != 0 else smallest
        return Fraction(2) ** (max(exponent, smallest) - width + 1)

    def put(name, target, values, errors):
        """Exact values, rounded; a tolerance is the error of the computation and one place for the roundings."""
        rounded = [round_to(v, target, keep_zero(v)) for v in values]
        tolerances = [0.0 if is_special(r) or e is None else float((exact(e) + place(r)) * Fraction(101, 100))
                      for r, e in zip(rounded, errors)]
        result[name] = (target, rounded, tolerances)

    # integers and logic: exact
    order = [[(v if v == v else None) for v in row] for row in rows]
    nans = [[i for i, v in enumerate(row) if v is None] for row in order]
    for name, best in (("max", max), ("min", min)):
        places = [missing[0] if missing else row.index(best(row)) for row, missing in zip(order, nans)]
        result["arg" + name] = ("i64", places, None)
        values = []
        for row in rows:
            value = row[0]
            for v in row:
                value = extreme(value, v, name == "max")
            values.append(value)
        result[name] = (dtype, values, None)
    result["any"] = ("bool", [any(v != 0 for v in row) for row in rows], None)
    result["all"] = ("bool", [all(v != 0 for v in row) for row in rows], None)
    if not is_float(dtype):
        result["sum"] = ("i64", [wrap(sum(map(int, row)), "i64") for row in rows], None)
        result["prod"] = ("i64", [wrap(math.prod(map(int, row)), "i64") for row in rows], None)

    reals = [[float(convert(v, dtype, real)) for v in row] for row in rows]
    sums, sum_errors, means, mean_errors, products, product_errors = [], [], [], [], [], []
    variances = {0: ([], []), 1: ([], [])}
    sums_of_exponentials, lse_errors = [], []
    softmax, softmax_errors, log_softmax, log_errors = [], [], [], []
    for row in reals:
        finite = all(map(math.isfinite, row))
        total = sum(map(Fraction, row)) if finite else float(sum(row))
        error = (count + 1) * unit * sum(abs(Fraction(v)) for v in row) if finite else None
        overflow = finite and is_special(round_once(total, inner))
        total = round_once(total, inner) if overflow else total
        sums.append(total)
        sum_errors.append(error)
        mean = total if is_special(total) else total / count
        means.append(mean)
        mean_errors.append(None if error is None else (error / count + unit * abs(mean) if not overflow else 0))

        value = 1.0
        for v in row:
            value = value * v if is_special(value) or is_special(v) else product(value, v)
        products.append(value)
        product_errors.append(None if is_special(value) else 2 * count * unit * abs(exact(value)))

        for correction, (values, errors) in variances.items():
            if is_special(mean):
                values.append(NAN if not overflow else INF)
                errors.append(None)
                continue
            squares = sum((Fraction(v) - mean) ** 2 for v in row)
            if is_special(round_once(squares, inner)):
                squares, variance = INF, INF
            else:
                variance = squares / (count - correction)
            values.append(variance)
            # The mean may be off by its own error d: that adds d^2 and, with the rounding of x - mean, a little more.
            off = mean_errors[-1]
            errors.append(None if squares == INF else (2 * count + 8) * unit * variance + 2 * off**2)

        top = NAN if any(map(math.isnan, row)) else max(row)
        if math.isnan(top) or math.isinf(top):
            sums_of_exponentials.append(top)
            lse_errors.append(None)
            softmax += [NAN] * count
            log_softmax += [NAN] * count
            softmax_errors += [None] * count
            log_errors += [None] * count
            continue
        shifted = [NAN if math.isnan(v) else v - top if is_special(v) else Fraction(v) - Fraction(top) for v in row]
        powers = [mpmath.mpf(0) if is_special(s) or s < -20000 else mpmath.exp(mpmath.mpf(s.numerator) / s.denominator)
                  for s in shifted]
        total_power = mpmath.fsum(powers)
        log_total = exact(mpmath.log(total_power))
        sums_of_exponentials.append(Fraction(top) + log_total)
        lse_errors.append((count + 8) * unit + 3 * unit * (abs(Fraction(top)) + log_total))
        for s, p in zip(shifted, powers):
            softmax.append(0.0 if p == 0 else p / total_power)
            # exp(s) is off by the rounding of s; the sum by that of its largest terms, where s is small.
            softmax_errors.append(0 if p == 0 else exact(p / total_power) * unit * (2 * abs(s) + count + 16))
            log_softmax.append(s if is_special(s) else s - log_total)
            log_errors.append(None if is_special(s) else unit * (3 * abs(s) + 3 * log_total + count + 8))
    if is_float(dtype):
        put("sum", dtype, sums, sum_errors)
        put("prod", dtype, products, product_errors)
    put("mean", real, means, mean_errors)
    put("var", real, *variances[1])
    put("population_var", real, *variances[0])
    put("logsumexp", real, sums_of_exponentials, lse_errors)
    put("softmax", real, softmax, softmax_errors)
    put("log_softmax", real, log_softmax, log_errors)
    return result


#=== inputs ===#


def float_facts(dtype):
    digits, low, high = FLOATS[dtype]
    smallest = math.ldexp(1.0, low - digits + 1)
    return {"smallest": smallest, "subnormal": math.ldexp(1.0, low) - smallest, "normal": math.ldexp(1.0, low),
            "largest": (2.0 - math.ldexp(1.0, 1 - digits)) * math.ldexp(1.0, high), "epsilon": math.ldexp(1.0, 1 - digits)}


def unary_inputs(dtype, random):
    if dtype == "bool":
        return [bool(v) for v in random.integers(0, 2, 69)]
    if dtype in INTEGERS:
        low, high = INTEGERS[dtype]
        special = [low, low + 1, -1, 0, 1, 2, 3, 10, -7, high // 2 + 1, high - 1, high, 88, 127, 128, 255, 256, -128, -129,
                   2**11 + 1, 2**15, -(2**15) - 1, 2**24 + 1, 2**31 - 1, 2**31, 2**53 + 1, 2**62 + 2**38 + 1]
        inside = [v for v in special if low <= v <= high]
        return inside + [int(v) for v in random.integers(low, high, 69 - len(inside), endpoint=True)]
    f = float_facts(dtype)
    sizes = [0.0, f["smallest"], f["subnormal"], f["normal"], f["largest"], 1.0, 1 + f["epsilon"], 1 - f["epsilon"] / 2,
             0.5, 1.5, 2.5, 3.5, 0.4, 0.49, 2.0, 10.0, 17.0, 26.0, 88.0, 104.0, 700.0, 745.0, 127.5, 128.5, 255.5, 256.5,
             32767.5, 65535.5, 1.5707963, 3.1415927, 710.0, 1e5, 1e22, 1e30, 6e300, 2.0**23 + 0.5, 2.0**31 - 1,
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
        extra = list(zip(random_values, small)) + list(zip(small[:16], random_values[:16])) + list(zip(small, small[::-1]))
    else:
        f = float_facts(dtype)
        special = [NAN, INF, -INF, 0.0, -0.0, f["smallest"], -f["subnormal"], f["largest"], -f["largest"], 1.0, -1.0, 0.5,
                   -2.5, 3.0, -3.0, 2.0]
        near = [1 + f["epsilon"], 1 - f["epsilon"] / 2]
        extra = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-6.0, 3.0), (6.0, -3.0), (10.0, 30.0), (near[0], near[0]),
                 (near[0], near[1]), (near[0], 600.0), (near[1], 4096.0), (0.1, 7.0), (2.0, -130.0), (2.0, 0.5), (9.0, 0.5)]
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
    for name, (dtype, shape, values) in sorted(tensors.items(), key=lambda t: -np.dtype(NUMPY.get(t[1][0], "<u2")).itemsize):
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
