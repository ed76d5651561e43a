// SPDX-License-Identifier: MIT
//
// Sixteen environments of one learner: a box has to be pushed over a mark by a force. Each has its own gravity, is
// rewarded for speed and for pressing on the floor, and is set back alone when its box is over the mark. Compiled and
// run as a test; it prints examples/environments.expected on every machine.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world_batch.hpp>

namespace {

using namespace lanefold;

// A world alone goes on as one in the batch does, to the last bit.
bool goes_on_alone(WorldBatch& batch, std::size_t w, const std::vector<RigidBody>& bodies, double step) {
    World alone(batch.world(w).hulls());
    std::vector<std::byte> state;
    std::vector<std::byte> then;
    if (!alone.set_settings(batch.world(w).settings()) || !alone.add_bodies(bodies)) return false;
    if (!batch.world(w).save(state) || !alone.restore(state)) return false;
    for (float& force : batch.arrays().forces) force = 0;
    if (!batch.step(step).status || !alone.step(step).status) return false;
    return batch.world(w).save(state) && alone.save(then) && state == then;
}

}  // namespace

int main() {
    std::vector<Vec3f> points;
    for (const float size : {0.5F, 10.0F}) {
        for (int c = 0; c < 8; ++c)
            points.push_back({(c & 1) != 0 ? size : -size, (c & 2) != 0 ? 0.5F : -0.5F, (c & 4) != 0 ? size : -size});
    }
    const std::uint64_t offsets[] = {0, 8, 16};
    const BuildResult built = build_hulls(points, offsets);
    if (!built) return 1;

    constexpr std::size_t kWorlds = 16;
    constexpr double kStep = 1.0 / 60;
    WorldBatch batch(built.hulls, kWorlds);
    std::vector<RigidBody> bodies(2);
    bodies[0].hull = 1;
    bodies[0].kind = BodyKind::fixed;
    bodies[0].position[1] = -0.5;
    bodies[1].position[1] = 0.5;
    bodies[1].mass = 10;
    std::vector<Vec3f> gravity;
    for (std::size_t w = 0; w < kWorlds; ++w) gravity.push_back({0, -5 - 0.5F * static_cast<float>(w), 0});
    // This is the state that reset() goes back to.
    if (!batch.add_bodies(bodies) || !batch.set_gravity(gravity) || !batch.keep().status) return 2;

    // The arrays stay where they are: a policy reads and writes them in place.
    const WorldArrays arrays = batch.arrays();
    std::vector<StepResult> results(kWorlds);
    std::vector<std::uint8_t> done(kWorlds);
    std::vector<int> episodes(kWorlds);
    std::vector<double> reward(kWorlds);
    for (int step = 0; step < 300; ++step) {
        for (std::size_t w = 0; w < kWorlds; ++w) {
            const std::size_t box = arrays.offsets[w] + 1;
            // Push where the box is on the floor, harder where it is heavy.
            arrays.forces[3 * box] = arrays.touches[box] != 0 ? 2 * arrays.contact_forces[3 * box + 1] : 0;
        }
        if (!batch.step(kStep, results).status) return 3;  // or results[w].status: why world w was refused
        for (std::size_t w = 0; w < kWorlds; ++w) {
            const std::size_t box = arrays.offsets[w] + 1;
            reward[w] += static_cast<double>(arrays.velocities[3 * box]) * kStep;
            done[w] = arrays.positions[3 * box] > 5 ? 1 : 0;
            episodes[w] += done[w];
        }
        if (!batch.reset(done).status) return 4;
    }
    for (std::size_t w = 0; w < kWorlds; w += 5) {
        std::printf("world %2zu, gravity %5.1f: %d episodes, reward %.1f\n", w, static_cast<double>(gravity[w].y),
                    episodes[w], reward[w]);
    }
    std::printf("world 7 alone has the same bytes: %s\n", goes_on_alone(batch, 7, bodies, kStep) ? "yes" : "no");
}
