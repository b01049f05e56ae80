// The detector of mutation tests: small models against numbers worked out by hand or by the interpreter of the traced
// graph. Exits with 1, or does not compile, when the library is wrong.

#include <cmath>
#include <cstdio>
#include <random>
#include <tuple>

#include <toroid/backend/cpu/executor.hpp>
#include <toroid/expr/expr.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/reference/arrays.hpp>
#include <toroid/reference/interpreter.hpp>

using namespace toroid;

namespace {

constexpr dim B = symbol('B');
int failures = 0;

template <dtype T> array<T> numbers(const extent_list& extents, unsigned seed) {
    std::mt19937 random(seed);
    array<T> result(extents);
    for (auto& element : result.span())
        element = static_cast<storage_t<T>>(static_cast<double>(random() % 2001) / 1000.0 - 1.0);
    return result;
}

template <dtype T> growable<reference_tensor> as_references(const array<T>& y) { return references(make_reference(y)); }
template <class... Array> growable<reference_tensor> as_references(const std::tuple<Array...>& y) {
    return std::apply([](const auto&... each) { return references(make_reference(each)...); }, y);
}

/// Every output of a run against the interpreter of what was traced, before any pass.
template <class Model, class... Input> void check(const char* what, const Input&... inputs) {
    cpu::executor<Model> run;
    const auto got = as_references(run(inputs.view()...));
    const auto wanted = evaluate<Model>(references(make_reference(inputs)...));
    bool same = got.size() == wanted.size();
    for (int i = 0; same && i < got.size(); ++i) {
        same = almost_equal(got[i], wanted[i], 2e-5);
        for (int e = 0; same && e < got[i].size(); ++e)
            same = std::signbit(got[i][e]) == std::signbit(wanted[i][e]) || got[i][e] != 0;
    }
    failures += same ? 0 : 1;
    if (!same) std::printf("%s differs from the interpreter\n", what);
}

//=== models ===//

struct pointwise {
    constexpr auto operator()(tensor<f32, B, 6> x, tensor<f32, B, 6> y) const {
        return std::tuple((x - y) * exp(y - x), slice<1, 0, 6, 2>(x) - slice<1, 3>(y), x * 0 + 0.0);
    }
};
struct reductions {
    constexpr auto operator()(tensor<f32, 3, B, 4> x) const {
        const auto far_below = x - 10;
        return std::tuple(softmax<1>(x), mean<0, 2>(x), max<-1>(far_below), argmax<-1>(round(x)), layer_norm(x));
    }
};
/// Values that are needed again after launches in between; sizes that differ; symbolic and constant extents.
template <dim Rows> struct long_lives {
    constexpr auto operator()(tensor<f32, Rows, 8> x, tensor<f32, 8, 8> w, tensor<f32, 8, 16> v,
                              tensor<f32, 16, 8> u) const {
        const auto first = matmul(x, w);
        const auto second = matmul(flip<1>(first) * 2, w);
        const auto third = matmul(second, w);
        const auto wide = matmul(flip<1>(third) * 2, v);
        return matmul(matmul(flip<1>(wide) * 2, u), w) + first;
    }
};
struct around_a_matmul {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        const auto first = named(tanh(x), "first");
        return named(first + matmul(first, w), "sum");
    }
};
struct transposed_between {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        return matmul(exp(transpose(matmul(x, w))) * 2, w);
    }
};
struct layers_with_constants {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        for (int i = 0; i < 3; ++i) x = matmul(tanh(x * (i + 2)), w);
        return x;
    }
};

} // namespace

static_assert(program<reductions>::kernel_count() >= 1);
static_assert(program<around_a_matmul>::why_not_fused("first", "sum") == fusion_reason::would_cycle);

int main() {
    const auto x = numbers<f32>({8, 8}, 1);
    const auto w = numbers<f32>({8, 8}, 2);
    check<pointwise>("pointwise", numbers<f32>({5, 6}, 3), numbers<f32>({5, 6}, 4));
    check<reductions>("reductions", numbers<f32>({3, 5, 4}, 5));
    check<long_lives<8>>("long_lives<8>", x, w, numbers<f32>({8, 16}, 6), numbers<f32>({16, 8}, 7));
    check<long_lives<B>>("long_lives<B>", x, w, numbers<f32>({8, 16}, 6), numbers<f32>({16, 8}, 7));
    check<around_a_matmul>("around_a_matmul", x, w);
    check<transposed_between>("transposed_between", x, w);
    check<layers_with_constants>("layers_with_constants", x, w);
    return failures == 0 ? 0 : 1;
}
