// SPDX-License-Identifier: MIT
//
// Scales of bodies against the oracle, which takes the scale itself and never sees a baked hull.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>

#include "support/engines.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

constexpr double kBound = 2e-6;  // of the larger shape's size, with its radius

// Hulls of all shapes, cores of one and two points among them, a third of them rounded.
constexpr Shape kShapes[] = {Shape::box,      Shape::rock,  Shape::rotated_box, Shape::debris,    Shape::prism,
                             Shape::point,    Shape::wedge, Shape::segment,     Shape::big,       Shape::tetrahedron,
                             Shape::cylinder, Shape::slab,  Shape::needle,      Shape::octahedron};

double size_of(const reference::OracleHull& h) { return h.size + h.round_radius; }

// Pairs of bodies 2 i and 2 i + 1, both of scales from a thousandth to a thousand, alike but for a factor of 1/3 to 3.
struct ScaledPairs {
    std::vector<BodyD> bodies;
    std::vector<float> scales;
    std::vector<Pair> pairs;

    ScaledPairs(const Library& library, Random& random, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const double common = std::exp2(std::round(random.uniform(-1, 1) * 10));
            scales.push_back(static_cast<float>(common * random.uniform(0.6, 1.7)));
            scales.push_back(scales.back() * static_cast<float>(random.uniform(0.35, 3)));
            for (std::uint32_t k = 0; k < 2; ++k) {
                const auto hull = static_cast<std::uint32_t>(random.uniform(0, 80)) % 80;
                const double reach = size_of(library.oracle[hull]) * static_cast<double>(scales[2 * i + k]);
                const Vec3d first = k == 0 ? Vec3d{} : pose_of(bodies.back()).position;
                bodies.push_back(
                    placed_body(hull, first + random.in_ball() * (k == 0 ? 1.0 : 1.6 * reach), random.rotation()));
            }
            pairs.push_back({2 * i, 2 * i + 1});
        }
    }
};

TEST(OracleScale, DistancesOfScaledBodiesAreTheOracles) {
    const Library library = random_library(611, 80, kShapes, 0.5, 2, {0.3, 0.05, 0.5});
    Random random(612);
    const ScaledPairs scene(library, random, 2000);
    const std::vector<BodyD>& bodies = scene.bodies;
    const std::vector<float>& scales = scene.scales;
    const std::vector<Pair>& pairs = scene.pairs;
    std::vector<float> margins;
    std::vector<reference::OracleResult> exact;
    std::vector<double> size;
    for (const Pair& p : pairs) {
        reference::OracleHull own[2];
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t i = k == 0 ? p.a : p.b;
            const std::uint32_t hull = bodies[i].hull;
            own[k] =
                reference::make_oracle_hull(library.hulls.vertices(hull), library.hulls[hull].round_radius, scales[i]);
            ASSERT_FALSE(own[k].vertices.empty());
        }
        exact.push_back(reference::signed_distance(own[0], pose_of(bodies[p.a]), own[1], pose_of(bodies[p.b])));
        size.push_back(std::max(size_of(own[0]), size_of(own[1])));
        margins.push_back(static_cast<float>(0.3 * size.back()));
    }
    CallInputs inputs;
    inputs.pair_margins = margins;
    for (const Isa isa : available_isas()) {
        Options options;
        options.isa = isa;
        std::vector<Manifold4> out(pairs.size());
        Workspace workspace;
        const BatchResult r = collide(library.hulls, BodyView(bodies).with_scale(scales.data()), pairs, options,
                                      std::span(out), workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        double worst = 0;
        std::size_t overlapping = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (out[i].kind == ContactKind::none) {
                EXPECT_GT(exact[i].distance, static_cast<double>(margins[i]) - kBound * size[i]) << i;
                continue;
            }
            overlapping += out[i].distance < 0 ? 1U : 0U;
            worst = std::max(worst, std::fabs(static_cast<double>(out[i].distance) - exact[i].distance) / size[i]);
        }
        std::printf("%s: %llu touch, %zu overlap, worst %.2e of the size\n", to_string(isa),
                    static_cast<unsigned long long>(r.touching), overlapping, worst);
        EXPECT_GT(r.touching, 500U);
        EXPECT_GT(overlapping, 300U);
        EXPECT_LT(worst, kBound);
    }
}

// The oracle's scaled hull is that of the scaled numbers.
TEST(OracleScale, ScalesVerticesAndRadius) {
    const Points box = box_points(1, 2, 3);
    const reference::OracleHull h = reference::make_oracle_hull(box, 0.5F, 0.1F);
    ASSERT_EQ(h.vertices.size(), 8U);
    EXPECT_EQ(h.round_radius, static_cast<double>(0.05F));
    EXPECT_NEAR(h.size, 0.1 * std::sqrt(14.0), 1e-7);
    EXPECT_EQ(h.vertices[0].x, -static_cast<double>(static_cast<float>(static_cast<double>(0.1F))));
    EXPECT_TRUE(reference::make_oracle_hull(box, 0, 2e38F).vertices.empty());
}

}  // namespace
}  // namespace lanefold::test
