#pragma once
// matmul: which matrix product the executor calls. CBLAS when the build found one, else our own.

#include <toroid/backend/cpu/gemm.hpp>
#if defined(TOROID_WITH_CBLAS)
#include <toroid/backend/cpu/cblas.hpp>
#endif

namespace toroid::cpu {

// One name, one body: the choice lives in an inline namespace, so that translation units that disagree do not clash.
#if defined(TOROID_WITH_CBLAS)
inline namespace with_cblas {
using default_matmul = cblas_matmul;
}
#else
inline namespace without_cblas {
using default_matmul = native_matmul;
}
#endif

} // namespace toroid::cpu
