// SPDX-License-Identifier: MIT
//
// `lanefold collide` as tests run it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace lanefold::test {

inline Outcome collide(const std::filesystem::path& scene, std::vector<std::string> options,
                       const RunOptions& run = {}) {
    options.insert(options.begin(), {"collide", scene.string()});
    return run_program(LANEFOLD_PROGRAM, options, run);
}

// Runs with --json and parses the one line.
inline nlohmann::ordered_json collide_json(const std::filesystem::path& scene, std::vector<std::string> options) {
    options.emplace_back("--json");
    const Outcome outcome = collide(scene, std::move(options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    return nlohmann::ordered_json::parse(outcome.out, nullptr, false);
}

}  // namespace lanefold::test
