// SPDX-License-Identifier: MIT
//
// A batch of rays over any scene: arguments, blocks of rays, one record each or all hits with their offsets. Internal.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/ray_hits.hpp>
#include <lanefold/ray_record.hpp>

namespace lanefold::detail {

// Rays of a block, which is what a task claims: some microseconds to some milliseconds. It changes no result.
inline constexpr std::size_t kRayBlock = 256;

struct RayOutput {
    std::span<const Ray> rays;
    std::span<RayHit> out;
    std::span<std::uint64_t> offsets;  // of all hits
    const RayInputs* inputs = nullptr;
    bool all = false;
};

// Memory of calls, kept by the caller.
struct RayMemory {
    std::vector<RaySurface> surfaces;
    std::vector<std::vector<RayHit>> found;  // per block, where all hits are asked for
};

inline RaySides sides_of(const RayInputs& inputs) { return inputs.back_faces ? RaySides::both : RaySides::outer; }

// The arrays of a call of rays: there, aligned, and none that is written overlaps another, or the bodies.
inline CallStatus check_ray_arrays(const RayOutput& o, std::span<const Bytes> bodies) {
    Bytes rays;
    Bytes out;
    Bytes offsets;
    const CallStatus all[] = {
        check_array(o.rays, {"rays is null but has a length", "rays is not aligned", "rays exceed the address space"},
                    rays),
        check_array(o.out, kOutTexts, out),
        check_array(o.offsets,
                    {"offsets is null but has a length", "offsets is not aligned", "offsets exceed the address space"},
                    offsets)};
    for (const CallStatus& status : all) {
        if (!status) return status;
    }
    if (overlap(out, rays)) return refuse("out overlaps rays");
    if (overlap(offsets, rays) || overlap(offsets, out)) return refuse("offsets overlaps rays or out");
    for (const Bytes& field : bodies) {
        if (overlap(out, field) || overlap(offsets, field)) return refuse("out or offsets overlaps the bodies");
    }
    return {};
}

// `bodies`: where the fields of bodies are that the call reads.
inline CallStatus check_rays(const RayOutput& o, std::span<const Bytes> bodies = {}) {
    const CallStatus arrays = check_ray_arrays(o, bodies);
    if (!arrays) return arrays;
    if (!o.inputs->surfaces.empty() && o.inputs->surfaces.data() == nullptr) {
        return refuse("surfaces is null but has a length", o.inputs->surfaces.size());
    }
    if (o.inputs->mode != RayMode::first && (o.inputs->mode != RayMode::any || o.all)) {
        return refuse("mode must be first or any, and first for all hits", static_cast<std::uint64_t>(o.inputs->mode));
    }
    if (!o.all)
        return o.rays.size() == o.out.size() ? CallStatus{} : refuse("out and rays differ in length", o.out.size());
    return o.offsets.size() == o.rays.size() + 1 ? CallStatus{}
                                                 : refuse("offsets needs one element more than rays", o.offsets.size());
}

// Puts the lists of all blocks behind one another, as far as whole rays fit. offsets[i + 1] is the number of ray i's.
template <class Loop>
void join_hits(const RayOutput& o, const RayMemory& memory, const Loop& loop, RayResult& result) {
    o.offsets[0] = 0;
    for (std::size_t i = 0; i < o.rays.size(); ++i) o.offsets[i + 1] += o.offsets[i];
    result.required = o.offsets[o.rays.size()];
    result.next_ray = o.rays.size();
    if (result.required > o.out.size()) {
        const auto* const last = std::upper_bound(o.offsets.data(), o.offsets.data() + o.offsets.size(), o.out.size());
        result.next_ray = static_cast<std::uint64_t>(last - o.offsets.data()) - 1;
        result.status = {Status::truncated, "out is too small; required has the number of records", o.out.size()};
    }
    result.written = o.offsets[result.next_ray];
    loop([&](std::size_t b) {
        const std::size_t first = b * kRayBlock;
        if (first >= result.next_ray) return;
        const std::size_t last = std::min<std::size_t>(result.next_ray, first + kRayBlock);
        const auto count = static_cast<std::ptrdiff_t>(o.offsets[last] - o.offsets[first]);
        std::copy(memory.found[b].begin(), memory.found[b].begin() + count,
                  o.out.begin() + static_cast<std::ptrdiff_t>(o.offsets[first]));
    });
}

// Casts rays that were checked. meet(i, ray, hits) takes the bodies of the scene that ray i may meet, of which there
// are `bodies`. loop(f) calls f for all blocks, on any tasks.
template <class Meet, class Loop>
void run_ray_batch(const RayOutput& o, RayMemory& memory, std::size_t bodies, const Meet& meet, const Loop& loop,
                   RayResult& result) {
    const std::size_t blocks = (o.rays.size() + kRayBlock - 1) / kRayBlock;
    if (o.all && memory.found.size() < blocks) memory.found.resize(blocks);
    const RaySides sides = sides_of(*o.inputs);
    std::atomic<std::uint64_t> by_state[kRayStateCount] = {};
    const auto cast = [&](std::size_t i, RayHits hits) {
        RayLine ray;
        if (!read_ray(o.rays[i], ray)) return failed_ray();
        meet(i, ray, hits);
        hits.take_surfaces(memory.surfaces, static_cast<std::uint32_t>(bodies), ray, sides);
        return hits.finish();
    };
    loop([&](std::size_t b) {
        std::uint64_t states[kRayStateCount] = {};
        if (o.all) memory.found[b].clear();
        for (std::size_t i = b * kRayBlock; i < std::min(o.rays.size(), (b + 1) * kRayBlock); ++i) {
            if (!o.all) {
                o.out[i] = cast(i, RayHits(o.inputs->mode));
                ++states[static_cast<std::size_t>(o.out[i].state)];
                continue;
            }
            const std::size_t before = memory.found[b].size();
            const RayHit first = cast(i, RayHits(memory.found[b]));
            if (first.state == RayState::failed) memory.found[b].push_back(first);
            ++states[static_cast<std::size_t>(first.state)];
            o.offsets[i + 1] = memory.found[b].size() - before;
        }
        for (std::size_t s = 0; s < kRayStateCount; ++s) by_state[s] += states[s];
    });
    for (std::size_t s = 0; s < kRayStateCount; ++s) result.by_state[s] = by_state[s];
    if (o.all) join_hits(o, memory, loop, result);
}

}  // namespace lanefold::detail
