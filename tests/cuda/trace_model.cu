// A .cu file that includes toroid.hpp traces, fuses and plans a model: nvcc accepts every stage without flags.

#include <toroid/toroid.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<64, 128>, fc1), (nn::linear<128, 10>, fc2));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return softmax(fc2(relu(fc1(x)))); }
};
using net = program<classifier>;

static_assert(net::kernel_count() == 2 && net::extern_count() == 2);
static_assert(net::definition_count() == 2);
static_assert(net::arena_bytes({{'B', 256}}) == 256 * (128 + 10) * 4);

// Tables are readable in device code, and every scalar operation compiles there.
__global__ void read_tables(int* out) {
    using body = kernel_body<net, 0>;
    constexpr auto first = body::values[0];
    out[0] = static_cast<int>(first.kind) + static_cast<int>(definition<op::relu>::apply(1.0f));
}

} // namespace

void launch(int* out) { read_tables<<<1, 1>>>(out); }
