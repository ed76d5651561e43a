// SPDX-License-Identifier: MIT
//
// The questions that a Surface answers; see surface.hpp.
#include <lanefold/surface.hpp>

#include <cassert>
#include <utility>

#include "surface/surface_state.hpp"

namespace lanefold {

namespace {

// It owns nothing and allocates nothing, so that a result can say that memory ran out.
std::shared_ptr<const detail::SurfaceState> empty_state() {
    static const detail::SurfaceState kEmpty;
    return {std::shared_ptr<const void>(), &kEmpty};
}

}  // namespace

Surface::Surface() : state_(empty_state()) {}

Surface::Surface(std::shared_ptr<const detail::SurfaceState> state) : state_(std::move(state)) {}

std::size_t Surface::triangle_count() const { return state_->view.triangle_count(); }

bool Surface::exists(std::uint32_t t) const { return state_->view.exists(t); }

std::array<std::uint32_t, 3> Surface::triangle(std::uint32_t t) const {
    assert(t < triangle_count());
    return state_->view.triangle(t);
}

std::uint32_t Surface::neighbour(std::uint32_t t, int k) const {
    assert(t < triangle_count() && k >= 0 && k < 3);
    const std::uint32_t across = state_->view.opposite(t, k);
    return across == kBorder ? kBorder : across / 3;
}

std::uint32_t Surface::input_triangle(std::uint32_t t) const {
    assert(t < triangle_count());
    return is_height_field() ? t : state_->input[t];
}

std::uint16_t Surface::material(std::uint32_t t) const {
    assert(t < triangle_count());
    if (state_->materials.empty()) return 0;
    return state_->materials[is_height_field() ? t / 2 : t];
}

bool Surface::has_materials() const { return !state_->materials.empty(); }

FeatureCounts Surface::feature_counts() const {
    const std::uint32_t triangles = state_->view.triangle_count();
    return {triangles, 3 * triangles, state_->view.vertex_count()};
}

std::size_t Surface::vertex_count() const { return state_->view.vertex_count(); }

Vec3f Surface::vertex(std::uint32_t v) const {
    assert(v < vertex_count());
    return state_->view.vertex(v);
}

std::span<const Vec3f> Surface::vertices() const { return state_->vertices; }

bool Surface::is_height_field() const { return state_->grid.rows > 0; }

SurfaceBox Surface::bounds() const { return state_->bounds; }

double Surface::size() const { return 0.5 * length(state_->bounds.high - state_->bounds.low); }

float Surface::thickness() const { return static_cast<float>(state_->view.thickness()); }

Vec3d Surface::shift() const { return state_->shift; }

double Surface::rounding() const { return state_->rounding; }

const SurfaceReport& Surface::report() const { return state_->report; }

std::uint64_t Surface::fingerprint() const { return state_->fingerprint; }

std::size_t Surface::bytes() const { return state_->bytes(); }

std::size_t Surface::vertex_bytes() const { return state_->vertex_bytes(); }

const detail::SurfaceView& Surface::view() const { return state_->view; }

SurfaceArrays surface_arrays(const Surface& surface) {
    SurfaceArrays arrays;
    for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) arrays.vertices.push_back(surface.vertex(v));
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        arrays.triangles.push_back(surface.triangle(t));
        arrays.numbers.push_back(t);
        if (surface.has_materials()) arrays.materials.push_back(surface.material(t));
    }
    return arrays;
}

}  // namespace lanefold
