#pragma once
// The instruction sets that CPU kernels are compiled for, which one this machine has, and the call into it.

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <toroid/core/config.hpp>
#include <toroid/core/error.hpp>

namespace toroid {

/// Instruction sets in ascending order: each contains the ones before it.
/// `baseline` is what the compiler targets without flags (SSE2 on x86-64); other architectures have only this one.
enum class isa : unsigned char { baseline, avx2, avx512 };

inline constexpr int isa_count = 3;

/// Name as `TOROID_ISA` spells it.
constexpr std::string_view name_of(isa level) {
    constexpr std::string_view names[] = {"baseline", "avx2", "avx512"};
    return names[static_cast<int>(level)];
}

/// Width of a vector register.
constexpr int vector_bytes(isa level) { return level == isa::avx512 ? 64 : level == isa::avx2 ? 32 : 16; }

/// Names an instruction set at compile time; `dispatch` hands one to its body.
template <isa I> struct isa_tag {
    static constexpr isa value = I;
};

//=== choice ===//

namespace detail {

inline isa query_isa() {
#if defined(__x86_64__)
    // The builtin also asks the operating system whether it saves the registers. No processor has AVX2 with FMA but
    // lacks F16C, which clang 16 cannot ask for.
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx512 ? isa::avx512 : avx2 ? isa::avx2 : isa::baseline;
#else
    return isa::baseline;
#endif
}

} // namespace detail

/// Largest instruction set that this processor and operating system support.
inline isa detected_isa() {
    static const isa level = detail::query_isa();
    return level;
}

/// The instruction set called `name`, but never above `available`. Throws `invalid_argument` for an unknown name.
inline isa isa_from_name(std::string_view name, isa available) {
    for (int i = 0; i < isa_count; ++i) {
        const isa level = static_cast<isa>(i);
        if (name_of(level) == name) return level < available ? level : available;
    }
    throw error(error_code::invalid_argument,
                "TOROID_ISA is '" + std::string(name) + "': use one of baseline, avx2, avx512, or leave it unset");
}

/// Instruction set that kernels use: `detected_isa()`, or less if the environment variable `TOROID_ISA`
/// (`baseline`, `avx2` or `avx512`; read once) asks for less.
inline isa active_isa() {
    static const isa level = [] {
        const char* const name = std::getenv("TOROID_ISA");
        return name == nullptr ? detected_isa() : isa_from_name(name, detected_isa());
    }();
    return level;
}

//=== calls ===//

// The only target attributes of the library. clang ignores a whole attribute that names something it does not know
// (prefer-vector-width), and the strings must be literals.

/// Calls `body(isa_tag<I>{})` inside a function compiled for that instruction set; the processor must have it.
/// What is to be compiled for the instruction set must be inlined: declare the body's `operator()`, and the helpers
/// that it calls, `__attribute__((always_inline))`. They must not pass vectors by value (pointers and references only).
template <class Body> __attribute__((noinline)) decltype(auto) run_as(isa_tag<isa::baseline> tag, const Body& body) {
    return body(tag);
}

#if defined(__x86_64__)
template <class Body>
__attribute__((noinline, target("avx2,fma,f16c,bmi2"))) decltype(auto) run_as(isa_tag<isa::avx2> tag,
                                                                              const Body& body) {
    return body(tag);
}

template <class Body>
__attribute__((noinline, target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi2"))) decltype(auto)
run_as(isa_tag<isa::avx512> tag, const Body& body) {
    return body(tag);
}
#endif

/// Calls `body(isa_tag<level>{})` for a level known at run time, see `run_as`. `level` must not exceed `detected_isa()`.
template <class Body> decltype(auto) dispatch(isa level, const Body& body) {
#if defined(__x86_64__)
    if (level == isa::avx512) return run_as(isa_tag<isa::avx512>{}, body);
    if (level == isa::avx2) return run_as(isa_tag<isa::avx2>{}, body);
#else
    static_cast<void>(level);
#endif
    return run_as(isa_tag<isa::baseline>{}, body);
}

} // namespace toroid
