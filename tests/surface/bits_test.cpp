// SPDX-License-Identifier: MIT
//
// The bits of records with surfaces, as they were before triangles were left out early: no shortcut may change one. A
// change of the definition changes these numbers, and says so.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/height_field.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

Library bodies_of_all_kinds(Random& random) {
    std::vector<Points> points;
    std::vector<float> radii;
    const auto add = [&](Points p, float r) {
        points.push_back(std::move(p));
        radii.push_back(r);
    };
    add(box_points(0.5, 0.4, 0.3), 0);
    add(box_points(0.5, 0.4, 0.02), 0);
    add(box_points(0.3, 0.4, 0.5), 0.1F);
    add(Points{{0, 0, 0}}, 0.5F);
    add(Points{{-0.4F, 0, 0}, {0.4F, 0, 0}}, 0.2F);
    Points rock;
    for (int i = 0; i < 14; ++i) rock.push_back(to_float(random.direction() * 0.5));
    add(rock, 0);
    add(rock, 0.05F);
    add(Points{{0.5F, 0, 0}, {-0.3F, 0.4F, 0.1F}, {-0.3F, -0.4F, 0}, {0, 0.1F, 0.5F}}, 0);
    add(
        Points{
            {0.5F, 0.4F, 0}, {-0.5F, 0.4F, 0}, {0.5F, -0.4F, 0}, {-0.5F, -0.4F, 0}, {0.5F, 0, 0.2F}, {-0.5F, 0, 0.2F}},
        0);
    return build_library(points, radii);
}

class Bits {
public:
    explicit Bits(std::uint64_t seed) : random_(seed), library_(bodies_of_all_kinds(random_)) {}

    Random& random() { return random_; }

    // Bodies about the middle of the surface, half of them level.
    void run(const Surface& surface, double room, double low, double high, int count) {
        for (const float margin : {0.0F, 0.05F}) {
            SurfacePose pose;
            BodyD turned{};
            set_orientation(turned, random_.rotation());
            std::copy(turned.orientation, turned.orientation + 4, pose.orientation);
            for (double& x : pose.position) x = random_.uniform(-3, 3);
            const PoseD world = reference::oracle_pose(pose.position, pose.orientation);
            Options options;
            options.margin = margin;
            options.face_preference = random_.chance(0.5) ? 0 : kDefaultFacePreference;
            options.points = random_.chance(0.5) ? PointSelection::all : PointSelection::impact;
            std::vector<BodyD> placed;
            for (int i = 0; i < count; ++i) {
                BodyD b{};
                b.hull = static_cast<std::uint32_t>(i) % static_cast<std::uint32_t>(library_.size());
                if (i % 2 == 0) {
                    std::copy(pose.orientation, pose.orientation + 4, b.orientation);
                } else {
                    set_orientation(b, random_.rotation());
                }
                const double x = random_.uniform(-room, room);
                const double y = random_.uniform(-room, room);
                const Vec3d p = transform(world, {x, y, random_.uniform(low, high)});
                b.position[0] = p.x, b.position[1] = p.y, b.position[2] = p.z;
                placed.push_back(b);
            }
            SurfaceContacts out;
            ASSERT_TRUE(collide_surface(surface, pose, library_.hulls, placed, {}, options, out));
            for (const Manifold4& m : out.records) hash_ += hash_record(m);
            records_ += out.records.size();
        }
    }

    std::uint64_t hash() const { return hash_; }
    std::uint64_t records() const { return records_; }

private:
    Random random_;
    Library library_;
    std::uint64_t hash_ = 0;
    std::uint64_t records_ = 0;
};

FlatMesh rough(std::uint32_t n, double cell, double height, Random& random) {
    FlatMesh m = flat_mesh(Tiling::alternating, n, cell, random);
    for (Vec3f& p : m.points) p.z = static_cast<float>(random.uniform(-height, height));
    return m;
}

void expect(const Bits& bits, std::uint64_t hash, std::uint64_t records) {
    EXPECT_EQ(bits.hash(), hash) << std::hex << bits.hash();
    EXPECT_EQ(bits.records(), records);
}

TEST(SurfaceBits, RoughTerrain) {
    Bits bits(31);
    for (const double cell : {0.1, 0.3, 1.0, 6.0}) {
        const auto n = static_cast<std::uint32_t>(std::fmax(4 / cell, 4));
        const Surface surface = rough(n, cell, 0.2 * cell, bits.random()).build();
        bits.run(surface, 1.0, -0.3, 0.8 + 0.2 * cell, cell < 0.2 ? 36 : 90);
    }
    expect(bits, 0x90df2abc38e0283cU, 2412);
}

TEST(SurfaceBits, FlatTilings) {
    Bits bits(32);
    for (std::uint32_t tiling = 0; tiling < kTilingCount; ++tiling) {
        const Surface surface = flat_mesh(static_cast<Tiling>(tiling), 16, 0.25, bits.random()).build();
        bits.run(surface, 1.0, -0.3, 0.8, 36);
    }
    expect(bits, 0x31df442a1b3673a9U, 342);
}

// Ridges, spikes, a thin sheet, and bodies beside the border.
TEST(SurfaceBits, SteepAndThin) {
    Bits bits(33);
    for (const double height : {0.5, 2.0}) {
        const FlatMesh mesh = rough(10, 0.4, height * 0.4, bits.random());
        bits.run(mesh.build(), 2.2, -0.5, 1.0, 72);
        SurfaceOptions thin;
        thin.thickness = 0.15F;
        const SurfaceResult sheet = build_surface(mesh.points, mesh.triangles, thin);
        ASSERT_TRUE(sheet);
        bits.run(sheet.surface, 2.2, -0.5, 1.0, 72);
    }
    expect(bits, 0x0f6e5499356be844U, 932);
}

TEST(SurfaceBits, HeightFields) {
    Bits bits(34);
    for (const double cell : {0.1, 0.5}) {
        const auto n = static_cast<std::size_t>(4 / cell);
        std::vector<float> z;
        std::vector<std::uint8_t> holes(n * n);
        std::vector<std::uint8_t> diagonals(n * n);
        for (std::size_t i = 0; i < (n + 1) * (n + 1); ++i) {
            z.push_back(static_cast<float>(bits.random().uniform(-0.2, 0.2) * cell));
        }
        for (std::size_t i = 0; i < n * n; ++i) {
            holes[i] = bits.random().chance(0.05) ? 1 : 0;
            diagonals[i] = bits.random().chance(0.5) ? 1 : 0;
        }
        HeightFieldOptions options;
        options.rows = options.columns = n + 1;
        options.x0 = options.y0 = -2;
        options.dx = options.dy = cell;
        options.holes = holes;
        options.diagonals = diagonals;
        const HeightSamples samples(z.data(), n + 1);
        const SurfaceResult field = build_height_field(std::span(&samples, 1), options);
        ASSERT_TRUE(field) << field.status.what;
        bits.run(field.surface, 1.2, -0.3, 0.8, cell < 0.2 ? 36 : 90);
    }
    expect(bits, 0xd6f5d2e4f3e90cc2U, 1622);
}

}  // namespace
}  // namespace lanefold::test
