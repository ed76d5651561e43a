// SPDX-License-Identifier: MIT
//
// Capsules walk over a height field, as characters of a game do: each step goes on by 3 cm and down by 5 cm, and what
// it then overlaps pushes it out again. Compiled and run as a test; it prints examples/terrain.expected on every
// machine.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface_set.hpp>

namespace {

using namespace lanefold;

constexpr int kSamples = 65;  // a side, half a metre apart

// Hull 0 is the walker, upright along z, hull 1 the ground. Empty if something is wrong.
HullSet make_hulls() {
    const Vec3f ends[] = {{0, 0, -0.5F}, {0, 0, 0.5F}};  // a capsule is two points and a radius
    BuildOptions round;
    round.radius = 0.3F;
    const BuildResult walker = build_hull(ends, round);

    std::vector<float> heights;  // row after row, each along x: ridges and valleys across the way
    for (int r = 0; r < kSamples; ++r) {
        for (int c = 0; c < kSamples; ++c) heights.push_back(0.125F * static_cast<float>(std::abs(c % 16 - 8)));
    }
    const HeightSamples tile(heights.data(), kSamples);
    HeightFieldOptions field;
    field.rows = field.columns = kSamples;
    field.dx = field.dy = 0.5;
    const SurfaceResult ground = build_height_field({&tile, 1}, field);
    if (!walker || !ground) return {};
    const BuildResult surface = surface_set({&ground.surface, 1});
    return surface ? walker.hulls.append(surface.hulls) : HullSet();
}

// Moves each walker out of the ground. A pair has a record for each direction in which the ground is in the way, the
// deepest first; the normal points from body a, the ground, to the walker.
void push_out(std::span<const Manifold4> contacts, std::vector<BodyD>& bodies) {
    for (std::size_t i = 0; i < contacts.size();) {
        const std::uint32_t walker = contacts[i].pair[1];
        double out[3] = {};
        for (; i < contacts.size() && contacts[i].pair[1] == walker; ++i) {
            const float* n = contacts[i].normal;
            const double more =
                -double{contacts[i].distance} - (out[0] * double{n[0]} + out[1] * double{n[1]} + out[2] * double{n[2]});
            for (int k = 0; k < 3; ++k) out[k] += std::max(more, 0.0) * double{n[k]};
        }
        for (int k = 0; k < 3; ++k) bodies[walker].position[k] += out[k];
    }
}

}  // namespace

int main() {
    const HullSet hulls = make_hulls();
    if (hulls.size() != 2) return 1;
    std::vector<BodyD> bodies = {{{0, 0, 0}, {0, 0, 0, 1}, 1, 0}};  // the ground: position, orientation, hull
    std::vector<float> inverse_mass = {0};
    for (int i = 0; i < 12; ++i) {
        bodies.push_back({{1.0 + 0.7 * i, 2.0 + 2.3 * i, 4}, {0, 0, 0, 1}, 0, 0});
        inverse_mass.push_back(1);
    }
    PairFinder finder;
    ContactStream<Manifold4> stream;
    PairFinderOptions find;
    find.inverse_mass = inverse_mass;  // 0: immovable
    for (int step = 1; step <= 600; ++step) {
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            bodies[i].position[0] += 0.03;
            bodies[i].position[2] -= 0.05;
        }
        const BodyView view{std::span<const BodyD>(bodies)};
        const PairFinderResult found = finder.find(hulls, view, find);
        if (!found.status || !stream.step(hulls, view, found.pairs, Options{}).status) return 2;
        push_out(stream.contacts(), bodies);
        if (step % 150 == 0) {
            std::printf("step %d: %zu contacts, the first walker is at x %.2f, z %.2f\n", step,
                        stream.contacts().size(), bodies[1].position[0], bodies[1].position[2]);
        }
    }
}
