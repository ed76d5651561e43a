// SPDX-License-Identifier: MIT
//
// No body passes another within a step. The solver knows contacts where bodies were when the step began; a body that
// has turned since meets others with points that no contact has, and one that was struck meets others that were beyond
// its margins. So the step's ways are followed: where a pair would come deeper into each other than a share of the
// thinner one's thickness, its bodies stop there, with the velocities that they have. The next step finds them
// touching, on the sides on which they were, and solves that contact.
//
// Contacts of bodies that are apart and move by more than their thickness are left out of the solver: it would hold
// them at planes that reach past the bodies' corners. Those stop where they touch, and the next step solves them.
//
// A pair is looked at only if it has moved by a good part of the thinner one's thickness. Most of these are settled by
// the plane of their contact, which separates them all the way; the others by conservative advancement. Of compounds
// each child is followed for itself: the thickness is its own.
//
// Surfaces are followed as well, from their outer side. They are not convex: no plane of a contact settles such a pair,
// and a body advances by no more than its distance from the nearest triangle.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>

#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/passes_rules.hpp"
#include "step/seams.hpp"
#include "step/travel.hpp"

namespace lanefold::detail {

class Passes {
public:
    // Before the constraints are made: finds the manifolds of the step that no constraint is made of, because the
    // bodies are apart and so fast that their contact would be another one when they meet. Throws std::bad_alloc.
    void leave(WorldState& world, double dt, Loops& loops);
    // Per manifold, 1: it is left out.
    std::span<const std::uint8_t> left() const { return left_; }
    // After the solver's stages: finds the bodies that must stop, among these pairs and those of bodies that went where
    // no pair was looked for. Changes nothing. Throws std::bad_alloc.
    CallStatus find(const WorldState& world, std::span<const Pair> pairs, const Seams& seams, const BodyPaths& paths,
                    double dt, Loops& loops);
    // Stops them: their turn rows and velocities. Does not throw.
    void stop(WorldState& world) const;
    // A kinematic body has carried it on from there.
    bool is_carried(std::uint32_t body) const { return !first_.empty() && ends_[body].carrier != kNone; }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    // A body in the scan of all pairs.
    struct Brief {
        float shift[3];
        float turned;  // no point has moved further by its spin
        float size;    // thickness, of a compound that of its thinnest child; 0: a half-space, which has none
    };
    // A body's end. It stops at a fraction of the step and is set back out of the other by a way, or is carried on from
    // there by a kinematic body.
    struct End {
        double fraction = 1;
        std::uint32_t carrier = kNone;
        Vec3d back;
    };
    // The thinnest body that a body has a contact with: the thickness of the thinner of the two, and of the next such.
    struct Beside {
        float least = std::numeric_limits<float>::infinity(), next = least;
        std::uint32_t thinnest = kNone;
        bool linked = false;
    };
    struct Suspect {
        Pair pair;
        std::uint32_t child_a, child_b;
        double deepest = 0;            // the signed distance that it must not fall below
        double allowed = 0;            // the overlap that a step may make
        double clear = 0;              // it does not up to this fraction
        double meets = 2;              // the fraction at which it does; 2: never
        double met = 0;                // the signed distance there
        Vec3d normal;                  // from A to B there
        std::uint32_t next_a, next_b;  // other suspects of the two bodies
        bool live;                     // to be followed
        bool begun;                    // a distance has said how deep it may be
        bool apart;                    // the solver does not know of the pair: it may not overlap at all
    };

    void describe(const WorldState& world, double dt, Loops& loops);
    bool fast(const WorldState& world, const Pair& pair) const;
    float most_moved(const Pair& pair) const;
    enum class Suspicion : std::uint8_t { none, near, apart };
    Suspicion suspicion(const WorldState& world, const PartPair& parts, const Seams& seams, double dt) const;
    Suspicion suspicion_without_contact(const WorldState& world, const Pair& pair, const Seams& seams, double dt) const;
    bool plane_holds(const WorldState& world, const Manifold4& contact, bool left) const;
    template <class F>
    void for_parts(const WorldState& world, const Pair& pair, const F& f) const;
    void add_part(const WorldState& world, const PartPair& parts, double clear, bool apart);
    void add(const WorldState& world, const Pair& pair, double clear, bool apart);
    void add_suspects(const WorldState& world, const Seams& seams, double dt, Loops& loops);
    void add_strays(const WorldState& world, double dt);
    // Finds the body's legs once.
    void need_legs(const WorldState& world, std::uint32_t body);
    std::span<const Leg> legs(std::uint32_t body) const;
    CentrePose place(std::uint32_t body, double fraction) const;
    // Bounds of a body's motion at a moment, were it to last for a whole step.
    struct Rate {
        Vec3d shift, spin;
        double reach = 0;
        double all_ways = 0;
        double most() const { return (length(shift) + length(spin) * reach) + all_ways; }
        double along(const Vec3d& n) const { return length(cross(n, spin)) * reach + all_ways; }
    };
    Rate rate(const WorldState& world, std::uint32_t body, double fraction) const;
    double segment_end(const Pair& pair, double fraction) const;
    CallStatus follow(const WorldState& world);
    bool decide(const WorldState& world, Suspect& suspect, const PairDistance& distance) const;
    bool commit(const WorldState& world);
    void look_beside(const WorldState& world);
    Vec3d way_back(const WorldState& world, const Suspect& s);
    bool end_body(const WorldState& world, std::uint32_t body, const End& end);
    void end_linked(const WorldState& world);
    void recheck(const WorldState& world);

    std::vector<std::uint8_t> left_;  // per manifold
    std::vector<Brief> brief_;
    std::vector<Suspicion> marks_;  // per pair
    std::span<const Pair> pairs_;
    double dt_ = 0;  // of the step
    std::vector<Suspect> suspects_;
    std::vector<Beside> beside_;  // per body, once a body is set back
    std::vector<std::uint32_t> live_, changed_;
    // Per body, while there are suspects.
    std::vector<std::uint32_t> first_, earliest_, root_;
    std::vector<std::uint32_t> legs_of_, legs_count_;  // where its legs are, and how many
    std::vector<End> ends_;
    std::vector<Leg> legs_;
    Legs found_legs_;
    BodyPaths paths_;
    // A round's distances.
    std::vector<BodyD> bodies_;
    std::vector<Pair> rows_;
    std::vector<float> margins_;
    std::vector<PairDistance> distances_;
    Workspace workspace_;
};

}  // namespace lanefold::detail
