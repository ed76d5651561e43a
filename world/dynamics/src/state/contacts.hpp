// SPDX-License-Identifier: MIT
//
// The manifolds of the last step with their impulses, and those that the step under way has found. Both ascend by pair.
// Only Contacts changes them, except that the narrowphase fills the room for found manifolds, and that the kernels of a
// step write impulses through SolverJob.
#pragma once

#include <cstddef>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/rigid_body.hpp>

#include "solve/loops.hpp"
#include "solve/solver_job.hpp"

namespace lanefold::detail {

// The most records of one pair, the deepest. Only a body and a surface, or a piece of one (step/seams.hpp), have
// several, one for each face, edge and corner that the body touches at once; and compounds, one for each pair of
// children.
inline constexpr std::size_t kMostOfPair = 64;
inline bool same_pair(const Manifold4& a, const Manifold4& b) {
    return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1];
}

class Contacts {
public:
    std::span<const Manifold4> manifolds() const { return {last_.manifold.data(), last_.count}; }
    std::span<const ContactImpulse> impulses() const { return {last_.impulse.data(), last_.count}; }
    std::span<const ContactPush> pushes() const { return {last_.push.data(), last_.count}; }
    std::span<const Manifold4> found() const { return {found_.manifold.data(), found_.count}; }

    // Memory for so many found manifolds or impulses. Pushes come with impulses, and are 0. Throws std::bad_alloc.
    std::span<Manifold4> room_for_found(std::size_t count);
    // All that there is of it, at least so much.
    std::span<Manifold4> all_room_for_found(std::size_t count);
    // More of it, which keeps the first manifolds.
    std::span<Manifold4> more_room_for_found(std::size_t kept, std::size_t count);
    std::span<ContactImpulse> room_for_impulses(std::size_t count);
    void set_found(std::size_t count) { found_.count = count; }
    // Gives each found manifold the impulses of the last step's manifold of the same pair, point by point; of several
    // that which match_contacts() gives. They need room_for_impulses().
    void carry_impulses(Loops& loops);
    // The found manifolds become those of the last step, and those the found ones: a second call undoes the first.
    void swap_found();
    // A manifold of the last step has no impulses.
    void forget_impulses(std::size_t i) { last_.impulse[i] = {}; }
    // Nothing pushes in a step in which nothing moves.
    void forget_pushes();
    void lend_rows(SolverJob& job);

private:
    struct List {
        AlignedBuffer<Manifold4> manifold;
        AlignedBuffer<ContactImpulse> impulse;
        AlignedBuffer<ContactPush> push;
        std::size_t count = 0;
    };
    List last_;
    List found_;
};

}  // namespace lanefold::detail
