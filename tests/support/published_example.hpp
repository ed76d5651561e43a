// SPDX-License-Identifier: MIT
//
// The published example (tests/data/published_example.json): a tetrahedron against a cube, with the result as
// published.
#pragma once

#include <fstream>

#include <nlohmann/json.hpp>

#include <lanefold/published.hpp>

namespace lanefold::test {

struct PublishedExample {
    published::Polyhedron a;
    published::Polyhedron b;
    published::Collision expected;
};

inline Vec3d vec_of(const nlohmann::json& j) { return {j.at(0), j.at(1), j.at(2)}; }

inline published::Polyhedron polyhedron_of(const nlohmann::json& j) {
    published::Polyhedron p;
    for (const auto& v : j.at("positions")) p.positions.push_back(vec_of(v));
    for (const auto& v : j.at("normals")) p.normals.push_back(vec_of(v));
    for (const auto& f : j.at("faces")) p.faces.push_back(f.get<std::vector<std::uint32_t>>());
    for (const auto& e : j.at("edges")) p.edges.push_back(e.get<std::array<std::uint32_t, 2>>());
    return p;
}

// Throws when the file is missing or malformed; `folder` is LANEFOLD_TEST_DATA.
inline PublishedExample read_published_example(const std::string& folder) {
    std::ifstream file(folder + "/published_example.json");
    const nlohmann::json j = nlohmann::json::parse(file);
    PublishedExample x;
    x.a = polyhedron_of(j.at("A"));
    x.b = polyhedron_of(j.at("B"));
    const auto& e = j.at("expected");
    x.expected.colliding = true;
    x.expected.mtv = vec_of(e.at("mtv"));
    x.expected.point = vec_of(e.at("point"));
    x.expected.info = {static_cast<published::Type>(e.at("info").at("type").get<int>()),
                       e.at("info").at("index").get<std::array<std::uint32_t, 2>>(), e.at("info").at("separation"),
                       vec_of(e.at("info").at("normal"))};
    return x;
}

}  // namespace lanefold::test
