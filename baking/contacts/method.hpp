// SPDX-License-Identifier: MIT
//
// The methods of `--method`, which docs/methods.md explains. `clip` and `patch` run in the batch calls; the others are
// float64 references for study (contacts/reference_batch.hpp).
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

// True for the float64 references. They find overlaps only (margin 0), and their normal is that of the smallest overlap
// (face preference 0).
constexpr bool is_reference(Method method) { return method != Method::clip && method != Method::patch; }
// True for methods that find only the points that touch at the instant of collision.
constexpr bool is_impact_only(Method method) {
    return method == Method::published || method == Method::published_literal;
}

}  // namespace lanefold::tools
