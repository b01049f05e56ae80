#pragma once
// An object with several owners, as std::shared_ptr, whose header costs a tenth of the whole library's. Host only.

#include <utility>

namespace toroid::detail {

/// Owns a `T` together with its copies; the last one deletes it. Copies may be made and destroyed by several threads at
/// once. Empty after a move: only assignment and destruction are allowed then.
template <class T> class shared_owner {
public:
    /// A new object.
    shared_owner() : block_(new block) {}
    shared_owner(const shared_owner& other) noexcept : block_(other.block_) {
        if (block_ != nullptr) __atomic_fetch_add(&block_->owners, 1, __ATOMIC_RELAXED);
    }
    shared_owner(shared_owner&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    shared_owner& operator=(shared_owner other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~shared_owner() {
        // What every owner did with the object comes before its deletion.
        if (block_ != nullptr && __atomic_sub_fetch(&block_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete block_;
    }

    [[nodiscard]] T* operator->() const noexcept { return &block_->value; }

private:
    struct block {
        T value;
        long owners = 1;
    };
    block* block_;
};

} // namespace toroid::detail
