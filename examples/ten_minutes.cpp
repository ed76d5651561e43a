// SPDX-License-Identifier: MIT
//
// The program of docs/ten_minutes/simulation.md: contacts of two bodies, step after step, read by a solver of three
// lines. Compiled and run as a test; it prints examples/ten_minutes.expected.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/hull_builder.hpp>

using namespace lanefold;

// The normal points from a to b; a separation below 0 is an overlap. Points are offsets from a's position.
static void tell(const Manifold4& contact, const std::vector<Body>& bodies) {
    std::printf("bodies %u and %u, %s, distance %.4f\n", contact.pair[0], contact.pair[1], to_string(contact.kind),
                static_cast<double>(contact.distance));
    for (const ContactPoint& p : std::span(contact.points).first(contact.count)) {
        const Vec3f at = world_point(bodies[contact.pair[0]].position, p);
        std::printf("  at (%.2f, %.2f, %.2f), separation %.4f\n", static_cast<double>(at.x), static_cast<double>(at.y),
                    static_cast<double>(at.z), static_cast<double>(p.separation));
    }
}

int main() {
    // 1. Hulls. Hull i is made of points[offsets[i]] up to points[offsets[i + 1] - 1]: a slab and a wedge.
    const Vec3f points[] = {{-5, -1, -5}, {5, -1, -5}, {-5, 0, -5}, {5, 0, -5}, {-5, -1, 5}, {5, -1, 5}, {-5, 0, 5},
                            {5, 0, 5},    {0, 0, 0},   {1, 0, 0},   {0, 1, 0},  {0, 0, 1},   {1, 0, 1},  {0, 1, 1}};
    const std::uint64_t offsets[] = {0, 8, 14};
    BuildOptions about_mass;
    about_mass.origin = Origin::centre_of_mass;  // poses place the centre of mass, which a solver integrates
    const BuildResult built = build_hulls(points, offsets, about_mass);
    for (const HullReport& failure : built.failures) std::printf("hull %u: %s\n", failure.hull, failure.what);
    if (!built) return 1;
    for (std::uint32_t i = 0; i < 2; ++i) {
        const Vec3d& shift = built.frames[i].shift;
        std::printf("hull %u: %u vertices, %u faces, volume %.1f, moved by (%.2f, %.2f, %.2f)\n", i,
                    built.hulls[i].vertex_count, built.hulls[i].face_count, built.hulls.info(i).mass.volume, shift.x,
                    shift.y, shift.z);
    }

    // 2. Bodies: position, hull, orientation (x, y, z, w). They stay your memory. The slab does not move.
    std::vector<Body> bodies = {{{0, -0.5F, 0}, 0, {0, 0, 0, 1}}, {{0, 2, 0}, 1, {0, 0, 0, 1}}};
    const float inverse_mass[] = {0, 2};
    float speed = 0;  // of the wedge, upwards

    // 3. The state from step to step. After the first steps nothing allocates.
    PairFinder finder;
    ContactStream<Manifold4> stream;

    const float dt = 1.0F / 60;
    for (int step = 0; step < 60; ++step) {
        // 4. Candidate pairs, from this broad phase or from yours.
        PairFinderOptions near;
        near.margin = 0.05F;
        near.inverse_mass = inverse_mass;
        const PairFinderResult found = finder.find(built.hulls, BodyView(bodies), near);
        if (!found.status) return 2;  // found.status.what says why

        // 5. Contacts of all pairs, on all cores. Gaps up to the margin count.
        Options options;
        options.margin = near.margin;
        const StreamResult result = stream.step(built.hulls, BodyView(bodies), found.pairs, options);
        if (!result.status) return 3;

        // 6. Your solver reads the records.
        speed -= 9.81F * dt;
        for (const Manifold4& contact : stream.contacts()) {
            for (const ContactPoint& p : std::span(contact.points).first(contact.count)) {
                speed = std::max(speed, -p.separation / dt * contact.normal[1]);  // closes the gap, no further
            }
        }
        bodies[1].position[1] += speed * dt;

        if (result.begun != 0) {
            std::printf("step %d: ", step);
            tell(stream.contacts()[0], bodies);
        }
    }
    std::printf("at rest: centre of mass at height %.3f, gap %.4f\n", static_cast<double>(bodies[1].position[1]),
                static_cast<double>(stream.contacts()[0].distance));
}
