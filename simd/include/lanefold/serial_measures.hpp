// SPDX-License-Identifier: MIT
//
// Measures of contacts, on the calling thread. measures.hpp has the same call on all cores.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/measure_record.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// Memory that a caller keeps between calls. With it calls allocate nothing after warm-up. One call at a time may use
// it; a second one is refused.
class LANEFOLD_EXPORT MeasureWorkspace {
public:
    MeasureWorkspace();
    MeasureWorkspace(MeasureWorkspace&&) noexcept;
    MeasureWorkspace& operator=(MeasureWorkspace&&) noexcept;
    ~MeasureWorkspace();

    struct Impl;  // simd/src/measure/measure_call.hpp
    Impl& impl() { return *impl_; }

    // False after a move from it.
    bool valid() const { return impl_ != nullptr; }

private:
    std::unique_ptr<Impl> impl_;
};

// Sums over the pairs of a call. `volume` is added in the order of the pairs.
struct [[nodiscard]] MeasureResult {
    CallStatus status;
    std::uint64_t by_state[kMeasureStateCount] = {};
    double volume = 0;
};

// Measures every pair: out[i] belongs to pairs[i]. Body b of pair i is moved by shifts[i] in world axes (none if
// `shifts` is empty), as periodic boundaries need. Taken are sharp hulls with each other and with half-spaces, spheres
// with each other and with half-spaces; other shapes, compounds among them, are not measured. A bad pose, hull or index
// is the status of its pair.
//
// Merged faces are flat within 5e-7 of a hull's size, and that limits the measures: with L the larger and s the smaller
// size, a volume is within 1e-5 of itself or of L s^2, an area of itself or of L s, a volume's centroid within
// 1e-5 s + 1e-4 L s^3 / volume, and that of an area above 0.01 s^2 by 1e-4 L s^2 / area more. The bits are the same for
// any threads, order and instruction set.
//
// Refused with bad_argument: spans that differ in length, null with a length, not aligned, or overlapping `out`; bodies
// that are not aligned, a workspace in use or moved from.
LANEFOLD_EXPORT MeasureResult measure_contacts_serial(const HullSet& hulls, const BodyView& bodies,
                                                      std::span<const Pair> pairs, std::span<ContactMeasures> out,
                                                      MeasureWorkspace& workspace, std::span<const Vec3d> shifts = {});

}  // namespace lanefold
