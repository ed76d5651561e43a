// SPDX-License-Identifier: MIT
//
// Hard pairs that long sweeps have found. tests/data/oracle_cases.txt has each to the last bit (hex floats). The judge
// checks them on every instruction set and on the float64 path.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/precise.hpp>

#include "support/two_bodies.hpp"

namespace lanefold::test {
namespace {

struct StoredCase {
    std::string name;
    Points a;
    Points b;
    BodyD body_a{};
    BodyD body_b{};
    Options options;
};

std::vector<double> numbers(std::istringstream& line) {
    std::vector<double> out;
    for (std::string word; line >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
    return out;
}

Points points_of(const std::vector<double>& v) {
    Points out;
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) out.push_back(to_float({v[i], v[i + 1], v[i + 2]}));
    return out;
}

BodyD body_of(const std::vector<double>& v) {
    BodyD body{};
    for (std::size_t i = 0; i < 3; ++i) body.position[i] = v.at(i);
    for (std::size_t i = 0; i < 4; ++i) body.orientation[i] = static_cast<float>(v.at(3 + i));
    return body;
}

std::vector<StoredCase> read_cases() {
    std::ifstream file(std::string(LANEFOLD_TEST_DATA) + "/oracle_cases.txt");
    std::vector<StoredCase> cases;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string key;
        if (!(line >> key)) continue;
        if (key == "case") {
            cases.emplace_back();
            line >> cases.back().name;
            continue;
        }
        const std::vector<double> v = numbers(line);
        StoredCase& c = cases.back();
        if (key == "a") c.a = points_of(v);
        if (key == "b") c.b = points_of(v);
        if (key == "body_a") c.body_a = body_of(v);
        if (key == "body_b") c.body_b = body_of(v);
        if (key != "options") continue;
        c.options.margin = static_cast<float>(v.at(0));
        c.options.face_preference = static_cast<float>(v.at(1));
        c.options.points = static_cast<PointSelection>(static_cast<int>(v.at(2)));
        if (v.size() < 5) continue;  // of the clip, before methods were told
        c.options.method = static_cast<ContactMethod>(static_cast<int>(v[3]));
        c.options.patch_band = static_cast<float>(v[4]);
    }
    return cases;
}

TwoBodies pair_of(const StoredCase& c) {
    TwoBodies t(c.a, c.b);
    t.a = c.body_a;
    t.b = c.body_b;
    t.b.hull = 1;
    t.options = c.options;
    return t;
}

TEST(OracleCases, EveryInstructionSet) {
    const std::vector<StoredCase> cases = read_cases();
    ASSERT_GT(cases.size(), 30U);
    for (const StoredCase& c : cases) {
        SCOPED_TRACE(c.name);
        TwoBodies t = pair_of(c);
        t.collide();
    }
}

TEST(OracleCases, Float64Path) {
    detail::PreciseScratch scratch;
    for (const StoredCase& c : read_cases()) {
        const TwoBodies t = pair_of(c);
        detail::PrecisePair pair;
        pair.a = &t.library.hulls[0];
        pair.b = &t.library.hulls[1];
        std::copy(t.a.position, t.a.position + 3, pair.position_a);
        std::copy(t.b.position, t.b.position + 3, pair.position_b);
        std::copy(t.a.orientation, t.a.orientation + 4, pair.orientation_a);
        std::copy(t.b.orientation, t.b.orientation + 4, pair.orientation_b);
        pair.margin = t.options.margin;
        pair.face_preference = t.options.face_preference;
        pair.points = t.options.points;
        pair.method = t.options.method;
        pair.patch_band = t.options.patch_band;
        pair.index_b = 1;
        Manifold4 m;
        detail::collide_precise(pair, scratch, m);
        Coverage coverage;
        EXPECT_EQ(check_manifold(t.question(), m, coverage), "") << c.name;
    }
}

}  // namespace
}  // namespace lanefold::test
