// SPDX-License-Identifier: MIT
//
// Rounded hulls in every form of a call: the same records dense, compact, alone, shuffled, as distances and bits, in
// streams and for bodies at rest; sharp pairs beside them keep every bit; sums are those of the records.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "support/coherent_scene.hpp"
#include "support/cold_call.hpp"

namespace lanefold::test {
namespace {

// kMixed: two of three hulls rounded, two of them cut down to a segment and a point. kSmall: all are rounded, and three
// of four are segments and points.
enum class Cores : std::uint8_t { kMixed, kSmall };

std::size_t vertices_kept(Cores cores, std::size_t h, std::size_t own) {
    if (cores == Cores::kSmall) return h % 4 == 3 ? own : h % 4 == 0 ? 1 : 2;
    return h == 4 ? 2 : h == 7 ? 1 : own;
}

float radius_of(Cores cores, std::size_t h) {
    if (cores == Cores::kSmall) return 0.1F * static_cast<float>(h % 5 + 1);
    return h % 3 == 0 ? 0.0F : 0.02F * static_cast<float>(h % 5 + 1);
}

HullSet rounded(const HullSet& hulls, Cores cores = Cores::kMixed) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    for (std::size_t h = 0; h < hulls.size(); ++h) {
        const auto own = hulls.vertices(h);
        const std::size_t kept = vertices_kept(cores, h, own.size());
        points.insert(points.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(kept));
        offsets.push_back(points.size());
        radii.push_back(radius_of(cores, h));
    }
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(points, offsets, options);
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

BatchScene rounded_scene(std::uint64_t seed, std::uint32_t bodies, std::uint32_t pairs, Cores cores = Cores::kMixed) {
    BatchScene scene = make_bad_batch_scene(seed, bodies, pairs);
    scene.hulls = rounded(scene.hulls, cores);
    return scene;
}

template <class M>
bool same(const M& x, const M& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class Record>
std::vector<Record> dense(const BatchScene& scene, const Options& options, BatchResult* result = nullptr) {
    std::vector<Record> out(scene.pairs.size());
    Workspace workspace;
    BatchResult r;
    r = collide<Record>(scene.hulls, scene.view(), scene.pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    if (result != nullptr) *result = r;
    return out;
}

bool is_rounded(const BatchScene& scene, const Pair& pair) {
    if (pair.a >= scene.bodies.size() || pair.b >= scene.bodies.size()) return false;
    const std::uint32_t a = scene.bodies[pair.a].hull;
    const std::uint32_t b = scene.bodies[pair.b].hull;
    if (a >= scene.hulls.size() || b >= scene.hulls.size()) return false;
    return scene.hulls[a].round_radius > 0 || scene.hulls[b].round_radius > 0;
}

TEST(RoundedForms, SumsAndHashAreThoseOfTheRecords) {
    const BatchScene scene = rounded_scene(501, 300, 6000);
    BatchResult r;
    const std::vector<Manifold4> records = dense<Manifold4>(scene, scene.options(), &r);
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t points = 0;
    std::uint64_t hash = 0;
    std::uint64_t round_contacts = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Manifold4& m = records[i];
        if (is_reported(m)) hash += hash_record(m);
        points += m.count;
        if (m.kind == ContactKind::none) continue;
        ++touching;
        overlapping += m.distance < 0 ? 1U : 0U;
        EXPECT_LE(m.distance, scene.margin);
        round_contacts += is_rounded(scene, scene.pairs[i]) ? 1U : 0U;
    }
    EXPECT_GT(round_contacts, 1000U);
    EXPECT_GT(touching, overlapping + 100);
    EXPECT_EQ(r.touching, touching);
    EXPECT_EQ(r.overlapping, overlapping);
    EXPECT_EQ(r.points, points);
    EXPECT_EQ(r.hash, hash);
}

void expect_same_in_every_form(const BatchScene& scene, std::uint64_t least_small) {
    Options options = scene.options();
    options.isa = available_isas()[0];
    BatchResult first;
    const std::vector<Manifold4> records = dense<Manifold4>(scene, options, &first);
    EXPECT_GE(first.counters.small_pairs, least_small);
    const std::vector<Manifold16> wide = dense<Manifold16>(scene, options);
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        BatchResult r;
        EXPECT_TRUE(same_bytes<Manifold4>(dense<Manifold4>(scene, options, &r), records)) << to_string(isa);
        EXPECT_EQ(r.hash, first.hash) << to_string(isa);
        EXPECT_EQ(r.overlapping, first.overlapping) << to_string(isa);
        EXPECT_TRUE(same_bytes<Manifold16>(dense<Manifold16>(scene, options), wide)) << to_string(isa);
        BatchResult of_distances;
        const std::vector<PairDistance> distances = dense<PairDistance>(scene, options, &of_distances);
        EXPECT_EQ(of_distances.overlapping, first.overlapping);
        std::vector<std::uint64_t> bits((scene.pairs.size() + 63) / 64);
        Workspace workspace;
        const BatchResult of_bits = collide_overlap(scene.hulls, scene.view(), scene.pairs, options, bits, workspace);
        ASSERT_TRUE(of_bits.status) << of_bits.status.what;
        EXPECT_EQ(of_bits.touching, first.touching);
        EXPECT_EQ(of_bits.overlapping, first.overlapping);
        CompactResult compact;
        const std::vector<Manifold4> reported = cold_call<Manifold4>(scene, options, {}, compact);
        EXPECT_EQ(compact.overlapping, first.overlapping);
        std::size_t at = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            const Manifold4& m = records[i];
            EXPECT_EQ(distances[i].kind, m.kind) << i;
            EXPECT_EQ(distances[i].distance, m.distance) << i;
            EXPECT_EQ(std::memcmp(distances[i].normal, m.normal, sizeof m.normal), 0) << i;
            EXPECT_EQ(bits[i / 64] >> (i % 64) & 1U, m.kind != ContactKind::none ? 1U : 0U) << i;
            EXPECT_EQ(wide[i].distance, m.distance) << i;
            if (!is_reported(m)) continue;
            ASSERT_LT(at, reported.size());
            EXPECT_TRUE(same(reported[at++], m)) << i;
        }
        EXPECT_EQ(at, reported.size());
    }
}

TEST(RoundedForms, EveryInstructionSetAndFormGivesTheSame) {
    expect_same_in_every_form(rounded_scene(502, 300, 6000), 0);
    expect_same_in_every_form(rounded_scene(508, 300, 6000, Cores::kSmall), 1000);
}

void expect_same_in_every_order(BatchScene scene) {
    const std::vector<Manifold4> records = dense<Manifold4>(scene, scene.options());
    std::vector<std::uint32_t> order(scene.pairs.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    BatchRandom random(504);
    random.shuffle(std::span<std::uint32_t>(order));
    const std::vector<Pair> pairs = scene.pairs;
    for (std::size_t i = 0; i < order.size(); ++i) scene.pairs[i] = pairs[order[i]];
    const std::vector<Manifold4> shuffled = dense<Manifold4>(scene, scene.options());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_TRUE(same(shuffled[i], records[order[i]])) << i;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        scene.pairs.assign(1, pairs[i]);
        EXPECT_TRUE(same(dense<Manifold4>(scene, scene.options())[0], records[i])) << i;
    }
}

TEST(RoundedForms, ShuffledOrAloneGivesTheSame) {
    expect_same_in_every_order(rounded_scene(503, 200, 3000));
    expect_same_in_every_order(rounded_scene(509, 200, 3000, Cores::kSmall));
}

TEST(RoundedForms, SharpPairsBesideRoundedOnesKeepEveryBit) {
    BatchScene sharp = make_bad_batch_scene(505, 300, 6000);
    BatchScene scene = sharp;
    scene.hulls = rounded(sharp.hulls);
    const std::vector<Manifold4> before = dense<Manifold4>(sharp, sharp.options());
    const std::vector<Manifold4> after = dense<Manifold4>(scene, scene.options());
    std::uint32_t kept = 0;
    std::uint32_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!is_rounded(scene, scene.pairs[i])) {
            EXPECT_TRUE(same(before[i], after[i])) << i;
            kept += is_reported(before[i]) ? 1U : 0U;
        } else {
            changed += same(before[i], after[i]) ? 0U : 1U;
        }
    }
    EXPECT_GT(kept, 300U);
    EXPECT_GT(changed, 1000U);
}

// Pair margins, a stream over moving bodies, and bodies at rest, whose records are already rounded.
void expect_streams_give_what_calls_give(Cores cores) {
    CoherentScene coherent{rounded_scene(506, 200, 3000, cores), 507, 0.02F, 0.02F};
    BatchScene& scene = coherent.scene();
    std::vector<std::uint8_t> rests(scene.bodies.size());
    for (std::size_t i = 0; i < rests.size(); ++i) rests[i] = i % 2 == 0 ? 1U : 0U;
    ContactStream<Manifold4> stream;
    std::vector<Manifold4> before;
    std::uint64_t unmoved = 0;
    for (int frame = 0; frame < 6; ++frame) {
        const std::vector<Body> old = scene.bodies;
        coherent.set_frame(frame);
        for (std::size_t i = 0; i < rests.size() && frame > 0; ++i) {
            if (rests[i] != 0) scene.bodies[i] = old[i];
        }
        Options options = scene.options();
        options.hysteresis = 0;
        CompactResult cold;
        const std::vector<Manifold4> expected = cold_call<Manifold4>(scene, options, {}, cold);
        const auto step = stream.step(scene.hulls, scene.view(), scene.pairs, options);
        ASSERT_TRUE(step.status) << step.status.what;
        EXPECT_TRUE(same_bytes<Manifold4>(stream.contacts(), expected)) << frame;
        if (frame > 0) {
            CallInputs inputs;
            inputs.unmoved = rests;
            inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(before));
            std::vector<Manifold4> out(scene.pairs.size());
            Workspace workspace;
            const CompactResult r =
                collide_compact<Manifold4>(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs);
            ASSERT_TRUE(r.status) << r.status.what;
            out.resize(r.written);
            EXPECT_TRUE(same_bytes<Manifold4>(out, expected)) << frame;
            EXPECT_EQ(r.overlapping, cold.overlapping);
            unmoved += r.counters.unmoved_pairs;
        }
        before = expected;
    }
    EXPECT_GT(unmoved, 1000U);
}

TEST(RoundedForms, StreamsAndBodiesAtRestGiveWhatCallsGive) {
    expect_streams_give_what_calls_give(Cores::kMixed);
    expect_streams_give_what_calls_give(Cores::kSmall);
}

}  // namespace
}  // namespace lanefold::test
