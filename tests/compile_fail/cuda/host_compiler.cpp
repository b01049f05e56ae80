// The CUDA backend in a .cpp file. One line says so, and nothing follows.
// code: E003
// errors: 1
// expect: toroid E003: toroid/cuda.hpp needs nvcc: include it in a .cu file

#ifdef TOROID_GOOD
#include <toroid/toroid.hpp>
#else
#include <toroid/cuda.hpp>
#endif
