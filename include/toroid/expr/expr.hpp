#pragma once
// Everything of the expression floor.

#include <toroid/expr/broadcast.hpp>
#include <toroid/expr/create.hpp>
#include <toroid/expr/linalg.hpp>
#include <toroid/expr/model.hpp>
#include <toroid/expr/pointwise.hpp>
#include <toroid/expr/reduce.hpp>
#include <toroid/expr/tensor.hpp>
#include <toroid/expr/trace.hpp>
#include <toroid/expr/view.hpp>
