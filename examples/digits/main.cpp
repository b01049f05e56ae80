// Classifies the held-out images of handwritten digits, and prints what the compiler made of the model.
//
//     digits [weights.safetensors [data.safetensors]]

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <toroid/inspect.hpp>

#include "model.hpp"

namespace {

using digits::classifier;
using digits::net;

constexpr const char* usage = R"(usage: digits [WEIGHTS [DATA]]
Classifies 8x8 images of handwritten digits with a 64-256-10 multilayer perceptron.

  WEIGHTS  safetensors file, by default examples/digits/weights.safetensors:
           fc1.weight [256, 64], fc1.bias [256], fc2.weight [10, 256], fc2.bias [10], all F32
  DATA     safetensors file, by default examples/digits/test.safetensors:
           images U8 [N, 64] with values 0 to 16, labels U8 [N] with values 0 to 9; N is at most 4096
  --help   prints this
)";

struct arguments {
    std::string weights = "examples/digits/weights.safetensors";
    std::string data = "examples/digits/test.safetensors";
    bool help = false;
};

toroid::error invalid(const std::string& message) { return {toroid::error_code::invalid_argument, message}; }

arguments parse(const std::vector<std::string>& words) {
    arguments result;
    std::vector<std::string> paths;
    for (const std::string& word : words) {
        if (word == "--help" || word == "-h") result.help = true;
        else if (word.starts_with('-')) throw invalid("unknown option '" + word + "'; --help lists what there is");
        else paths.push_back(word);
    }
    if (paths.size() > 2)
        throw invalid(std::to_string(paths.size()) + " files were given, at most 2 are used; see --help");
    if (!paths.empty()) result.weights = paths[0];
    if (paths.size() > 1) result.data = paths[1];
    return result;
}

/// Images and what they show.
struct data_set {
    toroid::array<toroid::u8> images;
    toroid::array<toroid::u8> labels;
};

/// Reads the data and checks all that the model's types cannot.
data_set read_data(const std::string& path) {
    const toroid::safetensors_file file(path);
    data_set data{file.read<toroid::u8>("images"), file.read<toroid::u8>("labels")};
    const std::string images = path + ": images has shape " + toroid::shape_string(data.images.extents());
    if (data.images.rank() != 2 || data.images.extent(1) != digits::pixels)
        throw invalid(images + ", the model takes [N, " + std::to_string(digits::pixels) + "]");
    if (data.images.extent(0) == 0) throw invalid(images + ": there is nothing to classify");
    if (data.labels.rank() != 1 || data.labels.extent(0) != data.images.extent(0))
        throw invalid(images + " and labels has shape " + toroid::shape_string(data.labels.extents()) +
                      "; every image needs one label");
    const auto at_most = [&](const char* name, std::span<const std::uint8_t> values, int most) {
        const auto bad = std::find_if(values.begin(), values.end(), [&](int value) { return value > most; });
        if (bad != values.end())
            throw invalid(path + ": " + name + " holds the value " + std::to_string(*bad) + " at position " +
                          std::to_string(bad - values.begin()) + ", the largest is " + std::to_string(most));
    };
    at_most("images", data.images.span(), digits::largest_pixel);
    at_most("labels", data.labels.span(), digits::classes - 1);
    return data;
}

std::int64_t count_correct(const toroid::array<toroid::f32>& probabilities, const toroid::array<toroid::u8>& labels) {
    std::int64_t correct = 0;
    for (std::int64_t i = 0; i < labels.size(); ++i) {
        const float* const row = probabilities.data() + i * digits::classes;
        correct += std::max_element(row, row + digits::classes) - row == labels(i) ? 1 : 0;
    }
    return correct;
}

/// Fastest of several runs, in seconds.
template <class F> double best_time(const F& run) {
    double best = 1e30;
    for (int i = 0; i < 50; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

void classify(const arguments& files) {
    const auto weights = toroid::load<classifier>(files.weights);
    const data_set data = read_data(files.data);
    const std::int64_t count = data.images.extent(0);

    toroid::cpu::executor<classifier> run(weights);
    toroid::array<toroid::f32> probabilities = run(data.images);
    const std::int64_t correct = count_correct(probabilities, data.labels);
    const double seconds = best_time([&] { run.into(probabilities, data.images); }); // allocates nothing

    toroid::symbol_values batch;
    batch.set('B', count);
    std::printf("%s\n", toroid::listing<net>().c_str());
    std::printf("images          %lld\n", static_cast<long long>(count));
    std::printf("correct         %lld\n", static_cast<long long>(correct));
    std::printf("accuracy        %.6f\n", static_cast<double>(correct) / static_cast<double>(count));
    std::printf("kernel launches %d\n", net::kernel_count());
    std::printf("extern launches %d\n", net::extern_count());
    std::printf("arena           %lld bytes\n", static_cast<long long>(net::arena_bytes(batch)));
    std::printf("moved           %lld bytes\n", static_cast<long long>(net::bytes_moved(batch)));
    std::printf("time per image  %.3f us (%s)\n", seconds / static_cast<double>(count) * 1e6,
                std::string(toroid::name_of(run.instruction_set())).c_str());
    if (std::fflush(stdout) != 0) throw toroid::error(toroid::error_code::io_error, "the output cannot be written");
}

} // namespace

int main(int count, char** words) {
    try {
        const arguments files = parse(std::vector<std::string>(words + std::min(count, 1), words + count));
        if (files.help) std::fputs(usage, stdout);
        else classify(files);
        return 0;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "digits: %s\n", failure.what());
        return 1;
    }
}
