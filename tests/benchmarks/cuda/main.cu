// benchmark_cuda: rows that are timed on the GPU. The driver writes one command a line and reads one line of JSON:
//     rows           {"rows": [NAME...]}
//     prepare NAME   {"bytes": B, "flops": F, "launches": L, "sets": S, "calls": C, "error": E, "tolerance": T}, or {}
//                    where there is no such row; runs it and checks its result
//     run            {"seconds": S}: the time of one call of the row prepared last
//     drop           {}: frees the memory of that row
// What throws is answered by {"failure": TEXT}; the driver then starts the program anew.

#include <algorithm>
#include <exception>
#include <iostream>

#include "rows.hpp"

namespace benchmark {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

std::string names(const std::vector<row>& rows) {
    std::string list;
    for (const row& each : rows) list += (list.empty() ? "" : ", ") + quoted(each.name);
    return "{\"rows\": [" + list + "]}";
}

void answer_facts(const prepared& x) {
    std::cout << "{\"bytes\": " << x.bytes << ", \"flops\": " << x.flops << ", \"launches\": " << x.launches
              << ", \"sets\": " << x.sets << ", \"calls\": " << x.calls << ", \"error\": " << x.error
              << ", \"tolerance\": " << x.tolerance << "}";
}

int serve(const std::vector<row>& rows) {
    prepared current;
    std::cout.precision(12);
    for (std::string line; std::getline(std::cin, line);) {
        try {
            if (line == "rows") {
                std::cout << names(rows);
            } else if (line == "drop") {
                current = {};
                std::cout << "{}";
            } else if (line == "run" && current.seconds) {
                std::cout << "{\"seconds\": " << current.seconds() << "}";
            } else if (line.rfind("prepare ", 0) == 0) {
                const auto found =
                    std::find_if(rows.begin(), rows.end(), [&](const row& r) { return r.name == line.substr(8); });
                if (found != rows.end()) answer_facts(current = found->prepare());
                else std::cout << "{}";
            } else {
                std::cerr << "unknown command: " << line << std::endl;
                return 1;
            }
        } catch (const std::exception& e) { std::cout << "{\"failure\": " << quoted(e.what()) << "}"; }
        std::cout << std::endl;
    }
    return 0;
}

} // namespace
} // namespace benchmark

int main() {
    using namespace benchmark;
    std::vector<row> rows;
    for (auto part : {copy_rows(), pointwise_rows(), softmax_rows(), rms_norm_rows(), layer_norm_rows(), sum_rows(),
                      cross_entropy_rows(), mlp_rows()})
        rows.insert(rows.end(), part.begin(), part.end());
    return serve(rows);
}
