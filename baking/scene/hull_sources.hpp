// SPDX-License-Identifier: MIT
//
// hull_sources.json: the solids from which hulls of a scene were made, in the float64 numbers and the numbering of
// their source. Hulls are float32 and numbered by the builder, so results of a source can only be repeated exactly with
// these. The engine does not read the file. `lanefold show --method published-literal` does, and `lanefold info` checks
// it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include <lanefold/published.hpp>

namespace lanefold::tools {

class Scene;

inline constexpr const char* kHullSourcesFile = "hull_sources.json";

struct HullSource {
    std::uint32_t hull = 0;
    published::Polyhedron solid;
};

// The solids by their hulls; empty without the file. A solid has the vertices of its hull: position k, rounded to
// float32, is row k of the hull's vertices. Throws Failure(bad_input) with the file and the place.
std::map<std::uint32_t, published::Polyhedron> read_hull_sources(const Scene& scene);

std::string hull_sources_text(std::span<const HullSource> sources);

}  // namespace lanefold::tools
