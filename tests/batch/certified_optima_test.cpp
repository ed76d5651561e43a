// SPDX-License-Identifier: MIT
//
// Certificates of best faces change no byte: steps of a ContactStream against cold calls, for pairs that touch. Bodies
// sway by steps of many decades in piles, in random heaps and in stacks whose faces and edges coincide, on every
// instruction set. Counters show that certificates settle most of the pairs of slow steps. Gaps that are wrong on
// purpose are seen.
//
// LANEFOLD_PAIR_STEPS=N: MovingSweep goes on for N pair-steps (`./dev sweep --moving`); support/sweep_length.hpp has
// more.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include <lanefold/contact_stream.hpp>
#include <lanefold/serial.hpp>

#include "support/cold_call.hpp"
#include "support/isa_fixture.hpp"
#include "support/own_certificates.hpp"
#include "support/rocking_scene.hpp"
#include "support/swaying_scene.hpp"
#include "support/sweep_length.hpp"

namespace lanefold::test {
namespace {

constexpr Sway kSettled = {1e-6, 5e-5};
constexpr Sway kSettling = {1e-5, 3e-3};
constexpr Sway kAnySpeed = {1e-7, 3e-2};

struct Seen {
    Counters counters;
    std::uint64_t pairs = 0;
    std::uint64_t different = 0;  // steps
};

// Contacts of general hulls, whichever way they were found.
std::uint64_t hull_contacts(const Counters& c) { return c.face_contacts + c.edge_contacts; }

// Steps of a stream beside cold calls.
template <class M, class Moving>
Seen compare(Moving& moving, const Options& options, int first, int steps) {
    ContactStream<M> stream(PointMatching::off);
    std::vector<M> previous;
    Seen seen;
    for (int step = first; step < first + steps; ++step) {
        moving.set_step(step);
        const BatchScene& scene = moving.scene();
        CompactResult expected;
        std::vector<M> plain = cold_call(scene, options, std::span<const M>(previous), expected);
        const StreamResult r = stream.step(scene.hulls, scene.view(), scene.pairs, options);
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.isa, expected.isa);
        seen.different += same_bytes(stream.contacts(), std::span<const M>(plain)) && r.hash == expected.hash ? 0U : 1U;
        // Two steps note poses and certify.
        if (step > first + 1) seen.counters += r.counters;
        seen.pairs += scene.pairs.size();
        previous = std::move(plain);
    }
    return seen;
}

void print(const char* what, const char* isa, const Seen& seen) {
    const Counters& c = seen.counters;
    std::printf("%s, %s: %llu pair-steps, %llu contacts of hulls, certificates settled %llu, made %llu\n", what, isa,
                static_cast<unsigned long long>(seen.pairs), static_cast<unsigned long long>(hull_contacts(c)),
                static_cast<unsigned long long>(c.certificates_held),
                static_cast<unsigned long long>(c.certificates_made));
}

class CertifiedOptima : public IsaTest {
protected:
    template <class M>
    Seen run(const char* what, BatchScene scene, const Sway& sway, int steps, float hysteresis = 0,
             ContactMethod method = ContactMethod::clip) {
        return run<M>(what, SwayingScene(std::move(scene), 501, sway), steps, hysteresis, method);
    }

    template <class M, class Moving>
    Seen run(const char* what, Moving moving, int steps, float hysteresis = 0,
             ContactMethod method = ContactMethod::clip) {
        Options options = moving.scene().options();
        options.isa = GetParam();
        options.threads = 1;
        options.hysteresis = hysteresis;
        options.method = method;
        const Seen seen = compare<M>(moving, options, 0, steps);
        print(what, to_string(GetParam()), seen);
        EXPECT_EQ(seen.different, 0U) << what;
        return seen;
    }

    static void expect_most_settled(const Seen& seen, std::uint64_t percent) {
        EXPECT_GT(hull_contacts(seen.counters), 5000U);
        EXPECT_GT(100 * seen.counters.certificates_held, percent * hull_contacts(seen.counters));
        EXPECT_GT(seen.counters.certificates_made, 20U) << "some must be made anew";
    }
};

TEST_P(CertifiedOptima, SettleAlmostAllContactsOfAPileThatHardlyMoves) {
    expect_most_settled(run<Manifold4>("pile, settled", pile_scene("debris_pile"), kSettled, 10), 85);
}

TEST_P(CertifiedOptima, SettleMostContactsOfASettlingPile) {
    expect_most_settled(run<Manifold4>("pile, settling", pile_scene("debris_pile"), kSettling, 10), 50);
}

TEST_P(CertifiedOptima, OfRandomHullsAtAnySpeed) {
    const Seen seen = run<Manifold16>("heap", make_bad_batch_scene(503, 300, 6000), kAnySpeed, 24);
    EXPECT_GT(seen.counters.certificates_held, 2000U);
    EXPECT_GT(seen.counters.certificates_made, 500U);
}

TEST_P(CertifiedOptima, OfStacksWhoseAxesAreLevel) {
    for (const Sway& sway : {Sway{1e-9, 1e-7}, kSettled, kAnySpeed}) {
        const Seen seen = run<Manifold4>("stacks", stacked_prisms(505, 10), sway, 12);
        EXPECT_GT(hull_contacts(seen.counters), 10000U);
        EXPECT_GT(seen.counters.certificates_held, 500U);
    }
}

TEST_P(CertifiedOptima, OfBodiesThatRock) {
    expect_most_settled(run<Manifold4>("rocking", RockingScene(make_batch_scene(527, 400, 12000), 528, kSettling), 12),
                        20);
}

TEST_P(CertifiedOptima, WithHysteresis) {
    const Seen seen = run<Manifold4>("hysteresis", pile_scene("debris_pile"), kSettling, 8, kDefaultHysteresis);
    EXPECT_GT(seen.counters.certificates_held, 5000U);
    EXPECT_GT(seen.counters.hold_tried, 10U);
}

TEST_P(CertifiedOptima, OfPatches) {
    const Seen seen = run<Manifold4>("patches", pile_scene("debris_pile"), kSettling, 6, 0, ContactMethod::patch);
    EXPECT_GT(seen.counters.certificates_held, 5000U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(CertifiedOptima);

// `change` alters the certificates between two steps.
template <class Moving, class Change>
Seen run_own(Moving& moving, int steps, const Change& change) {
    OwnCertificates own(moving.scene().pairs.size(), true);
    Seen seen;
    for (int step = 0; step < steps; ++step) {
        moving.set_step(step);
        CompactResult expected;
        CompactResult r;
        const std::vector<Manifold4> plain =
            cold_call(moving.scene(), moving.scene().options(), std::span<const Manifold4>(), expected);
        const std::vector<Manifold4> got = own.step(moving.scene(), r);
        seen.different += same_bytes(std::span<const Manifold4>(got), std::span<const Manifold4>(plain)) ? 0U : 1U;
        seen.counters += r.counters;
        change(step, own);
    }
    return seen;
}

TEST(CertifiedOptimaAreFacts, AnyPairMayHaveThem) {
    SwayingScene moving(make_batch_scene(511, 200, 6000), 512, kSettling);
    BatchRandom random(513);
    const Seen seen = run_own(moving, 8, [&](int step, OwnCertificates& own) {
        for (std::size_t i = own.all().size(); step == 4 && i > 1; --i)
            own.swap(i - 1, random.below(static_cast<std::uint32_t>(i)));
    });
    EXPECT_EQ(seen.different, 0U);
    EXPECT_GT(seen.counters.certificates_held, 3000U);
}

// Steps whose certificates of best faces are made wrong by `spoil` from the third on differ from cold calls; without it
// they do not.
template <class Moving, class Spoil>
void expect_seen_in(const Moving& scene, int steps, const Spoil& spoil) {
    for (const bool planted : {false, true}) {
        Moving moving = scene;
        const Seen seen = run_own(moving, steps, [&](int step, OwnCertificates& own) {
            if (step < 2 || !planted) return;
            for (std::size_t i = 0; i < own.all().size(); ++i) {
                if ((own.all()[i].what & detail::kCertifiedFace) != 0) spoil(own.all()[i], own.optima()[i]);
            }
        });
        EXPECT_GT(seen.counters.certificates_held, 100U);
        EXPECT_EQ(seen.different != 0, planted);
    }
}

template <class Spoil>
void expect_seen(const BatchScene& scene, const Sway& sway, int steps, const Spoil& spoil) {
    expect_seen_in(SwayingScene(scene, 516, sway), steps, spoil);
}

// A certificate's gaps and levers, bit by bit, less `away` and with `more`.
void change_gaps(detail::Certificate& c, std::uint32_t away, std::uint32_t more) {
    std::uint32_t gaps;
    std::memcpy(&gaps, &c.distance, sizeof gaps);
    gaps = (gaps & ~away) | more;
    std::memcpy(&c.distance, &gaps, sizeof gaps);
}

// Both gaps as high as they can be.
TEST(CertifiedOptimaAreFacts, RaisedGapsAreSeen) {
    expect_seen(make_batch_scene(515, 200, 6000), {1e-4, 1e-2}, 24,
                [](detail::Certificate& c, detail::CertifiedOptimum&) { change_gaps(c, 0, 0xFFFFFF00U); });
}

// Witnesses as near to the support as a lever can say.
TEST(CertifiedOptimaAreFacts, ShortLeversAreSeen) {
    expect_seen_in(RockingScene(make_batch_scene(525, 400, 12000), 526, {1e-4, 3e-2}), 60,
                   [](detail::Certificate& c, detail::CertifiedOptimum&) { change_gaps(c, 0xFFU, 0); });
}

// Certificates without the edges that win.
TEST(CertifiedOptimaAreFacts, MissingEdgesAreSeen) {
    expect_seen(make_batch_scene(517, 200, 6000), kSettling, 5,
                [](detail::Certificate& c, detail::CertifiedOptimum&) { c.what &= ~detail::kCertifiedEdges; });
}

// Faces that come near are not compared with the best one.
TEST(CertifiedOptimaAreFacts, RunnersUpThatAreNotComparedAreSeen) {
    std::size_t marked = 0;
    expect_seen(make_batch_scene(521, 200, 6000), {1e-4, 2e-2}, 12,
                [&](detail::Certificate& c, detail::CertifiedOptimum&) {
                    if ((c.what & detail::kCertifiedRunners) == 0) return;
                    ++marked;
                    c.what &= ~detail::kCertifiedRunners;
                });
    EXPECT_GT(marked, 300U);
}

// Runners-up are compared by another vertex' height, or not the right face is.
TEST(CertifiedOptimaAreFacts, WrongRunnersUpAreSeen) {
    for (const std::uint32_t bit : {1U, 1U << detail::kCertifiedFaceShift}) {
        std::size_t marked = 0;
        expect_seen(make_batch_scene(523, 200, 6000), {1e-4, 2e-2}, 12,
                    [&](detail::Certificate& c, detail::CertifiedOptimum& e) {
                        if ((c.what & detail::kCertifiedRunners) == 0) return;
                        for (std::uint32_t& runner : e.runner) {
                            if (runner == detail::kNoRunner) continue;
                            ++marked;
                            runner = bit == 1U ? detail::kNoRunner : runner ^ bit;
                        }
                    });
        EXPECT_GT(marked, 300U);
    }
}

// Supports that are not the lowest vertex.
TEST(CertifiedOptimaAreFacts, WrongSupportsAreSeen) {
    expect_seen(make_batch_scene(519, 200, 6000), kSettling, 5,
                [](detail::Certificate& c, detail::CertifiedOptimum&) { c.what ^= 1U; });
}

// Planes and supports that are not those of the hulls, in the last digits.
TEST(CertifiedOptimaAreFacts, WrongCopiesOfGeometryAreSeen) {
    for (const bool of_plane : {true, false}) {
        expect_seen(make_batch_scene(527, 200, 6000), kSettling, 5,
                    [&](detail::Certificate&, detail::CertifiedOptimum& o) {
                        if (of_plane)
                            o.plane[3] += 1e-5F;
                        else
                            o.support[0] += 1e-5F;
                    });
    }
}

// The faces of the clip are taken from the certificate, however far the pair has turned. The incident face of prisms
// that rock changes soonest.
TEST(CertifiedOptimaAreFacts, IncidentFacesThatDoNotStayAreSeen) {
    std::size_t marked = 0;
    expect_seen_in(RockingScene(make_batch_scene(529, 400, 12000), 530, {1e-4, 3e-2}), 60,
                   [&](detail::Certificate& c, detail::CertifiedOptimum&) {
                       if ((c.what & detail::kCertifiedClip) != 0) return;
                       ++marked;
                       c.what |= detail::kCertifiedClip;
                   });
    EXPECT_GT(marked, 100U);
}

// The edges that are combined are not those that the certificate lists.
TEST(CertifiedOptimaAreFacts, WrongRowsOfEdgesAreSeen) {
    SwayingScene moving(make_batch_scene(531, 200, 6000), 532, kSettling);
    std::size_t marked = 0;
    const Seen seen = run_own(moving, 8, [&](int step, OwnCertificates& own) {
        if (step < 2) return;
        for (std::size_t i = 0; i < own.all().size(); ++i) {
            const std::uint32_t what = own.all()[i].what;
            if ((what & detail::kCertifiedFace) == 0 || (what & detail::kCertifiedEdges) == 0) continue;
            if (!own.optima()[i].is_single()) continue;
            ++marked;
            own.singles()[i].a[3] += 1e-5F;  // x of the edge's vertex
        }
    });
    EXPECT_GT(marked, 100U);
    EXPECT_NE(seen.different, 0U);
}

// One scene of a sweep, at a speed and for a number of steps that are drawn.
Seen sweep_scene(std::uint64_t round, BatchRandom& random) {
    const auto steps_of = [&](auto moving) {
        Options options = moving.scene().options();
        options.hysteresis = 0;
        options.threads = 1;
        const int first = static_cast<int>(random.below(1000));
        return compare<Manifold4>(moving, options, first, 6 + static_cast<int>(random.below(20)));
    };
    const Sway sways[] = {{1e-9, 1e-6}, kSettled, kSettling, kAnySpeed};
    if (round % 5 == 4) {
        const BatchScene scene = make_batch_scene(random.next(), 400, 12000);
        const std::uint64_t seed = random.next();
        return steps_of(RockingScene(scene, seed, sways[random.below(4)]));
    }
    BatchScene scene = round % 5 == 0   ? pile_scene("debris_pile")
                       : round % 5 == 1 ? stacked_prisms(random.next(), 8 + static_cast<int>(random.below(6)))
                                        : make_batch_scene(random.next(), 400, 12000);
    const std::uint64_t seed = random.next();
    return steps_of(SwayingScene(std::move(scene), seed, sways[random.below(4)]));
}

// Many steps of scenes of all kinds, at all speeds, byte by byte.
TEST(MovingSweep, StreamsHaveTheBytesOfColdCalls) {
    const SweepLength sweep(3'000'000);
    Seen all;
    for (std::uint64_t round = sweep.round; all.pairs < sweep.pair_steps; ++round) {
        BatchRandom random(sweep.seed_of(round));
        const Seen seen = sweep_scene(round, random);
        all.counters += seen.counters;
        all.pairs += seen.pairs;
        all.different += seen.different;
        ASSERT_EQ(seen.different, 0U) << "seed " << sweep.seed << ", round " << round;
    }
    print("moving sweep", to_string(available_isas().back()), all);
    std::printf("moving sweep, seed %llu: pair-steps %llu, steps that differ %llu, dropped by certificates %llu\n",
                static_cast<unsigned long long>(sweep.seed), static_cast<unsigned long long>(all.pairs),
                static_cast<unsigned long long>(all.different),
                static_cast<unsigned long long>(all.counters.rejected_certificate));
    EXPECT_GT(20 * all.counters.certificates_held, 5 * hull_contacts(all.counters));
    EXPECT_GT(all.counters.rejected_certificate, all.pairs / 100);
}

}  // namespace
}  // namespace lanefold::test
