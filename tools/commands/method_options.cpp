// SPDX-License-Identifier: MIT
//
// Parsing and checks of --method and the options that depend on it.

#include "commands/method_options.hpp"

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// Radians. A face tilted by more than 45 degrees is no contact face: beyond it the sine changes little with the angle.
constexpr float kMostFeatureAngle = 0.785F;

}  // namespace

void MethodOptions::add_to(CLI::App& command) {
    command
        .add_option("--method", method,
                    "clip (default): faces cut by faces; patch: support patches, steady on nearly coplanar faces.\n"
                    "In float64, one pair at a time, for study (only overlaps, no margin, no face preference):\n"
                    "published: separating axes and clipping on the collision plane, mended; published-literal: the\n"
                    "same to the letter; sutherland-hodgman: significant faces; features: by tolerance angle\n"
                    "(docs/methods.md)")
        ->type_name("NAME");
    command
        .add_option("--points", points,
                    "all (default): every point within the margin; impact: those touching at the instant of collision")
        ->type_name("NAME");
    command
        .add_option("--band", band,
                    "patch: height of the support patches, relative to the smaller hull's size (default 0.01)")
        ->type_name("X");
    command
        .add_option("--feature-angle", feature_angle,
                    "features: tilt up to which an edge or a face is a contact feature, in radians (default 0.0087)")
        ->type_name("X");
}

void MethodOptions::apply(ContactsSettings& settings) const {
    settings.method = parse_method(method, "--method");
    if (!points.empty()) settings.points = parse_point_selection(points, "--points");
    const char* const name = to_string(settings.method);
    if (band && settings.method != Method::patch) throw bad_input("--band: only of --method patch, not {}", name);
    if (feature_angle && settings.method != Method::features) {
        throw bad_input("--feature-angle: only of --method features, not {}", name);
    }
    settings.band = band.value_or(settings.band);
    settings.feature_angle = feature_angle.value_or(settings.feature_angle);
    if (!(settings.band >= 0.0F && settings.band <= kMaxPatchBand)) {
        throw bad_input("--band {}: expected 0 to {}, of the smaller hull's size", settings.band, kMaxPatchBand);
    }
    if (!(settings.feature_angle >= 0.0F && settings.feature_angle <= kMostFeatureAngle)) {
        throw bad_input("--feature-angle {}: expected 0 to {} (radians)", settings.feature_angle, kMostFeatureAngle);
    }
    if (!is_reference(settings.method)) return;
    // Margin, face preference and points of a reference method are fixed. The settings record their values.
    if (settings.margin != 0.0F) throw bad_input("--method {}: finds overlaps only; --margin must be 0", name);
    const float preference = settings.face_preference;
    if (preference != 0.0F && preference != ContactsSettings{}.face_preference)
        throw bad_input("--method {}: takes the strict minimum; --face-preference must be 0", name);
    settings.face_preference = 0.0F;
    if (!is_impact_only(settings.method)) return;
    if (!points.empty() && settings.points != PointSelection::impact) {
        throw bad_input("--method {}: finds only the points at impact; --points must be impact", name);
    }
    settings.points = PointSelection::impact;
}

}  // namespace lanefold::tools
