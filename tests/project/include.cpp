// The include of the library stays free of headers that cost more than they give (decision 0015). libstdc++ 12, by its
// include guards; newer ones may include more by themselves.

#include <toroid/toroid.hpp>

#if defined(__GLIBCXX__) && _GLIBCXX_RELEASE == 12
#if defined(_GLIBCXX_ALGORITHM) || defined(_GLIBCXX_ATOMIC) || defined(_GLIBCXX_CHRONO) ||                             \
    defined(_GLIBCXX_CONDITION_VARIABLE) || defined(_GLIBCXX_FILESYSTEM) || defined(_GLIBCXX_FUNCTIONAL) ||            \
    defined(_GLIBCXX_ITERATOR) || defined(_GLIBCXX_MEMORY) || defined(_GLIBCXX_MUTEX) || defined(_GLIBCXX_OSTREAM) ||  \
    defined(_GLIBCXX_SYSTEM_ERROR) || defined(_GLIBCXX_THREAD)
#error "<toroid/toroid.hpp> includes a costly standard header: find it with g++ -H, and see decision 0015"
#endif
#endif
