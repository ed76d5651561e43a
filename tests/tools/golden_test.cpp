// SPDX-License-Identifier: MIT
//
// Golden hashes: the stored scenes give the bits for which the hashes were derived (tests/golden_hashes), on every
// instruction set of this machine. Any change of a result fails here.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <lanefold/isa.hpp>

#include "support/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

struct Golden {
    std::string margin, face_preference, capacity, hash;
};

std::vector<Golden> read_golden(const std::string& scene) {
    std::vector<Golden> all;
    std::ifstream file(std::string(LANEFOLD_TEST_DATA) + "/golden/" + scene + ".txt");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        Golden g;
        std::istringstream(line) >> g.margin >> g.face_preference >> g.capacity >> g.hash;
        all.push_back(g);
    }
    return all;
}

class GoldenHash : public testing::TestWithParam<std::string> {};

TEST_P(GoldenHash, IsTheSameOnEveryInstructionSet) {
    const std::vector<Golden> all = read_golden(GetParam());
    ASSERT_EQ(all.size(), 4U);
    for (const Golden& g : all) {
        for (const Isa isa : available_isas()) {
            const test::Outcome outcome = test::run_program(
                LANEFOLD_PROGRAM,
                {"collide", test::stored_scene(GetParam()).string(), "--json", "--isa", to_string(isa), "--margin",
                 g.margin, "--face-preference", g.face_preference, "--capacity", g.capacity},
                {});
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            const auto json = nlohmann::json::parse(outcome.out);
            EXPECT_EQ(json["isa"], to_string(isa));
            EXPECT_EQ(json["hash"], g.hash) << GetParam() << ", margin " << g.margin << ", " << to_string(isa);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(StoredScenes, GoldenHash, testing::Values("boxes_pile", "debris_pile"));

}  // namespace
}  // namespace lanefold::tools
