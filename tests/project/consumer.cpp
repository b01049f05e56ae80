// What a project outside of Toroid sees: the headers are found, silent, and of the version that was asked for.

#include <toroid/core/config.hpp>
#include <toroid/core/dtype.hpp>

static_assert(toroid::version_major == 0 && toroid::version_minor == 1);
static_assert(toroid::promote(toroid::i32, toroid::f32) == toroid::f32);

int main() { return toroid::size_of(toroid::f32) == 4 ? 0 : 1; }
