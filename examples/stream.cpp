// SPDX-License-Identifier: MIT
//
// The contacts of a simulation loop with a ContactStream. Candidate pairs come and go; the stream keeps its state from
// step to step and says which point each point was in the step before. Compiled and run as a test; it prints
// examples/stream.expected.

#include <array>
#include <cstdio>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/hull_builder.hpp>

int main() {
    using namespace lanefold;
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const BuildResult built = build_hull(cube);
    if (!built) return 1;

    // A cube slides over a row of others that do not move.
    std::vector<Body> bodies;
    for (int i = 0; i < 4; ++i) bodies.push_back({{2.5F * static_cast<float>(i), 0, 0}, 0, {0, 0, 0, 1}});
    bodies.push_back({{0.1F, 0.3F, 1.99F}, 0, {0, 0, 0, 1}});
    std::vector<std::uint8_t> unmoved = {1, 1, 1, 1, 0};

    PairFinder finder;
    ContactStream<Manifold4> stream;
    using Impulses = std::array<float, Manifold4::kCapacity>;
    std::vector<Impulses> impulses;
    std::vector<Impulses> next;

    for (int step = 0; step < 6; ++step) {
        Options options;
        options.margin = 0.02F;
        const BodyView view{std::span<const Body>(bodies)};
        PairFinderOptions near;
        near.margin = options.margin;
        const PairFinderResult found = finder.find(built.hulls, view, near);
        if (!found.status) return 2;
        const std::span<const Pair> pairs = found.pairs;
        const StreamResult result = stream.step(built.hulls, view, pairs, options, {.unmoved = unmoved});
        if (!result.status) return 3;

        next.assign(stream.contacts().size(), Impulses{});
        float carried = 0;
        for (std::size_t i = 0; i < next.size(); ++i) {
            const RecordMatch<Manifold4>& match = stream.matches()[i];
            for (std::size_t k = 0; k < stream.contacts()[i].count; ++k) {
                if (match.previous[k] != kNewPoint) next[i][k] = impulses[match.record][match.previous[k]];
                carried += next[i][k];
                next[i][k] += 1;  // in place of your solver's impulse
            }
        }
        impulses.swap(next);
        std::printf(
            "step %d: %zu pairs (%llu new), %zu contacts (%llu begun, %llu ended), %llu points kept, impulse %g\n",
            step, pairs.size(), static_cast<unsigned long long>(result.new_pairs), stream.contacts().size(),
            static_cast<unsigned long long>(result.begun), static_cast<unsigned long long>(result.ended),
            static_cast<unsigned long long>(result.points_kept), static_cast<double>(carried));
        bodies[4].position[0] += 0.6F;
    }
    return 0;
}
