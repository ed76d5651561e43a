// SPDX-License-Identifier: MIT
//
// Scenes that show how well contacts hold: towers, a pyramid, a card house, an arch, a run of dominoes, a top, a pile.
// Metres, kilograms, gravity 9.81 along -y. Tests and the benchmark share them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/rigid_body.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {

struct StandingScene {
    std::string name;
    HullSet hulls;
    std::vector<RigidBody> bodies;  // the floor first, its top is y = 0
    std::vector<BodyLink> links = {};
};

// Hull 0 is a floor whose top is y = 0 (placed 1 below it), hull 1 a unit cube; then whatever is wanted.
HullSet world_hulls(std::span<const Points> more = {});
RigidBody world_floor();
RigidBody body_at(double x, double y, double z, std::uint32_t hull = 1);
void set_rotation(RigidBody& body, const Quat& q);

// Unit cubes upon each other.
StandingScene tower_scene(std::uint32_t boxes);
// The same, set down by hand: 2 cm off, up to 3 degrees turned.
StandingScene rough_tower_scene(std::uint32_t boxes, std::uint64_t seed);
// A wall of rows of cubes, each over the joints of the row below.
StandingScene pyramid_scene(std::uint32_t rows);

// Cards of 1 m by 0.7 m by 2 cm lean against each other at `lean` radians from the upright, in rows upon rows; level
// cards between. Two that lean stand when friction exceeds tan(lean).
StandingScene card_house_scene(std::uint32_t storeys, double lean, float friction);

// A half circle of wedge stones without mortar. Thinner than 0.1075 of its mean radius none stands, whatever the
// friction (J. Milankovitch, 1907); thicker ones do with enough friction.
StandingScene arch_scene(std::uint32_t stones, double thickness_ratio, float friction);

// Dominoes of 1 m by 0.5 m by 0.125 m in a row, `gap` metres apart; the first is tilted over its edge.
StandingScene domino_scene(std::uint32_t dominoes, double gap);

// A cone of 24 sides on its tip, spinning: 1 m high, `lean` radians from the upright, with the spin about its axis and
// the precession that the equations of the symmetric top ask of it (the slow one). Friction holds the tip.
struct TopScene : StandingScene {
    double precession = 0;  // radians a second, about +y
};
TopScene top_scene(double lean, double spin);

// Rocks, or another shape, 16 different ones of 0.35 m radius, in layers above a bin of four walls: bodies 1 to 4.
StandingScene pile_scene(std::uint64_t seed, std::uint32_t count, Shape shape = Shape::rock);

}  // namespace lanefold::test
