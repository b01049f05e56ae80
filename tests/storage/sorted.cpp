#include <toroid/storage/sorted.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using toroid::detail::partition_point;
using toroid::detail::sort_by;

std::vector<std::uint32_t> numbers(std::size_t size, std::uint32_t distinct) {
    std::vector<std::uint32_t> values(size);
    std::uint32_t state = static_cast<std::uint32_t>(size) + 7;
    for (std::uint32_t& value : values) value = (state = state * 1664525 + 1013904223) / 65536 % distinct;
    return values;
}

TEST_CASE("sort_by gives the order of std::sort, with and without repeated values") {
    for (std::size_t size = 0; size <= 100; ++size)
        for (const std::uint32_t distinct : {2u, 10u, 60000u}) {
            std::vector<std::uint32_t> values = numbers(size, distinct);
            std::vector<std::uint32_t> wanted = values;
            std::sort(wanted.begin(), wanted.end());
            sort_by(values.data(), values.size(), [](std::uint32_t a, std::uint32_t b) { return a < b; });
            CHECK(values == wanted);
        }
}

TEST_CASE("sort_by takes about n log n comparisons whatever the order was") {
    constexpr std::size_t size = 1 << 14;
    std::vector<std::vector<std::uint32_t>> inputs = {numbers(size, 60000), std::vector<std::uint32_t>(size, 1)};
    std::vector<std::uint32_t> ascending(size);
    for (std::size_t i = 0; i < size; ++i) ascending[i] = static_cast<std::uint32_t>(i);
    inputs.push_back(ascending);
    inputs.emplace_back(ascending.rbegin(), ascending.rend());
    for (std::vector<std::uint32_t>& values : inputs) {
        std::size_t comparisons = 0;
        sort_by(values.data(), values.size(), [&](std::uint32_t a, std::uint32_t b) {
            ++comparisons;
            return a < b;
        });
        CHECK(std::is_sorted(values.begin(), values.end()));
        CHECK(comparisons < 2 * size * 15);
    }
}

TEST_CASE("sort_by moves elements that own memory") {
    std::vector<std::string> words = {"a long word that is on the heap", "b", "", "another one that is on the heap",
                                      "c"};
    sort_by(words.data(), words.size(), [](const std::string& a, const std::string& b) { return b < a; });
    CHECK(words ==
          std::vector<std::string>{"c", "b", "another one that is on the heap", "a long word that is on the heap", ""});
}

TEST_CASE("partition_point counts the elements before a value") {
    const std::vector<int> values = {1, 3, 3, 3, 7};
    const auto below = [&](std::size_t size, int wanted) {
        return partition_point(values.data(), size, [&](int value) { return value < wanted; });
    };
    CHECK(below(0, 5) == 0);
    for (std::size_t size = 1; size <= values.size(); ++size)
        for (int wanted = 0; wanted <= 8; ++wanted) {
            const auto end = values.begin() + static_cast<std::ptrdiff_t>(size);
            const auto expected = std::lower_bound(values.begin(), end, wanted) - values.begin();
            CHECK(below(size, wanted) == static_cast<std::size_t>(expected));
        }
}

} // namespace
