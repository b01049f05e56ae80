// The array of constant evaluation: growth, value semantics, and elements pushed from the array itself.

#include <toroid/core/growable.hpp>

#include <utility>

#include <doctest/doctest.h>

using toroid::growable;

namespace {

constexpr growable<int> counted(int n) {
    growable<int> result;
    for (int i = 0; i < n; ++i) result.push(i);
    return result;
}

//=== growth keeps what was there ===//

constexpr bool grows() {
    growable<int> a;
    if (!a.empty() || a.size() != 0 || a.begin() != a.end()) return false;
    for (int i = 0; i < 100; ++i)
        if (a.push(i * i) != i) return false; // the index of the new element
    int sum = 0;
    for (const int x : a) sum += x;
    return a.size() == 100 && a[99] == 9801 && a.back() == 9801 && sum == 328350;
}
static_assert(grows());

// Pushing an element of the array itself survives the move to larger storage, at every capacity.
constexpr bool pushes_its_own_element() {
    growable<int> a(1, 7);
    for (int i = 0; i < 40; ++i) a.push(a[0]);
    for (const int x : a)
        if (x != 7) return false;
    return a.size() == 41;
}
static_assert(pushes_its_own_element());

constexpr bool resizes() {
    growable<int> a = counted(5);
    a.resize(8, -1);
    if (a[4] != 4 || a[5] != -1 || a[7] != -1) return false;
    a.resize(2);
    if (a.size() != 2 || a[1] != 1) return false;
    a.resize(4, 9); // places that were used before hold the new value
    if (a[2] != 9 || a[3] != 9) return false;
    a.pop();
    a.clear();
    return a.empty() && a.push(3) == 0 && a[0] == 3;
}
static_assert(resizes());

//=== copies are deep, moves leave nothing behind ===//

constexpr bool has_value_semantics() {
    growable<int> a = counted(10);
    growable<int> b = a;
    b[0] = 99;
    if (a[0] != 0 || b.size() != 10) return false;
    growable<int> c = std::move(b);
    if (c[0] != 99 || !b.empty()) return false;
    a = c;
    if (a[0] != 99 || c.size() != 10) return false;
    a = std::move(c);
    growable<int>& self = a;
    a = self;
    b = counted(3); // a moved-from array is usable again
    return a.size() == 10 && a[0] == 99 && b.size() == 3;
}
static_assert(has_value_semantics());

constexpr bool copies_an_empty_array() {
    const growable<int> a;
    growable<int> b = a;
    return b.empty() && b.push(1) == 0;
}
static_assert(copies_an_empty_array());

} // namespace

TEST_CASE("growable works the same at run time") {
    CHECK(grows());
    CHECK(pushes_its_own_element());
    CHECK(resizes());
    CHECK(has_value_semantics());
    CHECK(copies_an_empty_array());
}
