#pragma once
// ops: the GPU's ops handler. libdevice where its functions are accurate and fast, the default formulas elsewhere.

#include <concepts>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/ops/handler.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Products and sums of a model are never contracted (`__fmul_rn`), maximum and minimum propagate NaN, halves are rounded
/// by the hardware. Errors in ULP, from the CUDA Programming Guide, mathematical functions, f32 / f64: exp 2 / 1, exp2 2 / 1,
/// expm1 1 / 1, log 1 / 1, log2 1 / 1, log1p 1 / 1, tanh 2 / 1, erf 2 / 2, erfc 4 / 5; sigmoid 4.
struct device_ops {
    template <op O> struct override_for;

    static constexpr op defaults[] = {
        op::identity,   op::neg,         op::abs,         op::reciprocal, op::sqrt,  op::rsqrt,     op::log10,
        op::sin,        op::cos,         op::tan,         op::floor,      op::ceil,  op::trunc,     op::round,
        op::sign,       op::add,         op::sub,         op::div,        op::fmod,  op::remainder, op::pow,
        op::eq,         op::ne,          op::lt,          op::le,         op::gt,    op::ge,        op::logical_and,
        op::logical_or, op::logical_xor, op::logical_not, op::isnan,      op::isinf, op::where,     op::fma};
};

// Bodies are host and device code, so that a handler can be named in either; what only the device has is guarded.

template <> struct device_ops::override_for<op::mul> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) return __fmul_rn(a, b);
        else if constexpr (std::same_as<T, double>) return __dmul_rn(a, b);
        else
#endif
            return definition<op::mul>::apply(a, b);
    }
};
template <> struct device_ops::override_for<op::square> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return override_for<op::mul>::apply(x, x);
    }
};

template <> struct device_ops::override_for<op::maximum> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) {
            float result;
            asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
            return result;
        } else
#endif
            return definition<op::maximum>::apply(a, b);
    }
};
template <> struct device_ops::override_for<op::minimum> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) {
            float result;
            asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
            return result;
        } else
#endif
            return definition<op::minimum>::apply(a, b);
    }
};
template <> struct device_ops::override_for<op::relu> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) return override_for<op::maximum>::apply(x, 0.0f);
        else
#endif
            return definition<op::relu>::apply(x);
    }
};

template <> struct device_ops::override_for<op::to_dtype> {
    template <dtype To, class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr compute_t<To> apply(T x) {
#if defined(__CUDA_ARCH__)
        if constexpr (To == dtype::bf16) {
            unsigned bits;
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(static_cast<float>(x)), "f"(0.0f));
            return __uint_as_float(bits & 0xffff0000u);
        } else if constexpr (To == dtype::f16) {
            unsigned short bits;
            float result;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(static_cast<float>(x)));
            asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
            return result;
        } else
#endif
            return definition<op::to_dtype>::template apply<To>(x);
    }
};

namespace detail {

/// A function of libdevice with an f32 and an f64 form, for the operation `O`.
template <op O> struct library_function {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) {
            if constexpr (O == op::exp) return ::expf(x);
            else if constexpr (O == op::exp2) return ::exp2f(x);
            else if constexpr (O == op::expm1) return ::expm1f(x);
            else if constexpr (O == op::log) return ::logf(x);
            else if constexpr (O == op::log2) return ::log2f(x);
            else if constexpr (O == op::log1p) return ::log1pf(x);
            else if constexpr (O == op::tanh) return ::tanhf(x);
            else if constexpr (O == op::erf) return ::erff(x);
            else return ::erfcf(x);
        } else if constexpr (std::same_as<T, double>) {
            if constexpr (O == op::exp) return ::exp(x);
            else if constexpr (O == op::exp2) return ::exp2(x);
            else if constexpr (O == op::expm1) return ::expm1(x);
            else if constexpr (O == op::log) return ::log(x);
            else if constexpr (O == op::log2) return ::log2(x);
            else if constexpr (O == op::log1p) return ::log1p(x);
            else if constexpr (O == op::tanh) return ::tanh(x);
            else if constexpr (O == op::erf) return ::erf(x);
            else return ::erfc(x);
        } else
#endif
            return definition<O>::apply(x);
    }
};

} // namespace detail

template <> struct device_ops::override_for<op::exp> : detail::library_function<op::exp> {};
template <> struct device_ops::override_for<op::exp2> : detail::library_function<op::exp2> {};
template <> struct device_ops::override_for<op::expm1> : detail::library_function<op::expm1> {};
template <> struct device_ops::override_for<op::log> : detail::library_function<op::log> {};
template <> struct device_ops::override_for<op::log2> : detail::library_function<op::log2> {};
template <> struct device_ops::override_for<op::log1p> : detail::library_function<op::log1p> {};
template <> struct device_ops::override_for<op::tanh> : detail::library_function<op::tanh> {};
template <> struct device_ops::override_for<op::erf> : detail::library_function<op::erf> {};
template <> struct device_ops::override_for<op::erfc> : detail::library_function<op::erfc> {};

/// 1 / (1 + exp(-x)), from e = exp(-|x|), which cannot overflow: r = 1 / (1 + e) at x >= 0, e r below. 1 + e lies in
/// [1, 2], where the reciprocal of the hardware, good to 1 ULP, needs no care for its range.
template <> struct device_ops::override_for<op::sigmoid> {
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
#if defined(__CUDA_ARCH__)
        if constexpr (std::same_as<T, float>) {
            const float e = ::expf(-::fabsf(x));
            float r;
            asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(__fadd_rn(1.0f, e)));
            return x >= 0 ? r : __fmul_rn(e, r);
        } else
#endif
            return definition<op::sigmoid>::apply(x);
    }
};

static_assert(check_ops_handler<device_ops>() && ops_handler<device_ops>);

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
