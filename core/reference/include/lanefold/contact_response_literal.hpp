// SPDX-License-Identifier: MIT
//
// The contact of two particles exactly as published, step by step: separating velocity, restitution with the published
// resting rule, impulse, interpenetration. For study, and to compare other ports with. contact_response.hpp has the
// version that is mended for stacks; docs/methods.md says what differs.
//
// Source: contacts between particles after I. Millington, "Game Physics Engine Development", 2007, as a published text
// gives them in JavaScript. Three lines of that text are no valid code and are read as the book has them: the velocity
// of the second particle is subtracted from the first's, particles are those of the contact, and the separating
// velocity by acceleration is (a_a - a_b) . n times the duration. The text adds a scaled vector there and compares the
// vector with 0, which is never true, so to the letter of its code the resting rule would never act.
//
// Signs as published: the normal points from the second particle to the first, against that of contact_response.hpp.
#pragma once

#include <array>
#include <optional>

#include <lanefold/export.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::published::literal {

// A particle as published. Inverse mass 0: immovable.
struct Particle {
    Vec3d position;
    Vec3d velocity;
    Vec3d acceleration;  // of the last step
    double inverse_mass = 0;
};

// A contact of two particles, or of one with the world (no second).
struct ParticleContact {
    Particle first;
    std::optional<Particle> second;
    double restitution = 0;
    Vec3d contact_normal;  // unit, from the second particle to the first
    double penetration = 0;
};

// (v_first - v_second) . n: negative if the particles close.
LANEFOLD_EXPORT double calculate_separating_velocity(const ParticleContact& contact);

// The numbers on the way through a resolution.
struct VelocitySteps {
    double separating_velocity = 0;
    // The change of it by acceleration alone in the duration; negative if it pushes the particles together.
    double acceleration_caused = 0;
    double new_separating_velocity = 0;
    double impulse = 0;  // along the normal on the first particle
};

// Gives the particles their velocities after the contact. The separating velocity afterwards is that before times
// -restitution, less restitution times what acceleration built up, and never below 0. Nothing changes if the particles
// separate, or if neither moves.
LANEFOLD_EXPORT VelocitySteps resolve_velocity(ParticleContact& contact, double duration);

// Moves the particles apart by the penetration, in proportion to their inverse masses, and returns both moves.
LANEFOLD_EXPORT std::array<Vec3d, 2> resolve_interpenetration(ParticleContact& contact);

}  // namespace lanefold::published::literal
