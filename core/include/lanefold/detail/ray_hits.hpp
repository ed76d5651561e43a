// SPDX-License-Identifier: MIT
//
// The hits of one ray, whatever finds the bodies that it may meet: which of them count, their order, their records.
// Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/detail/ray.hpp>
#include <lanefold/export.hpp>
#include <lanefold/ray_record.hpp>

namespace lanefold::detail {

// A surface as rays see it.
struct RaySurface {
    PoseD pose;
    const SurfaceView* view = nullptr;
};

// Whether surfaces of a call can be placed; refuses the call otherwise, with the surface.
LANEFOLD_EXPORT CallStatus place_surfaces(std::span<const PlacedSurface> surfaces, std::vector<RaySurface>& out);

// A ray's points; false if they are not finite, or it has no length.
LANEFOLD_EXPORT bool read_ray(const Ray& ray, RayLine& out);

// Takes what a ray meets, in any order: the same hits remain.
class LANEFOLD_EXPORT RayHits {
public:
    // One hit of this mode.
    explicit RayHits(RayMode mode) : any_(mode == RayMode::any) {}
    // All hits, added to this list.
    explicit RayHits(std::vector<RayHit>& all) : all_(&all), begin_(all.size()) {}

    // No hit beyond this fraction counts; negative: none does any more.
    double most() const { return most_; }

    // Takes the hits with a body, or with a child of one.
    void take(std::uint32_t body, std::uint32_t child, const RayTarget& target, const RayLine& ray, RaySides sides);

    // Takes the hits with the triangles of surfaces, whose numbers begin with `first`.
    void take_surfaces(std::span<const RaySurface> surfaces, std::uint32_t first, const RayLine& ray, RaySides sides);

    // The record of the first hit, or of a miss. Where all hits are listed, they are in order then.
    RayHit finish();

private:
    void add(std::uint32_t body, std::uint32_t child, const RayMeets& m);

    bool any_ = false;
    std::vector<RayHit>* all_ = nullptr;
    std::size_t begin_ = 0;
    double most_ = 1;
    bool found_ = false;
    RayHit best_ = {};
};

// The record of a ray that was not read.
LANEFOLD_EXPORT RayHit failed_ray();

}  // namespace lanefold::detail
