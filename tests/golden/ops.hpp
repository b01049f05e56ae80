#pragma once
// Golden vectors of the operations: reads ops_<dtype>.safetensors and compares results with it, in ULP or by tolerance.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>

#include <toroid/ops/list.hpp>
#include <toroid/storage/safetensors.hpp>

namespace golden {

using namespace toroid;

template <dtype T> const safetensors_file& file() {
    static const safetensors_file opened(std::string(TOROID_SOURCE_DIR "/tests/golden/ops_") + std::string(name_of(T)) +
                                         ".safetensors");
    return opened;
}

//=== numbers ===//

/// Bits of a stored floating element, in which neighbours of one sign differ by 1.
inline std::int64_t bits(float16 x) { return x.bits; }
inline std::int64_t bits(toroid::bfloat16 x) { return x.bits; }
inline std::int64_t bits(float x) { return std::bit_cast<std::int32_t>(x); }
inline std::int64_t bits(double x) { return std::bit_cast<std::int64_t>(x); }

template <class Element> double wide(Element x) {
    if constexpr (std::is_same_v<Element, float16> || std::is_same_v<Element, toroid::bfloat16>)
        return static_cast<float>(x);
    else return static_cast<double>(x);
}

/// NaN for NaN, infinities and signs as expected, and at most `ulps` representable numbers away.
template <class Element> bool close(Element result, Element expected, int ulps) {
    if constexpr (std::is_integral_v<Element>) {
        return result == expected;
    } else {
        const double r = wide(result);
        const double e = wide(expected);
        if (std::isnan(e) || std::isnan(r)) return std::isnan(e) && std::isnan(r);
        if (std::signbit(r) != std::signbit(e) || std::isinf(r) != std::isinf(e)) return false;
        const std::int64_t distance = bits(result) - bits(expected);
        return distance <= ulps && distance >= -ulps;
    }
}

/// NaN for NaN, infinities as expected, and at most `tolerance` away; a zero without tolerance keeps its sign.
template <class Element> bool within(Element result, Element expected, double tolerance) {
    const double r = wide(result);
    const double e = wide(expected);
    if (std::isnan(e) || std::isnan(r)) return std::isnan(e) && std::isnan(r);
    if (std::isinf(e) || std::isinf(r)) return r == e;
    return std::fabs(r - e) <= tolerance && (tolerance != 0 || std::signbit(r) == std::signbit(e));
}

/// Largest distance that the headers of ops/math allow from the correctly rounded result: their bound and half a ULP.
constexpr int allowed_ulps(op code, dtype result) {
    const bool f64_result = result == f64;
    int ulps = 0;
    switch (code) {
    case op::exp:
    case op::exp2:
    case op::expm1:
    case op::log:
    case op::log2:
    case op::log10:
    case op::log1p: ulps = 1; break;
    case op::sin:
    case op::cos: ulps = f64_result ? 1 : 2; break;
    case op::tan: ulps = f64_result ? 3 : 1; break;
    case op::tanh: ulps = f64_result ? 3 : 2; break;
    case op::erfc: ulps = f64_result ? 4 : 1; break;
    case op::pow: ulps = f64_result ? 2 : 1; break;
    case op::rsqrt:
    case op::sigmoid:
    case op::erf: ulps = 2; break;
    default: break;
    }
    // The error of f32 moves the rounding to a half by one place at most.
    return is_half(result) && ulps > 1 ? 1 : ulps;
}

//=== comparison ===//

/// Collects the differences of one operation; reports the first few of them with the operands.
class comparison {
public:
    explicit comparison(std::string what) : what_(std::move(what)) {}

    template <class Element, class Operands>
    void differs(std::int64_t at, Element result, Element expected, const Operands& operands) {
        if (++count_ > 4) return;
        text_ << "\n  element " << at << operands(at) << ": " << shown(result) << ", expected " << shown(expected);
    }
    void finish() const { CHECK_MESSAGE(count_ == 0, what_, ": ", count_, " differences", text_.str()); }

    template <class Element> static std::string shown(Element x) {
        std::ostringstream text;
        text.precision(17);
        if constexpr (std::is_integral_v<Element>) text << +x;
        else text << wide(x) << " (" << std::hexfloat << wide(x) << ")";
        return text.str();
    }

private:
    std::string what_;
    std::ostringstream text_;
    int count_ = 0;
};

/// Compares elements with a tensor of the golden file of `From`; `operands` gives the text of those of an element.
template <dtype From, dtype T, class Operands>
void check_pointwise(const std::string& where, op code, const std::string& tensor,
                     std::span<const storage_t<T>> results, const Operands& operands) {
    const array<T> expected = file<From>().template read<T>(tensor);
    comparison differences(where + ": " + tensor + " of " + std::string(name_of(From)));
    REQUIRE(static_cast<std::int64_t>(results.size()) == expected.size());
    for (std::int64_t i = 0; i < expected.size(); ++i)
        if (!close(results[i], expected(i), allowed_ulps(code, T)))
            differences.differs(i, results[i], expected(i), operands);
    differences.finish();
}

} // namespace golden
