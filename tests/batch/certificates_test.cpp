// SPDX-License-Identifier: MIT
//
// Certificates of motion change no bit: steps of a ContactStream have the bytes of cold calls while bodies move slowly,
// fast, in jumps, and while they rest; with hysteresis and marks; with other margins and other hulls from step to step;
// on every instruction set. Counters show that certificates settle most pairs of slow steps. A bound that is wrong on
// purpose is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/diagnostics.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/serial.hpp>

#include "support/coherent_scene.hpp"
#include "support/cold_call.hpp"
#include "support/isa_fixture.hpp"
#include "support/own_certificates.hpp"

namespace lanefold::test {
namespace {

// Motion per step, about the sizes of bodies of 0.7.
struct Speed {
    float drift;
    float spin;
};

constexpr Speed kSettled = {2e-5F, 5e-5F};
constexpr Speed kSettling = {1e-3F, 2e-3F};
constexpr Speed kFalling = {0.03F, 0.05F};

// Pairs that were found apart by a search.
std::uint64_t searched_apart(const Counters& c) { return c.rejected_centre + c.rejected_cache + c.rejected_face; }

// Pairs that a face of a far larger box drops. They are no matter of certificates, which are of hulls of about one
// size.
std::uint64_t dropped_by_floors(const BatchScene& scene, Options options) {
    const auto size = [&](std::uint32_t body) {
        const bool good = body < scene.bodies.size() && scene.bodies[body].hull < scene.hulls.size();
        return good ? scene.hulls[scene.bodies[body].hull].size : 1.0F;
    };
    BatchScene alone = scene;
    std::erase_if(alone.pairs, [&](const Pair& p) {
        const float a = size(p.a), b = size(p.b);
        return std::max(a, b) <= kPreciseSizeRatio * std::min(a, b);
    });
    EXPECT_GT(alone.pairs.size(), scene.pairs.size() / 20);
    CompactResult r;
    options.hysteresis = 0;
    cold_call(alone, options, std::span<const Manifold4>(), r);
    return r.counters.rejected_face;
}

class Certificates : public IsaTest {
protected:
    template <class M>
    Counters run(Speed speed, int steps, float hysteresis, std::uint64_t seed, std::uint32_t pairs = 6000) {
        CoherentScene moving(make_bad_batch_scene(seed, 300, pairs), seed + 1, speed.drift, speed.spin);
        ContactStream<M> stream;
        std::vector<M> previous;
        Counters seen;
        for (int step = 0; step < steps; ++step) {
            moving.set_frame(step);
            BatchScene& scene = moving.scene();
            Options options = scene.options();
            options.isa = GetParam();
            options.threads = 1;
            options.hysteresis = hysteresis;
            CompactResult expected;
            const std::vector<M> plain = cold_call(scene, options, std::span<const M>(previous), expected);
            const StreamResult r = stream.step(scene.hulls, scene.view(), scene.pairs, options);
            expect_ran(r);
            EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const M>(plain))) << "step " << step;
            EXPECT_EQ(r.hash, expected.hash);
            EXPECT_TRUE(std::equal(std::begin(r.by_status), std::end(r.by_status), expected.by_status));
            EXPECT_TRUE(std::equal(std::begin(r.by_kind), std::end(r.by_kind), expected.by_kind));
            if (step != 0) {
                seen += r.counters;
                seen.rejected_face -= dropped_by_floors(scene, options);
            }
            previous = plain;
            if (HasFailure()) break;
        }
        std::printf("%s, drift %g: %llu pairs of hulls, dropped by certificates %llu, by centre, face and edge %llu\n",
                    to_string(GetParam()), static_cast<double>(speed.drift),
                    static_cast<unsigned long long>(seen.hull_pairs),
                    static_cast<unsigned long long>(seen.rejected_certificate),
                    static_cast<unsigned long long>(searched_apart(seen)));
        return seen;
    }
};

TEST_P(Certificates, DropAlmostAllPairsApartInSlowSteps) {
    for (const Speed speed : {kSettled, kSettling}) {
        const Counters seen = run<Manifold4>(speed, 12, 0, 71);
        EXPECT_GT(seen.rejected_certificate, 10000U);
        EXPECT_GT(seen.rejected_certificate, 9 * searched_apart(seen));
    }
}

TEST_P(Certificates, InFastStepsToo) {
    // Most of the steps go without, because too few certificates hold.
    const Counters seen = run<Manifold16>(kFalling, 22, 0, 73);
    EXPECT_GT(seen.rejected_certificate, 1000U);
    EXPECT_GT(seen.certificates_tried, seen.rejected_certificate + 500U) << "some must fail";
    EXPECT_GT(searched_apart(seen), 4 * seen.certificates_tried);
}

// Certificates of the first steps hold for many steps, one after the other fails and is made anew.
TEST_P(Certificates, OfBodiesThatDriftForLong) {
    const Counters seen = run<Manifold4>({2e-4F, 4e-4F}, 150, 0, 77, 1000);
    EXPECT_GT(seen.rejected_certificate, 30000U);
    EXPECT_GT(seen.certificates_tried, seen.rejected_certificate + 100U) << "some must fail";
}

TEST_P(Certificates, WithHysteresis) {
    const Counters seen = run<Manifold4>(kSettling, 8, kDefaultHysteresis, 75);
    EXPECT_GT(seen.rejected_certificate, 1000U);
    EXPECT_GT(seen.hold_tried, 10U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(Certificates);

// Steps of a stream against cold calls, while `change` alters scene and options before each step.
template <class Change>
Counters run_changes(int steps, const Change& change) {
    CoherentScene moving(make_bad_batch_scene(81, 200, 4000), 82, kSettling.drift, kSettling.spin);
    ContactStream<Manifold4> stream;
    Counters seen;
    for (int step = 0; step < steps; ++step) {
        moving.set_frame(step);
        BatchScene& scene = moving.scene();
        Options options = scene.options();
        options.hysteresis = 0;
        change(step, scene, options);
        CompactResult expected;
        const std::vector<Manifold4> plain = cold_call(scene, options, std::span<const Manifold4>(), expected);
        const StreamResult r = stream.step(scene.hulls, scene.view(), scene.pairs, options);
        EXPECT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain))) << "step " << step;
        seen += r.counters;
    }
    return seen;
}

TEST(CertificatesHold, WithOtherOptionsInEveryStep) {
    const Counters seen = run_changes(10, [](int step, const BatchScene&, Options& o) {
        constexpr float kMargins[] = {0.15F, 0.0F, 0.4F, 0.02F};
        o.margin = kMargins[step % 4];
        o.face_preference = step % 3 == 0 ? 0.0F : kDefaultFacePreference;
        o.method = step % 5 == 4 ? ContactMethod::patch : ContactMethod::clip;
        o.points = step % 2 == 0 ? PointSelection::all : PointSelection::impact;
    });
    EXPECT_GT(seen.rejected_certificate, 1000U);
}

// Bodies change their hulls; sets are rebuilt with other hulls under the same ids, grow, and lose hulls.
TEST(CertificatesHold, WithOtherHulls) {
    std::vector<std::uint32_t> other;
    const HullSet mine = batch_hulls();
    const Counters seen = run_changes(12, [&](int step, BatchScene& scene, Options&) {
        BatchRandom random(static_cast<std::uint64_t>(step / 2));
        for (std::size_t i = 0; i < scene.bodies.size(); i += 5)
            scene.bodies[i].hull = random.below(static_cast<std::uint32_t>(mine.size()));
        // The same hulls built again: content counts, not addresses. Then the ids of all hulls move on by 4.
        if (step == 5) scene.hulls = batch_hulls();
        if (step == 7) {
            std::vector<Vec3f> points;
            std::vector<std::uint64_t> offsets{0};
            for (std::size_t h = 0; h < mine.size(); ++h) {
                for (const Vec3f& v : mine.vertices((h + 4) % mine.size())) points.push_back(v);
                offsets.push_back(points.size());
            }
            scene.hulls = build_hulls(points, offsets).hulls;
        }
        if (step == 9) scene.hulls = scene.hulls.append(mine);
        if (step == 10) scene.hulls = scene.hulls.remove(std::array<std::uint32_t, 2>{5, 8});
    });
    EXPECT_GT(seen.rejected_certificate, 1000U);
}

// A pair that is listed several times, in an order that changes, on several threads.
TEST(CertificatesHold, ForPairsListedTwice) {
    std::vector<Pair> all;
    const Counters seen = run_changes(8, [&](int step, BatchScene& scene, Options& o) {
        if (all.empty()) all = scene.pairs;
        BatchRandom random(static_cast<std::uint64_t>(step));
        scene.pairs = all;
        for (std::size_t i = 0; i < all.size(); i += 3) scene.pairs.push_back(all[i]);
        random.shuffle(std::span<Pair>(scene.pairs));
        o.threads = 4;
    });
    EXPECT_GT(seen.rejected_certificate, 1000U);
}

// If certificates spare little, most steps go without; once they spare much, steps have them again.
TEST(CertificatesHold, WhereBodiesComeToRest) {
    CoherentScene moving(make_batch_scene(99, 200, 6000), 100, kSettled.drift, kSettled.spin);
    ContactStream<Manifold4> stream;
    constexpr int kFast = 30;
    constexpr int kSlow = 30;
    int without = 0;
    std::uint64_t spared = 0;
    std::uint64_t pairs = 0;
    for (int step = 0; step < kFast + kSlow; ++step) {
        moving.set_frame(step < kFast ? 1500 * (step % 2) + step : step);
        const BatchScene& scene = moving.scene();
        Options options = scene.options();
        options.hysteresis = 0;
        CompactResult expected;
        const std::vector<Manifold4> plain = cold_call(scene, options, std::span<const Manifold4>(), expected);
        const StreamResult r = stream.step(scene.hulls, scene.view(), scene.pairs, options);
        ASSERT_TRUE(same_bytes(stream.contacts(), std::span<const Manifold4>(plain))) << "step " << step;
        const Counters& c = r.counters;
        without += step < kFast && c.certificates_tried == 0 && c.certificates_made == 0 ? 1 : 0;
        if (step < kFast + kSlow - 5) continue;
        spared += c.rejected_certificate + c.certificates_held;
        pairs += c.hull_pairs;
    }
    EXPECT_GT(without, kFast / 2);
    EXPECT_GT(2 * spared, pairs);
}

// Certificates are facts about hulls and a pose: each pair may have any other pair's.
TEST(CertificatesAreFacts, AnyPairMayHaveThem) {
    CoherentScene moving(make_batch_scene(95, 200, 6000), 96, kSettling.drift, kSettling.spin);
    OwnCertificates own(moving.scene().pairs.size());
    BatchRandom random(97);
    std::uint64_t dropped = 0;
    for (int step = 0; step < 6; ++step) {
        moving.set_frame(step);
        CompactResult expected;
        CompactResult r;
        const std::vector<Manifold4> plain =
            cold_call(moving.scene(), moving.scene().options(), std::span<const Manifold4>(), expected);
        const std::vector<Manifold4> got = own.step(moving.scene(), r);
        ASSERT_TRUE(same_bytes(std::span<const Manifold4>(got), std::span<const Manifold4>(plain))) << step;
        dropped += r.counters.rejected_certificate;
        const std::span<detail::Certificate> all = own.all();
        if (step > 2) random.shuffle(all);
    }
    EXPECT_GT(dropped, 1000U);
}

// The comparison of bytes sees certificates whose distance is too long.
TEST(CertificatesAreFacts, WrongOnesAreSeen) {
    CoherentScene moving(make_batch_scene(91, 200, 6000), 92, kSettling.drift, kSettling.spin);
    OwnCertificates own(moving.scene().pairs.size());
    for (int step = 0; step < 8; ++step) {
        moving.set_frame(step);
        CompactResult expected;
        CompactResult r;
        const std::vector<Manifold4> truth =
            cold_call(moving.scene(), moving.scene().options(), std::span<const Manifold4>(), expected);
        const std::vector<Manifold4> got = own.step(moving.scene(), r);
        const bool same = same_bytes(std::span<const Manifold4>(got), std::span<const Manifold4>(truth));
        EXPECT_EQ(same, step < 5) << step;
        EXPECT_EQ(got.size() == truth.size(), step < 5) << step;
        if (step != 4) continue;
        // Pairs that are apart by little more than the margin come nearer: by then their certificates are wrong.
        for (detail::Certificate& c : own.all()) c.distance += 1.0F;
        moving.scene().margin += 0.05F;
    }
}

}  // namespace
}  // namespace lanefold::test
