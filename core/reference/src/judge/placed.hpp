// SPDX-License-Identifier: MIT
//
// Shared by the parts of the judge: the hulls of a pair in one frame, with their canonical topology, and the record
// that is judged.
//
// Frame: world axes, origin at the position of body a, like the points of a record.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/limits.hpp>

namespace lanefold::reference::judging {

// Relative error of rounding a number to float32, at most.
inline constexpr double kFloat = 0x1p-24;

inline Vec3d vec(const float v[3]) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

inline bool is_face(ContactKind kind) { return kind == ContactKind::face_a || kind == ContactKind::face_b; }

class Placed {
public:
    Placed(const OracleHull& hull, const HullRecord& record, const Mat3d& rotation, const Vec3d& offset);

    const OracleHull& oracle() const { return *oracle_; }
    const FeatureCounts& counts() const { return counts_; }
    const Mat3d& rotation() const { return rotation_; }
    const Vec3d& offset() const { return offset_; }
    double size() const { return oracle_->size; }
    bool is_box() const { return view_.record->is_box(); }
    bool is_thin() const { return (view_.record->flags & HullRecord::kThin) != 0; }

    const Vec3d& vertex(std::uint32_t v) const { return at_[v]; }
    std::uint32_t vertices() const { return static_cast<std::uint32_t>(at_.size()); }
    std::vector<std::uint32_t> loop(std::uint32_t face) const;        // vertices, counter-clockwise from outside
    std::vector<std::uint32_t> loop_edges(std::uint32_t face) const;  // from each vertex to the next
    std::uint32_t edge_end(std::uint32_t edge, int end) const;
    std::vector<std::uint32_t> faces_around(std::uint32_t vertex) const;
    std::uint32_t number_of(FeatureType type) const;  // how many features of the type there are
    std::vector<std::uint32_t> vertices_of(const Feature& feature) const;

    double support(const Vec3d& n) const;                  // max of n . x
    double height(std::uint32_t v, const Vec3d& n) const;  // n . x
    Vec3d stored_normal(std::uint32_t face) const;         // the hull's stored float32 normal
    Vec3d loop_normal(std::uint32_t face) const;           // from the stored vertices
    double bend(std::uint32_t face) const;  // depth of its lowest corner below the plane through the highest
    // The normal nearest to `n` among those of the face: of its loop, as stored, or of a triangle of the unmerged hull
    // within it.
    Vec3d normal_near(std::uint32_t face, const Vec3d& n) const;
    // The corners of a box's face in the order of its own axes: u is the next axis after the face's, v the one after
    // that. As a loop (-u-v, +u-v, +u+v, -u+v), or as rows (-u-v, +u-v, -u+v, +u+v).
    std::vector<std::uint32_t> box_corners(std::uint32_t face, bool as_loop) const;
    // Distance of x from a feature; for a face from its plane.
    double feature_distance(const Feature& feature, const Vec3d& x) const;

private:
    const OracleHull* oracle_;
    detail::HullView view_;
    FeatureCounts counts_;
    Mat3d rotation_;
    Vec3d offset_;
    std::vector<Vec3d> at_;
};

// The record with room for 16 points; `capacity`: that of the judged record.
struct Record {
    Manifold16 m;
    std::uint32_t capacity;
};

// The types of the features that a kind of contact names; of two hulls with faces.
struct FeatureTypes {
    FeatureType a;
    FeatureType b;
};
FeatureTypes types_of(ContactKind kind);

// A reported record while it is judged.
struct Trial {
    const JudgedPair& pair;
    const JudgeBounds& bounds;
    const Placed& a;
    const Placed& b;
    const Record& record;
    Vec3d normal;      // the record's normal, unit
    double along = 0;  // separation of the hulls along it
    Judgement& out;

    bool face() const { return is_face(record.m.kind); }
    // Whether one of both is a half-space.
    bool half_space() const { return a.oracle().half_space || b.oracle().half_space; }
    // Whether a core is a point or a segment.
    bool small_core() const { return a.counts().faces == 0 || b.counts().faces == 0; }
    bool reference_is_b() const { return record.m.kind == ContactKind::face_b; }
    const Placed& reference() const { return reference_is_b() ? b : a; }
    const Placed& incident() const { return reference_is_b() ? a : b; }
    std::uint32_t reference_face() const { return reference_is_b() ? record.m.feature_b : record.m.feature_a; }
    std::uint32_t incident_face() const { return reference_is_b() ? record.m.feature_a : record.m.feature_b; }
    // Pairs of boxes are always clipped.
    bool patches() const { return pair.method == JudgedMethod::patch && !(a.is_box() && b.is_box()); }
    std::uint32_t count() const { return record.m.count; }
    const ContactPoint& point(std::uint32_t i) const { return record.m.points[i]; }
    // Ids of hulls with more features than this are hashes.
    bool decodable() const { return std::uint64_t{a.counts().total()} * b.counts().total() <= std::uint64_t{1} << 32U; }
    // Length of a point's offset as it was stored, or more.
    double stored(const Vec3d& x) const { return length(x) + pair.points_from; }
    double held() const { return static_cast<double>(pair.hysteresis) * bounds.smaller; }
    double preference() const { return static_cast<double>(pair.face_preference) * bounds.smaller; }
    // Deviation of merged faces from the stored vertices: of the faces of the contact, or of any face for contacts of
    // edges and vertices.
    double bend() const {
        if (!face()) return kBuildDeviation * (a.size() + b.size());
        return a.bend(record.m.feature_a) + b.bend(record.m.feature_b);
    }
};

// --- features.cpp. Returns false if the features of the record cannot be judged further.
bool judge_features(Trial& trial);
// --- points.cpp
void judge_points(Trial& trial);
void judge_published_points(Trial& trial);
void judge_clipped_points(Trial& trial);  // of Sutherland-Hodgman
// Whether a record must hold a point midway between the surfaces at `middle`. Not if a hull is thin and the point is
// off a surface by more than three quarters of the bound of a distance: rounding of very short sides carries it there.
bool is_due(const Trial& trial, const Vec3d& middle, double separation);
// --- small_core.cpp
void judge_small_core(Trial& trial);
// --- half_space.cpp
JudgeBounds half_space_bounds(const JudgedPair& pair);
void judge_half_space(Trial& trial);
// --- literal.cpp. `record` is null if the pair was not reported.
void judge_literal(const JudgedPair& pair, const JudgeBounds& bounds, const Record* record, Judgement& out);
// --- area.cpp, patches.cpp: compare the points, their number and their order with the corners of the contact area.
void judge_clip_area(Trial& trial);
std::string complain_of_clip(const Trial& trial);  // what is wrong with it; empty if nothing is
void judge_patch_area(Trial& trial);

// A corner of the contact area as the judge finds it.
struct Corner {
    double u = 0;  // u, v: in the contact plane
    double v = 0;
    double separation = 0;
    Vec3d middle;                        // the point, midway between the surfaces
    double error = 0;                    // error of its place, in addition to the bound of any point
    bool certain = false;                // false: rounding decides whether it counts
    std::array<std::size_t, 2> sides{};  // numbers of the two sides that meet in it
};

// A point in the contact plane.
struct PlanPoint {
    double u = 0;
    double v = 0;
    double separation = 0;
};

struct Plane {
    Vec3d across;
    Vec3d along;
    explicit Plane(const Vec3d& n);
    PlanPoint at(const Vec3d& x) const { return {dot(across, x), dot(along, x), 0}; }
};

// --- cover.cpp
// Twice the area of the convex hull of points.
double twice_hull_area(std::vector<PlanPoint> points);
// Whether these points can be the result of a reduction by spread of the corners (deepest, furthest from it, furthest
// from the line, largest area added). `slack`: a length within which ties go either way.
bool spread_keeps(const std::vector<Corner>& corners, const std::vector<PlanPoint>& kept, double slack,
                  double depth_slack);
// For more than four points: whether no corner is further from the kept ones than these are from each other.
bool spread_covers(const std::vector<Corner>& corners, const std::vector<PlanPoint>& kept, double slack);

}  // namespace lanefold::reference::judging
