// SPDX-License-Identifier: MIT
//
// Pairs whose results once were wrong: what long sweeps, fuzzing and hostile tests have found. tests/data/captures has
// a capture of each (lanefold/capture.hpp), with the record that is right now. Every instruction set must give its
// bits, and the judge must accept it and the record of the float64 path.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/capture.hpp>
#include <lanefold/detail/captured_precise.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/check.hpp"
#include "support/stored_captures.hpp"

namespace lanefold::test {
namespace {

// A pair of a capture with what the judge needs.
struct Asked {
    const Capture& capture;
    const CapturedPair& pair;
    reference::OracleHull a = reference::make_oracle_hull(capture.hulls(), pair.a.hull);
    reference::OracleHull b = reference::make_oracle_hull(capture.hulls(), pair.b.hull);

    reference::JudgedPair question() const { return reference::judged_pair(capture, pair, a, b); }

    // With the bodies of the capture; the call has this pair alone.
    Manifold4 collide(Isa isa) const {
        Options options = pair.options();
        options.isa = isa;
        Manifold4 out{};
        Workspace workspace;
        const BatchResult r =
            pair.position_is_double
                ? collide_pair(capture.hulls(), pair.a, pair.b, options, out, workspace)
                : collide_pair(capture.hulls(), narrow(pair.a), narrow(pair.b), options, out, workspace);
        EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        EXPECT_EQ(r.isa, isa);
        if (is_reported(out)) {
            out.pair[0] = pair.bodies.a;
            out.pair[1] = pair.bodies.b;
        }
        return out;
    }

    static Body narrow(const BodyD& body) {
        Body out{};
        for (int i = 0; i < 3; ++i) out.position[i] = static_cast<float>(body.position[i]);
        std::copy(body.orientation, body.orientation + 4, out.orientation);
        out.hull = body.hull;
        return out;
    }
};

TEST(OracleCases, EveryInstructionSet) {
    const std::vector<StoredCase> cases = read_cases();
    Coverage coverage;
    for (const StoredCase& c : cases) {
        SCOPED_TRACE(c.name);
        for (const CapturedPair& pair : c.capture.pairs()) {
            const Asked asked{c.capture, pair};
            ASSERT_EQ(pair.capacity, 4U);
            Manifold4 captured{};
            std::memcpy(&captured, &pair.record, sizeof captured);
            for (const Isa isa : available_isas())
                EXPECT_EQ(bitwise_difference(asked.collide(isa), captured), "") << to_string(isa);
            EXPECT_EQ(check_manifold(asked.question(), captured, coverage), "");
        }
    }
    std::printf("%zu captures, %llu pairs, %llu touching, %zu instruction sets\n", cases.size(),
                static_cast<unsigned long long>(coverage.pairs), static_cast<unsigned long long>(coverage.touching),
                available_isas().size());
    EXPECT_GE(cases.size(), 80U);
    EXPECT_GE(coverage.pairs, 80U);
    EXPECT_GT(coverage.touching, 60U);
}

TEST(OracleCases, Float64Path) {
    detail::PreciseScratch scratch;
    Coverage coverage;
    for (const StoredCase& c : read_cases()) {
        for (const CapturedPair& pair : c.capture.pairs()) {
            const Asked asked{c.capture, pair};
            const detail::PrecisePair input = detail::precise_pair(c.capture, pair);
            Manifold4 m;
            detail::collide_precise(input, scratch, m);
            EXPECT_EQ(check_manifold(asked.question(), m, coverage), "") << c.name;
        }
    }
    EXPECT_GE(coverage.pairs, 80U);
}

// The distance does not depend on the method: one pair of thin hulls once had two.
TEST(CounterexampleMethods, PatchAndClipFindOneDistance) {
    const std::string folder = std::string(LANEFOLD_TEST_DATA) + "/captures/";
    for (const Isa isa : available_isas()) {
        float distance[2] = {};
        for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
            const bool patch = method == ContactMethod::patch;
            const Capture capture =
                read_stored(folder + "counterexample_ds_505693_margin1_" + (patch ? "patch" : "clip") + ".lfp");
            ASSERT_EQ(capture.pairs().size(), 1U);
            ASSERT_EQ(capture.pairs()[0].method, method);
            distance[patch ? 1 : 0] = Asked{capture, capture.pairs()[0]}.collide(isa).distance;
        }
        EXPECT_EQ(distance[0], distance[1]) << to_string(isa);
        EXPECT_NEAR(distance[0], 0.463180F, 1e-5F) << to_string(isa);
    }
}

}  // namespace
}  // namespace lanefold::test
