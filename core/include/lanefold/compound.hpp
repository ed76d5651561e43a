// SPDX-License-Identifier: MIT
//
// Compounds: bodies of several convex pieces. A compound is an id of a HullSet like a hull, and its children are hulls
// of the same set, each with a pose in the compound's frame. A pair of bodies is then one of children: those whose
// boxes overlap within the margin meet, and records name them (manifold.hpp). Children of one body never meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold {

// Why children give no compound.
enum class CompoundError : std::uint8_t {
    ok = 0,
    empty = 1,         // a compound without children
    bad_hull = 2,      // the id is out of range
    removed_hull = 3,  // the hull was removed
    no_hull = 4,       // the id is not a hull: compounds have no compounds
    bad_pose = 5,      // a position that is not finite or beyond 1e15, or a quaternion that is not near unit length
    bad_offsets = 6,   // no offsets, not ascending, or beyond the children
    internal = 7,      // out of memory
};

// "ok", "empty", ...; "unknown" for a value outside of the enumeration.
LANEFOLD_EXPORT const char* to_string(CompoundError error);

// The fault of the children of one compound.
struct CompoundReport {
    CompoundError error = CompoundError::ok;
    std::uint32_t compound = 0;  // index of the compound in the call
    std::uint32_t child = 0;     // relative to the compound's first child
    const char* what = "";       // static storage

    explicit operator bool() const { return error == CompoundError::ok; }
};

// The compounds of a call, all or none.
struct [[nodiscard]] CompoundResult {
    HullSet hulls;                         // those of the call, then the compounds; empty if any compound failed
    std::vector<CompoundReport> failures;  // the first of each compound, ascending; empty on success
    explicit operator bool() const { return failures.empty(); }
};

// Builds compound i from children[offsets[i]] .. children[offsets[i + 1] - 1], whose ids are those of `hulls`. The
// compound's id is hulls.size() + i. offsets has (number of compounds + 1) entries. HullInfo::mass of a compound is the
// sum over its children, where they overlap counted twice. Only if there is no memory for the list of failures,
// std::bad_alloc is thrown.
LANEFOLD_EXPORT CompoundResult build_compounds(const HullSet& hulls, std::span<const CompoundChild> children,
                                               std::span<const std::uint64_t> offsets);

// Builds one compound; its id is hulls.size().
LANEFOLD_EXPORT CompoundResult build_compound(const HullSet& hulls, std::span<const CompoundChild> children);

// The body that a child of a body is, which is what pairs of children are exact for. Its pose is computed in float64,
// and the orientation rounded to float32 once, by up to 1e-7 radians; it is not rounded where the body or the child is
// not turned. Calls use the same, relative to the position of body a of the pair. The body must have a good pose and a
// compound of the set.
LANEFOLD_EXPORT BodyD child_body(const HullSet& hulls, const BodyD& body, std::size_t child);

}  // namespace lanefold
