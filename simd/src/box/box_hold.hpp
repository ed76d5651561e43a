// SPDX-License-Identifier: MIT
//
// Hysteresis of boxes, lanes = picks. A pick whose previous reference face is nearly as good as the contact that would
// be written goes to the list of faces again, with the previous faces named in its codes. If their clip reaches the
// depth it gives the contact, otherwise the pick goes back to where it was and is written as it would have been.
#pragma once

#include "box/axes.hpp"
#include "box/box_emit.hpp"
#include "box/features.hpp"
#include "box/picks.hpp"
#include "pair/chunk_context.hpp"
#include "pair/lane_previous.hpp"
#include "record/lane_hold.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Looks up the previous records of the pairs that have picks.
inline void find_previous_boxes(const ChunkJob& job, const PairList& boxes, const BoxScratch& s) {
    if (job.hold == nullptr) return;
    std::uint64_t bits[kChunkWords] = {};
    for (const BoxPicks* list : {&s.faces, &s.edges}) {
        // Picks almost ascend. A word stays in a register until another one begins.
        std::uint32_t word = 0;
        std::uint64_t of_word = 0;
        for (std::uint32_t k = 0; k < list->count; ++k) {
            const std::uint32_t i = boxes.pair[list->place[k]];
            if (i / 64 != word) {
                bits[word] |= of_word;
                of_word = 0;
                word = i / 64;
            }
            of_word |= std::uint64_t{1} << (i % 64);
        }
        bits[word] |= of_word;
    }
    find_previous(*job.hold, bits);
}

// The place in BoxMap of the face with this number; BoxPick::kNoFace if there is none.
LANEFOLD_INLINE std::int32_t place_of_face(const BoxMap& map, std::int32_t number) {
    std::int32_t place = BoxPick::kNoFace;
    for (std::int32_t q = 0; q < 6; ++q)
        place = static_cast<std::int32_t>(map.face(static_cast<std::uint32_t>(q))) == number ? q : place;
    return place;
}

// The places in BoxMap of the previous faces of the lanes named by bits; of other lanes kNoFace.
struct PreviousBoxFaces {
    WInt reference, incident;

    LANEFOLD_INLINE static PreviousBoxFaces find(const PairPlaces* places, const LanePrevious& previous,
                                                 std::uint32_t lanes) {
        alignas(64) std::int32_t a[kWidth], b[kWidth];
        alignas(64) std::int32_t place_a[kWidth], place_b[kWidth];
        previous.feature_a.storeu(a);
        previous.feature_b.storeu(b);
        WInt(BoxPick::kNoFace).storeu(place_a);
        WInt(BoxPick::kNoFace).storeu(place_b);
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            place_a[l] = place_of_face(box_map(places[l].hull_a), a[l]);
            place_b[l] = place_of_face(box_map(places[l].hull_b), b[l]);
        }
        const WInt of_a = WInt::loadu(place_a);
        const WInt of_b = WInt::loadu(place_b);
        return {select(previous.on_b, of_b, of_a), select(previous.on_b, of_a, of_b)};
    }
};

// The separations of kWidth pairs along the normals of all faces.
class BoxFaceSeparations {
public:
    LANEFOLD_INLINE explicit BoxFaceSeparations(const BoxLanes& x) {
        WFloat r_abs[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) r_abs[i][j] = abs(x.r[i][j]);
        const WFloat t[3] = {x.t.x, x.t.y, x.t.z};
        for (int i = 0; i < 3; ++i) {
            along_[i] = t[i];
            reach_[i] = reach_along_a(x, r_abs, i);
            along_[3 + i] = negate(along_b(x, i));
            reach_[3 + i] = reach_along_b(x, r_abs, i);
        }
    }
    // That of the face of this axis (0..2 of A, 3..5 of B) which looks at the other box.
    LANEFOLD_INLINE WFloat towards(WInt code) const { return abs(choose(along_, code)) - choose(reach_, code); }
    // That of the face whose outward normal has this sign along the axis.
    LANEFOLD_INLINE WFloat of(WInt code, WFloat sign) const {
        return choose(along_, code) * sign - choose(reach_, code);
    }

private:
    static LANEFOLD_INLINE WFloat choose(const WFloat* of, WInt code) {
        WFloat x = of[0];
        for (std::int32_t k = 1; k < 6; ++k) x = select(code == WInt(k), of[k], x);
        return x;
    }
    WFloat along_[6];
    WFloat reach_[6];
};

// The codes of a held pick. `reference`, `incident`: places in BoxMap.
LANEFOLD_INLINE WInt held_codes(WInt reference, WMask on_b, WInt incident) {
    return (WInt(BoxPick::kHeld) | reference * WInt(1 << BoxPick::kReferenceShift)) |
           (select(on_b, WInt(1 << BoxPick::kOnBShift), WInt(0)) | incident * WInt(1 << BoxPick::kIncidentShift));
}

// Appends those picks of `lanes` to the faces whose previous reference face is nearly as good, and returns their bits.
// `value`: the larger of the distance and the separation of a chosen face with its preference. `again`: what the codes
// say besides the faces.
inline std::uint32_t hold_boxes(const ChunkHold& hold, float face_preference, const PairPlaces* places,
                                const BoxLanes& x, const BoxFaceSeparations& separations, const LanePrevious& previous,
                                std::uint32_t lanes, WFloat value, WInt again, LaneBoxPick pick, BoxScratch& s) {
    const PreviousBoxFaces faces = PreviousBoxFaces::find(places, previous, lanes);
    const WInt axis = shift_right_logical(faces.reference, 1) + select(previous.on_b, WInt(3), WInt(0));
    const WFloat size_min = min(x.size_a, x.size_b);
    const WFloat stays = separations.of(axis, sign_of_place(faces.reference)) + size_min * splat(face_preference);
    const WMask good =
        (stays >= value - size_min * splat(hold.hysteresis)) & (faces.reference < WInt(BoxPick::kNoFace));
    const std::uint32_t held = bits(good) & lanes;
    if (held == 0) return 0;
    pick.codes =
        ((pick.codes | WInt(BoxPick::kCrowded)) | again) | held_codes(faces.reference, previous.on_b, faces.incident);
    append_picks(s.faces, held, pick);
    return held;
}

// Hysteresis of picks that `emitted` names and whose contact is one of edges or corners. Returns the lanes whose
// contact stands; the others went to the faces. `from`: the list of these picks.
template <class Record>
inline std::uint32_t hold_box_features(Chunk<Record> chunk, BoxScratch& s, const BoxPlaces& at, const BoxLanes& x,
                                       const LaneBoxPick& pick, std::uint32_t emitted, std::int32_t from) {
    ChunkHold* const hold = chunk.job.hold;
    const std::uint32_t open = bits(pick.without(BoxPick::kFinal)) & emitted;
    if (hold == nullptr || open == 0) return emitted;
    const LanePrevious previous = LanePrevious::load(*hold, at.pair);
    const std::uint32_t faces = bits(previous.face) & open;
    // Whether two edges stay is left to the float64 path.
    for (std::uint32_t rest = bits(previous.may_stay) & open & ~faces; rest != 0; rest &= rest - 1)
        hold->leave(at.pair[lowest_bit(rest)]);
    if (faces == 0) return emitted;
    chunk.totals.counters.hold_tried += count_bits(faces);
    chunk.totals.counters.hold_lanes += count_bits(faces);
    return emitted & ~hold_boxes(*hold, chunk.job.face_preference, at.places, x, BoxFaceSeparations(x), previous, faces,
                                 pick.optimum, WInt(from), pick, s);
}

// The clips of kWidth picks with their previous records.
struct BoxFaceHold {
    LanePrevious previous;
    WMask held;  // the clip is that of the previous faces
    WMask same;  // the features are those of the previous record
};

// Compares the features of the clips with the previous ones.
LANEFOLD_INLINE void compare_features(const BoxClip& clip, BoxFaceHold& h) {
    const WMask on_b = clip.plane.on_b;
    h.same = h.previous.has(select(on_b, clip.incident_face, clip.reference_face),
                            select(on_b, clip.reference_face, clip.incident_face), face_kind(on_b));
}

LANEFOLD_INLINE BoxHeldFaces held_faces(const LaneBoxPick& pick, WMask held, const ChunkHold& hold) {
    return {held, pick.held_place(BoxPick::kReferenceShift), pick.held_place(BoxPick::kIncidentShift),
            splat(hold.hysteresis)};
}

// The separation of the reference box along the outward normal of the incident face.
LANEFOLD_INLINE WFloat incident_separation(const BoxReference& reference, const BoxOther& other,
                                           const BoxIncident& incident) {
    const WVec3 n = incident.axis.choose(other.axis[0], other.axis[1], other.axis[2]) * incident.sign;
    const WFloat own = incident.axis.choose(other.half[0], other.half[1], other.half[2]);
    const WVec3& half = reference.half;
    const WFloat reach = (abs(n.x) * half.x + abs(n.y) * half.y) + abs(n.z) * half.z;
    return (negate(dot(n, other.centre)) - own) - reach;
}

// Distance, in (size A + size B), of the incident face's centre from the sides of the reference face, from which on
// their clip surely has a point: 2e4 times kClipTolerance.
inline constexpr float kSurelyOver = 1e-2F;

// Separations of the incident face's corners from the reference face, along its normal. Their sums are those of
// place_corners().
struct CornerHeights {
    WFloat at[4];  // -a-b, +a-b, +a+b, -a+b
    WFloat centre;

    LANEFOLD_INLINE CornerHeights(const BoxIncident& f, WFloat top) : centre(f.centre.z - top) {
        const WFloat minus = f.centre.z - f.a.z;
        const WFloat plus = f.centre.z + f.a.z;
        at[0] = (minus - f.b.z) - top;
        at[1] = (plus - f.b.z) - top;
        at[2] = (plus + f.b.z) - top;
        at[3] = (minus + f.b.z) - top;
    }
    LANEFOLD_INLINE WFloat lowest() const { return min(min(at[0], at[1]), min(at[2], at[3])); }
    LANEFOLD_INLINE WFloat highest() const { return max(max(at[0], at[1]), max(at[2], at[3])); }
    // The separation of the last point on the way from the centre to the lowest corner that is no further than this
    // from the centre, along u and v.
    LANEFOLD_INLINE WFloat towards_lowest(const BoxIncident& f, WFloat most_u, WFloat most_v) const {
        const WFloat sign_a = negate(sign_of(f.a.z));
        const WFloat sign_b = negate(sign_of(f.b.z));
        const WFloat one(1.0F);
        const WFloat u = abs(f.a.x * sign_a + f.b.x * sign_b);
        const WFloat v = abs(f.a.y * sign_a + f.b.y * sign_b);
        const WFloat part = min(min(most_u / max(u, most_u), most_v / max(v, most_v)), one);
        return centre - part * (abs(f.a.z) + abs(f.b.z));
    }
};

// The separation of the lowest corner of the incident face over the reference face and within the margin; kHighest if
// there is none.
LANEFOLD_INLINE WFloat lowest_over(const BoxIncident& incident, const BoxReference& reference, WFloat size_sum,
                                   WFloat margin) {
    BoxCorners corners;
    place_corners(incident, reference.half, negate(size_sum * splat(kClipTolerance)), corners);
    WFloat low(kHighest);
    for (int q = 0; q < 4; ++q) {
        const WFloat separation = corners.at[q].z - reference.half.z;
        low = select(at_most_of(~corners.out[q], separation, margin), min(separation, low), low);
    }
    return low;
}

// Most often the previous faces are the chosen ones with their parts exchanged. Where it is certain that the clip of
// the chosen faces gives the contact, because a corner of the incident face over the reference face is near enough,
// those that may stay become held picks at once, and are clipped once. Returns their lanes.
inline WMask exchange_faces(const ChunkJob& job, const PairPlaces* places, const BoxLanes& x,
                            const LanePrevious& previous, LaneBoxPick& pick) {
    const WInt face_code = pick.face_code();
    const WMask chosen_on_b = WInt(2) < face_code;
    WMask open = pick.without(BoxPick::kHeld | BoxPick::kFinal) & previous.face &
                 ((previous.on_b & ~chosen_on_b) | (chosen_on_b & ~previous.on_b));
    if (!any(open)) return no_lanes();
    BoxOther other;
    const BoxReference reference = choose_reference(x, face_code, nullptr, other);
    const BoxIncident incident = choose_incident(other, nullptr);
    const WInt at_reference = reference.axis.face(reference.sign);
    const WInt at_incident = incident.axis.face(incident.sign);
    BoxFaceNumbers number;
    load_face_numbers(places, bits(reference.on_b), at_reference, at_incident, number);
    open = open & (previous.reference() == number.incident_face()) &
           (previous.incident() == BoxFaceNumbers::reference_of(number.reference_face()));
    if (!any(open)) return no_lanes();
    const WFloat size_sum = x.size_a + x.size_b;
    const WFloat size_min = min(x.size_a, x.size_b);
    const WFloat preference = size_min * splat(job.face_preference);
    // Every point of the clip is on the incident face, and no higher than its highest corner. If the centres are over
    // each other there are such points.
    const WFloat room = size_sum * splat(kSurelyOver);
    const WFloat room_u = (reference.half.x - room) - abs(incident.centre.x);
    const WFloat room_v = (reference.half.y - room) - abs(incident.centre.y);
    const WMask over = (splat(0.0F) <= room_u) & (splat(0.0F) <= room_v);
    const CornerHeights corner(incident, reference.half.z);
    const WFloat value = max(pick.optimum, corner.lowest() + preference);
    const WMask stays =
        incident_separation(reference, other, incident) + preference >= value - size_min * splat(job.hold->hysteresis);
    open = open & stays;
    const WFloat slack = size_sum * splat(kDepthTolerance);
    const WFloat high = corner.highest();
    const WMask proven = pick.without(BoxPick::kUnproven);
    const WMask all_deep =
        over & proven & (high + slack <= pick.margin) & clip_is_deep(high, pick.optimum, preference, size_sum);
    WMask certain = all_deep;
    if (any(open & ~certain)) {
        // So does a point on the way from the centre to the lowest corner, as far as it is over the reference face.
        const WFloat between = corner.towards_lowest(incident, room_u, room_v);
        const WMask part_deep = over & proven & (between + slack <= pick.margin) &
                                clip_is_deep(between + slack, pick.optimum, preference, size_sum);
        const WFloat low = lowest_over(incident, reference, size_sum, pick.margin);
        certain = certain | part_deep |
                  (clip_proves(low, pick, size_sum) & clip_is_deep(low, pick.optimum, preference, size_sum));
    }
    const WMask held = certain & open;
    pick.codes = select(held, pick.codes | held_codes(at_incident, ~reference.on_b, at_reference), pick.codes);
    return held;
}

// Takes the held lanes whose clip does not give the contact back to their lists. `failed`: their bits.
inline void return_boxes(BoxScratch& s, std::uint32_t begin, std::uint32_t failed) {
    for (std::uint32_t rest = failed; rest != 0; rest &= rest - 1) {
        BoxPick pick = s.faces[begin + lowest_bit(rest)];
        BoxPicks& home = (pick.codes & BoxPick::kFromEdges) != 0     ? s.edges
                         : (pick.codes & BoxPick::kFromNearest) != 0 ? s.nearest
                                                                     : s.faces;
        pick.codes = (pick.codes & (BoxPick::kHeld - 1)) | BoxPick::kFinal | BoxPick::kCrowded;
        home.push(pick);
    }
}

// Hysteresis of the contacts of faces that `emitted` names. Returns the lanes whose contact stands; the others went to
// the end of the list.
template <class Record>
inline std::uint32_t hold_box_faces(Chunk<Record> chunk, BoxScratch& s, const LaneBoxPick& pick, const BoxLanes& x,
                                    const BoxFaceBatch& batch, const BoxFaceHold& h) {
    Counters& counters = chunk.totals.counters;
    counters.held += count_bits(bits(h.held & pick.without(BoxPick::kFinal)) & batch.emitted);
    const std::uint32_t tried =
        bits(pick.without(BoxPick::kFinal | BoxPick::kHeld)) & batch.emitted & bits(h.previous.may_stay & ~h.same);
    counters.hold_tried += count_bits(tried);
    counters.hold_lanes += count_bits(tried);
    const std::uint32_t asked = tried & bits(h.previous.face);
    if (asked == 0) return batch.emitted;
    const BoxClip& clip = batch.clip;
    const BoxFaceSeparations separations(x);
    const WFloat preference = min(x.size_a, x.size_b) * splat(chunk.job.face_preference);
    const WFloat value = max(batch.distance, separations.towards(pick.face_code()) + preference);
    const WMask same_reference =
        (h.previous.kind == face_kind(clip.plane.on_b)) & (h.previous.reference() == clip.reference_face);
    const WInt again = select(same_reference, WInt(BoxPick::kSameReference), WInt(0));
    return batch.emitted & ~hold_boxes(*chunk.job.hold, chunk.job.face_preference, batch.places.places, x, separations,
                                       h.previous, asked, value, again, pick, s);
}

// The inverse of box_pair_number(); -1 for what is no number of a pair of features.
LANEFOLD_INLINE WInt packed_features(WInt number, WMask on_b) {
    const WMask real = (number < WInt(kBoxFeatures * kBoxFeatures)) & (WInt(-1) < number);
    const WInt of_a = shift_right_logical(number * WInt(1261), 15);  // number / 26 for all real ones
    const WInt of_b = number + of_a * WInt(-kBoxFeatures);
    const WInt packed = select(on_b, of_a, of_b) | (select(on_b, of_b, of_a) * WInt(1 << BoxFaceNumbers::kBits));
    return select(real, packed, WInt(-1));
}

// Reduces the crowded lanes to four points, to the previous ones where these may stay.
inline void reduce_held_boxes(const ChunkHold& hold, const BoxLanes& x, const BoxFaceHold& h, WMask crowded,
                              BoxFaceBatch& batch, Counters& counters) {
    BoxClip& clip = batch.clip;
    const WMask asked = crowded & (h.same | h.held) & h.previous.face & (h.previous.count == WInt(4));
    if ((bits(asked) & batch.emitted) == 0) {
        reduce_lanes(clip.points, kBoxCandidates, crowded);
        return;
    }
    const WMask on_b = clip.plane.on_b;
    const LanePreviousPoints previous = LanePreviousPoints::load(hold, batch.places.pair);
    WInt names[4];
    for (int k = 0; k < 4; ++k) names[k] = packed_features(previous.number[k], on_b);
    const HeldPoints points = reduce_or_hold(clip.points, kBoxCandidates, crowded, asked, names,
                                             min(x.size_a, x.size_b) * splat(hold.hysteresis),
                                             [&](int c) LANEFOLD_INLINE_LAMBDA { return clip.features[c]; });
    const std::uint32_t own = bits(~h.held) & batch.emitted;
    counters.hold_tried += count_bits(bits(points.otherwise) & own);
    counters.hold_lanes += count_bits(bits(points.otherwise) & own);
    counters.held += count_bits(bits(points.held) & own);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
