// SPDX-License-Identifier: MIT
//
// Results must not depend on the place of the scene, its rotation, which body is A, or the unit. Tested with stored
// piles and random pairs of every shape and kind of pose, on every instruction set. Changes that float64 and float32
// can express exactly (positions moved by representable amounts, units by powers of two) must give the same bits. For
// others the deviation must be within the tolerances of both results and the rounding of the changed input.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/diagnostics.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/serial.hpp>

#include "support/check.hpp"
#include "support/poses.hpp"
#include "support/stored_scene.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

struct World {
    const Library* library = nullptr;
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;
    Options options;
};

using Manifolds = std::vector<Manifold4>;

// On every instruction set, with equal bits.
Manifolds run(const World& world) {
    Manifolds first;
    Workspace workspace;
    for (const Isa isa : available_isas()) {
        Options options = world.options;
        options.isa = isa;
        Manifolds out(world.pairs.size());
        const BatchResult r = collide_serial(world.library->hulls, std::span<const BodyD>(world.bodies), world.pairs,
                                             options, std::span<Manifold4>(out), workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.isa, isa);
        if (first.empty()) first = out;
        EXPECT_EQ(std::memcmp(first.data(), out.data(), out.size() * sizeof(Manifold4)), 0) << to_string(isa);
    }
    return first;
}

// Positions on a grid of 2^-20 of a unit: they stay representable when moved by whole numbers up to 2^32.
void snap(World& world) {
    for (BodyD& b : world.bodies) {
        for (double& p : b.position) p = std::nearbyint(p * 0x1p20) * 0x1p-20;
    }
}

struct Case {
    std::string name;
    StoredScene scene;  // keeps the stored hulls alive
    Library random;
    World world;
};

void from_stored(const char* name, Case& out) {
    out.name = name;
    out.scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
    out.world.library = &out.scene.library;
    out.world.pairs = out.scene.pairs;
    for (const Body& b : out.scene.bodies) {
        BodyD d{};
        std::copy(b.position, b.position + 3, d.position);
        std::copy(b.orientation, b.orientation + 4, d.orientation);
        d.hull = b.hull;
        out.world.bodies.push_back(d);
    }
    out.world.options.margin = 0.02F;
}

void from_random(std::uint64_t seed, bool ratios, Case& out) {
    SweepConfig config;
    config.seed = sweep_seed(seed);
    config.pairs = sweep_pairs(9000, 200000);
    config.min_scale = ratios ? 0.01 : 0.3;
    config.max_scale = ratios ? 10.0 : 3.0;
    config.float_positions = false;
    out.name =
        (ratios ? "random pairs of sizes 0.01 to 10, seed " : "random pairs, seed ") + std::to_string(config.seed);
    out.random = random_library(config.seed, config.hulls, config.shapes, config.min_scale, config.max_scale);
    SweepBlock block = make_block(config, out.random, 0, config.pairs);
    out.world.library = &out.random;
    out.world.bodies = std::move(block.bodies);
    out.world.pairs = std::move(block.pairs);
    out.world.options.margin = 0.05F;
    out.world.options.face_preference = 0;
}

// All four worlds in turn.
template <class Test>
void for_each_world(const Test& test) {
    for (int k = 0; k < 4; ++k) {
        Case c;
        if (k == 0) from_stored("boxes_pile", c);
        if (k == 1) from_stored("debris_pile", c);
        if (k >= 2) from_random(740 + static_cast<std::uint64_t>(k), k == 3, c);
        SCOPED_TRACE(c.name);
        test(c.name, c.world);
    }
}

void expect_same_bits(const Manifolds& x, const Manifolds& y, const char* what) {
    std::size_t differ = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::string difference = bitwise_difference(x[i], y[i]);
        if (difference.empty()) continue;
        if (++differ <= 3) ADD_FAILURE() << what << ", pair " << i << ": " << difference;
    }
    EXPECT_EQ(differ, 0U) << what;
}

std::size_t reported(const Manifolds& m) {
    return static_cast<std::size_t>(
        std::count_if(m.begin(), m.end(), [](const Manifold4& r) { return r.kind != ContactKind::none; }));
}

TEST(Invariance, MovedByRepresentableAmountsEveryBitIsTheSame) {
    for_each_world([](const std::string& name, World& world) {
        snap(world);
        const Manifolds still = run(world);
        EXPECT_GT(reported(still), world.pairs.size() / 4);
        for (const double by : {1.0, 1e3, 1e6, 1e9}) {
            World moved = world;
            for (BodyD& b : moved.bodies) {
                b.position[0] += by;
                b.position[1] -= 2 * by;
                b.position[2] += 3 * by;
            }
            expect_same_bits(still, run(moved), ("moved by " + std::to_string(by)).c_str());
        }
        std::printf("%s: %zu pairs, %zu touching, moved by 1, 1e3, 1e6, 1e9: equal bits\n", name.c_str(), still.size(),
                    reported(still));
    });
}

// Hulls and positions in another unit.
Library in_unit(const Library& library, double unit) {
    std::vector<Points> lists;
    for (std::size_t h = 0; h < library.size(); ++h) {
        const auto vertices = library.hulls.vertices(static_cast<std::uint32_t>(h));
        lists.push_back(transformed(Points(vertices.begin(), vertices.end()), unit, Quat{}, Vec3d{}));
    }
    return build_library(lists);
}

World in_unit(const World& world, const Library& library, double unit) {
    World out = world;
    out.library = &library;
    out.options.margin = static_cast<float>(static_cast<double>(world.options.margin) * unit);
    for (BodyD& b : out.bodies) {
        for (double& p : b.position) p *= unit;
    }
    return out;
}

// As long as all hulls stay between 1e-6 and 1e6 units, where the float32 kernels take them: beyond, products of six
// lengths could leave float32's range, and the pair takes the float64 path.
TEST(Invariance, UnitsOfPowersOfTwoScaleEveryBit) {
    for_each_world([](const std::string& name, World& world) {
        const Manifolds metres = run(world);
        for (const int exponent : {-10, 10}) {
            const auto unit = static_cast<float>(std::ldexp(1.0, exponent));
            const Library library = in_unit(*world.library, std::ldexp(1.0, exponent));
            Manifolds expected = metres;
            for (Manifold4& m : expected) {
                m.distance *= unit;
                for (int i = 0; i < m.count; ++i) {
                    for (float& p : m.points[i].position) p *= unit;
                    m.points[i].separation *= unit;
                }
            }
            expect_same_bits(expected, run(in_unit(world, library, std::ldexp(1.0, exponent))),
                             ("unit 2^" + std::to_string(exponent)).c_str());
        }
        std::printf("%s: %zu pairs, units 2^-10 and 2^10: equal bits but for the exponent\n", name.c_str(),
                    metres.size());
    });
}

// Allowed and measured deviation of a changed world from the original one.
struct Change {
    const char* name = "";
    Quat rotation{};       // of the whole scene
    bool swapped = false;  // A and B
    double unit = 1;
    double rounding = 0;  // how far rounded input moves a body's surface, relative to its reach from its own origin
};

struct Deviation {
    std::size_t compared = 0;
    std::size_t in_band = 0;
    std::size_t same_kind = 0;
    std::size_t same_total = 0;
    double distance = 0;  // of the bound
    double distance_size = 0;
    double normal = 0;   // lack of separation along the other world's normal, of the bound
    double deepest = 0;  // of the bound
};

double reach(const reference::OracleHull& hull) {
    double r = 0;
    for (const Vec3d& v : hull.vertices) r = std::max(r, length(v));
    return r;
}

ContactKind mirrored(ContactKind kind) {
    switch (kind) {
        case ContactKind::face_a:
            return ContactKind::face_b;
        case ContactKind::face_b:
            return ContactKind::face_a;
        case ContactKind::vertex_edge:
            return ContactKind::edge_vertex;
        case ContactKind::edge_vertex:
            return ContactKind::vertex_edge;
        default:
            return kind;
    }
}

double deepest(const Manifold4& m) {
    double d = static_cast<double>(m.points[0].separation);
    for (int i = 1; i < m.count; ++i) d = std::min(d, static_cast<double>(m.points[i].separation));
    return d;
}

void expect_close(const std::string& name, const World& world, const Manifolds& before, const Manifolds& after,
                  const Change& change) {
    const Mat3d turn = rotation(change.rotation);
    std::vector<double> reaches;
    for (const reference::OracleHull& h : world.library->oracle) reaches.push_back(reach(h));
    Deviation worst;
    const auto margin = static_cast<double>(world.options.margin);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Manifold4& x = before[i];
        const Manifold4& y = after[i];
        const BodyD& a = world.bodies[world.pairs[i].a];
        const BodyD& b = world.bodies[world.pairs[i].b];
        const reference::OracleHull& hull_a = world.library->oracle[a.hull];
        const reference::OracleHull& hull_b = world.library->oracle[b.hull];
        const double larger = std::max(hull_a.size, hull_b.size);
        const double smaller = std::min(hull_a.size, hull_b.size);
        const bool precise = larger > smaller * static_cast<double>(kPreciseSizeRatio) * (1 + 1e-6);
        const double input = change.rounding * (reaches[a.hull] + reaches[b.hull]);
        const double dx = static_cast<double>(x.distance);
        const double dy = static_cast<double>(y.distance) / change.unit;
        // Two results, each within its tolerance and rounded to float32.
        const double bound =
            2.0 * (kDistanceTolerance * (precise ? smaller : larger) + 0x1p-24 * std::max(std::fabs(dx), margin)) +
            input;
        if (x.kind == ContactKind::none || y.kind == ContactKind::none) {
            if (x.kind == y.kind) continue;
            ++worst.in_band;
            EXPECT_NEAR(x.kind == ContactKind::none ? dy : dx, margin, bound) << "pair " << i;
            continue;
        }
        ++worst.compared;
        const ContactKind expected = change.swapped ? mirrored(x.kind) : x.kind;
        worst.same_kind += y.kind == expected ? 1U : 0U;
        worst.same_total += y.kind == expected && y.total == x.total ? 1U : 0U;
        worst.distance = std::max(worst.distance, std::fabs(dx - dy) / bound);
        if (!precise) worst.distance_size = std::max(worst.distance_size, std::fabs(dx - dy) / larger);
        EXPECT_NEAR(dx, dy, bound) << "pair " << i;
        // The other world's normal, turned back, must be minimal here. It may differ where several are minimal.
        Vec3d n = transpose_times(turn, Vec3d{y.normal[0], y.normal[1], y.normal[2]});
        if (change.swapped) n = -n;
        const double along = reference::separation_along(hull_a, pose_of(a), hull_b, pose_of(b), normalized(n));
        const double lever = larger + length(Vec3d{b.position[0] - a.position[0], b.position[1] - a.position[1],
                                                   b.position[2] - a.position[2]});
        const double allowed = bound + 2 * 0x1p-24 * lever;
        const double preference = static_cast<double>(world.options.face_preference) * smaller;
        worst.normal = std::max(worst.normal, (dx - along - preference) / allowed);
        EXPECT_LE(dx - along, allowed + preference) << "pair " << i;
        const double depth = std::fabs(deepest(x) - deepest(y) / change.unit);
        if (world.options.face_preference == 0) worst.deepest = std::max(worst.deepest, depth / (2 * allowed));
        EXPECT_LE(depth, 2 * allowed + preference) << "pair " << i;
    }
    EXPECT_GT(worst.compared, before.size() / 4);
    std::printf(
        "%s, %s: %zu pairs, %zu compared, %zu in the band; worst / bound: distance %.3f (%.2e of size), normal "
        "%.3f, deepest point %.3f; same kind %.2f%%, and same number of points %.2f%%\n",
        name.c_str(), change.name, before.size(), worst.compared, worst.in_band, worst.distance, worst.distance_size,
        worst.normal, worst.deepest, 100.0 * static_cast<double>(worst.same_kind) / static_cast<double>(worst.compared),
        100.0 * static_cast<double>(worst.same_total) / static_cast<double>(worst.compared));
}

// Rounding a unit quaternion to float32 turns a body by up to sqrt(3) 2^-24, a float32 vertex by as much again.
constexpr double kRoundedQuaternion = 1.04e-7;
constexpr double kRoundedVertex = 1.04e-7;

TEST(Invariance, SwappedBodiesMirrorTheResult) {
    for_each_world([](const std::string& name, World& world) {
        World swapped = world;
        for (Pair& p : swapped.pairs) std::swap(p.a, p.b);
        Change change;
        change.name = "A and B swapped";
        change.swapped = true;
        expect_close(name, world, run(world), run(swapped), change);
    });
}

TEST(Invariance, RotatedSceneGivesTheRotatedResult) {
    for_each_world([](const std::string& name, World& world) {
        const Manifolds still = run(world);
        for (std::uint32_t k = 0; k < 3; ++k) {
            Random random(745, k);
            Change change;
            change.name = "rotated";
            change.rotation = random.rotation();
            change.rounding = kRoundedQuaternion;
            const Mat3d turn = rotation(change.rotation);
            World turned = world;
            for (BodyD& b : turned.bodies) {
                const Vec3d p = turn * Vec3d{b.position[0], b.position[1], b.position[2]};
                b.position[0] = p.x;
                b.position[1] = p.y;
                b.position[2] = p.z;
                // Normalised like lanefold does, so that only the rounding of the product counts.
                Quat q{b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]};
                const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
                q = {q.x / l, q.y / l, q.z / l, q.w / l};
                set_orientation(b, change.rotation * q);
            }
            expect_close(name, world, still, run(turned), change);
        }
    });
}

TEST(Invariance, MillimetresAndKilometresGiveTheSameResult) {
    for_each_world([](const std::string& name, World& world) {
        const Manifolds metres = run(world);
        for (const double unit : {1e-3, 1e3}) {
            const Library library = in_unit(*world.library, unit);
            Change change;
            change.name = unit < 1 ? "unit 1e-3" : "unit 1e3";
            change.unit = unit;
            change.rounding = kRoundedVertex;
            expect_close(name, world, metres, run(in_unit(world, library, unit)), change);
        }
    });
}

}  // namespace
}  // namespace lanefold::test
