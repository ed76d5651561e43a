// SPDX-License-Identifier: MIT
//
// Finds candidate pairs for the commands.
#include "scene/find_pairs.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include <tbb/task_arena.h>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

namespace {

// Unmarks bodies of which not all kWidth numbers have the bytes that they had before.
template <std::size_t kWidth, class T>
void unmark_changed(const std::vector<T>& now, const std::vector<T>& before, std::vector<std::uint8_t>& marks) {
    if (now.empty()) return;  // the scene has the other kind of positions
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (std::memcmp(&now[kWidth * i], &before[kWidth * i], kWidth * sizeof(T)) != 0) marks[i] = 0;
    }
}

}  // namespace

struct PairFinder::Impl {
    Impl() = default;
    explicit Impl(std::uint32_t threads) : arena(std::in_place, arena_size(threads)) {}

    std::optional<tbb::task_arena> arena;  // none: the caller's
    lanefold::PairFinder finder;
    PairFinderResult found;

    // Of the frame before.
    std::vector<float> position;
    std::vector<double> position_double;
    std::vector<float> orientation;
    std::vector<std::uint8_t> unmoved;
};

PairFinder::PairFinder(std::uint32_t threads) : PairFinder(std::make_unique<Impl>(threads)) {}
PairFinder::PairFinder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PairFinder PairFinder::of_the_caller() { return PairFinder(std::make_unique<Impl>()); }
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;
PairFinder::~PairFinder() = default;

std::span<const Pair> PairFinder::find(const HullSet& hulls, const BodyView& bodies,
                                       std::span<const float> inverse_mass, std::span<const std::uint32_t> group,
                                       float margin, std::span<const std::uint8_t> unmoved) {
    PairFinderOptions options;
    options.margin = margin;
    options.inverse_mass = inverse_mass;
    options.group = group;
    options.unmoved = unmoved;
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
    Impl& kept = *impl_;
    const bool first = kept.orientation.size() != frame.orientation.size();
    kept.unmoved.assign(scene.bodies(), first ? 0 : 1);
    if (!first) {
        unmark_changed<3>(frame.position, kept.position, kept.unmoved);
        unmark_changed<3>(frame.position_double, kept.position_double, kept.unmoved);
        unmark_changed<4>(frame.orientation, kept.orientation, kept.unmoved);
    }
    find(hulls, scene.view(frame), scene.inverse_mass(), scene.group(), margin, kept.unmoved);
    kept.position = frame.position;
    kept.position_double = frame.position_double;
    kept.orientation = frame.orientation;
    return kept.found.pairs;
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
