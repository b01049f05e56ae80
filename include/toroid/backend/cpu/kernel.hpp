#pragma once
// kernel: a body as CPU loops. One chunk of the grid at a time, compiled once per instruction set.

#include <cstdint>
#include <type_traits>

#include <toroid/backend/cpu/isa.hpp>
#include <toroid/backend/cpu/vector_ops.hpp>
#include <toroid/codegen/body_facts.hpp>
#include <toroid/codegen/launcher.hpp>

namespace toroid::cpu {

/// Everything that a chunk of a launch needs.
template <class Body> struct kernel_context {
    void* const* pointers;
    body_dims<Body> dims;
    launch_grid grid;
};

namespace detail {

using toroid::detail::register_at;

/// Lanes of one accumulator. Fixed, so that sums have the same tree on every instruction set and thread count.
inline constexpr int lanes = 64;

/// Longest row that is fetched ahead: two of them stay in a second-level cache.
inline constexpr std::int64_t fetched_elements = 16384;

/// Calls f(integral_constant<int, i>) for i in [0, Count), in chunks that folds of every compiler take.
template <int Count, int Begin = 0, class F> [[gnu::always_inline]] inline void unroll(F&& f) {
    if constexpr (Count - Begin <= 64) {
        [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
            (f(std::integral_constant<int, Begin + I>{}), ...);
        }
        (std::make_integer_sequence<int, (Count > Begin ? Count - Begin : 0)>{});
    } else {
        unroll<Begin + 64, Begin>(f);
        unroll<Count, Begin + 64>(f);
    }
}

/// Elements of one row, when any value of the body is stashed; else 1.
template <class Body> constexpr std::int64_t stash_elements() {
    std::int64_t product = 1;
    bool any = false;
    for (int v = 0; v < Body::values.size; ++v) any = any || Body::values.rows[v].stashed;
    if (!any) return 1;
    for (int r = 0; r < Body::ranges.size; ++r)
        if (Body::ranges.rows[r].reduction) product *= Body::dims.rows[Body::ranges.rows[r].extent].k;
    return product > 0 ? product : 1;
}

//=== storage of one row ===//

/// Values that outlive a pass: row values (one, or one per lane in a column nest), accumulators and stashed rows.
template <class Body, int V> struct row_value {
    using type = compute_t<Body::values[V].type>;
    static constexpr bool is_row = !per_element<Body>(V);
    static constexpr int count = !is_row ? 1 : nest_of<Body>() == nest_kind::column ? lanes : 1;
    alignas(nest_of<Body>() == nest_kind::column ? 64 : alignof(type)) type values[count];
};
template <class Body, int V> struct accumulator {
    static constexpr bool used = Body::values[V].kind == value_kind::reduce;
    static constexpr bool arg = used && is_arg_reduction(Body::values[V].code);
    using type = compute_t<used ? Body::values[used ? Body::values[V].operands[0] : V].type : dtype::bool_>;
    alignas(used ? 64 : alignof(type)) type values[used ? lanes : 1];
    alignas(arg ? 64 : 8) std::int64_t indices[arg ? lanes : 1];
};
template <class Body, int V> struct stashed_row {
    using type = compute_t<Body::values[V].type>;
    static constexpr bool used = Body::values[V].stashed;
    alignas(used ? 64 : alignof(type)) type values[used ? stash_elements<Body>() : 1];
};

template <class Body, class Numbers> struct row_storage;
template <class Body, int... V>
struct row_storage<Body, std::integer_sequence<int, V...>>
    : row_value<Body, V>..., accumulator<Body, V>..., stashed_row<Body, V>... {};

//=== one piece of work ===//

template <class Body, class Handler> struct piece {
    static constexpr nest_kind nest = nest_of<Body>();
    static constexpr int lane_range = Body::definition.lane_range;
    static constexpr int kept = kept_ranges<Body>();
    static constexpr int range_count = Body::ranges.size;
    using numbers = std::make_integer_sequence<int, Body::values.size>;

    /// Row storage starts uninitialised: every pass fills what it reads.
    [[gnu::always_inline]] inline explicit piece(const kernel_context<Body>& c) : context(c) {}

    const kernel_context<Body>& context;
    row_storage<Body, numbers> storage;
    std::int64_t outer[Body::accesses.size > 0 ? Body::accesses.size : 1]; ///< element offset of the x index
    std::int64_t at[Body::accesses.size > 0 ? Body::accesses.size : 1]; ///< and of the reduced ranges outside the lanes
    std::int64_t stash_row = 0;

    template <int V> [[gnu::always_inline]] inline row_value<Body, V>& row() { return storage; }
    template <int V> [[gnu::always_inline]] inline const row_value<Body, V>& row() const { return storage; }
    template <int V> [[gnu::always_inline]] inline accumulator<Body, V>& sums() { return storage; }
    template <int V> [[gnu::always_inline]] inline stashed_row<Body, V>& stash() { return storage; }
    template <int V> [[gnu::always_inline]] inline const stashed_row<Body, V>& stash() const { return storage; }

    template <int Access> [[gnu::always_inline]] inline std::int64_t lane_stride() const {
        if constexpr (lane_range < 0) return 0;
        else return context.dims.template stride < Access, lane_range < 0 ? 0 : lane_range > ();
    }

    /// What compute_value asks for, at lane `l` of a block that begins at lane `begin`.
    struct lane_source {
        const piece& p;
        const registers<Body>& regs;
        std::int64_t begin;
        std::int64_t l;

        template <int Access> [[gnu::always_inline]] inline auto element() const {
            constexpr dtype type = access_type<Body, Access>;
            const auto* base = static_cast<const storage_t<type>*>(p.context.pointers[Body::accesses[Access].argument]);
            return base + p.at[Access] + begin * p.template lane_stride<Access>() +
                   l * p.template lane_stride<Access>();
        }
        template <int Access> [[gnu::always_inline]] inline std::int64_t index() const {
            return p.at[Access] + (begin + l) * p.template lane_stride<Access>();
        }
        template <int Dim> [[gnu::always_inline]] inline std::int64_t extent() const {
            return p.context.dims.template get<Dim>();
        }
        template <int X> [[gnu::always_inline]] inline auto operand() const {
            if constexpr (per_element<Body>(X)) return register_at<X>(regs);
            else return p.template row<X>().values[nest == nest_kind::column ? l : 0];
        }
    };
    /// The same for row values.
    struct row_source {
        const piece& p;
        std::int64_t begin;
        std::int64_t l;

        template <int Access> [[gnu::always_inline]] inline auto element() const {
            constexpr dtype type = access_type<Body, Access>;
            const auto* base = static_cast<const storage_t<type>*>(p.context.pointers[Body::accesses[Access].argument]);
            return base + index<Access>();
        }
        template <int Access> [[gnu::always_inline]] inline std::int64_t index() const {
            const std::int64_t lane = nest == nest_kind::column ? (begin + l) * p.template lane_stride<Access>() : 0;
            return p.outer[Access] + lane;
        }
        template <int Dim> [[gnu::always_inline]] inline std::int64_t extent() const {
            return p.context.dims.template get<Dim>();
        }
        template <int X> [[gnu::always_inline]] inline auto operand() const {
            return p.template row<X>().values[nest == nest_kind::column ? l : 0];
        }
    };

    //=== addresses ===//

    /// Sets `outer` for number `index` of the x ranges outside the lanes.
    [[gnu::always_inline]] inline void enter(std::int64_t index) {
        std::int64_t position[range_count + 1] = {};
        unroll<kept>([&](auto number) __attribute__((always_inline)) {
            constexpr int r = kept - 1 - number;
            if constexpr (r != lane_range) {
                const std::int64_t extent = context.dims.template extent<r>();
                position[r] = extent > 0 ? index % extent : 0;
                index = extent > 0 ? index / extent : 0;
            }
        });
        unroll<Body::accesses.size>([&](auto access) __attribute__((always_inline)) {
            std::int64_t offset = context.dims.template get<Body::accesses[access].offset>();
            unroll<kept>([&](auto r) __attribute__((always_inline)) {
                if constexpr (r != lane_range) offset += position[r] * context.dims.template stride<access, r>();
            });
            outer[access] = offset;
            at[access] = offset;
        });
    }

    //=== passes ===//

    /// Row values of one stage.
    template <int Stage> [[gnu::always_inline]] inline void row_phase(std::int64_t begin, std::int64_t count) {
        unroll<Body::values.size>([&](auto v) __attribute__((always_inline)) {
            constexpr kernel_value value = Body::values[v];
            if constexpr (!per_element<Body>(v) && value.kind != value_kind::reduce && value.stage == Stage) {
                if constexpr (nest == nest_kind::column) {
                    for (std::int64_t l = 0; l < count; ++l)
                        row<v>().values[l] = compute_value<Handler, Body, v>(row_source{*this, begin, l});
                } else {
                    row<v>().values[0] = compute_value<Handler, Body, v>(row_source{*this, begin, 0});
                }
            }
        });
        unroll<Body::stores.size>([&](auto s) __attribute__((always_inline)) {
            if constexpr (!stores_per_element<Body>(s) && store_stage<Body>(s) == Stage) {
                constexpr kernel_store store = Body::stores[s];
                constexpr dtype type = access_type<Body, store.access>;
                auto* base = static_cast<storage_t<type>*>(context.pointers[Body::accesses[store.access].argument]);
                const row_source source{*this, begin, 0};
                const std::int64_t first = source.template index<store.access>();
                if constexpr (nest == nest_kind::column) {
                    const std::int64_t stride = lane_stride<store.access>();
                    for (std::int64_t l = 0; l < count; ++l)
                        store_element<type>(base + first + l * stride, row<store.value>().values[l]);
                } else {
                    store_element<type>(base + first, row<store.value>().values[0]);
                }
            }
        });
    }

    /// Values, stores and accumulation of lane `l` in one pass.
    template <int Pass> [[gnu::always_inline]] inline void lane(std::int64_t begin, std::int64_t l) {
        registers<Body> regs;
        const lane_source source{*this, regs, begin, l};
        unroll<Body::values.size>([&](auto v) __attribute__((always_inline)) {
            constexpr kernel_value value = Body::values[v];
            if constexpr (per_element<Body>(v) && active<Body>(v, Pass)) {
                if constexpr (value.stashed && (value.passes & ((std::uint64_t{1} << Pass) - 1)) != 0) {
                    register_at<v>(regs) = stash<v>().values[stash_row + begin + l];
                } else {
                    register_at<v>(regs) = compute_value<Handler, Body, v>(source);
                    if constexpr (value.stashed) stash<v>().values[stash_row + begin + l] = register_at<v>(regs);
                }
            }
            if constexpr (reduces_in<Body>(v, Pass)) {
                constexpr op combine = combining_op(value.code);
                const auto x = source.template operand<value.operands[0]>();
                auto& sum = sums<v>();
                if constexpr (accumulator<Body, v>::arg) {
                    const std::int64_t index = source.template index<value.access>();
                    const bool better = arg_is_better<value.code>(x, index, sum.values[l], sum.indices[l]);
                    sum.values[l] = better ? x : sum.values[l];
                    sum.indices[l] = better ? index : sum.indices[l];
                } else {
                    sum.values[l] = handled<Handler, combine>::apply(sum.values[l], x);
                }
            }
        });
        unroll<Body::stores.size>([&](auto s) __attribute__((always_inline)) {
            if constexpr (stores_per_element<Body>(s) && store_stage<Body>(s) == Pass) {
                constexpr kernel_store store = Body::stores[s];
                constexpr dtype type = access_type<Body, store.access>;
                auto* base = static_cast<storage_t<type>*>(context.pointers[Body::accesses[store.access].argument]);
                const std::int64_t stride = lane_stride<store.access>();
                store_element<type>(base + at[store.access] + begin * stride + l * stride,
                                    source.template operand<store.value>());
            }
        });
    }

    /// Lanes [begin, begin + count) of one pass, as the loop that the compiler vectorises. Lanes never depend on each
    /// other: a buffer is written only where it is read.
    template <int Pass, class Count> [[gnu::always_inline]] inline void lane_loop(std::int64_t begin, Count count) {
        const std::int64_t n = count;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
        for (std::int64_t l = 0; l < n; ++l) lane<Pass>(begin, l);
    }

    template <int Pass> [[gnu::always_inline]] inline void clear_sums() {
        unroll<Body::values.size>([&](auto v) __attribute__((always_inline)) {
            if constexpr (reduces_in<Body>(v, Pass)) {
                using type = typename accumulator<Body, v>::type;
                for (int l = 0; l < lanes; ++l) sums<v>().values[l] = reduction_identity<Body::values[v].code, type>();
                if constexpr (accumulator<Body, v>::arg)
                    for (int l = 0; l < lanes; ++l) sums<v>().indices[l] = -1;
            }
        });
    }

    /// Accumulators become row values: lanes are combined as a tree in a row nest, kept apart in a column nest.
    template <int Pass> [[gnu::always_inline]] inline void finish_sums() {
        unroll<Body::values.size>([&](auto v) __attribute__((always_inline)) {
            if constexpr (reduces_in<Body>(v, Pass)) {
                constexpr kernel_value value = Body::values[v];
                auto& sum = sums<v>();
                if constexpr (nest == nest_kind::row) {
                    for (int width = lanes / 2; width > 0; width /= 2)
                        for (int l = 0; l < width; ++l) {
                            if constexpr (accumulator<Body, v>::arg) {
                                const bool better = arg_is_better<value.code>(
                                    sum.values[l + width], sum.indices[l + width], sum.values[l], sum.indices[l]);
                                sum.values[l] = better ? sum.values[l + width] : sum.values[l];
                                sum.indices[l] = better ? sum.indices[l + width] : sum.indices[l];
                            } else {
                                using combine = handled<Handler, combining_op(value.code)>;
                                sum.values[l] = combine::apply(sum.values[l], sum.values[l + width]);
                            }
                        }
                }
                for (int l = 0; l < row_value<Body, v>::count; ++l) {
                    if constexpr (accumulator<Body, v>::arg)
                        row<v>().values[l] = sum.indices[l] < 0 ? 0 : sum.indices[l];
                    else row<v>().values[l] = static_cast<typename row_value<Body, v>::type>(sum.values[l]);
                }
            }
        });
    }

    /// Loops over the reduced ranges outside the lanes, then hands a lane range to `body`.
    template <int Range, class F> [[gnu::always_inline]] inline void reduced_loops(const F& body) {
        if constexpr (Range == range_count) {
            body();
        } else if constexpr (Range == lane_range) {
            reduced_loops<Range + 1>(body);
        } else {
            const std::int64_t extent = context.dims.template extent<Range>();
            for (std::int64_t i = 0; i < extent; ++i) {
                reduced_loops<Range + 1>(body);
                unroll<Body::accesses.size>([&](auto access) __attribute__((always_inline)) {
                    at[access] += context.dims.template stride<access, Range>();
                });
            }
            unroll<Body::accesses.size>([&](auto access) __attribute__((always_inline)) {
                at[access] -= extent * context.dims.template stride<access, Range>();
            });
        }
    }

    /// Fetches ahead while a later pass computes on a row in cache: what the first pass reads of the next row, and the
    /// lines of this row that a coming pass writes. Hardware prefetchers stop at pages; a row often is one.
    template <int Pass> [[gnu::always_inline]] inline void fetch_ahead(std::int64_t first) {
        unroll<Body::accesses.size>([&](auto access) __attribute__((always_inline)) {
            constexpr kernel_access a = Body::accesses[access];
            if constexpr (a.argument >= 0 && Pass > 0 && kept > 0) {
                if constexpr (moves_in_reduction<Body>(access) && stride_is<Body, access, lane_range>(1)) {
                    constexpr dtype type = access_type<Body, access>;
                    constexpr bool written = is_stored<Body>(access);
                    const auto* base = static_cast<const storage_t<type>*>(context.pointers[a.argument]);
                    const std::int64_t next = written ? 0 : context.dims.template stride<access, kept - 1>();
                    for (int line = 0; line < size_of(type); ++line)
                        __builtin_prefetch(base + at[access] + next + first + line * (lanes / size_of(type)), written,
                                           3);
                }
            }
        });
    }

    /// One pass over the reduced ranges of a row, or of a block of columns.
    template <int Pass> [[gnu::always_inline]] inline void pass(std::int64_t begin, std::int64_t count) {
        row_phase<Pass>(begin, count);
        if constexpr (pass_reduces<Body>(Pass) || pass_stores<Body>(Pass)) {
            clear_sums<Pass>();
            stash_row = 0;
            if constexpr (nest == nest_kind::column) {
                reduced_loops<kept>([&]() __attribute__((always_inline)) {
                    if (count == lanes) lane_loop<Pass>(begin, std::integral_constant<std::int64_t, lanes>{});
                    else lane_loop<Pass>(begin, count);
                });
            } else if constexpr (lane_range < 0) {
                lane<Pass>(0, 0); // every reduced range has one element
            } else {
                const std::int64_t extent = context.dims.template extent<lane_range>();
                reduced_loops<kept>([&]() __attribute__((always_inline)) {
                    if constexpr (pass_reduces<Body>(Pass)) {
                        std::int64_t first = 0;
                        for (; first + lanes <= extent; first += lanes) {
                            if (extent <= fetched_elements) fetch_ahead<Pass>(first);
                            lane_loop<Pass>(first, std::integral_constant<std::int64_t, lanes>{});
                        }
                        if (first < extent) lane_loop<Pass>(first, extent - first);
                    } else {
                        lane_loop<Pass>(0, extent);
                    }
                    stash_row += extent;
                });
            }
            finish_sums<Pass>();
        }
    }

    [[gnu::always_inline]] inline void run(std::int64_t number) {
        const launch_grid& g = context.grid;
        const std::int64_t block = g.blocks == 1 ? 0 : is_crosswise<Body>() ? number / g.outer : number % g.blocks;
        enter(g.blocks == 1 ? number : is_crosswise<Body>() ? number % g.outer : number / g.blocks);
        const std::int64_t begin = block * g.block;
        const std::int64_t count = g.lanes - begin < g.block ? g.lanes - begin : g.block;
        if constexpr (nest == nest_kind::pointwise) {
            lane_loop<0>(begin, count);
        } else {
            unroll<Body::definition.stages>([&](auto p) __attribute__((always_inline)) { pass<p>(begin, count); });
        }
    }
};

template <class Body, class Handler>
[[gnu::always_inline]] inline void run_pieces(const kernel_context<Body>& context, std::int64_t chunk) {
    const std::int64_t pieces = context.grid.outer * context.grid.blocks;
    const std::int64_t first = chunk * context.grid.per_chunk;
    const std::int64_t last = first + context.grid.per_chunk < pieces ? first + context.grid.per_chunk : pieces;
    piece<Body, Handler> p(context);
    for (std::int64_t i = first; i < last; ++i) p.run(i);
}

} // namespace detail

//=== loop drivers, one per instruction set ===//

// Optimisation options stand on the drivers only: on the formulas they would stop g++ from vectorising. A product and a
// sum of the model stay two roundings: without fused multiply-add nothing can be contracted, with it the handler shields
// products, while the formulas of exp, tanh, … profit. clang contracts within one formula and never across.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC push_options
#pragma GCC optimize("O3", "fp-contract=fast", "no-math-errno", "no-trapping-math")
#elif defined(__clang__)
// A body with a library call (fmod) or a loop (integer pow) does not vectorise; that is no news for the user.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

template <isa I> struct loop_driver;

template <> struct loop_driver<isa::baseline> {
    template <class Body>
    __attribute__((noinline)) static void run(const kernel_context<Body>& context, std::int64_t chunk) {
        detail::run_pieces<Body, ops_for<isa::baseline>::type>(context, chunk);
    }
};
#if defined(__x86_64__)
template <> struct loop_driver<isa::avx2> {
    template <class Body>
    __attribute__((noinline, target("avx2,fma,f16c,bmi2"))) static void run(const kernel_context<Body>& context,
                                                                            std::int64_t chunk) {
        detail::run_pieces<Body, ops_for<isa::avx2>::type>(context, chunk);
    }
};
template <> struct loop_driver<isa::avx512> {
    template <class Body>
    __attribute__((noinline, target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi2"))) static void
    run(const kernel_context<Body>& context, std::int64_t chunk) {
        detail::run_pieces<Body, ops_for<isa::avx512>::type>(context, chunk);
    }
};
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC pop_options
#elif defined(__clang__)
#pragma clang diagnostic pop
#endif

} // namespace toroid::cpu
