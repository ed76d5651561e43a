// SPDX-License-Identifier: MIT
//
// Runs the reference as contacts/reference_batch.cpp does, relative to A's position, and keeps its trace.

#include "picture/method_steps.hpp"

#include <utility>

#include <lanefold/published.hpp>

namespace lanefold::tools {
namespace {

using published::Polyhedron;

void trace_face_clip(const Polyhedron& a, const Polyhedron& b, const published::Collision& c, PairStory& s) {
    FaceClipStory told;
    told.manifold = published::clip_significant_faces(a, b, c.info.normal, {}, &told.trace);
    s.reference = told.trace.reference;
    s.incident = told.trace.incident;
    for (const published::FaceClipCut& cut : told.trace.cuts) s.steps.push_back({cut.from, cut.to, cut.after});
    s.face_clip = std::move(told);
}

void trace_features(const Polyhedron& a, const Polyhedron& b, const published::Collision& c, double angle,
                    PairStory& s) {
    FeatureStory told;
    published::FeatureSettings settings;
    settings.angle = angle;
    told.manifold = published::clip_features(a, b, c, settings, &told.trace);
    s.features = std::move(told);
}

}  // namespace

void trace_method(const StoryRequest& request, PairStory& s) {
    if (request.method != Method::sutherland_hodgman && request.method != Method::features) return;
    const Polyhedron a = published::make_polyhedron(*s.a.record, {rotation(s.a.orientation), {}});
    const Polyhedron b = published::make_polyhedron(*s.b.record, {rotation(s.b.orientation), s.b.world - s.a.world});
    const published::Collision c = published::collide(a, b);
    if (!c.colliding) return;
    if (request.method == Method::sutherland_hodgman) return trace_face_clip(a, b, c, s);
    trace_features(a, b, c, static_cast<double>(request.feature_angle), s);
}

}  // namespace lanefold::tools
