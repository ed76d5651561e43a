// SPDX-License-Identifier: MIT
//
// A call of sweeps on an executor: arguments, chunks, dense and compact output. The serial and the parallel calls share
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/detail/ray_batch.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/serial_sweep.hpp>

#include "sweep/ray_bodies.hpp"
#include "sweep/sweep_chunk.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

struct SweepArguments {
    const HullSet* hulls = nullptr;
    const BodyView* begin = nullptr;
    const BodyView* end = nullptr;
    std::span<const Pair> pairs;
    const SweepOptions* options = nullptr;
    std::span<SweepRecord> out;
    SweepWorkspace* workspace = nullptr;
    const SweepInputs* inputs = nullptr;
    bool compact = false;
    std::uint64_t first_pair = 0;
};

// The status of a refused call; ok otherwise.
CallStatus check_sweep(const SweepArguments& arguments);

LANEFOLD_EXPORT SweepResult run_sweep(const SweepArguments& arguments, Executor& executor);

}  // namespace lanefold::detail

namespace lanefold {

struct SweepWorkspace::Impl {
    std::atomic<std::uint32_t> in_use = 0;  // 1 while a call runs: refuses a second one
    detail::ScaledBodies scaled;
    std::vector<std::unique_ptr<detail::SweepSlot>> slots;
    detail::RayScene rays;
    detail::RayMemory ray_memory;
    AlignedBuffer<SweepRecord> staging;  // compact calls: the records of some chunks
};

}  // namespace lanefold
