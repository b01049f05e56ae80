"""Every pointwise operation on exact numbers."""
import math
from fractions import Fraction

import mpmath

from exact_numbers import DTYPES, INF, NAN, convert, floating, is_float, is_special, round_to, wrap

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
