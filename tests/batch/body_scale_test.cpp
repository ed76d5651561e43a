// SPDX-License-Identifier: MIT
//
// Scales of bodies: every call gives the bytes that it gives for bodies whose hulls were baked at these scales, on all
// instruction sets; scales that are none are a bad pose of their pairs alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/measures.hpp>
#include <lanefold/rays.hpp>
#include <lanefold/speculative.hpp>
#include <lanefold/sweep.hpp>

#include "support/scaled_scene.hpp"

namespace lanefold::test {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void add_bytes(Bytes& to, const T* data, std::size_t count) {
    const auto* const from = reinterpret_cast<const std::byte*>(data);
    to.insert(to.end(), from, from + count * sizeof(T));
}

template <class Result>
void add_sums(Bytes& to, const Result& r) {
    add_bytes(to, &r.touching, 1);
    add_bytes(to, &r.overlapping, 1);
    add_bytes(to, &r.points, 1);
    add_bytes(to, r.by_status, kStatusCount);
    add_bytes(to, r.by_kind, kContactKindCount);
    add_bytes(to, &r.hash, 1);
}

// Calls f(hulls, bodies, isa), which returns the bytes of a call, with scales and with baked hulls.
template <class F>
void expect_same(const ScaledScene& s, const F& f) {
    for (const Isa isa : available_isas()) {
        const Bytes scaled = f(s.scene.hulls, s.view(), isa);
        const Bytes baked = f(s.baked, s.baked_view(), isa);
        ASSERT_EQ(scaled.size(), baked.size()) << to_string(isa);
        ASSERT_FALSE(scaled.empty());
        const bool same = std::memcmp(scaled.data(), baked.data(), scaled.size()) == 0;
        EXPECT_TRUE(same) << to_string(isa);
    }
}

template <class Record>
Bytes dense(const ScaledScene& s, const HullSet& hulls, const BodyView& bodies, Isa isa, Workspace& workspace) {
    Options options = s.scene.options();
    options.isa = isa;
    std::vector<Record> out(s.scene.pairs.size());
    const BatchResult r = collide(hulls, bodies, s.scene.pairs, options, std::span(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    Bytes bytes;
    add_bytes(bytes, out.data(), out.size());
    add_sums(bytes, r);
    return bytes;
}

TEST(BodyScale, DenseCallsGiveTheBytesOfBakedHulls) {
    const ScaledScene s = make_scaled_scene(1, 300, 20000);
    EXPECT_GT(s.scaled, 150U);
    EXPECT_GT(s.bad, 3U);
    Workspace workspace;
    Options options = s.scene.options();
    std::vector<Manifold4> out(s.scene.pairs.size());
    const BatchResult r = collide(s.scene.hulls, s.view(), s.scene.pairs, options, std::span(out), workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_GT(r.touching, 5000U);
    EXPECT_GT(r.by_status[static_cast<std::size_t>(Status::bad_pose)], 100U);
    EXPECT_GT(r.by_status[static_cast<std::size_t>(Status::bad_hull)], 100U);
    std::printf("%zu bodies of %zu scaled, %zu with a bad scale; %llu pairs touch\n", s.scaled, s.scales.size(), s.bad,
                static_cast<unsigned long long>(r.touching));
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        return dense<Manifold4>(s, hulls, bodies, isa, workspace);
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        return dense<Manifold16>(s, hulls, bodies, isa, workspace);
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        return dense<PairDistance>(s, hulls, bodies, isa, workspace);
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        Options o = s.scene.options();
        o.isa = isa;
        std::vector<std::uint64_t> words((s.scene.pairs.size() + 63) / 64);
        EXPECT_TRUE(collide_overlap(hulls, bodies, s.scene.pairs, o, words, workspace).status);
        Bytes bytes;
        add_bytes(bytes, words.data(), words.size());
        return bytes;
    });
}

TEST(BodyScale, CompactCallsAndWorldsGiveTheBytesOfBakedHulls) {
    const ScaledScene s = make_scaled_scene(2, 200, 9000);
    Workspace workspace;
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        Options o = s.scene.options();
        o.isa = isa;
        std::vector<Manifold4> out(4 * s.scene.pairs.size());
        std::vector<std::uint32_t> candidates(out.size());
        const CompactResult r =
            collide_compact<Manifold4>(hulls, bodies, s.scene.pairs, o, out, workspace, {}, 0, candidates);
        EXPECT_TRUE(r.status) << r.status.what;
        Bytes bytes;
        add_bytes(bytes, out.data(), r.written);
        add_bytes(bytes, candidates.data(), r.written);
        add_sums(bytes, r);
        return bytes;
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        Options o = s.scene.options();
        o.isa = isa;
        const std::size_t n = s.scene.pairs.size();
        const std::uint64_t pairs[] = {0, n / 3, n};
        const std::uint64_t room[] = {0, 4 * n, 8 * n};
        std::vector<Manifold4> out(8 * n);
        std::vector<WorldResult> results(2);
        const WorldsResult r =
            collide_worlds<Manifold4>(hulls, bodies, s.scene.pairs, {pairs, room}, o, out, results, workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        Bytes bytes;
        add_bytes(bytes, out.data(), results[0].written);
        add_bytes(bytes, out.data() + 4 * n, results[1].written);
        add_sums(bytes, r);
        return bytes;
    });
}

// Bodies move a little, and some take the scale of another body.
void go_on(ScaledScene& s, BatchRandom& random) {
    const std::vector<float> before = s.scales;
    for (std::size_t i = 0; i < s.scales.size(); ++i) {
        if (i % 3 == 0) s.scene.bodies[i].position[0] += random.uniform(-1e-4F, 1e-4F);
        if (i % 7 == 0) s.scales[i] = before[(i + 21) % s.scales.size()];
    }
    s.bake();
}

// The records of a stream are those of a call with the records of the step before.
TEST(BodyScale, StreamsGiveTheBytesOfCalls) {
    for (const Isa isa : available_isas()) {
        ScaledScene s = make_scaled_scene(3, 120, 5000, false);
        std::sort(s.scene.pairs.begin(), s.scene.pairs.end());
        s.scene.pairs.erase(std::unique(s.scene.pairs.begin(), s.scene.pairs.end()), s.scene.pairs.end());
        BatchRandom random(77);
        ContactStream<Manifold4> stream;
        Options options = s.scene.options();
        options.isa = isa;
        Workspace workspace;
        std::vector<Manifold4> before;
        std::uint64_t kept = 0;
        for (int step = 0; step < 4; ++step, go_on(s, random)) {
            const StreamResult r = stream.step(s.scene.hulls, s.view(), s.scene.pairs, options);
            ASSERT_TRUE(r.status) << r.status.what;
            std::vector<Manifold4> out(4 * s.scene.pairs.size());
            CallInputs inputs;
            inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(before));
            const CompactResult c = collide_compact<Manifold4>(s.baked, s.baked_view(), s.scene.pairs, options,
                                                               std::span(out), workspace, inputs);
            ASSERT_TRUE(c.status) << c.status.what;
            ASSERT_EQ(c.written, stream.contacts().size());
            EXPECT_EQ(std::memcmp(out.data(), stream.contacts().data(), c.written * sizeof(Manifold4)), 0) << step;
            before.assign(stream.contacts().begin(), stream.contacts().end());
            kept += r.kept;
        }
        EXPECT_GT(kept, 1000U);
    }
}

// With reuse a pair of a body that took another scale is computed: all distances stay near the exact ones.
TEST(BodyScale, ReuseForgetsWhatHasAnotherScale) {
    ScaledScene s = make_scaled_scene(6, 120, 5000, false);
    s.scene.hulls = batch_hulls();
    for (Body& body : s.scene.bodies) body.hull %= 13;
    for (float& x : s.scales) x = x == 1.0F || x == 2.0F ? x : 1.25F;  // those that the first step knows
    s.bake();
    BatchRandom random(78);
    ContactStream<Manifold4> stream;
    StreamOptions reuse;
    reuse.reuse = 1e-3F;
    Workspace workspace;
    std::uint64_t carried = 0;
    double worst = 0;
    for (int step = 0; step < 8; ++step, go_on(s, random)) {
        const StreamResult r = stream.step(s.scene.hulls, s.view(), s.scene.pairs, s.scene.options(), {}, reuse);
        ASSERT_TRUE(r.status) << r.status.what;
        carried += r.carried;
        std::vector<PairDistance> exact(s.scene.pairs.size());
        Options wide = s.scene.options();
        wide.margin = 10;
        ASSERT_TRUE(collide(s.baked, s.baked_view(), s.scene.pairs, wide, exact, workspace).status);
        for (std::size_t k = 0; k < stream.contacts().size(); ++k) {
            const auto of = static_cast<double>(exact[stream.candidates()[k]].distance);
            worst = std::max(worst, std::fabs(static_cast<double>(stream.contacts()[k].distance) - of));
        }
    }
    std::printf("%llu pairs carried, %.2e off at most\n", static_cast<unsigned long long>(carried), worst);
    EXPECT_GT(carried, 500U);
    EXPECT_LT(worst, 2 * 1e-3 * 2);  // twice the reuse of a size of at most 2
}

TEST(BodyScale, SweepsRaysAndMeasuresGiveTheBytesOfBakedHulls) {
    const ScaledScene s = make_scaled_scene(4, 60, 1200);
    SweepWorkspace sweeps;
    MeasureWorkspace measures;
    BatchRandom random(5);
    std::vector<Body> ends = s.scene.bodies;
    for (Body& body : ends) body.position[0] += random.uniform(-2, 2);
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
        SweepOptions options;
        options.isa = isa;
        std::vector<SweepRecord> out(s.scene.pairs.size());
        const SweepResult r = sweep(hulls, bodies, BodyView(ends), s.scene.pairs, options, out, sweeps);
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_GT(r.by_state[static_cast<std::size_t>(SweepState::hit)], 20U);
        Bytes bytes;
        add_bytes(bytes, out.data(), out.size());
        return bytes;
    });
    std::vector<Ray> rays(500);
    for (Ray& ray : rays) {
        for (double& x : ray.origin) x = static_cast<double>(random.uniform(-3, 3));
        float along[3];
        random.axis(along);
        for (int k = 0; k < 3; ++k) ray.direction[k] = static_cast<double>(6 * along[k]);
    }
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa) {
        std::vector<RayHit> out(rays.size());
        const RayResult r = cast_rays(hulls, bodies, rays, out, sweeps);
        EXPECT_TRUE(r.status) << r.status.what;
        Bytes bytes;
        add_bytes(bytes, out.data(), out.size());
        return bytes;
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa) {
        std::vector<ContactMeasures> out(s.scene.pairs.size());
        const MeasureResult r = measure_contacts(hulls, bodies, s.scene.pairs, out, measures);
        EXPECT_TRUE(r.status) << r.status.what;
        Bytes bytes;
        add_bytes(bytes, out.data(), out.size());
        return bytes;
    });
    expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa) {
        const std::vector<Vec3f> velocity(bodies.count, Vec3f{0.1F, -0.2F, 0.3F});
        std::vector<float> out(s.scene.pairs.size());
        const CallStatus r = speculative_margins(hulls, bodies, {velocity, velocity}, s.scene.pairs, 0.1F, 0.01F, out);
        EXPECT_TRUE(r) << r.what;
        Bytes bytes;
        add_bytes(bytes, out.data(), out.size());
        return bytes;
    });
}

// One workspace for all: scales of all ones, other sets, more bodies than pairs, scales that nobody wants any more.
TEST(BodyScale, AWorkspaceServesAnySetAndScales) {
    Workspace workspace;
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
        ScaledScene s = make_scaled_scene(seed, seed == 12 ? 1200 : 100, seed == 12 ? 250 : 3000);
        for (int k = 0; k < 3; ++k) {
            expect_same(s, [&](const HullSet& hulls, const BodyView& bodies, Isa isa) {
                return dense<Manifold4>(s, hulls, bodies, isa, workspace);
            });
            std::fill(s.scales.begin(), s.scales.end(), 1.0F);
            if (k == 1) {
                BatchRandom random(seed + 50);
                draw_scales(s, random);
            }
            s.bake();
        }
    }
    // 25 calls with 100 new scales each are more than twice those that a call wants.
    ScaledScene s = make_scaled_scene(14, 100, 500, false);
    BatchRandom random(15);
    for (int k = 0; k < 25; ++k) {
        for (float& x : s.scales) x = random.uniform(0.5F, 2.0F);
        s.bake();
        Bytes scaled = dense<Manifold4>(s, s.scene.hulls, s.view(), Isa::automatic, workspace);
        EXPECT_EQ(scaled, dense<Manifold4>(s, s.baked, s.baked_view(), Isa::automatic, workspace));
    }
}

// A scale of two is exact: distances, offsets and separations are twice those of the pair without.
TEST(BodyScale, TwiceIsTwice) {
    ScaledScene s = make_scaled_scene(21, 100, 4000, false);
    std::fill(s.scales.begin(), s.scales.end(), 2.0F);
    std::vector<Manifold4> twice(s.scene.pairs.size());
    std::vector<Manifold4> once(s.scene.pairs.size());
    Workspace workspace;
    Options options = s.scene.options();
    ASSERT_TRUE(collide(s.scene.hulls, s.scene.view(), s.scene.pairs, options, once, workspace).status);
    options.margin *= 2;
    for (Body& body : s.scene.bodies)
        for (float& x : body.position) x *= 2;
    ASSERT_TRUE(collide(s.scene.hulls, s.view(), s.scene.pairs, options, twice, workspace).status);
    std::size_t touching = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
        ASSERT_EQ(once[i].kind, twice[i].kind) << i;
        ASSERT_EQ(2 * once[i].distance, twice[i].distance) << i;
        ASSERT_EQ(once[i].feature_a, twice[i].feature_a) << i;
        touching += once[i].kind != ContactKind::none ? 1U : 0U;
    }
    EXPECT_GT(touching, 1000U);
}

TEST(BodyScale, WrongMemoryIsRefused) {
    ScaledScene s = make_scaled_scene(31, 10, 20, false);
    std::vector<Manifold4> out(s.scene.pairs.size());
    Workspace workspace;
    BodyView bodies = s.view();
    bodies.scale += 1;
    EXPECT_EQ(collide(s.scene.hulls, bodies, s.scene.pairs, {}, out, workspace).status.code, Status::bad_argument);
    bodies = s.scene.view().with_scale(s.scales.data(), 6);
    EXPECT_EQ(collide(s.scene.hulls, bodies, s.scene.pairs, {}, out, workspace).status.code, Status::bad_argument);
    bodies = s.view();
    bodies.hull = nullptr;
    EXPECT_EQ(collide(s.scene.hulls, bodies, s.scene.pairs, {}, out, workspace).status.where, 2U);
    // A stride of 0 is one scale for all.
    const float half = 0.5F;
    std::vector<Manifold4> all(s.scene.pairs.size());
    ASSERT_TRUE(collide(s.scene.hulls, s.scene.view().with_scale(&half, 0), s.scene.pairs, {}, out, workspace).status);
    std::fill(s.scales.begin(), s.scales.end(), half);
    ASSERT_TRUE(collide(s.scene.hulls, s.view(), s.scene.pairs, {}, all, workspace).status);
    EXPECT_EQ(std::memcmp(all.data(), out.data(), out.size() * sizeof(Manifold4)), 0);
}

}  // namespace
}  // namespace lanefold::test
