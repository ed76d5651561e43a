// SPDX-License-Identifier: MIT
//
// Half-spaces in every form of a call: the same records dense, compact, alone, shuffled, as distances and bits, in
// streams with hysteresis, marks and reuse. Two half-spaces and pairs of hulls are among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>

#include "support/half_spaces.hpp"

namespace lanefold::test {
namespace {

// Pairs of a half-space and a hull, of two hulls and of two half-spaces, in random order.
PlaneScene mixed_scene(std::uint64_t seed) {
    PlaneScene scene = make_plane_scene({seed, 1500, 3, 0.5, 0.5}, all_shapes(), {0.4, 1e-2, 1});
    Random random(seed + 1);
    const auto count = static_cast<std::uint32_t>(scene.bodies.size());
    for (int i = 0; i < 600; ++i) {
        const std::uint32_t a = random.index(count);
        const std::uint32_t b = random.index(count);
        if (a != b) scene.pairs.push_back({a, b});
    }
    std::sort(scene.pairs.begin(), scene.pairs.end());
    scene.pairs.erase(std::unique(scene.pairs.begin(), scene.pairs.end()), scene.pairs.end());
    return scene;
}

Options usual() {
    Options options;
    options.margin = 0.05F;
    return options;
}

template <class M>
bool same(const M& x, const M& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class Record>
std::vector<Record> dense(const PlaneScene& scene, std::span<const Pair> pairs, const Options& options,
                          BatchResult* result = nullptr) {
    std::vector<Record> out(pairs.size());
    Workspace workspace;
    const BatchResult r = collide(scene.set, scene.view(), pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    if (result != nullptr) *result = r;
    return out;
}

TEST(HalfSpaceForms, EveryFormAndInstructionSetGivesTheSame) {
    const PlaneScene scene = mixed_scene(1201);
    Options options = usual();
    options.isa = available_isas()[0];
    BatchResult first;
    const std::vector<Manifold4> records = dense<Manifold4>(scene, scene.pairs, options, &first);
    std::uint64_t touching = 0;
    for (const Manifold4& m : records) touching += m.kind != ContactKind::none ? 1U : 0U;
    EXPECT_GT(touching, 700U);
    EXPECT_EQ(first.touching, touching);
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        BatchResult r;
        const std::vector<Manifold4> again = dense<Manifold4>(scene, scene.pairs, options, &r);
        for (std::size_t i = 0; i < records.size(); ++i) ASSERT_TRUE(same(again[i], records[i])) << to_string(isa);
        EXPECT_EQ(r.hash, first.hash);
        const std::vector<Manifold16> wide = dense<Manifold16>(scene, scene.pairs, options);
        const std::vector<PairDistance> distances = dense<PairDistance>(scene, scene.pairs, options);
        for (std::size_t i = 0; i < records.size(); ++i) {
            ASSERT_EQ(wide[i].distance, records[i].distance);
            ASSERT_EQ(wide[i].total, records[i].total);
            ASSERT_EQ(distances[i].distance, records[i].distance);
            ASSERT_EQ(distances[i].kind, records[i].kind);
            ASSERT_EQ(std::memcmp(distances[i].normal, records[i].normal, sizeof records[i].normal), 0);
        }
        std::vector<std::uint64_t> bits((scene.pairs.size() + 63) / 64);
        std::vector<Manifold4> few(records.size());
        Workspace workspace;
        BatchResult of_bits;
        of_bits = collide_overlap(scene.set, scene.view(), scene.pairs, options, bits, workspace);
        EXPECT_EQ(of_bits.touching, first.touching);
        EXPECT_EQ(of_bits.overlapping, first.overlapping);
        const CompactResult compact = collide_compact(scene.set, scene.view(), scene.pairs, options, few, workspace);
        ASSERT_TRUE(compact.status);
        ASSERT_EQ(compact.written, touching);
        std::size_t at = 0;
        for (const Manifold4& m : records) {
            if (!is_reported(m)) continue;
            ASSERT_TRUE(same(few[at++], m));
        }
    }
}

TEST(HalfSpaceForms, ShuffledOrAloneGivesTheSame) {
    const PlaneScene scene = mixed_scene(1202);
    const std::vector<Manifold4> records = dense<Manifold4>(scene, scene.pairs, usual());
    std::vector<std::size_t> order(scene.pairs.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Random random(1203);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(static_cast<std::uint32_t>(i))]);
    std::vector<Pair> shuffled;
    for (const std::size_t i : order) shuffled.push_back(scene.pairs[i]);
    const std::vector<Manifold4> others = dense<Manifold4>(scene, shuffled, usual());
    Workspace workspace;
    for (std::size_t k = 0; k < order.size(); ++k) {
        ASSERT_TRUE(same(others[k], records[order[k]])) << k;
        if (k % 5 != 0) continue;
        const Pair pair = shuffled[k];
        Manifold4 alone{};
        ASSERT_TRUE(
            collide_pair(scene.set, scene.bodies[pair.a], scene.bodies[pair.b], usual(), alone, workspace).status);
        if (is_reported(alone)) {
            alone.pair[0] = pair.a;
            alone.pair[1] = pair.b;
        }
        ASSERT_TRUE(same(alone, others[k])) << k;
    }
}

// Bodies sway, some rest. A stream gives what compact calls with the same previous records give.
TEST(HalfSpaceForms, StreamsGiveWhatCallsGive) {
    PlaneScene scene = mixed_scene(1204);
    Options options = usual();
    Workspace workspace;
    ContactStream<Manifold4> stream;
    std::vector<Manifold4> before;
    Random random(1205);
    std::vector<std::uint8_t> unmoved(scene.bodies.size(), 0);
    std::uint64_t unmoved_pairs = 0;
    for (int step = 0; step < 8; ++step) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            unmoved[i] = step > 0 && random.chance(0.6) ? 1 : 0;
            if (unmoved[i] != 0) continue;
            for (double& x : scene.bodies[i].position) x += random.uniform(-1e-4, 1e-4);
        }
        StepInputs inputs;
        inputs.unmoved = unmoved;
        const StreamResult got = stream.step(scene.set, scene.view(), scene.pairs, options, inputs);
        ASSERT_TRUE(got.status) << got.status.what;
        unmoved_pairs += got.counters.unmoved_pairs;
        std::vector<Manifold4> want(scene.pairs.size());
        CallInputs cold;
        cold.previous = PreviousContacts::compact(std::span<const Manifold4>(before));
        const CompactResult r = collide_compact(scene.set, scene.view(), scene.pairs, options, want, workspace, cold);
        ASSERT_TRUE(r.status) << r.status.what;
        want.resize(r.written);
        ASSERT_EQ(stream.contacts().size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i)
            ASSERT_TRUE(same(stream.contacts()[i], want[i])) << step << ", " << i;
        before = want;
    }
    EXPECT_GT(unmoved_pairs, 500U);
}

// With reuse pairs of half-spaces are computed, so that their records are exact.
TEST(HalfSpaceForms, ReuseLeavesThemExact) {
    PlaneScene scene = make_plane_scene({1206, 800, 3, 0.3, 0.5}, all_shapes());
    ContactStream<Manifold4> stream;
    StreamOptions reuse;
    reuse.reuse = 0.02F;
    Random random(1207);
    for (int step = 0; step < 6; ++step) {
        for (BodyD& b : scene.bodies) {
            for (double& x : b.position) x += random.uniform(-1e-4, 1e-4);
        }
        const StreamResult got = stream.step(scene.set, scene.view(), scene.pairs, usual(), {}, reuse);
        ASSERT_TRUE(got.status) << got.status.what;
        const std::vector<Manifold4> want = dense<Manifold4>(scene, scene.pairs, usual());
        std::size_t at = 0;
        for (const Manifold4& m : want) {
            if (!is_reported(m)) continue;
            ASSERT_LT(at, stream.contacts().size());
            ASSERT_EQ(stream.contacts()[at].distance, m.distance);
            ASSERT_EQ(stream.contacts()[at].total, m.total);
            ++at;
        }
        EXPECT_EQ(at, stream.contacts().size());
    }
}

}  // namespace
}  // namespace lanefold::test
