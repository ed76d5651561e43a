// SPDX-License-Identifier: MIT
//
// Rays against bodies and surfaces on all cores of the caller's tbb::task_arena. docs/between_frames.md has the
// definition.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/serial_rays.hpp>

namespace lanefold {

// See cast_rays_serial(). The same bits.
LANEFOLD_EXPORT RayResult cast_rays(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                    std::span<RayHit> out, SweepWorkspace& workspace, const RayInputs& inputs = {});

// See cast_rays_all_serial(). The same bits.
LANEFOLD_EXPORT RayResult cast_rays_all(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                        std::span<std::uint64_t> offsets, std::span<RayHit> out,
                                        SweepWorkspace& workspace, const RayInputs& inputs = {});

}  // namespace lanefold
