// SPDX-License-Identifier: MIT
//
// See the header. Offsets are from a's position, as in records.

#include "picture/steps_text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picture/pair_text.hpp"

namespace lanefold::tools {
namespace {

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

void print_significant(char name, const published::SignificantFace& face) {
    fmt::print("  {}: vertex {} is furthest {} the normal; around it face {} is the most parallel, cosine {:.9g}\n",
               name, face.vertex, name == 'a' ? "along" : "against", face.face, face.alignment);
}

void print_polygon(const char* name, const std::vector<Vec3d>& polygon) {
    fmt::print("     {:<6}", name);
    for (const Vec3d& p : polygon) fmt::print(" {}", vector_text(p));
    fmt::print("{}\n", polygon.empty() ? " nothing" : "");
}

const char* fate_text(published::CornerFate fate) {
    switch (fate) {
        case published::CornerFate::kept:
            return "kept";
        case published::CornerFate::above:
            return "deleted: above the reference face";
        case published::CornerFate::repeated:
            return "deleted: as the one before";
        case published::CornerFate::edge_on:
            break;
    }
    return "deleted: the reference face is seen edge on";
}

void print_growth(char name, const published::FeatureGrowth& growth) {
    fmt::print("  {}: found {}\n", name, feature_text(growth.stages.front().feature));
    for (const published::GrowthCandidate& c : growth.candidates) {
        fmt::print("     {:<12} steepest side {:>11.6g}   {}\n", feature_text(c.feature), c.sine,
                   c.chosen     ? "aligned, the most of all: chosen"
                   : c.aligned  ? "aligned"
                   : !c.towards ? "looks away"
                                : "not aligned");
    }
    for (const published::GrowthStage& stage : growth.stages) {
        fmt::print("     {} {} (vertices {}), Gauss map",
                   &stage == growth.stages.data() ? "is    " : "grows:", feature_text(stage.feature),
                   fmt::join(stage.vertices, "-"));
        for (const Vec3d& n : stage.gauss_map) {
            const double cosine = std::clamp(dot(n, growth.direction), -1.0, 1.0);
            fmt::print(" {} at {:.4g} degrees", vector_text(n), degrees(std::acos(cosine)));
        }
        fmt::print("\n");
    }
}

}  // namespace

void print_face_clip(const PairStory& s) {
    const published::FaceClipManifold& m = s.face_clip->manifold;
    const published::FaceClipTrace& trace = s.face_clip->trace;
    fmt::print("\nSignificant faces\n");
    print_significant('a', m.a);
    print_significant('b', m.b);
    const char reference = m.reference_on_b ? 'b' : 'a';
    const char incident = m.reference_on_b ? 'a' : 'b';
    fmt::print("  reference: face {} of {}, the more parallel; incident: face {} of {}\n",
               (m.reference_on_b ? m.b : m.a).face, reference, (m.reference_on_b ? m.a : m.b).face, incident);
    fmt::print("\nCuts of the incident face by the planes of the reference face's neighbours\n");
    for (std::size_t i = 0; i < trace.cuts.size(); ++i) {
        const published::FaceClipCut& cut = trace.cuts[i];
        fmt::print("  {}  face {} of {}, beyond the side from vertex {} to {}: normal {}, offset {:.6g}\n", i, cut.face,
                   reference, cut.from, cut.to, vector_text(cut.normal), cut.offset);
        print_polygon("before", cut.before);
        print_polygon("after", cut.after);
    }
    fmt::print("\nDeletion above the reference face, and depth along the normal\n");
    fmt::print("    {:<40} {:>12} {:>14} {:>16}\n", "corner", "height", "plane and ray", "furthest vertex");
    for (const published::FaceClipCorner& c : trace.corners) {
        fmt::print("    {:<40} {:>12.6g} {:>14.6g} {:>16.6g}   {}\n", vector_text(c.at), c.above, c.plane_ray,
                   c.furthest_vertex, fate_text(c.fate));
    }
    fmt::print("  the depth by plane and ray is that of the points\n");
}

void print_features(const PairStory& s) {
    const published::FeatureTrace& trace = s.features->trace;
    const published::FeatureManifold& m = s.features->manifold;
    fmt::print("\nContact features: a side is aligned if its sine is at most {:.6g}, of {:.6g} degrees\n",
               std::sin(trace.a.angle), degrees(trace.a.angle));
    if (trace.tied) fmt::print("  those grown by the tolerance angle do not meet; these grew by ties only\n");
    print_growth('a', trace.a);
    print_growth('b', trace.b);
    fmt::print("  contact features: {} of a, {} of b", feature_text({m.a.type, m.a.index}),
               feature_text({m.b.type, m.b.index}));
    fmt::print("{}\n", m.as_found ? "; they do not meet, so the point is that of the collision" : "");
}

}  // namespace lanefold::tools
