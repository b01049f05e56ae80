// The op list: every operation has a name of its own, an arity and one kind.

#include <toroid/ops/list.hpp>

#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace toroid;

namespace {

constexpr op at(int i) { return static_cast<op>(i); }

//=== every operation is of one kind ===//

constexpr bool kinds_are_disjoint() {
    for (int i = 0; i < op_count; ++i) {
        const op o = at(i);
        const int kinds = is_pointwise(o) + is_leaf(o) + is_view(o) + is_reduction(o) + is_composite(o) +
                          (o == op::concat || o == op::matmul);
        if (kinds != 1) return false;
        if (is_arg_reduction(o) && !is_reduction(o)) return false;
        if (is_expensive(o) && !is_pointwise(o)) return false;
    }
    return true;
}
static_assert(kinds_are_disjoint());

//=== facts ===//

constexpr bool facts_match_definitions() {
    for (int i = 0; i < pointwise_count; ++i)
        if (facts(at(i)).arity < 1 || facts(at(i)).arity > 3 || arity(at(i)) != facts(at(i)).arity) return false;
    return true;
}
static_assert(facts_match_definitions());

static_assert(std::string_view(name_of(op::identity)) == "identity" && std::string_view(name_of(op::fma)) == "fma");
static_assert(std::string_view(name_of(op::logical_xor)) == "logical_xor" &&
              std::string_view(name_of(op::where)) == "where");
static_assert(std::string_view(name_of(op::input)) == "input" && std::string_view(name_of(op::slice)) == "slice");
static_assert(std::string_view(name_of(op::reduce_sum)) == "sum" &&
              std::string_view(name_of(op::reduce_argmin)) == "argmin");
static_assert(std::string_view(name_of(op::mean)) == "mean" && std::string_view(name_of(op::logsumexp)) == "logsumexp");
static_assert(std::string_view(name_of(op::concat)) == "concat" && std::string_view(name_of(op::matmul)) == "matmul");
static_assert(arity(op::input) == 0 && arity(op::extent) == 0 && arity(op::permute) == 1 && arity(op::softmax) == 1);
static_assert(arity(op::concat) == 2 && arity(op::matmul) == 2 && arity(op::where) == 3 && arity(op::neg) == 1 &&
              arity(op::add) == 2);
static_assert(facts(op::where).rule == type_rule::select && facts(op::exp).rule == type_rule::floating &&
              facts(op::lt).rule == type_rule::comparison);
static_assert(facts(op::logical_not).rule == type_rule::logical && facts(op::to_dtype).rule == type_rule::convert &&
              facts(op::pow).rule == type_rule::same);
static_assert(facts(op::neg).operands == dtype_set::numbers && facts(op::add).operands == dtype_set::all);
static_assert(is_expensive(op::exp) && !is_expensive(op::sqrt) && !is_expensive(op::add));

} // namespace

TEST_CASE("names are distinct words") {
    std::set<std::string> names;
    for (int i = 0; i < op_count; ++i) {
        const std::string name = name_of(at(i));
        CHECK_MESSAGE(names.insert(name).second, name);
        CHECK(!name.empty());
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos);
    }
}
