// SPDX-License-Identifier: MIT
//
// Memory of the float64 path: see precise/memory.hpp.
#include "precise/memory.hpp"

#include <algorithm>

#include <lanefold/detail/hull_block.hpp>

#include "precise/lanes.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

namespace {

template <class T>
void grow(std::vector<T>& v, std::size_t size) {
    if (v.size() < size) v.resize(size);
}

}  // namespace

void SolidMemory::reserve(std::size_t vertices, std::size_t faces, std::size_t edges) {
    // A triangulated hull has at most 2 V facets and 3 V edges.
    const std::size_t f = std::max(faces, 2 * vertices);
    const std::size_t e = std::max(edges, 3 * vertices);
    const std::size_t vs = round_up(vertices, kPreciseLanes);
    const std::size_t fs = round_up(f, kPreciseLanes);
    grow(numbers, 4 * vs + (5 + kWitnesses) * fs);
    grow(bits, fs);
    grow(indices, 4 * e + f + faces + 1);
    grow(survivors, e);
    arcs.reserve(e);
    near_vertices.reserve(vertices);
    near_edges.reserve(edges);
}

void ClipMemory::reserve(std::size_t vertices) {
    const std::size_t wanted = std::max(stride, round_up(vertices + 1, kPreciseLanes));
    grow(numbers, row_count * wanted);
    stride = wanted;
}

void PatchMemory::reserve(std::size_t vertices) {
    hull.reserve(2 * vertices);
    for (int side = 0; side < 2; ++side) {
        corners[side].reserve(vertices);
        outline[side].reserve(2 * vertices);
    }
}

void PreciseScratch::Impl::reserve(std::size_t vertices, std::size_t faces, std::size_t edges) {
    if (vertices <= room_vertices && faces <= room_faces && edges <= room_edges) return;
    vertices = std::max(room_vertices, vertices);
    faces = std::max(room_faces, faces);
    edges = std::max(room_edges, edges);
    a.reserve(vertices, faces, edges);
    b.reserve(vertices, faces, edges);
    // A face has at most V sides. Each incident side gives at most a vertex and two crossings, each reference corner at
    // most one point.
    clip.reserve(vertices);
    points.reserve(4 * vertices);
    patch.reserve(vertices);
    stack.reserve(4 * vertices);
    // Set last, because an allocation above may throw.
    room_vertices = vertices;
    room_faces = faces;
    room_edges = edges;
}

PreciseScratch::PreciseScratch() : impl_(std::make_unique<Impl>()) {}
PreciseScratch::PreciseScratch(PreciseScratch&&) noexcept = default;
PreciseScratch& PreciseScratch::operator=(PreciseScratch&&) noexcept = default;
PreciseScratch::~PreciseScratch() = default;

void PreciseScratch::reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges) {
    impl_->reserve(max_vertices, max_faces, max_edges);
}

}  // namespace lanefold::detail
