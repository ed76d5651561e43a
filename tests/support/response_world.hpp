// SPDX-License-Identifier: MIT
//
// A world of a few particles, for tests of contact response.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/contact_response.hpp>

namespace lanefold::test {

// A few bodies by value.
struct ResponseWorld {
    std::vector<Vec3d> position, velocity, acceleration;
    std::vector<double> inverse_mass;
    ResponseWorkspace workspace;

    std::uint32_t add(const Vec3d& p, const Vec3d& v, double inverse) {
        position.push_back(p);
        velocity.push_back(v);
        inverse_mass.push_back(inverse);
        return static_cast<std::uint32_t>(position.size() - 1);
    }
    ResponseBodies view() { return {position, velocity, inverse_mass, acceleration}; }
    Vec3d momentum() const {
        Vec3d sum;
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            if (inverse_mass[i] > 0) sum = sum + velocity[i] * (1.0 / inverse_mass[i]);
        }
        return sum;
    }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            if (inverse_mass[i] > 0) sum += 0.5 * length_squared(velocity[i]) / inverse_mass[i];
        }
        return sum;
    }
    ResponseResult resolve(std::span<ResponseContact> contacts, const ResponseSettings& settings = {}) {
        return resolve_contacts(contacts, view(), settings, workspace);
    }
};

inline ResponseContact contact(std::uint32_t a, std::uint32_t b, const Vec3d& normal, double restitution,
                               double penetration = 0) {
    ResponseContact c;
    c.a = a;
    c.b = b;
    c.normal = normal;
    c.penetration = penetration;
    c.restitution = restitution;
    return c;
}

}  // namespace lanefold::test
