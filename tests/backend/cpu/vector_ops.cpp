// vector_ops: every operation, vectorised for every instruction set, gives the bits of its formula.

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/isa.hpp>
#include <toroid/backend/cpu/vector_ops.hpp>
#include <toroid/ops/list.hpp>

namespace toroid::tests {
namespace {

static_assert(check_ops_handler<cpu::vector_ops>());

/// Numbers that formulas treat differently: signs, halves, range ends, subnormals, infinities, NaN.
std::vector<float> samples() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> values = {0.0F,   -0.0F,  0.5F,  -0.5F,  1.5F,  -2.5F,  1.0F,     -1.0F,     3.0F,
                                 1e-40F, 1e-30F, 88.0F, -88.0F, 1e30F, -1e30F, infinity, -infinity, std::nanf("")};
    for (int i = -40; i <= 40; ++i) values.push_back(0.37F * static_cast<float>(i));
    return values;
}

template <op O, isa I>
__attribute__((always_inline)) inline void loop(const float* x, const float* y, const float* z, float* result, int n) {
    using formula = handled<cpu::vector_ops, O>;
    for (int i = 0; i < n; ++i) {
        if constexpr (definition<O>::arity == 1) result[i] = static_cast<float>(formula::apply(x[i]));
        else if constexpr (definition<O>::arity == 2) result[i] = static_cast<float>(formula::apply(x[i], y[i]));
        else result[i] = static_cast<float>(formula::apply(x[i], y[i], z[i]));
    }
}

template <op O> bool same_on_every_isa() {
    const std::vector<float> values = samples();
    const int n = static_cast<int>(values.size());
    std::vector<float> y(values.rbegin(), values.rend());
    std::vector<float> z(values.size(), 0.25F);
    std::vector<float> first(values.size());
    std::vector<float> next(values.size());
    for (int level = 0; level <= static_cast<int>(detected_isa()); ++level) {
        auto& result = level == 0 ? first : next;
        dispatch(
            static_cast<isa>(level), [&](auto tag) __attribute__((always_inline)) {
                loop<O, decltype(tag)::value>(values.data(), y.data(), z.data(), result.data(), n);
            });
        if (level == 0) continue;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float wanted = first[i];
            const bool same = (std::isnan(next[i]) && std::isnan(wanted)) ||
                              std::abs(next[i] - wanted) <= 1e-6F * std::abs(wanted) || next[i] == wanted;
            if (!same) {
                MESSAGE(name_of(O), "(", values[i], ", ", y[i], ") is ", next[i], " on instruction set ", level,
                        ", not ", wanted);
                return false;
            }
        }
    }
    return true;
}

template <op... O> void check_all() {
    for (const bool same : {same_on_every_isa<O>()...}) CHECK(same);
}

TEST_CASE("operations agree across instruction sets") {
    // The drivers of kernels switch contraction off; here formulas may differ in the last bit.
    check_all<op::neg, op::abs, op::reciprocal, op::square, op::sqrt, op::rsqrt, op::exp, op::exp2, op::expm1, op::log,
              op::log2, op::log10, op::log1p, op::tanh, op::sigmoid, op::erf, op::relu, op::floor, op::ceil, op::trunc,
              op::round, op::sign>();
    check_all<op::add, op::sub, op::mul, op::div, op::minimum, op::maximum, op::fma>();
}

/// Every pointwise operation of the library is among the handler's defaults.
TEST_CASE("no operation is left out") {
    int listed = 0;
    for (int i = 0; i < op_count; ++i) {
        const op o = static_cast<op>(i);
        if (!is_pointwise(o)) continue;
        bool found = false;
        for (const op known : cpu::vector_ops::defaults) found = found || known == o;
        CAPTURE(name_of(o));
        CHECK(found);
        ++listed;
    }
    CHECK(listed == static_cast<int>(std::size(cpu::vector_ops::defaults)));
}

} // namespace
} // namespace toroid::tests
