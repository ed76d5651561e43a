// SPDX-License-Identifier: MIT
//
// The candidates for a contact on the float64 path: their order, and that each of them carries a contact that once was
// wrong without it (tests/data/captures).
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/capture.hpp>
#include <lanefold/detail/captured_precise.hpp>

#include "precise/tolerances.hpp"
#include "support/stored_captures.hpp"

namespace lanefold::detail {
namespace {

struct Case {
    bool thin = false;
    Manifold16 record{};
    Manifold16 plain{};
    std::vector<TriedCandidate> tried;
};

// Every stored capture.
std::vector<Case> cases() {
    std::vector<Case> all;
    PreciseScratch scratch;
    for (const test::StoredCase& stored : test::read_cases()) {
        for (const CapturedPair& captured : stored.capture.pairs()) {
            const PrecisePair pair = precise_pair(stored.capture, captured);
            Case c;
            c.thin = ((pair.a->flags | pair.b->flags) & HullRecord::kThin) != 0;
            collide_precise(pair, scratch, c.record, c.tried);
            collide_precise(pair, scratch, c.plain);
            all.push_back(std::move(c));
        }
    }
    return all;
}

TEST(Candidates, TheFirstThatIsAcceptedIsTheContact) {
    std::size_t contacts = 0;
    for (const Case& c : cases()) {
        EXPECT_EQ(std::memcmp(&c.record, &c.plain, sizeof c.record), 0) << "listing changes the record";
        EXPECT_EQ(c.tried.empty(), c.record.kind == ContactKind::none);
        if (c.tried.empty()) continue;
        for (std::size_t i = 0; i + 1 < c.tried.size(); ++i) EXPECT_NE(c.tried[i].refusal, Refusal::none);
        const TriedCandidate& taken = c.tried.back();
        EXPECT_EQ(taken.refusal, Refusal::none);
        EXPECT_EQ(taken.kind, c.record.kind);
        EXPECT_EQ(taken.feature_a, c.record.feature_a);
        EXPECT_EQ(taken.feature_b, c.record.feature_b);
        EXPECT_GE(taken.points, c.record.count);
        ++contacts;
    }
    EXPECT_GT(contacts, 100U);
}

TEST(Candidates, ThinHullsAddSomeAndNoOthersHaveThem) {
    for (const Case& c : cases()) {
        for (const TriedCandidate& t : c.tried) {
            const bool added = t.candidate == CandidateKind::edges_beside || t.candidate == CandidateKind::strip;
            EXPECT_TRUE(c.thin || !added);
            EXPECT_FALSE(c.thin && t.candidate == CandidateKind::tied_corner);
        }
    }
}

TEST(Candidates, EachCarriesAContactThatOnceWasWrong) {
    std::vector<std::size_t> carried(static_cast<std::size_t>(CandidateKind::last) + 1, 0);
    for (const Case& c : cases()) {
        if (!c.tried.empty()) ++carried[static_cast<std::size_t>(c.tried.back().candidate)];
    }
    for (std::size_t k = 0; k < carried.size(); ++k) {
        std::printf("  candidate %zu: %zu\n", k, carried[k]);
        // Patches of level faces carried one of 20,000 placements of MergedRims.Patches, which is no capture.
        if (k == static_cast<std::size_t>(CandidateKind::level_patch)) continue;
        EXPECT_GT(carried[k], 0U) << "candidate " << k;
    }
}

TEST(Tolerances, FollowTheUnit) {
    Tolerances one(0.5, 2, 3);
    Tolerances other(512, 2048, 3072);
    one.set_planes(2.5, false);
    other.set_planes(2560, false);
    EXPECT_EQ(1024 * one.tie, other.tie);
    EXPECT_EQ(1024 * one.converged, other.converged);
    EXPECT_EQ(1024 * one.off_surface, other.off_surface);
    EXPECT_EQ(1024 * one.depth_loss, other.depth_loss);
    EXPECT_EQ(1024 * one.bend, other.bend);
    EXPECT_EQ(one.arc_slack, other.arc_slack);
    // Beyond the ratio of sizes the surface's tolerance is that of the smaller hull.
    EXPECT_GT(Tolerances(0.5, 32, 40).off_surface, 32 * Tolerances(0.5, 33, 40).off_surface);
}

}  // namespace
}  // namespace lanefold::detail
