// SPDX-License-Identifier: MIT
//
// See anchor_truth.hpp. All numbers are float64 in the hulls' internal frames; the exact distances are those of one
// call for all anchors.
#include "anchor_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/turn.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {
namespace {

// Rounding of an anchor's numbers, in (size A + size B): that by which covered motions are less than the bound
// (kMotionSlack of coherence/certificates.hpp). What passes is therefore within the bound.
constexpr double kSlack = 16e-6;
// Rounding of a rotation's rows and of a normal's length, which are float32.
constexpr double kUnitSlack = 1e-5;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3d vec(const float* v) { return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; }

Mat3d rotation_of(const SavedAnchor& a) {
    const float* const r = a.pose.pose;
    return {{vec(r), vec(r + 3), vec(r + 6)}};
}
Vec3d translation_of(const SavedAnchor& a) { return vec(a.pose.pose + 9); }

bool is_rotation(const Mat3d& m) {
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(std::fabs(dot(m.row[i], m.row[k]) - (i == k ? 1 : 0)) <= kUnitSlack)) return false;
    return dot(cross(m.row[0], m.row[1]), m.row[2]) > 0;
}

BodyD body_at(std::uint32_t hull, const PoseD& pose) {
    BodyD b{};
    b.hull = hull;
    const double p[3] = {pose.position.x, pose.position.y, pose.position.z};
    std::copy_n(p, 3, b.position);
    const Quat q = quaternion_of(pose.rotation);
    const double o[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(o[k]);
    return b;
}

// Hull A's internal frame is that of the world.
PoseD body_pose(const HullView& hull, const PoseD& internal) {
    const PoseD input = hull.internal_to_input();
    PoseD body;
    body.rotation = internal.rotation * transpose(input.rotation);
    body.position = internal.position - body.rotation * input.position;
    return body;
}

// How far a point is beyond the surface of a hull, or below it; along a face's normal.
double off_surface(const HullView& hull, const Vec3d& x) {
    double most = -kInfinity;
    for (std::size_t f = 0; f < hull.record->face_count; ++f)
        most = std::max(most, dot(hull.normal(f), x) - static_cast<double>(hull.offset(f)));
    return std::fabs(most);
}

double support(const HullView& hull, const Vec3d& n) {
    double most = -kInfinity;
    for (std::size_t v = 0; v < hull.record->vertex_count; ++v) most = std::max(most, dot(n, hull.vertex(v)));
    return most;
}

bool has_surface(const HullRecord& h) {
    constexpr std::uint8_t kNone = HullRecord::kRemoved | HullRecord::kSmall | HullRecord::kOther;
    return (h.flags & kNone) == 0 && h.round_radius == 0;
}

// How many features of a hull the name on one side of a contact may mean. `edge`, `vertex`: it is one.
std::uint32_t features_of(const HullRecord& h, bool edge, bool vertex) {
    return vertex ? h.vertex_count : edge ? h.edge_count : h.face_count;
}

bool features_exist(const AnchorState& state, ContactKind kind, const HullRecord& a, const HullRecord& b) {
    const bool corners = kind == ContactKind::vertex_vertex;
    const bool vertex_a = corners || kind == ContactKind::vertex_edge;
    const bool vertex_b = corners || kind == ContactKind::edge_vertex;
    const bool edges = kind == ContactKind::edge_edge;
    return state.feature_a < features_of(a, edges || vertex_b, vertex_a) &&
           state.feature_b < features_of(b, edges || vertex_a, vertex_b);
}

// Whether the anchor is a contact at its pose, of which `exact` is the distance.
bool is_true(const HullSet& hulls, const Options& options, const SavedAnchor& anchor, double exact) {
    const HullRecord& ra = hulls[anchor.pose.hull_a];
    const HullRecord& rb = hulls[anchor.pose.hull_b];
    const HullView a(ra);
    const HullView b(rb);
    const double sum = static_cast<double>(ra.size) + static_cast<double>(rb.size);
    const double smaller = static_cast<double>(std::min(ra.size, rb.size));
    const double slack = kSlack * sum;
    // Support patches have points beyond the surfaces by up to twice the band.
    const double band =
        options.method == ContactMethod::patch ? 2 * static_cast<double>(options.patch_band) * smaller : 0;
    const double preference =
        (static_cast<double>(options.face_preference) + static_cast<double>(options.hysteresis)) * smaller + band;
    const std::uint32_t count = anchor.points.counts >> 16U & 0xFFU;
    const auto kind = static_cast<ContactKind>(anchor.points.counts >> 24U);
    const Mat3d r = rotation_of(anchor);
    const Vec3d t = translation_of(anchor);
    const Vec3d own = vec(anchor.points.normal);
    const Vec3d n = kind == ContactKind::face_b ? r * own : own;
    if (!(std::fabs(length(n) - 1) <= kUnitSlack) || !features_exist(anchor.state, kind, ra, rb)) return false;
    double least = kInfinity;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Vec3d on_a = vec(anchor.points.on_a[k]);
        const Vec3d on_b = vec(anchor.points.on_b[k]);
        const double off = std::max(off_surface(a, on_a), off_surface(b, on_b));
        if (!(off <= slack + kBuildDeviation * sum + band)) return false;
        // The witnesses are one above the other.
        const Vec3d d = r * on_b + t - on_a;
        const double separation = dot(n, d);
        if (!(length(d - n * separation) <= slack)) return false;
        least = std::min(least, separation);
    }
    const auto offset = static_cast<double>(anchor.state.offset);
    const double along = dot(n, t) - support(b, transpose(r) * (n * -1.0)) - support(a, n);
    return std::fabs(least + offset - exact) <= slack && std::fabs(offset) <= preference + slack &&
           along >= exact - preference - slack;
}

// Anchors that a step could cover.
bool counts(const HullSet& hulls, const SavedAnchor& a) {
    return (a.state.what == kFreshAnchor || a.state.what == kCarriedAnchor) && a.pose.hull_a < hulls.size() &&
           a.pose.hull_b < hulls.size();
}

}  // namespace

std::size_t drop_forged_anchors(const HullSet& hulls, const Options& options, std::span<SavedAnchor> anchors) {
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;
    std::vector<SavedAnchor*> asked;
    std::size_t dropped = 0;
    for (SavedAnchor& anchor : anchors) {
        if (!counts(hulls, anchor)) continue;
        const HullRecord& ra = hulls[anchor.pose.hull_a];
        const HullRecord& rb = hulls[anchor.pose.hull_b];
        const Mat3d r = rotation_of(anchor);
        if (!has_surface(ra) || !has_surface(rb) || !is_rotation(r)) {
            anchor.state.what = kNoAnchor;
            ++dropped;
            continue;
        }
        const auto first = static_cast<std::uint32_t>(bodies.size());
        bodies.push_back(body_at(anchor.pose.hull_a, body_pose(HullView(ra), PoseD{})));
        bodies.push_back(body_at(anchor.pose.hull_b, body_pose(HullView(rb), {r, translation_of(anchor)})));
        pairs.push_back({first, first + 1});
        // An anchor's points are no further apart than the smaller hull is large.
        margins.push_back(2 * std::min(ra.size, rb.size));
        asked.push_back(&anchor);
    }
    if (asked.empty()) return dropped;
    Options strict;
    strict.face_preference = 0;
    CallInputs inputs;
    inputs.pair_margins = margins;
    std::vector<PairDistance> exact(pairs.size());
    Workspace workspace;
    const BatchResult done =
        collide(hulls, BodyView(std::span<const BodyD>(bodies)), pairs, strict, std::span(exact), workspace, inputs);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const bool known = done.status && exact[i].kind != ContactKind::none && exact[i].status == Status::ok;
        if (known && is_true(hulls, options, *asked[i], static_cast<double>(exact[i].distance))) continue;
        asked[i]->state.what = kNoAnchor;
        ++dropped;
    }
    return dropped;
}

}  // namespace lanefold::detail
