// SPDX-License-Identifier: MIT
//
// Each task takes worlds one by one, with working memory of its own: it stays in the caches of its core, and worlds
// that rest cost no memory but their state.
#include <lanefold/world_batch.hpp>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "calls/body_arrays.hpp"
#include "calls/impl.hpp"
#include "calls/kept_state.hpp"
#include "calls/shared_bodies.hpp"

namespace lanefold {
namespace {

using detail::refuse;

constexpr const char* kMovedFrom = "the batch was moved from";
constexpr const char* kBehindShared = "bodies: those that all worlds share come last, and there are some";

bool takes_part(std::span<const std::uint8_t> active, std::size_t w) { return active.empty() || active[w] != 0; }

CallStatus out_of_memory(std::size_t w) { return {Status::out_of_memory, "a world of the batch", w}; }

}  // namespace

struct WorldBatch::Impl {
    std::vector<World> worlds;
    std::vector<std::vector<std::byte>> kept;  // per world; empty: none
    detail::SharedBodies shared;
    detail::BodyArrays arrays;
    std::vector<std::unique_ptr<detail::Step>> steps;  // per task
    std::vector<detail::KeptMotion> kept_motion;       // per task
    std::vector<std::size_t> list;                     // worlds that take part in the latest call
    std::vector<CallStatus> status;                    // of each of them
    std::uint32_t threads = 0;
    detail::Loops loops;

    static World::Impl& of(World& world) { return *world.impl_; }

    CallStatus check(std::span<const std::uint8_t> active) const {
        if (active.empty() || (active.size() == worlds.size() && active.data() != nullptr)) return {};
        return refuse("active needs one byte for each world, or none", active.size());
    }

    // Number of bodies that only this world has.
    std::size_t own_bodies(std::size_t w) const { return worlds[w].size() - shared.size(); }

    // Makes the arrays fit the bodies. Throws std::bad_alloc.
    void fit_arrays() {
        std::vector<std::size_t> bodies(worlds.size());
        for (std::size_t w = 0; w < worlds.size(); ++w) bodies[w] = own_bodies(w);
        arrays.resize(bodies);
    }
    bool arrays_fit(std::size_t w) {
        const std::span<const std::uint64_t> offsets = arrays.view().offsets;
        return offsets.size() == worlds.size() + 1 && offsets[w + 1] - offsets[w] == own_bodies(w);
    }
    // Makes the arrays anew, with the present state, if a world of the list has other bodies. Throws std::bad_alloc.
    void prepare_arrays() {
        if (std::all_of(list.begin(), list.end(), [&](std::size_t w) { return arrays_fit(w); })) return;
        fit_arrays();
        in_default_environment([&] {
            for (std::size_t w = 0; w < worlds.size(); ++w) {
                arrays.read(of(worlds[w]).state, w);
                arrays.clear_orders(of(worlds[w]).state, w);
            }
        });
    }

    // Lists the worlds that take part. Eight that do not are passed at once: a reset is often of one out of thousands.
    void list_worlds(std::span<const std::uint8_t> active) {
        list.clear();
        for (std::size_t w = 0; w < worlds.size(); ++w) {
            std::uint64_t eight = 1;
            if (w + 8 <= active.size()) std::memcpy(&eight, &active[w], sizeof eight);
            if (eight == 0) {
                w += 7;
            } else if (takes_part(active, w)) {
                list.push_back(w);
            }
        }
    }

    unsigned prepare_tasks() {
        loops.begin_step(list.size() < 2 ? 1 : threads);
        const auto tasks = static_cast<unsigned>(std::clamp<std::size_t>(list.size(), 1, loops.tasks()));
        while (steps.size() < tasks) steps.push_back(std::make_unique<detail::Step>());
        if (kept_motion.size() < tasks) kept_motion.resize(tasks);
        status.assign(list.size(), {});
        return tasks;
    }

    // Calls f(w, task), which returns a status, for all worlds that take part, and tells what came of it.
    template <class F>
    WorldBatchResult each(std::span<const std::uint8_t> active, const F& f) {
        WorldBatchResult result;
        result.status = check(active);
        if (!result.status) return result;
        try {
            list_worlds(active);
            prepare_arrays();
            run(prepare_tasks(), f);
        } catch (const std::bad_alloc&) {
            result.status = out_of_memory(worlds.size());
            return result;
        }
        for (std::size_t k = 0; k < list.size(); ++k) {
            const CallStatus& own = status[k];
            ++(own ? result.done : result.refused);
            if (!own && result.status) result.status = {own.code, own.what, list[k]};
        }
        return result;
    }

    template <class F>
    void run(unsigned tasks, const F& f) {
        detail::BlockRuns runs(list.size(), tasks);
        auto work = [&](unsigned task) {
            in_default_environment([&] {
                runs.work(task, [&](std::size_t k) {
                    try {
                        status[k] = f(list[k], task);
                    } catch (const std::bad_alloc&) {
                        status[k] = out_of_memory(list[k]);
                    }
                });
            });
        };
        detail::run_slots(loops.executor(), tasks, work);
        if (tasks > 1) work(0);  // an executor may leave out tasks of a cancelled group
    }

    // One copy of the hulls' vertices for all finders. Throws std::bad_alloc.
    void share_hulls(const HullSet& hulls) {
        std::vector<PairFinder*> finders;
        for (World& world : worlds) finders.push_back(&of(world).finder.finder());
        PairFinder::share_hulls(hulls, finders);
    }

    // Adds to world w the bodies bodies_of(w), as many to each, to all worlds or to none.
    template <class F>
    CallStatus add_to_all(const F& bodies_of) {
        std::vector<HullSet> before;  // bodies with a scale bring hulls
        try {
            before.reserve(worlds.size());
        } catch (const std::bad_alloc&) {
            return out_of_memory(0);
        }
        CallStatus good;
        while (good && before.size() < worlds.size()) {
            const std::size_t w = before.size();
            before.push_back(worlds[w].hulls());
            good = worlds[w].add_bodies(bodies_of(w));
        }
        if (good) return good;
        for (std::size_t w = 0; w + 1 < before.size(); ++w) {  // the last one refused, and has none of them
            detail::WorldState& state = of(worlds[w]).state;
            state.bodies.truncate(state.bodies.size() - bodies_of(w).size());
            state.sleep.resize(state.bodies.size());
            std::erase_if(state.scaled, [&](const auto& known) { return known.second >= before[w].size(); });
            state.hulls = before[w];
        }
        return good;
    }

    // A world that is refused is what it was, with its orders: they act in the next step.
    CallStatus step_world(std::size_t w, unsigned task, double dt, StepResult& result) {
        detail::WorldState& state = of(worlds[w]).state;
        detail::KeptMotion& before = kept_motion[task];
        before.forget();
        result = {};
        result.status = shared.check(state.bodies);
        if (result.status) result.status = arrays.push(worlds[w], state, w, dt, before);
        if (result.status) {
            const std::uint32_t own_threads = std::exchange(state.settings.threads, 1);
            result = steps[task]->run(state, of(worlds[w]).finder, dt, nullptr);
            state.settings.threads = own_threads;
        }
        if (!result.status) {
            before.take_back(state);
            return result.status;
        }
        arrays.clear_impulses(w);
        arrays.read(state, w);
        return result.status;
    }
};

namespace {

// Calls f(world, w) for worlds in their order, until one refuses.
template <class F>
CallStatus for_worlds(WorldBatch::Impl* batch, std::span<const std::uint8_t> active, const F& f) {
    if (batch == nullptr) return refuse(kMovedFrom);
    CallStatus status = batch->check(active);
    for (std::size_t w = 0; status && w < batch->worlds.size(); ++w) {
        if (takes_part(active, w)) status = f(batch->worlds[w], w);
    }
    return status;
}

// Calls f(world, w) for worlds on all tasks.
template <class F>
WorldBatchResult call(WorldBatch::Impl* batch, std::span<const std::uint8_t> active, const F& f) {
    WorldBatchResult result;
    if (batch == nullptr) {
        result.status = refuse(kMovedFrom);
        return result;
    }
    return batch->each(active, [&](std::size_t w, unsigned) { return f(WorldBatch::Impl::of(batch->worlds[w]), w); });
}

}  // namespace

WorldBatch::WorldBatch() : impl_(std::make_unique<Impl>()) {}
WorldBatch::WorldBatch(const HullSet& hulls, std::size_t worlds) : WorldBatch() {
    impl_->worlds.reserve(std::min(worlds, impl_->worlds.max_size()));  // more would be another exception
    for (std::size_t w = 0; w < worlds; ++w) impl_->worlds.emplace_back(hulls);
    impl_->kept.resize(worlds);
    impl_->share_hulls(hulls);
}
WorldBatch::WorldBatch(WorldBatch&&) noexcept = default;
WorldBatch& WorldBatch::operator=(WorldBatch&&) noexcept = default;
WorldBatch::~WorldBatch() = default;

std::size_t WorldBatch::size() const { return impl_ ? impl_->worlds.size() : 0; }

World& WorldBatch::world(std::size_t w) {
    assert(w < size());
    return impl_->worlds[w];
}

const World& WorldBatch::world(std::size_t w) const {
    assert(w < size());
    return impl_->worlds[w];
}

void WorldBatch::set_threads(std::uint32_t threads) {
    if (impl_) impl_->threads = threads;
}

CallStatus WorldBatch::set_settings(const WorldSettings& settings, std::span<const std::uint8_t> active) {
    return for_worlds(impl_.get(), active, [&](World& world, std::size_t) { return world.set_settings(settings); });
}

CallStatus WorldBatch::set_gravity(std::span<const Vec3f> gravity) {
    if (impl_ && gravity.size() != size()) return refuse("gravity needs one vector for each world", gravity.size());
    if (gravity.data() == nullptr && !gravity.empty()) return refuse("gravity is null but has a length", size());
    for (std::size_t w = 0; w < gravity.size(); ++w) {
        if (const CallStatus own = check_gravity(gravity[w]); !own) return {own.code, own.what, w};
    }
    return for_worlds(impl_.get(), {}, [&](World& world, std::size_t w) {
        WorldSettings settings = world.settings();
        settings.gravity = gravity[w];
        return world.set_settings(settings);
    });
}

CallStatus WorldBatch::set_hulls(const HullSet& hulls) {
    std::vector<HullSet> before;
    try {
        if (impl_) impl_->share_hulls(hulls);
        before.reserve(size());
    } catch (const std::bad_alloc&) {
        return out_of_memory(size());
    }
    const CallStatus status = for_worlds(impl_.get(), {}, [&](World& world, std::size_t) {
        before.push_back(world.hulls());
        return world.set_hulls(hulls);
    });
    // The last one is that of the world that refused.
    for (std::size_t w = 0; !status && w + 1 < before.size(); ++w)
        WorldBatch::Impl::of(impl_->worlds[w]).state.hulls = before[w];
    return status;
}

CallStatus WorldBatch::add_bodies(std::span<const RigidBody> bodies, std::span<const std::uint8_t> active) {
    if (shared() != 0) return refuse(kBehindShared, shared());
    return for_worlds(impl_.get(), active, [&](World& world, std::size_t) { return world.add_bodies(bodies); });
}

CallStatus WorldBatch::add_bodies_of_each(std::span<const RigidBody> bodies) {
    if (!impl_) return refuse(kMovedFrom);
    if (shared() != 0) return refuse(kBehindShared, shared());
    if (bodies.data() == nullptr && !bodies.empty()) return refuse("bodies is null but has a length", bodies.size());
    const std::size_t each = size() == 0 ? 0 : bodies.size() / size();
    if (each * size() != bodies.size()) return refuse("bodies: not as many for each world", bodies.size());
    std::size_t latest = 0;
    CallStatus status = impl_->add_to_all([&](std::size_t w) {
        latest = std::max(latest, w);
        return bodies.subspan(w * each, each);
    });
    if (!status) status.where += latest * each;
    return status;
}

CallStatus WorldBatch::add_shared(std::span<const RigidBody> bodies) {
    if (!impl_) return refuse(kMovedFrom);
    if (bodies.data() == nullptr && !bodies.empty()) return refuse("bodies is null but has a length", bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].kind != BodyKind::fixed) return refuse("body: one that all worlds share must be fixed", i);
    }
    detail::SharedBodies all;
    try {
        all = impl_->shared.with_room_for(bodies);
    } catch (const std::bad_alloc&) {
        return out_of_memory(0);
    }
    const CallStatus status = impl_->add_to_all([&](std::size_t) { return bodies; });
    if (!status || size() == 0) return status;
    all.take_places(impl_->worlds[0].bodies());
    std::swap(impl_->shared, all);
    return status;
}

std::size_t WorldBatch::shared() const { return impl_ ? impl_->shared.size() : 0; }

CallStatus WorldBatch::add_links(std::span<const BodyLink> links, std::span<const std::uint8_t> active) {
    return for_worlds(impl_.get(), active, [&](World& world, std::size_t) { return world.add_links(links); });
}

WorldBatchResult WorldBatch::step(double dt, std::span<StepResult> results, std::span<const std::uint8_t> active) {
    WorldBatchResult refused;
    if (!impl_) refused.status = refuse(kMovedFrom);
    if (impl_ && !results.empty() && results.size() != size())
        refused.status = refuse("results needs one element for each world, or none", results.size());
    if (results.data() == nullptr && !results.empty()) refused.status = refuse("results is null but has a length");
    if (refused.status) refused.status = in_default_environment([&] { return detail::check_duration(dt); });
    if (!refused.status) return refused;
    std::atomic<std::uint64_t> lost{0}, pairs{0}, contacts{0};
    WorldBatchResult result = impl_->each(active, [&](std::size_t w, unsigned task) {
        StepResult own;
        StepResult& to = results.empty() ? own : results[w];
        const CallStatus status = impl_->step_world(w, task, dt, to);
        lost.fetch_add(to.lost, std::memory_order_relaxed);
        pairs.fetch_add(to.pairs, std::memory_order_relaxed);
        contacts.fetch_add(to.contacts, std::memory_order_relaxed);
        return status;
    });
    result.lost = lost;
    result.pairs = pairs;
    result.contacts = contacts;
    return result;
}

WorldBatchResult WorldBatch::keep(std::span<const std::uint8_t> active) {
    return call(impl_.get(), active, [&](World::Impl& world, std::size_t w) {
        detail::keep_state(world.state, impl_->kept[w]);
        return CallStatus{};
    });
}

WorldBatchResult WorldBatch::reset(std::span<const std::uint8_t> active) {
    return call(impl_.get(), active, [&](World::Impl& world, std::size_t w) {
        const CallStatus status = detail::go_back(world.state, impl_->kept[w]);
        if (!status) return status;
        impl_->arrays.clear_orders(world.state, w);
        impl_->arrays.read(world.state, w);
        return status;
    });
}

WorldArrays WorldBatch::arrays() {
    if (!impl_) return {};
    try {
        impl_->list_worlds({});
        impl_->prepare_arrays();
    } catch (const std::bad_alloc&) {
        return {};
    }
    return impl_->arrays.view();
}

WorldBatchResult WorldBatch::read(std::span<const std::uint8_t> active) {
    return call(impl_.get(), active, [&](World::Impl& world, std::size_t w) {
        impl_->arrays.read(world.state, w);
        return CallStatus{};
    });
}

WorldBatchResult WorldBatch::write(std::span<const std::uint8_t> active) {
    return call(impl_.get(), active, [&](World::Impl& world, std::size_t w) {
        return impl_->arrays.write(impl_->worlds[w], world.state, w);
    });
}

}  // namespace lanefold
