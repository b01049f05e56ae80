#pragma once
// Toroid: everything that a .cpp needs. Write a model as expressions; including this compiles it.

#include <toroid/core/config.hpp>

#if defined(TOROID_HOST_DEVICE)
#include <toroid/backend/cpu/executor.hpp>
#include <toroid/expr/expr.hpp>
#include <toroid/nn/activation.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/storage/array.hpp>
#include <toroid/storage/weights.hpp>
#include <toroid/wrapper/program.hpp>
#endif
