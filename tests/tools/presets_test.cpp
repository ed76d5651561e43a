// SPDX-License-Identifier: MIT
//
// `lanefold generate presets`: compares the manifold of every preset with one derived by hand from the measures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "contacts/io.hpp"
#include "generate/presets.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;

struct Expected {
    std::string name;
    ContactKind kind;
    double distance;
    Vec3d normal;
    std::vector<Vec3d> points;  // relative to body a, all before the reduction
};

// The corners of a rectangle in the plane of height y.
std::vector<Vec3d> rectangle(double x0, double x1, double y, double z0, double z1) {
    return {{x0, y, z0}, {x1, y, z0}, {x0, y, z1}, {x1, y, z1}};
}

std::vector<Expected> expected() {
    const double d = 1.0 / 32;   // depth
    const double g = 1.0 / 64;   // gap
    const double y = 1 - d / 2;  // midway between the upper side of a cube and the lower side of the body in it
    const double r2 = std::numbers::sqrt2;
    const double r3 = std::numbers::sqrt3;
    const double k = r2 - 1;  // half a side of the octagon that two squares of half width 1 share
    const Vec3d up{0, 1, 0};
    const Vec3d slope{0.6, 0.8, 0};
    const Vec3d along{0.8, -0.6, 0};
    const Vec3d on_slope = Vec3d{2, 1.5, 0} - slope * (d / 2);
    const double h = 0.75 * r3 / 2;  // of the prism's hexagon
    return {
        // The published axis, from the tetrahedron to the cube.
        {"published",
         ContactKind::edge_edge,
         -0.48856698416292277,
         {-0.363158176344981, 0.7216867077808199, 0.5893084377185425},
         // The published point is on the tetrahedron's edge, lanefold's is midway to the cube's.
         {Vec3d{-0.39404904235014193, 0.010826225559499636, 0.023658338478221408} +
          Vec3d{-0.363158176344981, 0.7216867077808199, 0.5893084377185425} * (-0.48856698416292277 / 2)}},
        {"aligned", ContactKind::face_a, -d, up, rectangle(-1, 1, y, -1, 1)},
        {"rotated",
         ContactKind::face_a,
         -d,
         up,
         {{1, y, k}, {1, y, -k}, {-1, y, k}, {-1, y, -k}, {k, y, 1}, {-k, y, 1}, {k, y, -1}, {-k, y, -1}}},
        {"offset", ContactKind::face_a, -d, up, rectangle(0, 1, y, -0.5, 1)},
        {"edge-edge", ContactKind::edge_edge, -d, up, {{0, r2 - d / 2, 0}}},
        {"edge-face", ContactKind::face_a, -d, up, {{0, y, -1}, {0, y, 1}}},
        {"vertex-face", ContactKind::face_a, -d, up, {{0, y, 0}}},
        {"wedge",
         ContactKind::face_a,
         -d,
         slope,
         {on_slope + along * 0.5 + Vec3d{0, 0, 0.5}, on_slope + along * 0.5 - Vec3d{0, 0, 0.5},
          on_slope - along * 0.5 + Vec3d{0, 0, 0.5}, on_slope - along * 0.5 - Vec3d{0, 0, 0.5}}},
        {"prism",
         ContactKind::face_a,
         -d,
         up,
         {{0.75, y, 0}, {0.375, y, h}, {-0.375, y, h}, {-0.75, y, 0}, {-0.375, y, -h}, {0.375, y, -h}}},
        // The near side of the small cube has 0.75 to go to the side of the large one.
        {"containment",
         ContactKind::face_a,
         -0.75,
         {1, 0, 0},
         {{0.625, 0.25, 0.25}, {0.625, 0.25, -0.25}, {0.625, -0.25, 0.25}, {0.625, -0.25, -0.25}}},
        {"crossed-beams", ContactKind::face_a, -d, up, rectangle(-0.5, 0.5, 0.5 - d / 2, -0.5, 0.5)},
        {"gap", ContactKind::face_a, g, up, rectangle(-0.5, 1, 1 + g / 2, -1, 1)},
        {"corner-corner",
         ContactKind::vertex_vertex,
         g / 2 * r3,
         {1 / r3, 1 / r3, 1 / r3},
         {{1 + g / 4, 1 + g / 4, 1 + g / 4}}},
    };
}

double nearest(const std::vector<Vec3d>& points, const Vec3d& p) {
    double best = 1e9;
    for (const Vec3d& q : points) best = std::min(best, length(q - p));
    return best;
}

template <class M>
std::vector<M> records_of(const std::string& contacts) {
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(0);
    std::vector<M> out(summary.records);
    reader.open_records(0, summary).read(0, std::span<M>(out));
    return out;
}

class PresetManifolds : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(program({"generate", "presets", scene_}).exit_code, 0);
        ASSERT_EQ(program({"info", scene_}).exit_code, 0);
    }
    template <class M>
    std::vector<M> collide(const std::string& method) {
        const std::string capacity = std::to_string(M::kCapacity);
        const std::string contacts = (folder_ / ("contacts" + capacity + method)).string();
        EXPECT_EQ(
            program({"collide", scene_, "-o", contacts, "--margin", "0.02", "--capacity", capacity, "--method", method})
                .exit_code,
            0);
        const Outcome verified = program({"verify", scene_, contacts});
        EXPECT_EQ(verified.exit_code, 0) << verified.out;
        return records_of<M>(contacts);
    }

    TemporaryFolder folder_;
    std::string scene_ = (folder_ / "presets").string();
};

// Flat faces: clipping and patches have the same points.
class PresetMethods : public PresetManifolds, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Method, PresetMethods, ::testing::Values("clip", "patch"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(PresetMethods, AreThoseDerivedByHand) {
    const std::vector<Manifold16> all = collide<Manifold16>(GetParam());
    const std::vector<Expected> list = expected();
    ASSERT_EQ(all.size(), list.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Expected& e = list[i];
        const Manifold16& m = all[i];
        EXPECT_EQ(presets()[i].name, e.name);
        EXPECT_EQ(m.pair[0], 2 * i);
        EXPECT_EQ(m.pair[1], 2 * i + 1);
        EXPECT_EQ(m.kind, e.kind) << e.name << ": " << to_string(m.kind);
        EXPECT_NEAR(static_cast<double>(m.distance), e.distance, 1e-5) << e.name;
        const Vec3d normal = to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]});
        EXPECT_LT(length(normal - e.normal), 1e-5) << e.name;
        ASSERT_EQ(m.total, e.points.size()) << e.name;
        ASSERT_EQ(m.count, e.points.size()) << e.name;
        std::set<std::uint32_t> features;
        for (std::size_t k = 0; k < m.count; ++k) {
            const ContactPoint& p = m.points[k];
            const Vec3d at = to_double(Vec3f{p.position[0], p.position[1], p.position[2]});
            EXPECT_LT(nearest(e.points, at), 2e-5) << e.name << ", point " << k;
            EXPECT_NEAR(static_cast<double>(p.separation), e.distance, 1e-5) << e.name << ", point " << k;
            features.insert(p.feature);
        }
        EXPECT_EQ(features.size(), m.count) << e.name << ": ids are unique";
    }
}

// The reduction keeps four points that span most of the area: on the octagon and the hexagon at least nine tenths of
// the largest quadrangle.
TEST_P(PresetMethods, ReductionKeepsTheSpread) {
    const std::vector<Manifold4> four = collide<Manifold4>(GetParam());
    const std::vector<Expected> list = expected();
    ASSERT_EQ(four.size(), list.size());
    for (std::size_t i = 0; i < four.size(); ++i) {
        const Manifold4& m = four[i];
        EXPECT_EQ(m.total, list[i].points.size()) << list[i].name;
        EXPECT_EQ(m.count, std::min<std::size_t>(4, list[i].points.size())) << list[i].name;
        if (m.total <= 4) continue;
        // Area of the quadrangle in the plane y: the points sorted around their middle.
        std::vector<Vec3d> kept;
        Vec3d middle;
        for (const ContactPoint& p : m.points) {
            kept.push_back(to_double(Vec3f{p.position[0], p.position[1], p.position[2]}));
            EXPECT_LT(nearest(list[i].points, kept.back()), 2e-5) << list[i].name;
            middle = middle + kept.back() * 0.25;
        }
        std::sort(kept.begin(), kept.end(), [&](const Vec3d& p, const Vec3d& q) {
            return std::atan2(p.z - middle.z, p.x - middle.x) < std::atan2(q.z - middle.z, q.x - middle.x);
        });
        double twice = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3d& p = kept[k];
            const Vec3d& q = kept[(k + 1) % 4];
            twice += p.x * q.z - q.x * p.z;
        }
        // Octagon of circumradius sqrt(1 + k^2): its largest quadrangle is a square. Hexagon of circumradius 0.75:
        // a rectangle of half its long diagonals, 0.75 x 0.75 sqrt(3).
        const double k = std::numbers::sqrt2 - 1;
        const double largest = list[i].name == "rotated" ? 2 * (1 + k * k) : 0.75 * 0.75 * std::numbers::sqrt3;
        EXPECT_GT(std::fabs(twice) / 2, 0.9 * largest) << list[i].name;
    }
}

TEST_F(PresetManifolds, ExistingFoldersAreKept) {
    EXPECT_EQ(program({"generate", "presets", scene_}).exit_code, 2);
    EXPECT_EQ(program({"generate", "presets", scene_, "--replace"}).exit_code, 0);
}

}  // namespace
}  // namespace lanefold::tools
