// SPDX-License-Identifier: MIT
//
// How contacts become points, by the names of `--method`: docs/methods.md. `clip` and `patch` are the batch calls; the
// others are the float64 reference, for study (contacts/reference_batch.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <lanefold/options.hpp>

namespace lanefold::tools {

enum class Method : std::uint8_t {
    clip = 0,
    patch = 1,
    published = 2,          // separating axes and clipping on the collision plane, mended
    published_literal = 3,  // the same to the letter
    sutherland_hodgman = 4,
    features = 5,
};
inline constexpr std::array kMethods{
    Method::clip,    Method::patch, Method::published, Method::published_literal, Method::sutherland_hodgman,
    Method::features};

const char* to_string(Method method);
const char* to_string(PointSelection points);
// Throw bad_input that names `where` and what is expected.
Method parse_method(std::string_view text, std::string_view where);
PointSelection parse_point_selection(std::string_view text, std::string_view where);
// "clip, patch, published, published-literal, sutherland-hodgman or features"
std::string method_names();

// By the float64 reference: finds overlaps only, so margin 0, and the normal is the minimum, so no face preference.
constexpr bool is_reference(Method method) { return method != Method::clip && method != Method::patch; }
// Has no other points than those that touch at the instant of collision.
constexpr bool is_impact_only(Method method) {
    return method == Method::published || method == Method::published_literal;
}

}  // namespace lanefold::tools
