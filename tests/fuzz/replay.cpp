// SPDX-License-Identifier: MIT
//
// Runs a fuzzing target over the files of folders, without libFuzzer: the stored inputs as a test. Every input is also
// cut off and has bits turned, so that a corpus of few files is more than these.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/input.hpp"

namespace {

constexpr int kChanged = 20;  // of each input

void run(const std::vector<std::uint8_t>& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

void run_changed(std::vector<std::uint8_t> bytes, std::mt19937& random) {
    if (bytes.empty()) return;
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    for (std::uint32_t k = random() % 4; k > 0 && !bytes.empty(); --k) {
        bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1U << random() % 8U);
    }
    run(bytes);
}

}  // namespace

int main(int count, char** arguments) {
    std::size_t inputs = 0;
    for (int i = 1; i < count; ++i) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
        std::sort(files.begin(), files.end());
        std::mt19937 random(20261123);
        for (const std::filesystem::path& path : files) {
            std::ifstream file(path, std::ios::binary);
            const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
            std::fprintf(stderr, "%s\n", path.filename().c_str());
            run(bytes);
            for (int k = 0; k < kChanged; ++k) run_changed(bytes, random);
            ++inputs;
        }
    }
    std::printf("%zu inputs, each as it is and changed %d times\n", inputs, kChanged);
    return inputs == 0 ? 1 : 0;
}
