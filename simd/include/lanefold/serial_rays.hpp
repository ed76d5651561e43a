// SPDX-License-Identifier: MIT
//
// Rays against bodies and surfaces on the calling thread. rays.hpp has the same calls on all cores. Whoever has the
// PairFinder of a scene casts over its tree instead (scene_queries.hpp): these calls build a tree each.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/ray_record.hpp>
#include <lanefold/serial_sweep.hpp>

namespace lanefold {

// Casts rays against all bodies, of any shape, and the surfaces of the inputs: out[i] is the record of rays[i]. The
// point of a hit is within 2e-6 of the hull's size (of its distance from the ray's origin beyond float64's digits) of
// the surface, and the ray is not deeper than that in any body before. A ray that is not finite or has no length is
// failed. Refused with bad_argument: spans of different lengths, null with a length, not aligned, or overlapping one
// that is written; bodies that are not aligned, a surface that is null or has a bad pose, a workspace in use or moved
// from.
LANEFOLD_EXPORT RayResult cast_rays_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                           std::span<RayHit> out, SweepWorkspace& workspace,
                                           const RayInputs& inputs = {});

// All hits: those of rays[i] are out[offsets[i]] to out[offsets[i + 1] - 1], by fraction, then body, child and feature.
// A body or a child has one, where the ray first meets it; a surface one for each triangle. A failed ray has one
// record. offsets has one element more than rays, and always ends with the number of all records; if `out` is too small
// the status is truncated, and the records of whole rays before next_ray are there.
LANEFOLD_EXPORT RayResult cast_rays_all_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                               std::span<std::uint64_t> offsets, std::span<RayHit> out,
                                               SweepWorkspace& workspace, const RayInputs& inputs = {});

}  // namespace lanefold
