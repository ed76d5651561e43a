// SPDX-License-Identifier: MIT
//
// The whole loop of a simulation backend: a broad phase, lanefold's narrowphase with caches, previous records and
// bodies at rest, and the solver, which takes the manifolds. Copy it and replace parts by your own. Compiled and run as
// a test; it prints examples/backend.expected on every machine.

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/world.hpp>

using namespace lanefold;

// The state that a backend keeps from frame to frame.
struct Backend {
    World world;          // bodies, links, solver; or your own
    PairFinder finder;    // broad phase; or your own
    Workspace workspace;  // memory of the narrowphase
    std::vector<Pair> pairs;
    std::vector<Pair> previous_pairs;
    std::vector<PairCache> cache;  // one entry a pair; saves time in the searches
    std::vector<PairCache> previous_cache;
    std::vector<float> margins;
    std::vector<float> inverse_mass;
    std::vector<Manifold4> contacts;

    explicit Backend(const HullSet& hulls) : world(hulls) {}

    StepResult step(double dt) {
        StepResult failed;
        // 1. Broad phase: boxes are grown by half the largest margin, that of the fastest body.
        float margin = 0;
        for (std::uint32_t i = 1; i < world.size(); ++i) {
            const float m = world.pair_margin({0, i}, dt);
            margin = m > margin ? m : margin;
        }
        PairFinderOptions search;
        search.margin = 2 * margin;
        search.inverse_mass = inverse_mass;
        search.unmoved = world.unmoved();
        const PairFinderResult found = finder.find(world.hulls(), BodyView(world.bodies()), search);
        failed.status = found.status;
        if (!found.status) return failed;
        pairs.assign(found.pairs.begin(), found.pairs.end());

        // 2. Narrowphase: each pair has a margin for its own motion; the pair cache and the previous records are
        // passed.
        margins.clear();
        for (const Pair& pair : pairs) margins.push_back(world.pair_margin(pair, dt));
        cache.assign(pairs.size(), PairCache{});
        carry_over(previous_pairs, previous_cache, pairs, cache);
        contacts.resize(pairs.size());
        CallInputs inputs;
        inputs.pair_margins = margins;
        inputs.cache = cache;
        inputs.previous = PreviousContacts::compact(world.contacts());
        inputs.unmoved = world.unmoved();
        const CompactResult collided =
            collide_compact(world.hulls(), BodyView(world.bodies()), pairs, Options{}, contacts, workspace, inputs);
        failed.status = collided.status;
        if (!collided.status) return failed;
        contacts.resize(collided.written);
        std::swap(previous_pairs, pairs);
        std::swap(previous_cache, cache);

        // 3. Solver: it starts from the impulses of equal feature ids, and lets islands at rest sleep.
        return world.advance(dt, contacts);
    }
};

int main() {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets;
    for (const Vec3f h : {Vec3f{10, 1, 10}, {0.5F, 0.5F, 0.5F}}) {
        offsets.push_back(vertices.size());
        for (int i = 0; i < 8; ++i) vertices.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    }
    offsets.push_back(vertices.size());
    const BuildResult built = build_hulls(vertices, offsets);
    if (!built) return 1;

    // A pyramid of 55 cubes; each row begins half a cube further in than the one below.
    std::vector<RigidBody> bodies(1);
    bodies[0].kind = BodyKind::fixed;
    bodies[0].position[1] = -1;
    for (int row = 0; row < 10; ++row) {
        for (int k = 0; k < 10 - row; ++k) {
            RigidBody cube;
            cube.hull = 1;
            cube.position[0] = 1.01 * (k - 0.5 * (9 - row));
            cube.position[1] = 0.5 + row;
            bodies.push_back(cube);
        }
    }
    Backend backend(built.hulls);
    if (!backend.world.add_bodies(bodies)) return 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double mass = backend.world.mass(i);
        backend.inverse_mass.push_back(mass == 0 ? 0.0F : static_cast<float>(1 / mass));
    }
    for (int frame = 0; frame <= 180; ++frame) {
        const StepResult result = backend.step(1.0 / 60);
        if (!result.status) return 3;
        if (frame % 60 == 0) {
            std::printf("frame %3d: %3u contacts solved, %2u bodies awake\n", frame,
                        static_cast<unsigned>(result.contacts), static_cast<unsigned>(result.awake));
        }
    }
    std::printf("the top cube is at %.2f\n", backend.world.centre(55).y);
}
