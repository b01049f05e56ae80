// The executor as its user sees it: results, ownership, sharing, memory, and shapes at the edges.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "../../storage/support.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

//=== results ===//

TEST_CASE("a square linear layer reads its weight as [out, in]") {
    const std::string path = std::string(TOROID_SOURCE_DIR) + "/tests/golden/linear_64x64.safetensors";
    const safetensors_file golden(path);
    struct layer {
        nn::linear<64, 64> inner;
    };
    using linear = nn::linear<64, 64>;
    struct model {
        static constexpr auto call(const linear& l, tensor<f32, B, 64> x) { return l(x); }
    };
    static_cast<void>(sizeof(layer) + sizeof(model));
}

} // namespace
} // namespace toroid::tests
