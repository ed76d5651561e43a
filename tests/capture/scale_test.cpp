// SPDX-License-Identifier: MIT
//
// Captures of pairs of bodies with scales: they hold the hulls at these scales, and give the call's bits again.
#include <cstring>

#include <gtest/gtest.h>

#include <lanefold/capture.hpp>

#include "support/scaled_scene.hpp"

namespace lanefold::test {
namespace {

TEST(CaptureScale, PairsComeBackToTheSameBits) {
    const ScaledScene s = make_scaled_scene(61, 80, 900, false);
    const Options options = s.scene.options();
    std::vector<Manifold4> records(10 * s.scene.pairs.size());
    std::vector<std::uint32_t> candidates(records.size());
    Workspace workspace;
    const CompactResult r = collide_compact_serial(s.scene.hulls, s.view(), std::span<const Pair>(s.scene.pairs),
                                                   options, std::span(records), workspace, {}, 0, candidates);
    ASSERT_TRUE(r.status) << r.status.what;
    Capture capture;
    const CapturedCall call{s.scene.hulls, s.view(), s.scene.pairs, options, {}, r.isa, 3, {}, {}, {}};
    std::size_t scaled = 0;
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < r.written && kept.size() < 150; ++k) {
        const Pair& pair = s.scene.pairs[candidates[k]];
        const CallStatus added = capture.add(call, candidates[k], records[k]);
        ASSERT_TRUE(added) << added.what << " " << added.where;
        scaled += s.scales[pair.a] != 1.0F && s.scales[pair.b] != 1.0F ? 1U : 0U;
        kept.push_back(k);
    }
    EXPECT_GT(scaled, 40U);
    const CaptureResult read = read_capture(capture.bytes());
    ASSERT_TRUE(read) << read.status.what;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const CapturedPair& pair = read.capture.pairs()[i];
        // The ids are those of the call's set.
        EXPECT_LT(pair.hulls.a, s.scene.hulls.size());
        EXPECT_LT(pair.hulls.b, s.scene.hulls.size());
        Manifold4 out{};
        ASSERT_TRUE(
            collide_pair(read.capture.hulls(), pair.a, pair.b, pair.options(), out, workspace, pair.inputs()).status);
        Manifold16 whole{};
        Manifold16 expected{};
        std::memcpy(&whole, &out, sizeof out);
        std::memcpy(&expected, &records[kept[i]], sizeof(Manifold4));
        const Manifold16 found = pair.of_call(whole);
        EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0) << i;
    }
}

}  // namespace
}  // namespace lanefold::test
