// SPDX-License-Identifier: MIT
//
// What the stages of the float64 path share: the two hulls in float64, their relative pose, the tolerances
// of the pair, the memory, and the results that one stage hands to the next.
//
// Frames: each hull's LOCAL frame has the axes of its input coordinates and its origin at the hull's centre,
// so coordinates stay about as large as the hull. Axes and points that concern both hulls are in A's local
// frame; a normal points from A to B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/pose.hpp>

#include "precise/lanes.hpp"

namespace lanefold::detail {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

// Witnesses remembered per hull for the arc test. More would prune a little better and cost a pass over the
// faces each; the oldest is overwritten, which can only cost time.
inline constexpr std::uint32_t kWitnesses = 8;

// A vertex that is extreme in some direction, lowest index first.
struct Support {
    double value = 0;
    std::uint32_t index = 0;
};

struct EdgeEnds {
    std::uint32_t v0;
    std::uint32_t v1;
    std::uint32_t facet0;  // the edge runs v0 -> v1 in its loop
    std::uint32_t facet1;
};

// One hull of the pair. Facets are its faces, or, for the larger hull beyond the size ratio, the triangles of
// those faces that are not flat to the last bit (the truth is the hull of the stored vertices).
struct Solid {
    explicit Solid(const HullRecord& r) : record(&r), view(r) {}

    const HullRecord* record;
    HullView view;
    Vec3d centre;  // input coordinates

    std::uint32_t vertices = 0;
    std::uint32_t facets = 0;
    std::uint32_t edges = 0;  // canonical edges first, then the diagonals of triangulated faces
    std::size_t vertex_stride = 0;
    std::size_t facet_stride = 0;

    double* x = nullptr;  // local vertices
    double* y = nullptr;
    double* z = nullptr;
    double* dots = nullptr;  // of the latest support scan
    double* nx = nullptr;    // facet planes n.x <= offset; n is unit to 1e-7 at least
    double* ny = nullptr;
    double* nz = nullptr;
    double* offset = nullptr;
    double* bound = nullptr;       // upper bound of each facet's separation; -inf once evaluated
    double* gaps = nullptr;        // kWitnesses rows: n.w - offset of each facet for a witness w
    std::int64_t* dead = nullptr;  // per facet: bit k is set when witness k is deep enough behind it
    std::uint32_t witnesses = 0;   // ever added; row of the next is witnesses % kWitnesses

    bool planes = false;  // nx .. offset and what belongs to them are filled; if not, the path refines
    bool triangulated = false;
    // Only when triangulated:
    std::uint32_t* parent = nullptr;       // facet -> face
    std::uint32_t* facet_first = nullptr;  // face -> its first facet; facets of a face are contiguous
    std::uint32_t* edge_ends = nullptr;    // v0, v1, facet0, facet1 of each edge

    Vec3d vertex(std::size_t i) const { return {x[i], y[i], z[i]}; }
    Vec3d facet_normal(std::size_t f) const { return {nx[f], ny[f], nz[f]}; }
    std::uint32_t face_of(std::uint32_t facet) const { return triangulated ? parent[facet] : facet; }

    bool is_diagonal(std::uint32_t e) const { return e >= record->edge_count; }

    EdgeEnds edge(std::size_t e) const {
        if (triangulated) {
            const std::uint32_t* p = edge_ends + 4 * e;
            return {p[0], p[1], p[2], p[3]};
        }
        return {view.edge_vertex[2 * e], view.edge_vertex[2 * e + 1], view.edge_face0[e], view.edge_face1[e]};
    }

    std::uint32_t face_size(std::size_t f) const { return view.face_first[f + 1] - view.face_first[f]; }
};

// The pair, prepared.
struct Problem {
    Problem(const HullRecord& ra, const HullRecord& rb) : a(ra), b(rb) {}

    Solid a;
    Solid b;
    PoseD from_b;  // local B -> local A
    PoseD from_a;  // local A -> local B
    Mat3d world;   // local A axes -> world axes

    bool thin = false;     // one hull is HullRecord::kThin: points are held against the hulls before they are kept
    bool refined = false;  // planes in float64 from the stored vertices
    double margin = 0;
    double small = 0;       // size of the smaller hull: the unit of every tolerance on a result
    double scale = 0;       // size A + size B + distance of the centres: the unit of every rounding error
    double preference = 0;  // face preference as a length
    double tie = 0;         // separations closer than this are equal; a point this far beyond the margin is at it
    double slack = 0;       // how far a face's bound may lie below its exact separation
    double bend = 0;        // how far merged faces of both hulls may stray from the stored vertices; 0 when split
    double edge_bend = 0;   // the same beside edges: the faces of the smaller hull are never split
    double arc_slack = 0;   // how far (as a sine) an arc may miss another and still be tried
};

// The best face axis. `normal` is the outward unit normal in the local frame of the hull that has the face.
struct FaceAxis {
    bool on_b = false;
    std::uint32_t facet = kNoIndex;
    Vec3d normal;
    double offset = 0;  // support of the face's hull along normal
    double separation = 0;
    std::uint32_t own = 0;      // vertex of the face's hull at the offset
    std::uint32_t support = 0;  // vertex of the other hull furthest against the normal
};

// The best axis of two edges; nothing when `edge_a` is kNoIndex.
struct EdgeAxis {
    std::uint32_t edge_a = kNoIndex;
    std::uint32_t edge_b = kNoIndex;
    Vec3d normal;  // A to B, local A
    double separation = 0;
};

// A contact of two features below face level: one point midway between p and q.
struct FeatureContact {
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;
    Vec3d p;  // on A, local A
    Vec3d q;  // on B, local A
    double distance = 0;
};

// A corner of the overlap of two faces.
struct ClipPoint {
    Vec3d middle;  // local A
    double separation = 0;
    double u = 0;  // in the contact plane
    double v = 0;
    std::uint32_t number_a = 0;  // feature numbers, see feature.hpp
    std::uint32_t number_b = 0;
};

// An edge that survived the arc test, in local A, with the ends of its arc on the Gauss sphere (negated for
// edges of B).
struct ArcEdge {
    Vec3d point;
    Vec3d direction;  // unit, v0 -> v1
    Vec3d n0;
    Vec3d n1;
    std::uint32_t index = 0;
};

// What clipping keeps of the two faces: a row for each number of a side or a corner, padded to whole vectors.
struct ClipMemory {
    enum Row : std::uint8_t {
        inward = 0,          // x, y, z rows: the reference face's sides, unit
        offset = 3,          // of the side's plane
        reference = 4,       // x, y, z: the reference face's corners
        corner = 7,          // x, y, z: the incident face's corners
        outline = 10,        // x, y, z: inward normals of the incident face's sides as seen along the contact normal
        reach = 13,          // how far outside of a side a point still counts as inside, squared
        heights_first = 14,  // of an incident corner over each side: the first corner's,
        heights_1 = 15,      // and those of the two that are looked at
        heights_2 = 16,
        row_count = 17
    };
    std::vector<double> numbers;
    std::size_t stride = 0;

    void reserve(std::size_t vertices);
    double* row(Row r) { return numbers.data() + static_cast<std::size_t>(r) * stride; }
};

// Memory of one hull; numbers and indices are cut into the arrays of a Solid.
struct SolidMemory {
    std::vector<double> numbers;
    std::vector<std::int64_t> bits;
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> survivors;
    std::vector<ArcEdge> arcs;
    std::vector<std::uint32_t> near_vertices;  // support set of the distance stage
    std::vector<std::uint32_t> near_edges;

    void reserve(std::size_t vertices, std::size_t faces, std::size_t edges);
};

// A vertex of a support patch in the contact plane.
struct PatchCorner {
    double u = 0;
    double v = 0;
    double height = 0;  // along the outward direction of its hull
    std::uint32_t vertex = 0;
};

// The support patches of both hulls, reference first.
struct PatchMemory {
    std::vector<PatchCorner> corners[2];  // sorted
    std::vector<PatchCorner> outline[2];  // counter-clockwise about the contact normal of the reference hull

    void reserve(std::size_t vertices);
};

struct PreciseScratch::Impl {
    SolidMemory a;
    SolidMemory b;
    ClipMemory clip;
    std::vector<ClipPoint> points;
    PatchMemory patch;
    std::vector<std::uint32_t> stack;  // triangulation
    std::size_t room_vertices = 0;     // what was reserved
    std::size_t room_faces = 0;
    std::size_t room_edges = 0;

    void reserve(std::size_t vertices, std::size_t faces, std::size_t edges);
};

inline bool is_decided(const PrecisePair& pair) { return pair.distance == pair.distance; }

// --- precise/pose.cpp
// Poses, vertices and tolerances of the pair: enough for the axis between the centres, which rejects most. False, with
// nothing prepared, when the positions alone say that the hulls are further apart than any margin.
bool prepare(const PrecisePair& pair, PreciseScratch::Impl& memory, Problem& problem);
// Planes, edges and the slack that belongs to them: for what is left.
void prepare_planes(PreciseScratch::Impl& memory, Problem& problem);

// --- precise/facets.cpp
// Float64 planes from the stored vertices; the faces of the larger hull split where they are not flat.
void refine_facets(Solid& solid, std::vector<std::uint32_t>& stack, bool split, double flatness);
// Unit normal of a face from its loop (sum of the cross products of its fan).
Vec3d loop_normal(const Solid& solid, std::uint32_t face);
// Outward normal of a canonical face, unit to 1e-7 at least.
Vec3d face_normal(const Solid& solid, std::uint32_t face);

// --- precise/support.cpp
Support furthest(const Solid& solid, const Vec3d& direction);
// min over B - max over A along `axis` (local A), with full supports.
struct AxisSeparation {
    double value = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};
AxisSeparation separation_along(const Problem& p, const Vec3d& axis);

// --- precise/faces.cpp
// The best face axis of both hulls; false when some axis separates them by more than the margin.
bool search_faces(Problem& p, PreciseScratch::Impl& memory, FaceAxis& best);
// One facet's axis with full supports.
FaceAxis evaluate_facet(const Problem& p, bool on_b, std::uint32_t facet);

// --- precise/floor.cpp
// Is the pair settled by one face of a box that is much larger than the other hull? Then `best` is what search_faces
// would find and search_edges would not beat, or the hulls are apart by more than the margin. Planes are not prepared.
enum class FloorVerdict : std::uint8_t { unknown, apart, face };
FloorVerdict try_floor(const Problem& p, FaceAxis& best);

// --- precise/edges.cpp
// The best edge axis that beats `best_face`; false when one separates them by more than the margin.
bool search_edges(Problem& p, PreciseScratch::Impl& memory, double best_face, EdgeAxis& best);
// Closest points of the lines of two edges, clamped to the edges.
struct EdgePoints {
    Vec3d p;
    Vec3d q;
    double s = 0;  // parameters on the edges, before clamping
    double t = 0;
    bool parallel = false;
};
EdgePoints closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

// --- precise/gjk.cpp
struct GjkResult {
    bool converged = false;
    bool beyond_margin = false;
    double distance = 0;  // upper bound: length of q - p
    double lower = 0;     // lower bound: separation along `axis`
    Vec3d axis;
    Vec3d p;
    Vec3d q;
    std::uint32_t count = 0;  // vertices of the last simplex
    std::uint32_t a[4] = {};
    std::uint32_t b[4] = {};
};
GjkResult closest_points(const Problem& p, const Vec3d& first_axis);
// The same by trying every pair of features that the bounds of `found` allow. Exact and slow; for what the
// iteration cannot settle.
GjkResult closest_points_brute_force(const Problem& p, PreciseScratch::Impl& memory, const GjkResult& found);

// Is the foot of a point at height h over a facet's plane inside the facet's face? The other triangles of a
// split face must lie lower there: otherwise the point is nearer to one of those. All in the solid's frame.
bool foot_inside(const Solid& s, std::uint32_t facet, const Vec3d& normal, const Vec3d& x, double h);

// --- precise/distance.cpp
// What is nearest to what, for a pair that some axis separates.
struct Nearest {
    double distance = 0;
    bool beyond_margin = false;
    bool face = false;       // the best face axis is a minimiser
    FeatureContact contact;  // kind none when the face itself is known to be nearest
};
Nearest finish_distance(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face, const EdgeAxis& edge);
// The contact of an edge axis.
FeatureContact edge_contact(const Problem& p, const EdgeAxis& edge);

// --- precise/contact.cpp
// Fills memory.points with the face manifold (all points within the margin).
struct FaceContact {
    Vec3d normal;                 // A to B, local A
    std::uint32_t reference = 0;  // canonical faces
    std::uint32_t incident = 0;
    double deepest = 0;  // smallest separation of the points; undefined if there are none
};
FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis);
// The same where points outside of the reference face by up to `inside` (a length) still are on it.
FaceContact clip_faces_within(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double inside);
// The same against `incident`, if that is a face that comes within `band` (a length) of the support plane and whose
// tilt, as a sine, exceeds the best one's by at most band / size(smaller).
FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, std::uint32_t incident,
                       double band);
// The same through the other vertices that are as deep as the support vertex within `tie`, lowest index first, until
// the deepest point is not above `limit`: where an edge lies parallel to the reference face but its deeper end (by
// rounding) beyond that face, the most opposed face around that end need not contain the edge. False: none does.
bool clip_tied_supports(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double tie, double limit,
                        FaceContact& out);
// The support point of a face axis as the only point of memory.points.
void keep_support_point(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis);

// The canonical face of the other hull that a face axis meets: the most anti-parallel one around the support vertex.
std::uint32_t incident_face(const Problem& p, const FaceAxis& axis);

// --- precise/patch.cpp
// Fills memory.points with the manifold of the two support patches (ContactMethod::patch), as high as `band`.
FaceContact clip_patches(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double band);

// --- precise/witness.cpp
struct Outcome;  // precise/record.hpp
// Are the points of a feature contact `distance` apart along its normal, and at the features that it names?
bool is_true_contact(const Problem& p, const FeatureContact& c, double distance);
// Leaves out the points of memory.points that are not on both surfaces, or not at the features that they name.
void keep_true_points(const Problem& p, PreciseScratch::Impl& memory, bool reference_on_b, FaceContact& c);
// One point of contact along an axis whose separation is `distance`, from points that lie on both hulls by
// construction. False when their features cannot be told.
bool settle_contact(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance, Outcome& r);

// --- precise/reduce.cpp
// Chooses `capacity` of the points by spread; keeps them in order at the front of the vector.
void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity);
// Its steps. The first of the deepest points; chooses kept[count ..] up to `capacity` by spread; leaves only the kept
// ones, in order.
std::uint32_t deepest_point(const std::vector<ClipPoint>& points);
void keep_by_spread(const std::vector<ClipPoint>& points, std::size_t capacity, std::size_t count, std::uint32_t* kept);
void keep_only(std::vector<ClipPoint>& points, std::uint32_t* kept, std::size_t count);

// --- precise/patch_reduce.cpp
// The same for patches, whose points stay while the body trembles. `normal`: of the contact, A to B, in the frame of
// ClipPoint::middle. The deepest point kept is at most `spread` shallower than the deepest of all.
void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double spread);

}  // namespace lanefold::detail
