// SPDX-License-Identifier: MIT
//
// The events of a simulation. A contact begins with the substep in which the solver first pushes two bodies apart, and
// ends with the last one in which it does before they part by more than the release distance. Impulses are those that
// the solver gave; docs/events.md has the definitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <lanefold/world.hpp>

#include "events/event.hpp"
#include "events/event_settings.hpp"

namespace lanefold::tools {

class PushEvents {
public:
    // release: the scene's unit. every: steps a frame.
    PushEvents(float release, std::uint32_t every) : release_(release), every_(every) {}

    // Before and after a step of dt seconds; `step`: the steps before it.
    void before_step(const World& world);
    void after_step(const World& world, std::uint64_t step, double dt);

    // All that changes, for a checkpoint.
    void save(std::vector<std::byte>& out) const;
    // False: damaged.
    bool load(std::span<const std::byte> bytes);

    // All events after so many steps, ascending by begin, then by pair.
    std::vector<Event> finish(std::uint64_t steps) const;

private:
    // A contact. Times are steps, impulses in kg times the scene's unit a second.
    struct Contact {
        double begin;
        double end;  // of the last push
        double place[3];
        double peak;
        double sum;
        double slip;
        float normal[3];
        float closing;
        float sliding;
        float impulse;
        Pair pair;
        std::uint32_t flags;
        std::uint32_t arrives;  // 1: the solver pushes, but no step has begun with the two within the release distance
    };
    static_assert(std::is_trivially_copyable_v<Contact> && sizeof(Contact) == 104);

    // A body when the step began.
    struct Before {
        BodyD pose;
        Vec3d centre;
        Vec3d velocity;
        Vec3d spin;
        bool falls;  // gravity moves it
        bool still;  // nothing does

        Vec3d velocity_at(const Vec3d& point) const { return velocity + cross(spin, point - centre); }
    };
    // All that the records of a pair pushed in a step.
    struct Push {
        const Manifold4* strongest = nullptr;
        const Manifold4* nearest = nullptr;
        double impulse = 0;
        double first = 0;  // moment of the first push, as a share of the step
        double last = 0;
    };

    Push push_of(const World& world, std::size_t first, std::size_t last) const;
    bool closes_in(const Manifold4& manifold) const;
    bool parted(const Contact& contact, const Manifold4& nearest) const;
    Contact begin(const World& world, const Push& push, std::uint64_t step, double dt) const;
    double slide(const World& world, const Manifold4& manifold) const;
    void close(const World& world, const Contact& contact);

    float release_;
    std::uint32_t every_;
    std::vector<Before> before_;
    std::vector<Contact> open_;  // ascending by pair
    std::vector<Contact> still_;
    std::vector<Contact> closed_;
};

}  // namespace lanefold::tools
