#pragma once
// Everything that prints: graphs, schedules, programs. Host only; needs fmt (CMake: toroid::inspect).

#include <toroid/backend/listing/listing.hpp>
#include <toroid/inspect/dim_text.hpp>
#include <toroid/inspect/explain.hpp>
#include <toroid/inspect/graph.hpp>
#include <toroid/inspect/report.hpp>
#include <toroid/inspect/schedule.hpp>
