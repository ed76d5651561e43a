// SPDX-License-Identifier: MIT
//
// Captures of pairs with compounds: each record of each pair of children, written, read and computed again on every
// instruction set, gives the call's bits.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include <lanefold/capture.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/compound_scene.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

// A heap of hulls, rounded and small ones among them, and of compounds of them.
CompoundScene heap() {
    const Rounding some{0.4, 0.05, 0.3};
    const Library library = random_library(4, 30, small_shapes(), 0.3, 1.5, some);
    return make_compound_scene(library.hulls, 21, 60, 600);
}

template <class M>
Manifold16 wide(const M& record) {
    Manifold16 out{};
    std::memcpy(&out, &record, sizeof record);
    return out;
}

template <class M>
void expect_captured() {
    const CompoundScene s = heap();
    const BodyView bodies = s.scene.view();
    Options options = s.scene.options();
    std::vector<M> records(20 * s.scene.pairs.size());
    std::vector<std::uint32_t> candidates(records.size());
    Workspace workspace;
    const CompactResult r = collide_compact_serial(s.scene.hulls, bodies, std::span<const Pair>(s.scene.pairs), options,
                                                   std::span<M>(records), workspace, {}, 0, candidates);
    ASSERT_TRUE(r.status) << r.status.what;
    Capture capture;
    const CapturedCall call{s.scene.hulls, bodies, s.scene.pairs, options, {}, r.isa, 3, {}, {}, {}};
    std::vector<M> kept;
    for (std::uint64_t k = 0; k < r.written && kept.size() < 400; ++k) {
        const Pair& pair = s.scene.pairs[candidates[k]];
        if (!has_compound(s.scene, pair) || records[k].kind == ContactKind::none) continue;
        const CallStatus added = capture.add(call, candidates[k], records[k]);
        ASSERT_TRUE(added) << added.what << " " << added.where;
        kept.push_back(records[k]);
    }
    ASSERT_GT(kept.size(), 200U);
    const std::vector<std::byte> bytes = capture.bytes();
    const CaptureResult read = read_capture(bytes);
    ASSERT_TRUE(read) << read.status.what << " " << read.status.where;
    EXPECT_EQ(read.capture.bytes(), bytes);
    std::size_t named = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const CapturedPair& pair = read.capture.pairs()[i];
        EXPECT_TRUE(pair.of_children);
        EXPECT_EQ(std::memcmp(&pair.record, &kept[i], sizeof(M)), 0) << i;
        named += pair.record.child_a + pair.record.child_b > 0 ? 1 : 0;
        for (const Isa isa : available_isas()) {
            Options own = pair.options();
            own.isa = isa;
            M out{};
            ASSERT_TRUE(collide_pair(read.capture.hulls(), pair.a, pair.b, own, out, workspace, pair.inputs()).status);
            const Manifold16 found = pair.of_call(wide(out)), expected = wide(kept[i]);
            EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0) << i << " " << to_string(isa);
        }
    }
    EXPECT_GT(named, 100U);
}

TEST(CaptureChildren, ComeBackToTheSameBits) {
    expect_captured<Manifold4>();
    expect_captured<Manifold16>();
}

TEST(CaptureChildren, WhatIsNotThereIsRefused) {
    CompoundScene s = heap();
    const BodyView bodies = s.scene.view();
    const Options options;
    const CapturedCall call{s.scene.hulls, bodies, s.scene.pairs, options, {}, Isa::scalar, 0, {}, {}, {}};
    const auto has_hull = [&](std::uint32_t body) {
        return body < s.scene.bodies.size() && s.scene.bodies[body].hull < s.scene.hulls.size() &&
               s.scene.hulls.contains(s.scene.bodies[body].hull);
    };
    const auto at = std::find_if(s.scene.pairs.begin(), s.scene.pairs.end(), [&](const Pair& pair) {
        return pair.a != pair.b && has_hull(pair.a) && has_hull(pair.b) && has_compound(s.scene, pair);
    });
    ASSERT_NE(at, s.scene.pairs.end());
    const auto i = static_cast<std::size_t>(at - s.scene.pairs.begin());
    Capture capture;
    Manifold4 record{};
    const CallStatus apart = capture.add(call, i, record);
    EXPECT_EQ(apart.code, Status::bad_argument);
    EXPECT_STREQ(apart.what, "a pair with a compound and without a contact; a capture has the children that meet");
    EXPECT_EQ(apart.where, i);
    record.kind = ContactKind::face_a;
    record.child_a = record.child_b = 99;
    EXPECT_STREQ(capture.add(call, i, record).what, "the record names a child that does not exist");
    EXPECT_TRUE(capture.pairs().empty());
}

}  // namespace
}  // namespace lanefold::test
