// The second translation unit of the program in a.cpp.

#include "model.hpp"

entities entities_of_b() { return entities_here(); }
