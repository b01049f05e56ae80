#pragma once
// A model and its entities as one translation unit sees them.

#include <typeinfo>

#include <toroid/toroid.hpp>

inline constexpr auto B = toroid::symbol('B');

template <int In, int Out> struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (toroid::tensor<toroid::f32, Out, In>, weight),
                             (toroid::tensor<toroid::f32, Out>, bias));
    constexpr auto operator()(toroid::expression auto x) const { return matmul(x, transpose(weight)) + bias; }
};

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (layer<64, 128>, fc1), (layer<128, 10>, fc2));
    constexpr auto operator()(toroid::tensor<toroid::f32, B, 64> x) const { return fc2(relu(fc1(x))); }
};

constexpr int node_count() {
    toroid::trace trace = toroid::trace_model<classifier>();
    return trace.recorded().nodes.size();
}

/// Runs the model with zero weights: every logit is 0.
inline float run_classifier() {
    toroid::cpu::executor<classifier> run;
    const toroid::array<toroid::f32> images({3, 64});
    return run(images)(2, 9);
}

/// What must be the same in every translation unit of a program.
struct entities {
    const std::type_info* inputs;
    const std::type_info* result;
    const void* extents;
    const void* symbol;
    const void* lines;
    float (*run)();
    int nodes;

    friend bool operator==(const entities& a, const entities& b) {
        return *a.inputs == *b.inputs && *a.result == *b.result && a.extents == b.extents && a.symbol == b.symbol &&
               a.lines == b.lines && a.run == b.run && a.nodes == b.nodes;
    }
};

inline entities entities_here() {
    using signature = toroid::signature<classifier>;
    constexpr int nodes = node_count();
    return {&typeid(signature::inputs),
            &typeid(signature::result),
            &signature::result::extents,
            &B,
            &toroid::program<classifier>::wrapper,
            &run_classifier,
            nodes};
}
