// SPDX-License-Identifier: MIT
//
// Two bodies and the settings out of a request, and the hulls built for them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lanefold/body.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/vec.hpp>

#include "picture/pair_story.hpp"

namespace lanefold::web {

using Json = nlohmann::ordered_json;

struct PairRequest {
    std::array<std::vector<Vec3f>, 2> points;
    std::array<BodyD, 2> bodies{};  // hulls 0 and 1
    tools::StoryRequest story;
    std::uint32_t capacity = 4;
};

// Throws tools::Failure that names the field. A pose is checked by the engine, points by the builder.
PairRequest read_pair(const Json& request);

// Field `name` of `from`, a finite number; `otherwise` when it is absent. Throws tools::Failure.
double number_of(const Json& from, const char* name, double otherwise);

// Exactly N numbers. Throws tools::Failure.
template <std::size_t N>
std::array<double, N> numbers_of(const Json& from, const char* name);

// The hulls of the last request, built again when the points changed.
class Hulls {
public:
    // False: `failures` says why.
    bool build(const PairRequest& request);
    const HullSet& set() const { return built_.hulls; }
    const std::vector<HullReport>& failures() const { return built_.failures; }

private:
    std::array<std::vector<Vec3f>, 2> points_;
    BuildResult built_;
};

Json to_json(const Vec3d& v);
Json to_json(const float (&v)[3]);
// Why a hull could not be built: which body, which point, and the builder's words.
Json to_json(const HullReport& report);

}  // namespace lanefold::web
