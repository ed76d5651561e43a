// SPDX-License-Identifier: MIT
//
// A crowd of capsules walks between pillars, which are cylinders. Who stands in another steps aside by half of the
// overlap. Compiled and run as a test; it prints examples/crowd.expected on every machine.

#include <cstdio>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/shapes.hpp>

int main() {
    using namespace lanefold;
    // Capsules are exact: two points and a radius. A cylinder has as many sides as the wanted error asks for.
    const Shape person = capsule(0.25, 1.2);
    const Shape pillar = cylinder(0.75, 3, 0.002);
    if (!person || !pillar) return 1;
    std::vector<Vec3f> points = person.points;
    points.insert(points.end(), pillar.points.begin(), pillar.points.end());
    const std::uint64_t offsets[] = {0, person.points.size(), points.size()};
    const float radii[] = {person.radius, pillar.radius};
    BuildOptions options;
    options.radii = radii;
    const BuildResult built = build_hulls(points, offsets, options);
    if (!built) return 2;
    std::printf("a pillar has %u vertices and is off by %.1f mm\n", built.hulls[1].vertex_count, 1000 * pillar.error);

    // 12 by 12 people, closer than they are wide, and four pillars among them.
    constexpr int kSide = 12;
    std::vector<BodyD> bodies;
    for (int i = 0; i < kSide * kSide; ++i) {
        BodyD body{};
        body.position[0] = 0.45 * (i % kSide) + 0.001 * (i % 7);
        body.position[2] = 0.45 * (i / kSide) + 0.001 * (i % 11);
        body.orientation[3] = 1;
        bodies.push_back(body);
    }
    const std::size_t people = bodies.size();
    for (const double x : {1.5, 3.5}) {
        for (const double z : {1.5, 3.5}) bodies.push_back({{x, 0, z}, {0, 0, 0, 1}, 1, 0});
    }

    PairFinder finder;
    Workspace workspace;
    std::vector<Manifold4> contacts;
    for (int step = 0; step <= 240; ++step) {
        const PairFinderResult found = finder.find(built.hulls, BodyView(std::span<const BodyD>(bodies)), {});
        if (!found.status) return 3;
        contacts.resize(found.pairs.size());
        const CompactResult result = collide_compact(built.hulls, BodyView(std::span<const BodyD>(bodies)), found.pairs,
                                                     Options{}, contacts, workspace);
        if (!result.status) return 4;
        contacts.resize(result.written);
        double deepest = 0;
        for (const Manifold4& m : contacts) {
            const auto depth = -static_cast<double>(m.distance);
            deepest = depth > deepest ? depth : deepest;
            for (int k = 0; k < 3; k += 2) {  // along x and z: nobody is lifted
                const double by = 0.5 * depth * static_cast<double>(m.normal[k]);
                if (m.pair[0] < people) bodies[m.pair[0]].position[k] -= by;
                if (m.pair[1] < people) bodies[m.pair[1]].position[k] += by;
            }
        }
        if (step % 80 == 0) std::printf("step %3d: %zu contacts, the deepest %.3f m\n", step, contacts.size(), deepest);
    }
}
