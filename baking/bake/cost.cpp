// SPDX-License-Identifier: MIT
//
// See the header.

#include "bake/cost.hpp"

#include <algorithm>

#include "scene/find_pairs.hpp"

namespace lanefold::tools {
namespace {

// Nanoseconds. Fitted to docs/performance.md (about 100 and 2.5 for debris to big hulls, with 30% touching and their
// records); what counts is only how frames of one scene compare, in which the number of pairs weighs most.
constexpr double kPair = 100.0;
constexpr double kVertex = 2.5;  // each vertex of a pair's two hulls
constexpr double kBody = 50.0;   // read, checked, hashed

// A frame's pairs are looked at in this many places, this many at each: 8 kB of it.
constexpr std::uint64_t kPlaces = 16;
constexpr std::uint64_t kPairsAtAPlace = 64;

// Frames whose pairs are found to learn how many there are.
constexpr std::size_t kSearched = 5;

double vertices_of(const HullSet& hulls, const Scene& scene, std::span<const Pair> pairs) {
    double sum = 0;
    for (const Pair& pair : pairs) {
        // Pairs are checked when their frame is read; here a wrong one only must not be followed.
        if (pair.a >= scene.bodies() || pair.b >= scene.bodies()) continue;
        sum += hulls[scene.body_hull()[pair.a]].vertex_count + hulls[scene.body_hull()[pair.b]].vertex_count;
    }
    return sum;
}

double cost_of(const Scene& scene, double pairs, double vertices_of_a_pair) {
    return 1.0 + static_cast<double>(scene.bodies()) * kBody + pairs * (kPair + kVertex * vertices_of_a_pair);
}

double stored_cost(const Scene& scene, const HullSet& hulls, std::uint64_t frame) {
    const std::uint64_t pairs = scene.pairs_in_frame(frame);
    std::vector<Pair> sample(static_cast<std::size_t>(std::min(pairs, kPairsAtAPlace)));
    if (sample.empty()) return cost_of(scene, 0, 0);
    const std::uint64_t places = std::min(kPlaces, pairs / sample.size());
    double vertices = 0;
    for (std::uint64_t i = 0; i < places; ++i) {
        scene.read_pairs(frame, (pairs - sample.size()) / places * i, sample);
        vertices += vertices_of(hulls, scene, sample);
    }
    return cost_of(scene, static_cast<double>(pairs), vertices / static_cast<double>(places * sample.size()));
}

double found_cost(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings, PairFinder& finder,
                  std::uint64_t number) {
    SceneFrame frame;
    scene.read_frame(number, frame);
    const std::span<const Pair> pairs =
        finder.find(hulls, scene.view(frame), scene.inverse_mass(), scene.group(), settings.margin);
    const auto count = static_cast<double>(pairs.size());
    return cost_of(scene, count, pairs.empty() ? 0 : vertices_of(hulls, scene, pairs) / count);
}

}  // namespace

std::vector<double> frame_costs(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings,
                                std::span<const std::uint64_t> frames, std::uint32_t threads) {
    std::vector<double> costs(frames.size());
    if (!settings.find_pairs) {
        for (std::size_t i = 0; i < frames.size(); ++i) costs[i] = stored_cost(scene, hulls, frames[i]);
        return costs;
    }
    PairFinder finder(threads);
    const std::size_t looked_at = std::min(kSearched, frames.size());
    std::size_t before = 0;
    for (std::size_t k = 0; k < looked_at; ++k) {
        const std::size_t at = looked_at == 1 ? 0 : (frames.size() - 1) * k / (looked_at - 1);
        costs[at] = found_cost(scene, hulls, settings, finder, frames[at]);
        for (std::size_t i = before + 1; i < at; ++i) {
            const double share = static_cast<double>(i - before) / static_cast<double>(at - before);
            costs[i] = costs[before] + (costs[at] - costs[before]) * share;
        }
        before = at;
    }
    return costs;
}

namespace {

// The costs that cut_shard() takes.
std::vector<double> costs_for(std::uint64_t shards, const Scene& scene, const HullSet& hulls,
                              const ContactsSettings& settings, std::span<const std::uint64_t> frames,
                              std::uint32_t threads) {
    // Each frame has a shard of its own: what it costs does not matter.
    if (shards >= frames.size()) return {};
    return frame_costs(scene, hulls, settings, frames, threads);
}

}  // namespace

std::vector<std::vector<std::uint64_t>> choose_shards(std::uint64_t shards, const Scene& scene, const HullSet& hulls,
                                                      const ContactsSettings& settings, std::uint32_t threads) {
    const std::vector<std::uint64_t> frames = FrameRange().select(scene.frames());
    const std::vector<double> costs = costs_for(shards, scene, hulls, settings, frames, threads);
    std::vector<std::vector<std::uint64_t>> chosen;
    for (std::uint64_t shard = 0; shard < shards; ++shard) chosen.push_back(cut_shard(frames, costs, shard, shards));
    return chosen;
}

std::vector<std::uint64_t> choose_frames(const FrameRange& range, const Scene& scene, const HullSet& hulls,
                                         const ContactsSettings& settings, std::uint32_t threads) {
    std::vector<std::uint64_t> frames = range.select(scene.frames());
    if (range.shards() == 1) return frames;
    return cut_shard(frames, costs_for(range.shards(), scene, hulls, settings, frames, threads), range.shard(),
                     range.shards());
}

}  // namespace lanefold::tools
