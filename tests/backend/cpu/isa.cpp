#include <toroid/backend/cpu/isa.hpp>

#include <doctest/doctest.h>

namespace {

using namespace toroid;

static_assert(isa::baseline < isa::avx2 && isa::avx2 < isa::avx512);
static_assert(name_of(isa::avx512) == "avx512");
static_assert(vector_bytes(isa::baseline) == 16 && vector_bytes(isa::avx2) == 32 && vector_bytes(isa::avx512) == 64);

struct tag_reader {
    template <isa I> __attribute__((always_inline)) inline isa operator()(isa_tag<I> tag) const { return tag.value; }
};

/// Adds in vectors as wide as the instruction set: proof that the body is compiled for it and runs.
struct adder {
    const float* a;
    const float* b;
    float* sum;
    template <isa I> __attribute__((always_inline)) inline void operator()(isa_tag<I>) const {
        for (int i = 0; i < 64; ++i) sum[i] = a[i] + b[i];
    }
};

TEST_CASE("a name chooses an instruction set that the machine has") {
    CHECK(isa_from_name("baseline", isa::avx512) == isa::baseline);
    CHECK(isa_from_name("avx2", isa::avx512) == isa::avx2);
    CHECK(isa_from_name("avx512", isa::avx512) == isa::avx512);
    CHECK(isa_from_name("avx512", isa::avx2) == isa::avx2);
    CHECK(isa_from_name("avx2", isa::baseline) == isa::baseline);
    CHECK_THROWS_WITH_AS(isa_from_name("sse9", isa::avx2),
                         "TOROID_ISA is 'sse9': use one of baseline, avx2, avx512, or leave it unset", error);
    CHECK_THROWS_AS(isa_from_name("", isa::avx2), error);
}

TEST_CASE("the active instruction set never exceeds the detected one") {
    CHECK(active_isa() <= detected_isa());
    CHECK(active_isa() == active_isa());
}

TEST_CASE("dispatch hands every available instruction set to the body") {
    float a[64], b[64];
    for (int i = 0; i < 64; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(100 - 3 * i);
    }
    for (int i = 0; i <= static_cast<int>(detected_isa()); ++i) {
        const isa level = static_cast<isa>(i);
        CHECK(dispatch(level, tag_reader{}) == level);
        float sum[64] = {};
        dispatch(level, adder{a, b, sum});
        for (int j = 0; j < 64; ++j) CHECK(sum[j] == a[j] + b[j]);
    }
}

} // namespace
