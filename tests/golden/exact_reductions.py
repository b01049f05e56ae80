"""Every reduction of rows on exact numbers, and the largest error that a computation of it may make."""
import math
from fractions import Fraction

import mpmath

from exact_numbers import (FLOATS, INF, NAN, compute, convert, exact, floating, is_float, is_special, round_once,
                           round_to, wrap)
from exact_pointwise import extreme, keep_zero, product


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
