// SPDX-License-Identifier: MIT
//
// Finds candidate pairs for the commands.
#include "scene/find_pairs.hpp"

#include <new>
#include <optional>
#include <utility>

#include <tbb/task_arena.h>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

namespace {

// Up to so many threads, a search by one of them is shorter than the narrowphase of the same frame by all: it takes a
// fifth of that where most bodies fall, and a twentieth where most rest. Shared, its short loops cost a fifth more.
constexpr int kFewThreads = 4;

}  // namespace

struct PairFinder::Impl {
    Impl() = default;
    explicit Impl(std::uint32_t threads) : arena(std::in_place, arena_size(threads)) {}

    std::optional<tbb::task_arena> arena;  // none: the caller's
    lanefold::PairFinder finder;
    PairFinderResult found;
};

PairFinder::PairFinder(std::uint32_t threads) : PairFinder(std::make_unique<Impl>(threads)) {}
PairFinder::PairFinder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PairFinder PairFinder::of_the_caller() { return PairFinder(std::make_unique<Impl>()); }
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
    if (!impl_->arena && tbb::this_task_arena::max_concurrency() <= kFewThreads) options.threads = 1;
    const auto find = [&] { impl_->found = impl_->finder.find(hulls, bodies, options); };
    if (impl_->arena) {
        impl_->arena->execute(find);
    } else {
        find();
    }
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
