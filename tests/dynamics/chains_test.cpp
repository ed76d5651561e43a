// SPDX-License-Identifier: MIT
//
// Chains, ropes, trees and bridges whose loads are up to 10,000 times as heavy as their parts keep their lengths, gain
// no energy, and tell by how much they are off.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr double kPart = 0.2;                   // length of a part
constexpr double kEnd = 0.45 * kPart;           // of a bar, from its middle
constexpr float kLight = 0.2F;                  // mass of a part
constexpr std::uint32_t kBar = 2, kWeight = 3;  // hulls

// Bodies that touch nobody, and links whose lengths are those of the start.
struct Structure {
    std::string name;
    std::vector<RigidBody> bodies;
    std::vector<BodyLink> links;
    LinkKind kind = LinkKind::rod;

    std::uint32_t add(double x, double y, std::uint32_t hull, double mass) {
        RigidBody body = body_at(x, y, 0, hull);
        body.mass = static_cast<float>(mass);
        body.collides_with = 0;
        bodies.push_back(body);
        return static_cast<std::uint32_t>(bodies.size() - 1);
    }
    void link(std::uint32_t a, std::uint32_t b, const Vec3d& end_a, const Vec3d& end_b) {
        const double* p = bodies[a].position;
        const Vec3d from = Vec3d{p[0], p[1], p[2]} + end_a;
        Vec3d to = end_b;
        if (b != kWorldAnchor) {
            const double* q = bodies[b].position;
            to = to + Vec3d{q[0], q[1], q[2]};
        }
        links.push_back({kind, a, b, end_a, end_b, length(to - from), 0});
    }
    World world(const WorldSettings& settings = {}) const {
        const std::vector<Points> shapes{box_points(kEnd, 0.01, 0.01), box_points(0.1, 0.1, 0.1)};
        WorldSettings s = settings;
        s.sleep = false;
        World made = make_world(world_hulls(shapes), bodies, s);
        expect_good(made.add_links(links));
        return made;
    }
};

// Level, held at one end, a weight at the other; links between the bars' ends, or from middle to middle.
Structure chain(std::uint32_t parts, double ratio, LinkKind kind, bool bars) {
    Structure out{bars ? "bars" : kind == LinkKind::cable ? "rope" : "chain", {}, {}, kind};
    for (std::uint32_t i = 0; i < parts; ++i) out.add(kPart * (i + 0.5), 0, kBar, static_cast<double>(kLight));
    out.add(kPart * parts + 0.1, 0, kWeight, static_cast<double>(kLight) * ratio);
    const Vec3d left{bars ? -kEnd : 0, 0, 0}, right{bars ? kEnd : 0, 0, 0};
    out.link(0, kWorldAnchor, left, {0, 0, 0});
    for (std::uint32_t i = 1; i <= parts; ++i)
        out.link(i - 1, i, right, i == parts ? Vec3d{bars ? -0.1 : 0, 0, 0} : left);
    return out;
}

// Level between two ends, the middle part heavy; held by one or two rows of rods.
Structure bridge(std::uint32_t parts, double ratio, bool twice) {
    Structure out{twice ? "bridge of two rows" : "bridge", {}, {}};
    for (std::uint32_t i = 0; i < parts; ++i)
        out.add(kPart * (i + 0.5), 0, kBar, static_cast<double>(kLight) * (i == parts / 2 ? ratio : 1));
    for (const double z : {-0.02, 0.02}) {
        const double side = twice ? z : 0;
        out.link(0, kWorldAnchor, {-kEnd, 0, side}, {0, 0, side});
        for (std::uint32_t i = 1; i < parts; ++i) out.link(i - 1, i, {kEnd, 0, side}, {-kEnd, 0, side});
        out.link(parts - 1, kWorldAnchor, {kEnd, 0, side}, {kPart * parts, 0, side});
        if (!twice) break;
    }
    return out;
}

// A mobile: every bar carries two, the lowest are heavy.
Structure tree(std::uint32_t levels, double ratio) {
    Structure out{"tree", {}, {}};
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t count = 1U << level;
        for (std::uint32_t k = 0; k < count; ++k) {
            const double x = (k - 0.5 * (count - 1)) * kPart * (1U << (levels - level));
            const double mass = static_cast<double>(kLight) * (level + 1 == levels ? ratio : 1);
            const std::uint32_t body = out.add(x, -0.3 * level, kBar, mass);
            if (level == 0) out.link(body, kWorldAnchor, {0, 0, 0}, {0, 0.2, 0});
            if (level != 0) out.link((body - 1) / 2, body, {body % 2 != 0 ? -kEnd : kEnd, 0, 0}, {0, 0.02, 0});
        }
    }
    return out;
}

struct Worst {
    double off = 0;     // metres, of a link
    double energy = 0;  // above that of the start
};

Worst run_whole(World& world, std::size_t links, int steps) {
    const auto energy = [&] { return world.motion().kinetic_energy + world.motion().potential_energy; };
    const double start = energy();
    Worst worst;
    for (int k = 0; k < steps; ++k) {
        const StepResult r = world.step(kWorldStep);
        EXPECT_TRUE(r.status && r.lost == 0) << "step " << k;
        double off = 0;
        for (std::size_t i = 0; i < links; ++i) off = std::max(off, std::fabs(world.link_error(i)));
        worst.off = std::max(worst.off, off);
        worst.energy = std::max(worst.energy, energy() - start);
    }
    return worst;
}

TEST(DynamicsChains, HoldLoadsOfAnyMass) {
    double worst = 0;
    std::string where;
    for (const double ratio : {1.0, 100.0, 1000.0, 10000.0}) {
        std::vector<Structure> all;
        for (const std::uint32_t parts : {2U, 5U, 10U, 40U}) {
            all.push_back(chain(parts, ratio, LinkKind::rod, false));
            all.push_back(chain(parts, ratio, LinkKind::rod, true));
            all.push_back(chain(parts, ratio, LinkKind::cable, false));
            all.push_back(bridge(parts, ratio, false));
            all.push_back(bridge(parts, ratio, true));
        }
        for (const std::uint32_t levels : {2U, 4U}) all.push_back(tree(levels, ratio));
        for (const Structure& s : all) {
            World world = s.world();
            const Worst w = run_whole(world, s.links.size(), 300);
            const double size = kPart * static_cast<double>(s.bodies.size());
            const double mass = world.motion().mass;
            const std::string name = s.name + " of " + std::to_string(s.bodies.size()) + ", 1:" + std::to_string(ratio);
            EXPECT_LT(w.off, 0.01 * size) << name;
            EXPECT_LT(w.energy, 0.005 * mass * 9.81 * size) << name;
            if (w.off / size > worst) {
                worst = w.off / size;
                where = name;
            }
        }
    }
    std::printf("a link is off by at most %.2g of the whole: %s\n", worst, where.c_str());
}

// Ten bars of 0.2 kg with 0.01 m between them and 200 kg at the end, let go level: the case that stretched to ten times
// its length.
TEST(DynamicsChains, ABarChainWithAThousandfoldWeightStaysAsLongAsItIs) {
    const Structure s = chain(10, 1000, LinkKind::rod, true);
    World world = s.world();
    double farthest = 0;
    for (int k = 0; k < 480; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        farthest = std::max(farthest, length(world.centre(10)));
    }
    std::printf("the weight is at most %.6f m away\n", farthest);
    EXPECT_LT(farthest, 2.1 * 1.0001);
    EXPECT_GT(farthest, 2.1 * 0.999);
}

// A chain that swings for a while keeps its energy.
TEST(DynamicsChains, SwingOn) {
    Structure s;
    for (std::uint32_t i = 0; i < 5; ++i) s.add(0.1 * (i + 1), -std::sqrt(1 - 0.01) * 0.2 * (i + 1), kBar, 1);
    for (std::uint32_t i = 0; i < 5; ++i) s.link(i, i == 0 ? kWorldAnchor : i - 1, {}, {});
    World world = s.world();
    const auto energy = [&] { return world.motion().kinetic_energy + world.motion().potential_energy; };
    double rest = 0, depth = 0;
    for (const BodyLink& link : s.links) {
        depth += link.length;
        rest -= 9.81 * depth;
    }
    const double start = energy() - rest;
    run(world, 10);
    const double end = energy() - rest;
    std::printf("after ten seconds %.3f of the energy\n", end / start);
    EXPECT_GT(end, 0.9 * start);
    EXPECT_LT(end, 1.01 * start);
}

// Rods that say the same twice, rods in rings, and a ring that hangs.
TEST(DynamicsChains, LoopsHold) {
    Structure s;
    for (std::uint32_t i = 0; i < 12; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 12;
        s.add(std::sin(angle), std::cos(angle), kBar, i == 6 ? 100 : 0.2);
    }
    for (std::uint32_t i = 0; i < 12; ++i) s.link(i, (i + 1) % 12, {}, {});
    s.link(0, kWorldAnchor, {}, {0, 1.5, 0});
    s.link(0, kWorldAnchor, {}, {0, 1.5, 0});
    World world = s.world();
    const Worst w = run_whole(world, s.links.size(), 300);
    std::printf("a ring of rods is off by at most %.2g m\n", w.off);
    EXPECT_LT(w.off, 0.005);
    double force = 0;
    for (int k = 0; k < 300; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        force += (world.link_force(12) + world.link_force(13)) / 300.0;
    }
    EXPECT_NEAR(force, -(100 + 11 * 0.2) * 9.81, 20);
}

// More links than are solved together: the result says what became of them.
TEST(DynamicsChains, TellWhatTheyDoNotHold) {
    Structure s;
    s.add(0, 0, kWeight, 2000);
    for (std::uint32_t i = 0; i < 80; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 80;
        const std::uint32_t light = s.add(std::sin(angle), 0, kBar, 0.02);
        s.bodies[light].position[2] = std::cos(angle);
        s.link(light, 0, {}, {});
        s.link(light, kWorldAnchor, {}, {2 * std::sin(angle), 1, 2 * std::cos(angle)});
    }
    World world = s.world();
    double most = 0;
    for (int k = 0; k < 60; ++k) {
        const StepResult r = world.step(kWorldStep);
        ASSERT_TRUE(r.status);
        EXPECT_EQ(r.links, s.links.size());
        double worst = 0;
        std::uint64_t which = 0;
        for (std::size_t i = 0; i < s.links.size(); ++i) {
            const double off =
                std::fabs(world.link_error(i)) / static_cast<double>(static_cast<float>(s.links[i].length));
            if (off > worst) which = i;
            worst = std::max(worst, off);
        }
        ASSERT_EQ(r.link_error, worst);
        ASSERT_EQ(r.worst_link, which);
        most = std::max(most, worst);
    }
    std::printf("160 links at a hub are off by at most %.3g\n", most);
    EXPECT_GT(most, 0.01);
}

class DynamicsChainBits : public IsaTest {};

// Under loads that need the implicit pass, with cables that come and go; on two threads, and after a restart.
TEST_P(DynamicsChainBits, AreThoseOfEveryInstructionSetAndRestart) {
    Structure s = chain(9, 3000, LinkKind::cable, true);
    const Structure other = bridge(8, 500, true);
    const auto first = static_cast<std::uint32_t>(s.bodies.size());
    s.bodies.insert(s.bodies.end(), other.bodies.begin(), other.bodies.end());
    for (BodyLink link : other.links) {
        link.a += first;
        if (link.b != kWorldAnchor) link.b += first;
        s.links.push_back(link);
    }
    WorldSettings settings;
    settings.isa = GetParam();
    World world = s.world(settings);
    run(world, 1.5);
    std::vector<std::byte> state;
    expect_good(world.save(state));
    run(world, 1);
    constexpr std::uint64_t kGolden = 0x693f8223f054fa65;
    EXPECT_EQ(state_hash(world), kGolden) << std::hex << state_hash(world);
    settings.threads = 2;
    World restored = s.world(settings);
    expect_good(restored.restore(state));
    tbb::task_arena arena(2);
    arena.execute([&] { run(restored, 1); });
    EXPECT_EQ(state_hash(restored), state_hash(world));
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsChainBits);

}  // namespace
}  // namespace lanefold::test
