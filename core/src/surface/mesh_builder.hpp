// SPDX-License-Identifier: MIT
//
// The builder of meshes behind build_surface and surface_of_hulls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/surface.hpp>

#include "surface/mesh_draft.hpp"

namespace lanefold::detail {

struct MeshInput {
    std::span<const Corners> triangles;
    std::span<const std::uint32_t> numbers;    // per triangle: its number in the caller's input; none: its own
    std::span<const std::uint16_t> materials;  // per number, or none
    std::size_t points = 0;
};

// A surface, or why there is none. Options other than materials count.
SurfaceResult build_mesh(std::span<const Vec3f> points, const MeshInput& input, const SurfaceOptions& options);
SurfaceResult build_mesh(std::span<const Vec3d> points, const MeshInput& input, const SurfaceOptions& options);

}  // namespace lanefold::detail
