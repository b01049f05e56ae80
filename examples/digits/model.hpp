#pragma once
// The digit classifier, compiled for the CPU, and its fusion contract.

#include <toroid/toroid.hpp>

namespace digits {

/// Number of images in one call, known at run time.
inline constexpr auto B = toroid::symbol('B');
inline constexpr int largest_batch = 4096;
inline constexpr int pixels = 64;
inline constexpr int largest_pixel = 16;
inline constexpr int classes = 10;

/// 8x8 images with values 0..16 to the probabilities of the ten digits. Parameters are named as in PyTorch: fc1.weight, …
struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (toroid::nn::linear<pixels, 256>, fc1),
                             (toroid::nn::linear<256, classes>, fc2));

    constexpr auto operator()(toroid::tensor<toroid::u8, B, pixels> x) const {
        x.trace().check(B <= largest_batch);
        const auto scaled = named(toroid::to_dtype<toroid::f32>(x) / float(largest_pixel), "scaled");
        const auto hidden = named(relu(fc1(scaled)), "hidden");
        return named(softmax(fc2(hidden)), "probabilities");
    }
};

using net = toroid::program<classifier>;

// The contract. Scaling, bias + ReLU and bias + softmax are one kernel each; the two matrix products are extern.
static_assert(toroid::expect_kernel_count<net, 3>);
static_assert(net::extern_count() == 2);
static_assert(net::kernel_of("scaled") == 0 && net::kernel_of("hidden") == 2 && net::kernel_of("probabilities") == 4);
// At most the scaled images and one hidden layer live at a time: ReLU works in place, the scores follow the scaled images.
static_assert(net::arena_bytes({{'B', 360}}) == 360 * (64 + 256) * 4);

} // namespace digits
