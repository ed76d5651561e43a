// SPDX-License-Identifier: MIT
//
// All that a Surface owns. The view points into it, so a state stays where it was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/surface.hpp>

#include "surface/height_grid.hpp"
#include "surface/mesh_draft.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {

struct SurfaceState {
    SurfaceState() = default;
    SurfaceState(const SurfaceState&) = delete;
    SurfaceState& operator=(const SurfaceState&) = delete;

    SurfaceView view;
    // A mesh.
    std::vector<Vec3f> vertices;
    std::vector<Corners> corners;
    std::vector<std::uint32_t> opposites;
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> fans;
    std::vector<std::uint32_t> input;  // per triangle
    TriangleTree tree;
    // A height field.
    HeightGrid grid;
    // Both. Per triangle of a mesh, per cell of a field; empty: all 0.
    std::vector<std::uint16_t> materials;
    SurfaceBox bounds;
    Vec3d shift;
    double rounding = 0;
    std::uint64_t fingerprint = 0;
    SurfaceReport report;

    // Lets the view point at the arrays, which are whole now.
    void bind_mesh(double thickness, double largest);
    void bind_field(double thickness, double largest);

    std::size_t vertex_bytes() const;
    std::size_t bytes() const;
};

// A state from a draft that is done, and its edges. `materials` is per input triangle, or empty. Empties the draft.
std::shared_ptr<const SurfaceState> make_mesh_state(MeshDraft& draft, EdgeMatch& match,
                                                    std::span<const std::uint16_t> materials, float thickness);

}  // namespace lanefold::detail
