// SPDX-License-Identifier: MIT
//
// Hysteresis of face contacts of general hulls. A contact that is ready to be written goes to a second pass instead, if
// its previous faces are nearly as good as the chosen ones. That pass clips the previous faces. If their clip reaches
// the depth it gives the contact; otherwise a last pass makes the contact that would have been written. Faces are
// evaluated one pair at a time, lanes = vertices. Where it is certain before the first pass that the chosen faces would
// give the contact, a pair is decided then, and takes one of the other passes only.
#pragma once

#include <lanefold/feature.hpp>

#include "contact/clip_polygons.hpp"
#include "contact/pick.hpp"
#include "pair/face_support.hpp"
#include "pair/lane_previous.hpp"
#include "record/lane_hold.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Looks up the previous records of the pairs whose contact a face gives.
inline void find_previous_hulls(const ChunkJob& job, const HullPairs& pairs) {
    if (job.hold == nullptr || pairs.faces.count == 0) return;
    std::uint64_t bits[kChunkWords] = {};
    for (std::uint32_t k = 0; k < pairs.faces.count; ++k) {
        const std::uint32_t i = pairs.rows[pairs.faces.slot[k]].pair;
        bits[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    find_previous(*job.hold, bits);
}

// Leaves the contacts of edges and closest points to the float64 path.
inline void leave_features(const ChunkJob& job, const HullPairs& pairs) {
    if (job.hold == nullptr) return;
    for (const SlotList* list : {&pairs.edges, &pairs.apart})
        for (std::uint32_t k = 0; k < list->count; ++k) job.hold->leave(pairs.rows[list->slot[k]].pair);
}

LANEFOLD_INLINE float length_of(const Point& p) { return __builtin_sqrtf(dot(p, p)); }

// The previous incident face if it stays with its reference face, otherwise `best`. It stays if the sine of its tilt is
// at most the hysteresis above that of the best one, and a corner of it is nearly as low as the support.
inline std::uint32_t held_incident(const HullRecord& hull, const FaceSupport& reference, std::uint32_t previous,
                                   std::uint32_t best, float hysteresis, float band) {
    const HullFloats h = hull_floats(hull);
    if (previous == best || previous >= h.faces) return best;
    const Point& n = reference.normal;
    const Point other = face_normal(h, previous);
    if (!(dot(n, other) < 0.0F)) return best;
    // Sines, because the cosines of small tilts differ by second-order terms only.
    if (!(length_of(cross(n, other)) <= length_of(cross(n, face_normal(h, best))) + hysteresis)) return best;
    const HullTopology t = hull_topology(hull);
    float lowest = kHighest;
    for (std::uint32_t k = t.face_first[previous]; k < t.face_first[previous + 1]; ++k) {
        const float low = dot(n, vertex_of(h, t.face_vertex[k]));
        lowest = low < lowest ? low : lowest;
    }
    return lowest <= dot(n, vertex_of(h, reference.vertex)) + band ? previous : best;
}

LANEFOLD_INLINE RecordHead previous_head(const ChunkHold& hold, std::uint32_t pair) {
    RecordHead head;
    __builtin_memcpy(&head, hold.head[pair], sizeof head);
    return head;
}

// Whether the faces of a pick are those of its previous record.
LANEFOLD_INLINE bool same_faces(const HullPairs& pairs, const FacePick& pick, const RecordHead& head) {
    const PairOptimum& o = pairs.optima[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const ContactKind kind = on_b ? ContactKind::face_b : ContactKind::face_a;
    return head.kind == static_cast<std::uint8_t>(kind) && head.feature_a == (on_b ? pick.incident_face : o.face) &&
           head.feature_b == (on_b ? o.face : pick.incident_face);
}

LANEFOLD_INLINE bool is_good_face(const RecordHead& head) {
    return head.status == static_cast<std::uint8_t>(Status::ok) &&
           (head.kind == static_cast<std::uint8_t>(ContactKind::face_a) ||
            head.kind == static_cast<std::uint8_t>(ContactKind::face_b));
}

// Moves a contact of chosen faces to the second pass, if its previous record's faces are others and nearly as good.
// `pick`: the chosen ones.
inline bool hold_hull(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, const FacePick& pick) {
    const std::uint32_t slot = pick.slot;
    const PairRow& row = pairs.rows[slot];
    const AxisRow& axis = pairs.axes[slot];
    PairOptimum& o = pairs.optima[slot];
    const RecordHead head = previous_head(*job.hold, row.pair);
    const bool on_b = head.kind == static_cast<std::uint8_t>(ContactKind::face_b);
    const std::uint32_t face = on_b ? head.feature_b : head.feature_a;
    const FaceHulls hulls = face_hulls(job, row, on_b ? 1 : 0);
    if (face >= hulls.own->face_count) return false;
    const float hysteresis = job.hold->hysteresis;
    const float band = hysteresis * axis.size_min;
    const FaceSupport at = face_support(job, row, pairs.inverses[slot], on_b, face);
    const float chosen = o.face_value + axis.face_band;
    const float value = chosen > o.value ? chosen : o.value;
    if (!(at.separation + axis.face_band >= value - band)) return false;

    const HullTopology own = hull_topology(*hulls.own);
    const HullTopology other = hull_topology(*hulls.other);
    const Quad normal = {at.normal.x, at.normal.y, at.normal.z, 0.0F};
    const std::uint32_t best = incident_face(FacesAround(other.vertex_first + at.vertex, other.vertex_face),
                                             hull_floats(*hulls.other).planes, normal);
    const std::uint32_t incident =
        held_incident(*hulls.other, at, on_b ? head.feature_a : head.feature_b, best, hysteresis, band);
    if (on_b == (o.face_on_b != 0) && face == o.face && incident == pick.incident_face) return false;

    held.chosen[slot] = pick;
    held.optima[slot] = o;
    o.face = face;
    o.face_value = at.separation;
    o.support = at.vertex;
    o.face_on_b = on_b ? 1 : 0;
    FacePick& to = held.picks[held.count++];
    to.slot = slot;
    to.incident_face = incident;
    to.reference_sides = std::uint32_t{own.face_first[face + 1]} - own.face_first[face];
    to.incident_sides = std::uint32_t{other.face_first[incident + 1]} - other.face_first[incident];
    to.polygon[0] = polygon_at(own.polygons, own.face_first[face], face);
    to.polygon[1] = polygon_at(other.polygons, other.face_first[incident], incident);
    return true;
}

// Moves a held pair whose clip does not give the contact to the last pass. `spoilt`: float32 cannot tell, so the
// float64 path decides after it.
inline void return_hull(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, std::uint32_t slot, bool spoilt,
                        Counters& counters) {
    held.last[held.count_last++] = held.chosen[slot];
    pairs.optima[slot] = held.optima[slot];
    if (!spoilt) return;
    job.hold->leave(pairs.rows[slot].pair);
    --counters.hold_tried;
    --counters.hold_lanes;
}

// Whether hysteresis has a say in contacts of this pass, and their records have points.
template <class Record>
LANEFOLD_INLINE bool holds(const ChunkJob& job) {
    if constexpr (__is_same(Record, PairDistance)) return false;
    return job.hold != nullptr;
}

// The points of a clip in rows, lanes = points.
struct PointRows {
    const float* x;
    const float* y;
    const float* z;
    const float* separation;
    const std::int32_t* number;  // of the pairs of features
    std::uint32_t count;
};

enum class FourHeld : std::uint8_t { same, otherwise, held };

// Twice the area of the hull of four points in the plane of a normal; see area_of_four().
LANEFOLD_INLINE float area_of_four(const PointRows& p, const Point& n, const std::uint32_t* i) {
    const auto at = [&](int k) LANEFOLD_INLINE_LAMBDA { return Point{p.x[i[k]], p.y[i[k]], p.z[i[k]]}; };
    const auto diagonals = [&](int a, int b, int c, int d) LANEFOLD_INLINE_LAMBDA {
        return __builtin_fabsf(dot(n, cross(sub(at(b), at(a)), sub(at(d), at(c)))));
    };
    const float x = diagonals(0, 2, 1, 3);
    const float y = diagonals(0, 1, 2, 3);
    const float z = diagonals(0, 3, 1, 2);
    const float most = x > y ? x : y;
    return most > z ? most : z;
}

// Compares the four points that a reduction kept with the previous ones, and replaces them where these may stay; see
// reduce_or_hold(). `kept`: ascending places.
inline FourHeld hold_four(const PointRows& p, const Point& n, const ChunkHold& hold, std::uint32_t pair, float band,
                          std::uint32_t* kept) {
    const std::byte* first = hold.record[pair] + offsetof(Manifold4, points);
    std::uint64_t known = 0;
    std::uint32_t exist = 0;
    std::int32_t previous[4];
    for (std::size_t k = 0; k < 4; ++k) {
        std::uint32_t id = 0;
        __builtin_memcpy(&id, first + k * sizeof(ContactPoint) + offsetof(ContactPoint, feature), sizeof id);
        previous[k] = static_cast<std::int32_t>(unmix32(id));
    }
    WFloat deepest(kHighest);
    WFloat lowest(kHighest);
    for (std::uint32_t c = 0; c < p.count; c += kWidth) {
        const WInt number = WInt::loadu(p.number + c);
        const WMask real = WInt::iota() + WInt(static_cast<std::int32_t>(c)) < WInt(static_cast<std::int32_t>(p.count));
        const WMask here = real & (((number == WInt(previous[0])) | (number == WInt(previous[1]))) |
                                   ((number == WInt(previous[2])) | (number == WInt(previous[3]))));
        const WFloat s = WFloat::loadu(p.separation + c);
        deepest = select(real, min(s, deepest), deepest);
        lowest = select(here, min(s, lowest), lowest);
        const std::uint32_t found = bits(here);
        exist += count_bits(found);
        known |= std::uint64_t{found} << c;
    }
    bool all = true;
    for (std::uint32_t k = 0; k < 4; ++k) all = all && ((known >> kept[k]) & 1U) != 0;
    if (all) return FourHeld::same;
    const float depth = -reduce_max(negate(deepest));
    const float of_known = -reduce_max(negate(lowest));
    if (exist != 4 || !(of_known <= depth + band)) return FourHeld::otherwise;
    std::uint32_t four[4];
    for (std::uint32_t& i : four) {
        i = static_cast<std::uint32_t>(__builtin_ctzll(known));
        known &= known - 1;
    }
    if (!(area_of_four(p, n, four) >= kHeldSpread * area_of_four(p, n, kept))) return FourHeld::otherwise;
    for (std::uint32_t k = 0; k < 4; ++k) kept[k] = four[k];
    return FourHeld::held;
}

// Counts what hysteresis did to a reduction of chosen faces.
LANEFOLD_INLINE void count_four(FourHeld what, Counters& counters) {
    const std::uint32_t tried = what == FourHeld::same ? 0 : 1;
    counters.hold_tried += tried;
    counters.hold_lanes += tried;
    counters.held += what == FourHeld::held ? 1 : 0;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
