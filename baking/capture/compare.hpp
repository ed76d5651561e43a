// SPDX-License-Identifier: MIT
//
// Names the first stage in which two records of one pair part.
#pragma once

#include <string>

#include <lanefold/manifold.hpp>

namespace lanefold::tools {

// Empty if all bytes of the records are the same. `stage_of_points`: where points come from, such as "clip". Both
// records are of one capacity, and zero behind it.
std::string first_difference(const Manifold16& found, const Manifold16& expected, const char* stage_of_points);

// "face_a: face 3 of a is the reference face, face 5 of b the incident one"
std::string features_text(ContactKind kind, std::uint32_t a, std::uint32_t b);

}  // namespace lanefold::tools
