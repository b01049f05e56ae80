#include <toroid/storage/shared_owner.hpp>

#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

using toroid::detail::shared_owner;

struct counted {
    static inline int alive = 0;
    counted() { ++alive; }
    counted(const counted&) = delete;
    ~counted() { --alive; }
    int value = 0;
};

TEST_CASE("the object lives as long as its last owner") {
    {
        shared_owner<counted> first;
        first->value = 7;
        {
            const shared_owner<counted> second = first; // NOLINT(performance-unnecessary-copy-initialization)
            CHECK(second->value == 7);
            CHECK(second.operator->() == first.operator->());
        }
        CHECK(counted::alive == 1);
        shared_owner<counted> third = std::move(first);
        CHECK(third->value == 7);
        CHECK(counted::alive == 1);
        first = third; // an owner may be assigned after a move
        third = shared_owner<counted>();
        CHECK(counted::alive == 2);
        CHECK(first->value == 7);
        CHECK(third->value == 0);
        shared_owner<counted>& same = third;
        third = same;
        CHECK(third->value == 0);
        CHECK(counted::alive == 2);
    }
    CHECK(counted::alive == 0);
}

TEST_CASE("threads copy and release owners at once") {
    {
        const shared_owner<counted> shared;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([owner = shared] {
                for (int k = 0; k < 10000; ++k) {
                    const shared_owner<counted> copy = owner; // NOLINT(performance-unnecessary-copy-initialization)
                    if (copy->value != 0) return;
                }
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(counted::alive == 1);
    }
    CHECK(counted::alive == 0);
}

} // namespace
