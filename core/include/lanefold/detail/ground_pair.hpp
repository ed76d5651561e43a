// SPDX-License-Identifier: MIT
//
// A pair of a hull and a surface, for the calls that take such pairs among others: the contacts of collide_surface(),
// as records of the pair in its own order. In float64, one pair at a time. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// One pair in the caller's values: quaternions are validated but not normalised.
struct GroundPair {
    const HullRecord* body = nullptr;
    const SurfaceView* surface = nullptr;
    double position_body[3] = {};
    double position_surface[3] = {};
    float orientation_body[4] = {};
    float orientation_surface[4] = {};
    float margin = 0;
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    std::uint32_t index_body = 0;
    std::uint32_t index_surface = 0;
    bool surface_is_a = false;  // of the records
    bool shifted = false;       // points are offsets from elsewhere than the body's position,
    Vec3d shift;                // which is there as seen from that place
};

struct GroundScratch;

// Memory that is reused from pair to pair.
class LANEFOLD_EXPORT GroundMemory {
public:
    GroundMemory();
    GroundMemory(const GroundMemory&) = delete;
    GroundMemory& operator=(const GroundMemory&) = delete;
    ~GroundMemory();

    GroundScratch& scratch() { return *scratch_; }

private:
    std::unique_ptr<GroundScratch> scratch_;
};

// Finds the contacts of the pair; returns how many there are. Throws std::bad_alloc.
LANEFOLD_EXPORT std::size_t collide_ground(const GroundPair& pair, GroundMemory& memory);

// Writes the record of contact k of the latest pair, of which the deepest is 0. It has no child numbers.
LANEFOLD_EXPORT void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, Manifold4& out);
LANEFOLD_EXPORT void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, Manifold16& out);
LANEFOLD_EXPORT void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, PairDistance& out);

}  // namespace lanefold::detail
