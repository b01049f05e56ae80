"""The dtypes and their rounding. A value of any dtype is a Python bool, int or (exactly) float."""
import math
from fractions import Fraction

import mpmath

mpmath.mp.prec = 300

# smallest and largest value
INTEGERS = {"u8": (0, 255), "i8": (-128, 127), "i16": (-(2**15), 2**15 - 1), "i32": (-(2**31), 2**31 - 1),
            "i64": (-(2**63), 2**63 - 1)}
# bits of the significand, smallest and largest exponent of a normal number
FLOATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}
DTYPES = ["bool", *INTEGERS, *FLOATS]
NAN, INF = math.nan, math.inf


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
