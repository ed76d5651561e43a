// SPDX-License-Identifier: MIT
//
// The published contact of two particles. Operations and their order are those of the source.
#include <lanefold/contact_response_literal.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold::published::literal {
namespace {

double total_inverse_mass(const ParticleContact& c) {
    double total = c.first.inverse_mass;
    if (c.second) total += c.second->inverse_mass;
    return total;
}

double separating(const ParticleContact& c) {
    Vec3d relative = c.first.velocity;
    if (c.second) relative = relative - c.second->velocity;
    return dot(relative, c.contact_normal);
}

}  // namespace

double calculate_separating_velocity(const ParticleContact& contact) {
    return in_default_environment([&]() -> double { return separating(contact); });
}

VelocitySteps resolve_velocity(ParticleContact& c, double duration) {
    return in_default_environment([&]() -> VelocitySteps {
        VelocitySteps s;
        s.separating_velocity = separating(c);
        s.new_separating_velocity = s.separating_velocity;
        if (s.separating_velocity > 0.0) return s;
        s.new_separating_velocity = -s.separating_velocity * c.restitution;
        Vec3d acceleration = c.first.acceleration;
        if (c.second) acceleration = acceleration - c.second->acceleration;
        s.acceleration_caused = dot(acceleration, c.contact_normal) * duration;
        if (s.acceleration_caused < 0.0) {
            s.new_separating_velocity += c.restitution * s.acceleration_caused;
            if (s.new_separating_velocity < 0.0) s.new_separating_velocity = 0.0;
        }
        const double change = s.new_separating_velocity - s.separating_velocity;
        const double total = total_inverse_mass(c);
        if (total <= 0.0) return s;
        s.impulse = change / total;
        const Vec3d per_inverse_mass = c.contact_normal * s.impulse;
        c.first.velocity = c.first.velocity + per_inverse_mass * c.first.inverse_mass;
        if (c.second) c.second->velocity = c.second->velocity + per_inverse_mass * -c.second->inverse_mass;
        return s;
    });
}

std::array<Vec3d, 2> resolve_interpenetration(ParticleContact& c) {
    return in_default_environment([&]() -> std::array<Vec3d, 2> {
        std::array<Vec3d, 2> moves;
        const double total = total_inverse_mass(c);
        if (c.penetration <= 0.0 || total <= 0.0) return moves;
        const Vec3d per_inverse_mass = c.contact_normal * (c.penetration / total);
        moves[0] = per_inverse_mass * c.first.inverse_mass;
        if (c.second) moves[1] = per_inverse_mass * -c.second->inverse_mass;
        c.first.position = c.first.position + moves[0];
        if (c.second) c.second->position = c.second->position + moves[1];
        return moves;
    });
}

}  // namespace lanefold::published::literal
