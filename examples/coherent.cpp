// SPDX-License-Identifier: MIT
//
// A loop over frames with a solver: the pair cache saves time, the previous records keep contacts from flickering, and
// match_contacts says which point of the frame before has the impulse of each point. Compiled and run as a test; it
// prints examples/coherent.expected.

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/narrowphase.hpp>

int main() {
    using namespace lanefold;
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const BuildResult built = build_hull(cube);
    if (!built) return 1;

    // A cube slides over two others that lie side by side.
    std::vector<Body> bodies = {
        {{0, 0, 0}, 0, {0, 0, 0, 1}}, {{2.5F, 0, 0}, 0, {0, 0, 0, 1}}, {{0.1F, 0.3F, 1.99F}, 0, {0, 0, 0, 1}}};
    const std::vector<Pair> pairs = {{0, 2}, {1, 2}};  // ascending, from your broad phase

    Workspace workspace;
    std::vector<PairCache> cache(pairs.size());  // carry_over() when the pairs change
    using Impulses = std::array<float, Manifold4::kCapacity>;
    std::vector<Manifold4> previous;
    std::vector<Impulses> previous_impulses;
    std::vector<Manifold4> current;
    std::vector<Impulses> impulses;
    std::vector<RecordMatch<Manifold4>> matches;

    for (int frame = 0; frame < 5; ++frame) {
        Options options;
        options.margin = 0.02F;
        CallInputs inputs;
        inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(previous));
        inputs.cache = cache;
        current.resize(pairs.size());
        const CompactResult result =
            collide_compact(built.hulls, std::span<const Body>(bodies), pairs, options, current, workspace, inputs);
        if (!result.status) return 2;
        current.resize(result.written);

        matches.resize(current.size());
        impulses.assign(current.size(), Impulses{});
        const MatchResult match =
            match_contacts(previous, std::span<const Manifold4>(current), std::span<RecordMatch<Manifold4>>(matches));
        if (!match.status) return 3;
        float carried = 0;
        for (std::size_t i = 0; i < current.size(); ++i) {
            for (std::uint32_t k = 0; k < current[i].count; ++k) {
                if (matches[i].previous[k] == kNewPoint) continue;
                impulses[i][k] = previous_impulses[matches[i].record][matches[i].previous[k]];
                carried += impulses[i][k];
            }
            // Your solver starts from these impulses; this example adds one to every point.
            for (std::uint32_t k = 0; k < current[i].count; ++k) impulses[i][k] += 1;
        }
        std::printf("frame %d: %u pairs touch, points %u kept, %u new, %u broken, impulse carried over %.0f\n", frame,
                    static_cast<unsigned>(result.touching), static_cast<unsigned>(match.points_kept),
                    static_cast<unsigned>(match.points_new), static_cast<unsigned>(match.points_broken),
                    static_cast<double>(carried));
        std::swap(previous, current);
        std::swap(previous_impulses, impulses);
        bodies[2].position[0] += 0.3F;
    }
}
