// SPDX-License-Identifier: MIT
//
// The pairs of tests/data/literal_pairs.json. Each has two polyhedra, and the results of the two published methods when
// these are followed step by step.
#pragma once

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lanefold/published_literal.hpp>

namespace lanefold::test {

// The result of the source. `info.normal` follows from mtv; `info.index` is known for separating axes only.
struct LiteralExpectation {
    published::Type type = published::Type::face_a;
    double separation = 0;
    std::array<std::uint32_t, 2> index{};
    Vec3d mtv;
    std::vector<Vec3d> points;
};

struct LiteralPair {
    published::Polyhedron a;
    published::Polyhedron b;
    // Nothing: an axis separates the hulls.
    std::optional<LiteralExpectation> separating_axes;
    std::optional<LiteralExpectation> clipping;
};

namespace literal_pairs_detail {

inline std::vector<Vec3d> vectors(const nlohmann::json& flat) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i + 2 < flat.size(); i += 3) out.push_back({flat[i], flat[i + 1], flat[i + 2]});
    return out;
}

inline Vec3d vector(const nlohmann::json& j) { return {j.at(0), j.at(1), j.at(2)}; }

// The edges are the sides of the loops, sorted.
inline published::Polyhedron polyhedron(const nlohmann::json& j, const nlohmann::json& shapes) {
    published::Polyhedron h;
    for (const auto& loop : shapes.at(j.at(0).get<std::size_t>())) {
        h.faces.push_back(loop.get<std::vector<std::uint32_t>>());
    }
    h.positions = vectors(j.at(1));
    h.normals = vectors(j.at(2));
    for (const auto& loop : h.faces) {
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const auto [low, high] = std::minmax(loop[k], loop[(k + 1) % loop.size()]);
            h.edges.push_back({low, high});
        }
    }
    std::sort(h.edges.begin(), h.edges.end());
    h.edges.erase(std::unique(h.edges.begin(), h.edges.end()), h.edges.end());
    return h;
}

inline published::Type type(const std::string& name) {
    return name == "A" ? published::Type::face_a : name == "B" ? published::Type::face_b : published::Type::edges;
}

}  // namespace literal_pairs_detail

// Throws when the file is missing or malformed; `folder` is LANEFOLD_TEST_DATA.
inline std::vector<LiteralPair> read_literal_pairs(const std::string& folder) {
    namespace detail = literal_pairs_detail;
    std::ifstream file(folder + "/literal_pairs.json");
    const nlohmann::json j = nlohmann::json::parse(file);
    std::vector<LiteralPair> out;
    for (const auto& row : j.at("pairs")) {
        LiteralPair p;
        p.a = detail::polyhedron(row.at(0), j.at("shapes"));
        p.b = detail::polyhedron(row.at(1), j.at("shapes"));
        if (const auto& r = row.at(2); !r.is_null()) {
            p.separating_axes = {detail::type(r.at(0)),
                                 r.at(1),
                                 r.at(2).get<std::array<std::uint32_t, 2>>(),
                                 detail::vector(r.at(4)),
                                 {detail::vector(r.at(3))}};
        }
        if (const auto& r = row.at(3); !r.is_null()) {
            p.clipping = {detail::type(r.at(0)), r.at(1), {}, detail::vector(r.at(2)), {}};
            for (const auto& x : r.at(3)) p.clipping->points.push_back(detail::vector(x));
        }
        out.push_back(std::move(p));
    }
    return out;
}

}  // namespace lanefold::test
