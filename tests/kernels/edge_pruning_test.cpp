// SPDX-License-Identifier: MIT
//
// Edges that the arc test leaves, on every instruction set: none where a vertex meets a face, overlapping or apart, and
// always those that make the contact. The oracle sweeps show that it never drops a better axis.
#include <gtest/gtest.h>

#include <cmath>

#include <lanefold/serial.hpp>

#include "support/isa_fixture.hpp"
#include "support/two_bodies.hpp"

namespace lanefold::test {
namespace {

// A cone of five sides that stands on its apex, which is the origin.
Points spike() {
    Points p{{0, 0, 0}};
    for (int i = 0; i < 5; ++i) {
        const double t = 1.2566370614359172 * i;
        p.push_back({static_cast<float>(0.6 * std::cos(t)), static_cast<float>(0.6 * std::sin(t)), 1});
    }
    return p;
}

// A roof with its ridge on the x axis; `down`: upside down.
Points roof(float down) {
    return {{-1, 0, 0}, {1, 0, 0}, {-1, -0.6F, -down}, {-1, 0.6F, -down}, {1, -0.6F, -down}, {1, 0.6F, -down}};
}

class EdgePruning : public IsaTest {
protected:
    // B above the xy plane of A by `height`; then both turned by `world`.
    BatchResult collide(TwoBodies& t, double x, double y, double height, const Quat& turn_b, const Quat& world) {
        const Vec3d at = rotation(world) * Vec3d{x, y, height};
        t.turn_a(world).turn_b(world * turn_b).move_b(at.x, at.y, at.z).margin(0.1F);
        t.options.isa = GetParam();
        const BatchResult r = collide_pair(t.library.hulls, t.a, t.b, t.options, out, t.workspace);
        expect_ran(r);
        Coverage coverage;
        EXPECT_EQ(check_manifold(t.question(), out, coverage), "");
        return r;
    }

    Manifold4 out{};
    Random random{4711};
};

TEST_P(EdgePruning, AVertexInsideAFaceLeavesNoEdges) {
    TwoBodies on_a(prism_points(7, 1.0, 0.5), spike());
    TwoBodies on_b(spike(), prism_points(7, 1.0, 0.5));
    int overlapping = 0;
    int apart = 0;
    for (int i = 0; i < 300; ++i) {
        const double gap = random.uniform(-0.05, 0.09);
        const double to = random.uniform(0, 6.28);
        const Quat tilt = about({std::cos(to), std::sin(to), 0}, 0.1);
        const Quat world = random.rotation();
        const double x = random.uniform(-0.4, 0.4);
        const double y = random.uniform(-0.4, 0.4);
        const BatchResult r = collide(on_a, x, y, 0.5 + gap, tilt, world);
        EXPECT_EQ(out.kind, ContactKind::face_a);
        EXPECT_NEAR(static_cast<double>(out.distance), gap, 4e-6);
        EXPECT_EQ(r.counters.edges_surviving, 0U) << "gap " << gap;
        overlapping += static_cast<int>(r.overlapping);
        apart += static_cast<int>(r.touching - r.overlapping);
        // The same with the face on B: the spike stands still, the prism comes up from below.
        const BatchResult other = collide(on_b, -x, -y, -0.5 - gap, Quat{}, world);
        EXPECT_EQ(out.kind, ContactKind::face_b);
        EXPECT_EQ(other.counters.edges_surviving, 0U) << "gap " << gap;
    }
    EXPECT_GT(overlapping, 50);
    EXPECT_GT(apart, 50);
}

TEST_P(EdgePruning, CrossingEdgesAreLeft) {
    TwoBodies t(roof(1), roof(-1));
    int overlapping = 0;
    int apart = 0;
    for (int i = 0; i < 300; ++i) {
        const double gap = random.uniform(-0.05, 0.09);
        const Quat turn = about({0, 0, 1}, random.uniform(0.3, 2.8));
        const BatchResult r =
            collide(t, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), gap, turn, random.rotation());
        EXPECT_EQ(out.kind, ContactKind::edge_edge);
        EXPECT_NEAR(static_cast<double>(out.distance), gap, 4e-6);
        EXPECT_GE(r.counters.edge_pairs, 1U);
        overlapping += static_cast<int>(r.overlapping);
        apart += static_cast<int>(r.touching - r.overlapping);
    }
    EXPECT_GT(overlapping, 50);
    EXPECT_GT(apart, 50);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(EdgePruning);

}  // namespace
}  // namespace lanefold::test
