// SPDX-License-Identifier: MIT
//
// Compounds in the finder: their boxes contain all children, candidates are those of brute force over the boxes, and no
// pair that touches is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/compound.hpp>
#include <lanefold/serial.hpp>

#include "support/compound_scene.hpp"

namespace lanefold::test {
namespace {

// Spheres, capsules and hulls, and compounds of them.
HullSet hulls_and_compounds() {
    const HullSet sharp = batch_hulls();
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    for (std::size_t h = 0; h + 1 < sharp.size(); ++h) {
        const auto own = sharp.vertices(h);
        const std::size_t kept = h == 4 ? 2 : h == 7 ? 1 : own.size();
        points.insert(points.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(kept));
        offsets.push_back(points.size());
        radii.push_back(h % 3 == 0 ? 0.0F : 0.05F);
    }
    BuildOptions options;
    options.radii = radii;
    return with_compounds(build_hulls(points, offsets, options).hulls, 620, 10, 6);
}

std::vector<BodyD> random_bodies(const HullSet& hulls, std::uint64_t seed, std::uint32_t count, float spread) {
    BatchRandom random(seed);
    std::vector<BodyD> bodies(count);
    for (BodyD& body : bodies) {
        for (double& x : body.position) x = static_cast<double>(random.uniform(-spread, spread));
        random.rotation(body.orientation);
        body.hull = random.below(static_cast<std::uint32_t>(hulls.size()));
    }
    return bodies;
}

TEST(CompoundFinder, BoxesContainAllChildren) {
    const HullSet hulls = hulls_and_compounds();
    const std::vector<BodyD> bodies = random_bodies(hulls, 621, 400, 100);
    std::vector<WorldBox> boxes(bodies.size());
    ASSERT_TRUE(world_boxes(hulls, BodyView(bodies), 0, boxes).status);
    std::uint32_t compounds = 0;
    double tightest = HUGE_VAL;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t count = hulls.child_count(bodies[i].hull);
        compounds += count != 0 ? 1U : 0U;
        for (std::size_t k = 0; k < count; ++k) {
            const BodyD child = child_body(hulls, bodies[i], k);
            Quat q;
            ASSERT_TRUE(normalize(child.orientation, q));
            const PoseD pose{rotation(q), detail::position_of(child)};
            const auto radius = static_cast<double>(hulls[child.hull].round_radius);
            for (const Vec3f& v : hulls.vertices(child.hull)) {
                const Vec3d p = transform(pose, to_double(v));
                for (const double gap : {p.x - radius - boxes[i].lower.x, p.y - radius - boxes[i].lower.y,
                                         p.z - radius - boxes[i].lower.z, boxes[i].upper.x - p.x - radius,
                                         boxes[i].upper.y - p.y - radius, boxes[i].upper.z - p.z - radius}) {
                    EXPECT_GE(gap, 0) << i << " " << k;
                    tightest = std::min(tightest, gap);
                }
            }
        }
    }
    EXPECT_GT(compounds, 100U);
    EXPECT_LT(tightest, 0.2);
}

std::vector<Pair> overlapping_boxes(const std::vector<WorldBox>& boxes) {
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
            if (overlap(boxes[i], boxes[j])) pairs.push_back({i, j});
        }
    }
    return pairs;
}

TEST(CompoundFinder, CandidatesAreThoseOfBruteForceAndNoContactIsMissing) {
    const HullSet hulls = hulls_and_compounds();
    std::vector<BodyD> bodies = random_bodies(hulls, 622, 300, 5);
    BatchRandom random(623);
    PairFinder finder;
    PairFinderOptions options;
    options.margin = 0.1F;
    std::uint64_t touching = 0;
    for (int frame = 0; frame < 6; ++frame) {
        const PairFinderResult found = finder.find(hulls, BodyView(bodies), options);
        ASSERT_TRUE(found.status) << found.status.what;
        const std::vector<Pair> pairs(found.pairs.begin(), found.pairs.end());
        std::vector<WorldBox> boxes(bodies.size());
        ASSERT_TRUE(world_boxes(hulls, BodyView(bodies), static_cast<double>(options.margin) / 2, boxes).status);
        EXPECT_EQ(pairs, overlapping_boxes(boxes)) << frame;
        std::vector<Pair> all;
        for (std::uint32_t i = 0; i < bodies.size(); ++i)
            for (std::uint32_t j = i + 1; j < bodies.size(); ++j) all.push_back({i, j});
        std::vector<Manifold4> out(all.size());
        Workspace workspace;
        Options o;
        o.margin = options.margin;
        ASSERT_TRUE(collide_serial(hulls, BodyView(bodies), all, o, out, workspace).status);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!is_reported(out[i])) continue;
            ++touching;
            EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), all[i])) << frame << " " << i;
        }
        for (BodyD& body : bodies)
            for (double& x : body.position) x += static_cast<double>(random.uniform(-0.1F, 0.1F));
    }
    EXPECT_GT(touching, 1000U);
}

}  // namespace
}  // namespace lanefold::test
