#pragma once
// thread_body: what one thread holds of a kernel body – positions, vectors in flight, row values, accumulators – and how it
// evaluates a vector of elements.

#include <type_traits>
#include <utility>

#include <toroid/backend/cuda/ops.hpp>
#include <toroid/backend/cuda/plan.hpp>
#include <toroid/backend/cuda/vector.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// The parameter of a kernel.
template <class Body> struct kernel_arguments {
    void* pointers[Body::arguments.size > 0 ? Body::arguments.size : 1] = {};
    body_dims<Body> dims;
    std::int64_t outer = 1; ///< row: rows; column: x indices outside the lanes; others: vectors or tiles in all
    std::int64_t groups = 1; ///< column: groups of lanes
    int splits = 1; ///< blocks that share a row or a column group
    std::byte* workspace = nullptr; ///< partial results of blocks that share
    unsigned* counters = nullptr; ///< arrivals of blocks that share; zero before and after a launch
};

namespace detail {

using toroid::detail::register_at;

/// std::integral_constant, whose conversion is a host function to nvcc.
template <int I> struct constant_number {
    static constexpr int value = I;
    TOROID_HOST_DEVICE constexpr operator int() const { return I; }
    TOROID_HOST_DEVICE constexpr int operator+() const { return I; }
};

/// Calls f(constant_number<i>) for i in [0, Count).
template <int Count, int Begin = 0, class F> __device__ __forceinline__ void static_for(F&& f) {
    if constexpr (Count - Begin <= 64) {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            (f(constant_number<Begin + I>{}), ...);
        }(std::make_integer_sequence<int, (Count > Begin ? Count - Begin : 0)>{});
    } else {
        static_for<Begin + 64, Begin>(f);
        static_for<Count, Begin + 64>(f);
    }
}

//=== what a thread keeps ===//

struct nothing {};

/// Loaded elements of value `V`: one per lane, or one for all lanes.
template <class Body, int V, int Width> struct loaded_elements {
    static constexpr bool used = Body::values[V].kind == value_kind::load && per_element<Body>(V);
    static constexpr int access = used ? Body::values[V].access : 0;
    static constexpr bool still = used && stride_is<Body, access, Body::definition.lane_range>(0);
    static constexpr int count = still ? 1 : Width;
    using type = std::conditional_t<used, elements<storage_t<Body::values[V].type>, count>, nothing>;
    type held;
};
/// Elements of a value that later passes need again.
template <class Body, int V, int Width> struct stashed_elements {
    static constexpr bool used = Body::values[V].stashed;
    compute_t<Body::values[V].type> held[used ? Width : 1];
};
template <class Body, int S, int Width> struct stored_elements {
    compute_t<Body::values[Body::stores[S].value].type> held[Width];
};
/// A row value: one, or one per lane of a column nest.
template <class Body, int V, int Width> struct row_elements {
    static constexpr bool used = !per_element<Body>(V);
    compute_t<Body::values[V].type> held[used ? Width : 1];
};
template <class Body, int V, int Width> struct accumulated_elements {
    static constexpr bool used = Body::values[V].kind == value_kind::reduce;
    static constexpr bool arg = used && is_arg_reduction(Body::values[V].code);
    using type = compute_t<used ? Body::values[used ? Body::values[V].operands[0] : V].type : dtype::bool_>;
    type held[used ? Width : 1];
    std::int64_t indices[arg ? Width : 1];
};

template <class Body, int Width, class Numbers> struct chunk_of;
template <class Body, int Width, int... V>
struct chunk_of<Body, Width, std::integer_sequence<int, V...>> : loaded_elements<Body, V, Width>...,
                                                                 stashed_elements<Body, V, Width>... {};
template <class Body, int Width, class Numbers> struct stores_of;
template <class Body, int Width, int... S>
struct stores_of<Body, Width, std::integer_sequence<int, S...>> : stored_elements<Body, S, Width>... {};
template <class Body, int Width, int Lanes, class Numbers> struct rows_of;
template <class Body, int Width, int Lanes, int... V>
struct rows_of<Body, Width, Lanes, std::integer_sequence<int, V...>> : row_elements<Body, V, Width>...,
                                                                       accumulated_elements<Body, V, Lanes>... {};

} // namespace detail

/// One thread's view of body `D` of program `P`.
template <class P, int D> struct thread_body {
    using body = kernel_body<P, D>;
    using shape = detail::body_shape<P, D>;
    using numbers = std::make_integer_sequence<int, body::values.size>;
    static constexpr kernel_plan plan = plan_of<P, D>;
    static constexpr int width = plan.vector;
    static constexpr int lane_range = body::definition.lane_range;
    static constexpr int kept = shape::kept;
    static constexpr int range_count = body::ranges.size;
    static constexpr bool column = shape::nest == nest_kind::column;
    using index = std::conditional_t<plan.wide, std::int64_t, std::int32_t>;
    using unsigned_index = std::conditional_t<plan.wide, std::uint64_t, std::uint32_t>;
    using chunk = detail::chunk_of<body, width, numbers>;

    const kernel_arguments<body>& arguments;
    index position[range_count > 0 ? range_count : 1] = {};
    detail::rows_of<body, column ? width : 1, width, numbers> rows;

    __device__ __forceinline__ explicit thread_body(const kernel_arguments<body>& a) : arguments(a) {}

    static constexpr passes_without_stash<body> passes_alone{};
    /// Only a row in registers keeps values from pass to pass.
    TOROID_HOST_DEVICE static constexpr bool stashes(int value) {
        return plan.family == kernel_family::row && body::values.rows[value].stashed;
    }
    TOROID_HOST_DEVICE static constexpr bool needs(int value, int pass) {
        if (plan.family == kernel_family::row) return active<body>(value, pass);
        return (passes_alone.masks[value] >> pass & 1) != 0;
    }

    template <int V> TOROID_HOST_DEVICE auto& row() {
        return static_cast<detail::row_elements<body, V, column ? width : 1>&>(rows).held;
    }
    template <int V> TOROID_HOST_DEVICE const auto& row() const {
        return static_cast<const detail::row_elements<body, V, column ? width : 1>&>(rows).held;
    }
    template <int V> TOROID_HOST_DEVICE auto& sums() {
        return static_cast<detail::accumulated_elements<body, V, width>&>(rows);
    }

    //=== addresses ===//

    template <int Range> __device__ __forceinline__ index extent() const {
        return static_cast<index>(arguments.dims.template extent<Range>());
    }
    template <int Access> TOROID_HOST_DEVICE index lane_stride() const {
        if constexpr (lane_range < 0) return 0;
        else return static_cast<index>(arguments.dims.template stride < Access, lane_range < 0 ? 0 : lane_range > ());
    }
    /// Number of the element of an access at the current position.
    template <int Access> TOROID_HOST_DEVICE index offset() const {
        index result = static_cast<index>(arguments.dims.template get<body::accesses[Access].offset>());
        [&]<int... R>(std::integer_sequence<int, R...>) {
            ((result += position[R] * static_cast<index>(arguments.dims.template stride<Access, R>())), ...);
        }(std::make_integer_sequence<int, range_count>{});
        return result;
    }
    template <int Access> TOROID_HOST_DEVICE auto* base() const {
        constexpr dtype type = access_type<body, Access>;
        return static_cast<storage_t<type>*>(arguments.pointers[body::accesses[Access].argument]);
    }
    /// Sets the positions of ranges [First, Last), the last one fastest, from a linear index; the last range counts in
    /// steps of `Step` elements.
    template <int First, int Last, int Step> __device__ __forceinline__ void enter(unsigned_index linear) {
        detail::static_for<Last - First>([&](auto number) {
            constexpr int r = Last - 1 - number;
            if constexpr (r == First) {
                position[r] = static_cast<index>(linear);
            } else {
                const auto steps = static_cast<unsigned_index>(extent<r>());
                const unsigned_index size = r == Last - 1 ? (steps + Step - 1) / Step : steps;
                position[r] = static_cast<index>(linear % size);
                linear /= size;
            }
            if constexpr (r == Last - 1 && Step > 1) position[r] *= Step;
        });
    }

    //=== loads ===//

    /// Loads the elements of every value that `Pass` needs.
    template <int Pass> __device__ __forceinline__ void load(chunk& c, int lanes) const {
        detail::static_for<body::values.size>([&](auto v) {
            if constexpr (detail::loaded_elements<body, v, width>::used)
                if constexpr (needs(v, Pass)) load_value<v>(c, lanes);
        });
    }
    template <int V> __device__ __forceinline__ void load_value(chunk& c, int lanes) const {
        using holder = detail::loaded_elements<body, V, width>;
        constexpr int access = holder::access;
        auto& held = static_cast<holder&>(c).held;
        const auto* p = base<access>() + offset<access>();
        if constexpr (holder::still) {
            held.values[0] = *p;
        } else if constexpr (stride_is<body, access, lane_range>(1) && width > 1 && shape::is_aligned(access, width)) {
            if (!plan.tail || lanes >= width) {
                held.template load<!shape::is_fixed(V)>(p);
            } else {
                held.clear();
#pragma unroll
                for (int l = 0; l < width; ++l)
                    if (l < lanes) held.values[l] = p[l];
            }
        } else {
            const index stride = lane_stride<access>();
            if constexpr (plan.tail) held.clear();
#pragma unroll
            for (int l = 0; l < width; ++l)
                if (!plan.tail || l < lanes) held.values[l] = p[l * stride];
        }
    }

    //=== evaluation ===//

    /// What compute_value asks for: lane `l` of the vector at the current position.
    struct lane_source {
        const thread_body& t;
        const registers<body>& regs;
        int l;

        template <int Access> TOROID_HOST_DEVICE const auto* element() const {
            return t.template base<Access>() + index_of<Access>();
        }
        template <int Access> TOROID_HOST_DEVICE std::int64_t index() const { return index_of<Access>(); }
        template <int Dim> TOROID_HOST_DEVICE std::int64_t extent() const {
            return t.arguments.dims.template get<Dim>();
        }
        template <int X> TOROID_HOST_DEVICE auto operand() const {
            if constexpr (per_element<body>(X)) return detail::register_at<X>(regs);
            else return t.template row<X>()[column ? l : 0];
        }

    private:
        template <int Access> TOROID_HOST_DEVICE auto index_of() const {
            return t.template offset<Access>() + static_cast<thread_body::index>(l) * t.template lane_stride<Access>();
        }
    };

    /// Values, accumulation and stores of one vector in one pass.
    /// The `First` vector of a thread sets the sums. Nothing is stored unless `writes`.
    template <int Pass> __device__ __forceinline__ void evaluate(chunk& c, int lanes) {
        evaluate<Pass, false>(c, lanes, true);
    }
    template <int Pass, bool First> __device__ __forceinline__ void evaluate(chunk& c, int lanes, bool writes) {
        constexpr bool tail = plan.tail;
        detail::stores_of<body, width, std::make_integer_sequence<int, body::stores.size>> out;
        detail::static_for<width>([&](auto l) {
            registers<body> regs;
            const lane_source source{*this, regs, l};
            detail::static_for<body::values.size>([&](auto v) {
                constexpr kernel_value value = body::values[v];
                if constexpr (per_element<body>(v) && needs(v, Pass)) {
                    constexpr bool before = (value.passes & ((std::uint64_t{1} << Pass) - 1)) != 0;
                    auto& stash = static_cast<detail::stashed_elements<body, v, width>&>(c).held;
                    if constexpr (value.kind == value_kind::load) {
                        using holder = detail::loaded_elements<body, v, width>;
                        const auto& held = static_cast<const holder&>(c).held;
                        detail::register_at<v>(regs) = unpack < value.type, holder::still ? 0 : +l > (held);
                    } else if constexpr (stashes(v) && before) {
                        detail::register_at<v>(regs) = stash[l];
                    } else {
                        detail::register_at<v>(regs) = compute_value<device_ops, body, v>(source);
                        if constexpr (stashes(v)) stash[l] = detail::register_at<v>(regs);
                    }
                }
                if constexpr (reduces_in<body>(v, Pass)) {
                    if (!tail || l < lanes) accumulate<v, First>(source, l);
                }
            });
            detail::static_for<body::stores.size>([&](auto s) {
                if constexpr (stores_per_element<body>(s) && store_stage<body>(s) == Pass)
                    static_cast<detail::stored_elements<body, s, width>&>(out).held[l] =
                        source.template operand<body::stores[s].value>();
            });
        });
        if (!writes) return;
        detail::static_for<body::stores.size>([&](auto s) {
            if constexpr (stores_per_element<body>(s) && store_stage<body>(s) == Pass)
                store_vector<body::stores[s].access>(static_cast<detail::stored_elements<body, s, width>&>(out).held,
                                                     lanes);
        });
    }
    template <int V, bool First, class Source> __device__ __forceinline__ void accumulate(const Source& source, int l) {
        constexpr kernel_value value = body::values[V];
        auto& sum = sums<V>();
        const auto x = source.template operand<value.operands[0]>();
        if constexpr (is_arg_reduction(value.code)) {
            const std::int64_t at = source.template index<value.access>();
            const bool better = First || arg_is_better<value.code>(x, at, sum.held[l], sum.indices[l]);
            sum.held[l] = better ? x : sum.held[l];
            sum.indices[l] = better ? at : sum.indices[l];
        } else if constexpr (First) {
            sum.held[l] = x;
        } else {
            sum.held[l] = handled<device_ops, combining_op(value.code)>::apply(sum.held[l], x);
        }
    }
    template <int Access, class Held> __device__ __forceinline__ void store_vector(const Held& held, int lanes) const {
        constexpr dtype type = access_type<body, Access>;
        auto* p = base<Access>() + offset<Access>();
        const auto packed = pack<type, width>(held);
        if constexpr (stride_is<body, Access, lane_range>(1) && width > 1 && shape::is_aligned(Access, width)) {
            if (!plan.tail || lanes >= width) {
                packed.store(p);
                return;
            }
        }
        const index stride = lane_stride<Access>();
#pragma unroll
        for (int l = 0; l < width; ++l)
            if (!plan.tail || l < lanes) p[l * stride] = packed.values[l];
    }

    //=== reductions and row values ===//

    template <int Pass> __device__ __forceinline__ void clear_sums() {
        detail::static_for<body::values.size>([&](auto v) {
            if constexpr (reduces_in<body>(v, Pass)) {
                using holder = detail::accumulated_elements<body, v, width>;
#pragma unroll
                for (int l = 0; l < width; ++l) {
                    sums<v>().held[l] = reduction_identity<body::values[v].code, typename holder::type>();
                    if constexpr (holder::arg) sums<v>().indices[l] = -1;
                }
            }
        });
    }
    /// One partial result `b` into another.
    template <int V, class T>
    __device__ __forceinline__ static void combine(T& a, std::int64_t& a_index, T b, std::int64_t b_index) {
        constexpr op code = body::values[V].code;
        if constexpr (is_arg_reduction(code)) {
            const bool better = arg_is_better<code>(b, b_index, a, a_index);
            a = better ? b : a;
            a_index = better ? b_index : a_index;
        } else {
            a = handled<device_ops, combining_op(code)>::apply(a, b);
        }
    }
    /// A finished reduction becomes a row value.
    template <int V> __device__ __forceinline__ void finish(int l) {
        using holder = detail::accumulated_elements<body, V, width>;
        using type = compute_t<body::values[V].type>;
        auto& sum = sums<V>();
        if constexpr (holder::arg) row<V>()[l] = static_cast<type>(sum.indices[l] < 0 ? 0 : sum.indices[l]);
        else row<V>()[l] = static_cast<type>(sum.held[l]);
    }

    struct row_source {
        const thread_body& t;
        int l;

        template <int Access> TOROID_HOST_DEVICE const auto* element() const {
            return t.template base<Access>() + index_of<Access>();
        }
        template <int Access> TOROID_HOST_DEVICE std::int64_t index() const { return index_of<Access>(); }
        template <int Dim> TOROID_HOST_DEVICE std::int64_t extent() const {
            return t.arguments.dims.template get<Dim>();
        }
        template <int X> TOROID_HOST_DEVICE auto operand() const { return t.template row<X>()[l]; }

    private:
        template <int Access> TOROID_HOST_DEVICE auto index_of() const {
            // Row values stand still along the lanes of a row nest.
            return t.template offset<Access>() +
                   (column ? static_cast<thread_body::index>(l) * t.template lane_stride<Access>() : 0);
        }
    };

    /// Row values of one stage. `lanes` exist; the thread writes the results when it is their `writer`. What needs no
    /// reduction is written in stage 1, when every thread of the row has read: the write may be in place.
    template <int Stage> __device__ __forceinline__ void row_phase(int lanes, bool writer) {
        constexpr int count = column ? width : 1;
        detail::static_for<body::values.size>([&](auto v) {
            constexpr kernel_value value = body::values[v];
            if constexpr (!per_element<body>(v) && value.kind != value_kind::reduce && value.stage == Stage) {
#pragma unroll
                for (int l = 0; l < count; ++l)
                    if (!(column && plan.tail) || l < lanes)
                        row<v>()[l] = compute_value<device_ops, body, v>(row_source{*this, l});
            }
        });
        if (!writer) return;
        detail::static_for<body::stores.size>([&](auto s) {
            constexpr int written = store_stage<body>(s) > 0 ? store_stage<body>(s) : 1;
            if constexpr (!stores_per_element<body>(s) && written == Stage) {
                constexpr int access = body::stores[s].access;
                if constexpr (column) {
                    store_vector<access>(row<body::stores[s].value>(), lanes);
                } else {
                    store_element<access_type<body, access>>(base<access>() + offset<access>(),
                                                             row<body::stores[s].value>()[0]);
                }
            }
        });
    }
};

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
