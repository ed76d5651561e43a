// SPDX-License-Identifier: MIT
//
// Bodies with scales as calls compute them: bodies without, whose hulls are those of a larger set. Every call that has
// bodies begins here, and nothing behind it knows of scales.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/status.hpp>

namespace lanefold::detail {

// Whether any view has a column of scales.
inline bool has_scale(std::span<const BodyView> views) {
    for (const BodyView& v : views)
        if (v.scale != nullptr) return true;
    return false;
}

// Memory of the scaled hulls of calls. A hull and scale that it knows allocates nothing and keeps its id, so what calls
// keep about hulls from frame to frame stays true. Once most of what it knows is of earlier calls it begins anew, with
// other ids (generation()).
class LANEFOLD_EXPORT ScaledBodies {
public:
    ScaledBodies();
    ScaledBodies(ScaledBodies&&) noexcept;
    ScaledBodies& operator=(ScaledBodies&&) noexcept;
    ~ScaledBodies();

    // Whether a call had scales. From then on all calls of one kind should begin with take(), so that they see one set.
    bool used() const { return state_ != nullptr; }
    // Whether a call with these bodies has to.
    bool serves(const BodyView& bodies) const { return bodies.scale != nullptr || used(); }

    // Makes the bodies of these views, which share a set. Refuses wrong memory, and memory that another call has taken
    // and not released. `base`: bodies may name the ids below it.
    CallStatus take(const HullSet& hulls, std::span<const BodyView> views, std::size_t base = ~std::size_t{0});
    void release() { in_use_.store(0, std::memory_order_release); }
    // Releases at the end of a scope.
    struct Taken {
        ScaledBodies& memory;
        explicit Taken(ScaledBodies& m) : memory(m) {}
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        ~Taken() { memory.release(); }
    };

    // After take(): the set, which has all ids of the call's set and perhaps more, and the bodies of a view.
    const HullSet& hulls() const;
    const BodyView& view(std::size_t i) const;

    // Another number after each call from which on an id may be that of another hull or scale than before.
    std::uint64_t generation() const;

private:
    struct State;
    std::unique_ptr<State> state_;  // null until a call has scales
    std::atomic<std::uint32_t> in_use_ = 0;
};

// Runs f(hulls, bodies), which returns a Result with a status, on bodies at their scales. `nothing`: the result of a
// call that computes nothing.
template <class Result, class F>
Result at_scale(ScaledBodies& memory, const HullSet& hulls, const BodyView& bodies, const F& f,
                const Result& nothing = {}) {
    if (!memory.serves(bodies)) return f(hulls, bodies);
    Result refused = nothing;
    refused.status = memory.take(hulls, {&bodies, 1});
    if (!refused.status) return refused;
    const ScaledBodies::Taken taken{memory};
    return f(memory.hulls(), memory.view(0));
}

// The same with memory of its own, for f() that returns a status alone.
template <class F>
CallStatus at_scale(const HullSet& hulls, const BodyView& bodies, const F& f) {
    if (bodies.scale == nullptr) return f(hulls, bodies);
    ScaledBodies memory;
    const CallStatus status = memory.take(hulls, {&bodies, 1});
    return status ? f(memory.hulls(), memory.view(0)) : status;
}

}  // namespace lanefold::detail
