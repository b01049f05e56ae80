// The same headers and the same model in two translation units: they link, and every entity is one entity.

#include "model.hpp"

entities entities_of_b();

int main() {
    static_assert(node_count() > 0);
    return entities_here() == entities_of_b() && run_classifier() == 0.0f ? 0 : 1;
}
