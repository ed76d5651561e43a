// SPDX-License-Identifier: MIT
//
// Contacts of bodies with a surface of triangles, in float64 (docs/contract.md: Surfaces). A surface touches only with
// features that are locally extreme, so a body that slides over a flat tessellation meets no other normal than the
// plane's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/surface.hpp>

namespace lanefold {

// The place of a surface: that of the origin of its coordinates, in world axes and the caller's unit.
struct SurfacePose {
    double position[3] = {};
    float orientation[4] = {0, 0, 0, 1};  // x, y, z, w
    std::uint32_t index = 0xFFFFFFFFU;    // body b of the records
};

// The contacts of bodies with a surface: any number of records for each body, one for each normal, deepest first. Body
// a of a record is the body, so normals point into the surface and points are offsets from the body's position.
// feature_b is a triangle, 3 t + k for edge k of triangle t (the lower of the two that share it), or a vertex; so are
// the numbers in the points' ids, of 3 times as many edges as triangles.
struct SurfaceContacts {
    std::vector<Manifold4> records;
    std::vector<std::uint64_t> offsets;  // of body i: records[offsets[i] .. offsets[i + 1])
};

// Collides the given bodies (all, if the list is empty) with the surface. Options::margin, face_preference (a face's
// normal instead of one across edges that separates by at most this more, relative to the body's size) and points
// count; method, hysteresis and threads do not. A body with a bad pose, hull or index has one record with that status
// and no points. A bad pose of the surface refuses the call, as do options out of range; out_of_memory: `out` is
// empty. `out` keeps its memory.
LANEFOLD_EXPORT CallStatus collide_surface(const Surface& surface, const SurfacePose& pose, const HullSet& hulls,
                                           const BodyView& bodies, std::span<const std::uint32_t> list,
                                           const Options& options, SurfaceContacts& out);

}  // namespace lanefold
