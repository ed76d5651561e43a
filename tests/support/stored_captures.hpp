// SPDX-License-Identifier: MIT
//
// The captures in tests/data/captures: pairs whose results once were wrong.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/capture.hpp>

namespace lanefold::test {

struct StoredCase {
    std::string name;
    Capture capture;
};

inline Capture read_stored(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    CaptureResult result = read_capture(std::as_bytes(std::span(bytes)));
    EXPECT_TRUE(static_cast<bool>(result)) << path << ": " << result.status.what << " " << result.status.where;
    EXPECT_EQ(result.other_blocks, 0U) << path;
    return std::move(result.capture);
}

// All of tests/data/captures, by name.
inline std::vector<StoredCase> read_cases() {
    std::vector<StoredCase> cases;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(LANEFOLD_TEST_DATA) + "/captures"))
        cases.push_back({entry.path().stem().string(), read_stored(entry.path())});
    std::sort(cases.begin(), cases.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
    return cases;
}

}  // namespace lanefold::test
