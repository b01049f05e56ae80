// Reductions over other axes than the last on the GPU: columns, middle axes, several axes and everything, against sums
// in double; each run twice with equal bits.

#include "rows.hpp"

namespace toroid::tests::rows {
namespace {

constexpr auto R = symbol('R');
constexpr auto C = symbol('C');

//=== columns ===//

template <dtype T, dim Columns> struct column_model {
    constexpr auto operator()(tensor<T, R, Columns> x) const {
        return std::tuple(sum<0>(x), max<0>(x), argmax<0>(x), all<0>(x));
    }
};

template <dtype T, dim Columns> void check_columns(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    const array<T> x = rows_with_ties<T>(rows, columns);
    const auto [total, largest, place, every] = run_twice<column_model<T, Columns>>(x);
    differences different;
    for (std::int64_t c = 0; c < columns; ++c) {
        double sum = 0;
        double magnitude = 0;
        double top = at(x, 0, c);
        std::int64_t top_at = 0;
        bool all_set = true;
        for (std::int64_t r = 0; r < rows; ++r) {
            const double value = at(x, r, c);
            sum += value;
            magnitude += std::abs(value);
            if (!std::isnan(top) && (std::isnan(value) || value > top)) {
                top = value;
                top_at = r;
            }
            all_set = all_set && value != 0;
        }
        different.add(near<T>(total(c), sum, 0, 1e-6 * magnitude), c, wide<T>(total(c)), sum);
        different.add(near<T>(largest(c), top, 0, 0), c, wide<T>(largest(c)), top);
        different.add(place(c) == top_at, c, static_cast<double>(place(c)), static_cast<double>(top_at));
        different.add(every(c) == all_set, c, every(c), all_set);
    }
    different.require_none("columns", columns);
}

TEST_CASE("columns of constant width") {
    for (const std::int64_t rows : {3, 33, 1000}) {
        check_columns<f32, 1>(rows, 1);
        check_columns<f32, 64>(rows, 64);
        check_columns<bf16, 100>(rows, 100);
        check_columns<f32, 1024>(rows, 1024);
    }
}
TEST_CASE("columns of symbolic width") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3, 1}, {2049, 3}, {31, 257}, {5, 5000}})
        check_columns<f32, C>(rows, columns);
}
TEST_CASE("many rows of few columns (long)") {
    check_columns<f32, C>(100003, 7);
    check_columns<f32, 64>(65537, 64);
}

struct column_softmax {
    constexpr auto operator()(tensor<f32, R, C> x) const { return std::tuple(softmax<0>(x), var<0>(x)); }
};
TEST_CASE("softmax and variance of columns") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3, 70}, {700, 33}, {4096, 5}}) {
        CAPTURE(rows);
        const array<f32> x = numbers<f32>({rows, columns});
        const auto [y, variance] = run_twice<column_softmax>(x);
        differences different;
        for (std::int64_t c = 0; c < columns; ++c) {
            double total = 0;
            double mean = 0;
            double square = 0;
            for (std::int64_t r = 0; r < rows; ++r) total += std::exp(at(x, r, c));
            for (std::int64_t r = 0; r < rows; ++r) mean += at(x, r, c) / static_cast<double>(rows);
            for (std::int64_t r = 0; r < rows; ++r) square += (at(x, r, c) - mean) * (at(x, r, c) - mean);
            const double spread = square / static_cast<double>(rows - 1);
            different.add(near<f32>(variance(c), spread, 1e-5, 0), c, variance(c), spread);
            for (std::int64_t r = 0; r < rows; ++r) {
                const double wanted = std::exp(at(x, r, c)) / total;
                different.add(near<f32>(y(r, c), wanted, 1e-5, 0), r, y(r, c), wanted);
            }
        }
        different.require_none("softmax or var", columns);
    }
}

//=== everything ===//

template <dtype T> struct whole_model {
    constexpr auto operator()(tensor<T, R, C> x) const { return std::tuple(sum(x), max(x), argmax(x), any(x)); }
};
template <dtype T> void check_whole(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    array<T> x = numbers<T>({rows, columns}, 5, -1, 2);
    const std::int64_t top_at = (rows * columns * 5) / 8;
    x.span()[static_cast<std::size_t>(top_at)] = static_cast<storage_t<T>>(3.0F);
    const auto [total, largest, place, some] = run_twice<whole_model<T>>(x);
    double sum = 0;
    double magnitude = 0;
    for (const auto& element : x.span()) {
        sum += wide<T>(element);
        magnitude += std::abs(wide<T>(element));
    }
    CHECK(near<T>(total.at({}), sum, 0, 1e-6 * magnitude));
    CHECK(wide<T>(largest.at({})) == 3);
    CHECK(place.at({}) == top_at);
    CHECK(some.at({}));
}
TEST_CASE("reductions of everything") {
    check_whole<f32>(1, 1);
    check_whole<f32>(31, 33);
    check_whole<f32>(1000, 257);
    check_whole<bf16>(255, 64);
}
TEST_CASE("reductions of everything (long)") {
    check_whole<f32>(1, 1 << 22);
    check_whole<f32>(4099, 1021);
    check_whole<bf16>(2048, 2048);
}

struct integer_sums {
    constexpr auto operator()(tensor<i32, R, C> x) const {
        return std::tuple(sum(x), sum<0>(x), sum<1>(x), prod<1>(x));
    }
};
TEST_CASE("sums of integers are exact, and wrap in i64") {
    const std::int64_t rows = 301;
    const std::int64_t columns = 129;
    array<i32> x({rows, columns});
    std::mt19937 random(1);
    for (auto& element : x.span()) element = static_cast<std::int32_t>(random());
    const auto [total, by_column, by_row, product] = run_twice<integer_sums>(x);
    std::int64_t all = 0;
    bool right = true;
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t row = 0;
        std::uint64_t factors = 1;
        for (std::int64_t c = 0; c < columns; ++c) {
            row += x(r, c);
            factors *= static_cast<std::uint64_t>(static_cast<std::int64_t>(x(r, c)));
        }
        right = right && by_row(r) == row && product(r) == static_cast<std::int64_t>(factors);
        all += row;
    }
    for (std::int64_t c = 0; c < columns; ++c) {
        std::int64_t column = 0;
        for (std::int64_t r = 0; r < rows; ++r) column += x(r, c);
        right = right && by_column(c) == column;
    }
    CHECK(right);
    CHECK(total.at({}) == all);
}

//=== several axes ===//

struct axes_model {
    constexpr auto operator()(tensor<f32, R, 6, C, 10> x) const {
        return std::tuple(sum<0, 2>(x), sum<1, 3>(x), sum<1>(x), sum<0, 1>(x), sum<2, 3>(x), max<0, 3>(x));
    }
};
TEST_CASE("reductions over several axes, and over middle ones") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{5, 7}, {1, 1}, {64, 33}}) {
        CAPTURE(rows);
        CAPTURE(columns);
        const array<f32> x = numbers<f32>({rows, 6, columns, 10});
        const auto results = run_twice<axes_model>(x);
        // One sum for each result: index and extents of the kept axes.
        const std::int64_t extents[] = {rows, 6, columns, 10};
        const auto check = [&](const array<f32>& y, bool keep_0, bool keep_1, bool keep_2, bool keep_3, bool is_sum) {
            const bool keep[] = {keep_0, keep_1, keep_2, keep_3};
            std::vector<double> wanted(static_cast<std::size_t>(y.size()), is_sum ? 0.0 : -100.0);
            std::int64_t index[4];
            for (std::int64_t i = 0; i < x.size(); ++i) {
                std::int64_t rest = i;
                for (int a = 3; a >= 0; --a) {
                    index[a] = rest % extents[a];
                    rest /= extents[a];
                }
                std::int64_t place = 0;
                for (int a = 0; a < 4; ++a)
                    if (keep[a]) place = place * extents[a] + index[a];
                double& result = wanted[static_cast<std::size_t>(place)];
                const double value = x.data()[i];
                result = is_sum ? result + value : std::max(result, value);
            }
            differences different;
            for (std::int64_t i = 0; i < y.size(); ++i)
                different.add(near<f32>(y.data()[i], wanted[static_cast<std::size_t>(i)], 1e-6, is_sum ? 2e-4 : 0), i,
                              y.data()[i], wanted[static_cast<std::size_t>(i)]);
            different.require_none("several axes", y.size());
        };
        check(std::get<0>(results), false, true, false, true, true);
        check(std::get<1>(results), true, false, true, false, true);
        check(std::get<2>(results), true, false, true, true, true);
        check(std::get<3>(results), false, false, true, true, true);
        check(std::get<4>(results), true, true, false, false, true);
        check(std::get<5>(results), false, true, true, false, false);
    }
}

} // namespace
} // namespace toroid::tests::rows
