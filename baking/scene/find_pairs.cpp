// SPDX-License-Identifier: MIT
//
// Finds candidate pairs for the commands.
#include "scene/find_pairs.hpp"

#include <new>

#include <tbb/task_arena.h>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

struct PairFinder::Impl {
    explicit Impl(std::uint32_t threads) : arena(arena_size(threads)) {}

    tbb::task_arena arena;
    lanefold::PairFinder finder;
    PairFinderResult found;
};

PairFinder::PairFinder(std::uint32_t threads) : impl_(std::make_unique<Impl>(threads)) {}
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;
PairFinder::~PairFinder() = default;

std::span<const Pair> PairFinder::find(const HullSet& hulls, const BodyView& bodies,
                                       std::span<const float> inverse_mass, std::span<const std::uint32_t> group,
                                       float margin) {
    PairFinderOptions options;
    options.margin = margin;
    options.inverse_mass = inverse_mass;
    options.group = group;
    impl_->arena.execute([&] { impl_->found = impl_->finder.find(hulls, bodies, options); });
    const CallStatus& status = impl_->found.status;
    if (status.code == Status::out_of_memory) throw std::bad_alloc();
    if (!status)
        throw bad_input("candidate pairs of {} bodies: {} (given: {})", bodies.count, status.what, status.where);
    return impl_->found.pairs;
}

std::span<const Pair> PairFinder::find(const HullSet& hulls, const Scene& scene, const SceneFrame& frame,
                                       float margin) {
    return find(hulls, scene.view(frame), scene.inverse_mass(), scene.group(), margin);
}

std::uint64_t PairFinder::bodies_without_box() const { return impl_->found.without_box; }
std::span<const WorldBox> PairFinder::boxes() const { return impl_->finder.boxes(); }

void find_pairs(PairFinder& finder, const Scene& scene, const HullSet& hulls, float margin, SceneFrame& frame) {
    const std::span<const Pair> found = finder.find(hulls, scene, frame, margin);
    frame.pairs.assign(found.begin(), found.end());
}

std::vector<Pair> find_pairs(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                             std::span<const std::uint32_t> group, float margin) {
    PairFinder finder;
    const std::span<const Pair> found = finder.find(hulls, bodies, inverse_mass, group, margin);
    return {found.begin(), found.end()};
}

}  // namespace lanefold::tools
