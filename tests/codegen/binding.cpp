// Callers' arrays against a program: every refusal names the argument, both sides and what to do.

#include <string>

#include <doctest/doctest.h>

#include <toroid/codegen/binding.hpp>
#include <toroid/storage/array.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

using input = tensor<f32, B, 64>;

template <class F> std::string refusal(const F& call) {
    try {
        call();
    } catch (const error& failure) { return failure.what(); }
    return "accepted";
}

TEST_CASE("an input is bound with its address and extents") {
    const array<f32> x({3, 64});
    const bound_array bound = bound_input<input>(0, x.view(), 4, "a copy");
    CHECK(bound.data == x.data());
    CHECK(bound.extents[0] == 3);
    CHECK(bound.extents[1] == 64);
}
TEST_CASE("rank, strides and alignment of an input") {
    const array<f32> x({4, 64});
    CHECK(refusal([&] { bound_input<input>(1, array_view<f32>(x.data(), {256}), 4, "a copy"); }) ==
          "input 1 has rank 1, the model wants 2");
    CHECK(refusal([&] {
              bound_input<input>(1, array_view<f32>(x.data(), {2, 64}, {128, 1}), 4, "contiguous(view)");
          }) == "input 1 is strided; pass a contiguous copy: contiguous(view)");
    CHECK(refusal([&] {
              bound_input<input>(1, array_view<f32>(x.data() + 1, {3, 64}), 16, "cuda::copy");
          }) == "input 1 is misaligned: its address must be a multiple of 16 bytes; pass a copy: cuda::copy");
    CHECK(refusal([&] {
              bound_input<input>(1, array_view<f32>(x.data() + 1, {0, 64}), 16, "cuda::copy");
          }) == "accepted"); // nothing is read
}
TEST_CASE("outputs: extents of the program, and the caller's against them") {
    const extent_list wanted = output_extents<program<softmax_rows>>(0, {{'B', 5}});
    CHECK(wanted[0] == 5);
    array<f32> y({2, 64});
    CHECK(refusal([&] {
              check_output(0, y.mutable_view(), {3, 64}, 4, "a copy");
          }) == "output 0 has shape [2, 64], the model gives [3, 64]");
    CHECK(refusal([&] { check_output(0, y.mutable_view(), {2, 64}, 4, "a copy"); }) == "accepted");
}
TEST_CASE("outputs overlap nothing") {
    array<f32> x({100});
    const auto part = [&](int begin, int count) { return mutable_array_view<f32>(x.data() + begin, {count}); };
    CHECK(refusal([&] { check_overlap<1>(part(0, 10), part(10, 10)); }) == "accepted");
    CHECK(refusal([&] { check_overlap<1>(part(0, 11), part(50, 10), part(10, 10)); }) ==
          "output 0 overlaps input 1 in memory; give it memory of its own");
    CHECK(refusal([&] { check_overlap<2>(part(0, 10), part(9, 10), part(50, 10)); }) ==
          "output 0 overlaps output 1 in memory; give it memory of its own");
    CHECK(refusal([&] { check_overlap<1>(part(0, 10), part(50, 10), part(55, 10)); }) == "accepted"); // both are read
}

struct bounded {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        x.trace().check(B <= 64);
        return exp(x);
    }
};
TEST_CASE("maxima of symbols come from checks, and the caller's word goes first") {
    const symbol_values maxima = known_maxima<program<bounded>>({{'S', 7}});
    CHECK(maxima['B'] == 64);
    CHECK(maxima['S'] == 7);
    CHECK(known_maxima<program<bounded>>({{'B', 8}})['B'] == 8);
}

} // namespace
} // namespace toroid::tests
