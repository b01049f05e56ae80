#pragma once
// row_shapes: the extents of the rows that are normalised, from many short ones to few long ones.

#include "model_case.hpp"

namespace benchmark {

/// One row of the table for each shape; `Model<Rows, Columns>` is a model.
template <template <int, int> class Model, class Check>
std::vector<row> rows_of_every_shape(const std::string& name, Check check) {
    const auto one = [&]<int Rows, int Columns>() {
        return model_row<Model<Rows, Columns>>(name + "_bf16_" + std::to_string(Rows) + "x" + std::to_string(Columns),
                                               check);
    };
    return {one.template operator()<32768, 256>(),  one.template operator()<16384, 1024>(),
            one.template operator()<8192, 4096>(),  one.template operator()<4096, 16384>(),
            one.template operator()<1024, 65536>(), one.template operator()<64, 262144>()};
}

} // namespace benchmark
