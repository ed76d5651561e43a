// SPDX-License-Identifier: MIT
//
// The ghost campaign: bodies placed on and slid over flat meshes meet the plane's normal and no other. LANEFOLD_GHOSTS
// sets how many placements all meshes have together, LANEFOLD_SEED other ones.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include <lanefold/collide_surface.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Bodies of size about 1.
Library bodies(Random& random) {
    std::vector<Points> points;
    std::vector<float> radii;
    const auto add = [&](Points p, float r) {
        points.push_back(std::move(p));
        radii.push_back(r);
    };
    add(box_points(0.5, 0.5, 0.5), 0);
    add(box_points(0.8, 0.3, 0.1), 0);
    add(box_points(0.4, 0.4, 0.4), 0.1F);
    add(Points{{0, 0, 0}}, 0.6F);
    add(Points{{-0.5F, 0, 0}, {0.5F, 0, 0}}, 0.25F);
    add(make_points(Shape::cylinder, random), 0);
    add(make_points(Shape::debris, random), 0);
    add(make_points(Shape::tetrahedron, random), 0);
    add(make_points(Shape::prism, random), 0.05F);
    return build_library(points, radii);
}

struct Tally {
    std::uint64_t placements = 0;
    std::uint64_t records = 0;
    std::uint64_t points = 0;
    std::uint64_t several = 0;  // bodies with more than one record
    std::uint64_t ghosts = 0;
    std::uint64_t missed = 0;
    double worst_normal = 0;
    double worst_distance = 0;  // from the half-space's, relative to the size
};

// The lowest point of a body above its position, with its radius.
double lowest(const reference::OracleHull& h, const Mat3d& turn) {
    double low = 1e300;
    for (const Vec3d& v : h.vertices) low = std::fmin(low, (turn * v).z);
    return low - h.round_radius;
}

Mat3d turned_over(Mat3d m) {
    m.row[2] = -m.row[2];
    return m;
}

class Campaign {
public:
    explicit Campaign(std::uint64_t seed) : random_(seed), library_(bodies(random_)) {}

    // Bodies over the inner part of a mesh of half width `room`, at depths up to `depth`. `tip`: only on corners, for
    // meshes smaller than a body.
    void run(const Surface& surface, double room, double depth, double step, bool tip, std::uint64_t count) {
        std::vector<BodyD> placed;
        std::vector<double> gaps;
        const Quat turn = random_.rotation();
        SurfacePose pose;
        BodyD at{};
        set_orientation(at, turn);
        std::copy(at.orientation, at.orientation + 4, pose.orientation);
        const double far = random_.chance(0.5) ? 0 : 1e6;
        for (double& x : pose.position) x = far + random_.uniform(-10, 10);
        const PoseD world = reference::oracle_pose(pose.position, pose.orientation);
        Options options;
        options.margin = tip ? 0.0F : 0.02F;
        for (std::uint64_t i = 0; i < count; ++i) place(world, room, depth, step, tip, placed, gaps);
        SurfaceContacts out;
        ASSERT_TRUE(collide_surface(surface, pose, library_.hulls, std::span<const BodyD>(placed), {}, options, out));
        for (std::size_t i = 0; i < placed.size(); ++i) count_body(world, placed[i], gaps[i], options, out, i);
    }

    const Tally& tally() const { return tally_; }

private:
    // In the surface's axes: level, almost level, or turned anyhow; on a corner of the grid, on a line, or anywhere.
    void place(const PoseD& world, double room, double depth, double step, bool tip, std::vector<BodyD>& placed,
               std::vector<double>& gaps) {
        const std::uint32_t hull = random_.index(static_cast<std::uint32_t>(library_.size()));
        const std::uint32_t kind = tip ? 2 : random_.index(3);
        Quat q = about({0, 0, 1}, random_.chance(0.3) ? 0 : random_.uniform(0, 6.28));
        if (kind == 1) q = about(random_.direction(), random_.log_uniform(1e-7, 1e-1)) * q;
        if (kind == 2) q = random_.rotation();
        double x = random_.uniform(-room, room);
        double y = random_.uniform(-room, room);
        if (random_.chance(0.3)) x = std::round(x / step) * step;
        if (random_.chance(0.3)) y = std::round(y / step) * step;
        BodyD b{};
        b.hull = hull;
        // The surface's turn, then the body's: the quaternions are rounded to float32, which the truth takes up.
        set_orientation(b, turn_of(world) * q);
        const reference::OracleHull& shape = library_.oracle[hull];
        const Mat3d relative = transpose(world.rotation) * reference::oracle_pose(b.position, b.orientation).rotation;
        // A body wholly below the plane has passed it.
        const double most = std::fmin(depth, -0.9 * (lowest(shape, relative) + lowest(shape, turned_over(relative))));
        double gap = random_.uniform(-most, 0.01);
        if (tip || random_.chance(0.4)) gap = -random_.log_uniform(1e-3 * most, most);
        Vec3d local{x, y, gap - lowest(shape, relative)};
        if (tip) {
            Vec3d low;
            double height = 1e300;
            for (const Vec3d& v : shape.vertices) {
                const Vec3d w = relative * v;
                if (w.z < height) height = w.z, low = w;
            }
            local = {x - low.x, y - low.y, gap - height + shape.round_radius};
        }
        const Vec3d p = transform(world, local);
        b.position[0] = p.x;
        b.position[1] = p.y;
        b.position[2] = p.z;
        const Vec3d at{b.position[0], b.position[1], b.position[2]};
        const Vec3d back = transpose_times(world.rotation, at - world.position);
        gaps.push_back(back.z + lowest(shape, relative));
        placed.push_back(b);
    }

    static Quat turn_of(const PoseD& world) {
        const Mat3d& m = world.rotation;
        // A rotation's quaternion by its largest component.
        const double t = m.row[0].x + m.row[1].y + m.row[2].z;
        Quat q{};
        if (t > 0) {
            const double s = std::sqrt(t + 1) * 2;
            q = {(m.row[2].y - m.row[1].z) / s, (m.row[0].z - m.row[2].x) / s, (m.row[1].x - m.row[0].y) / s, s / 4};
        } else if (m.row[0].x > m.row[1].y && m.row[0].x > m.row[2].z) {
            const double s = std::sqrt(1 + m.row[0].x - m.row[1].y - m.row[2].z) * 2;
            q = {s / 4, (m.row[0].y + m.row[1].x) / s, (m.row[0].z + m.row[2].x) / s, (m.row[2].y - m.row[1].z) / s};
        } else if (m.row[1].y > m.row[2].z) {
            const double s = std::sqrt(1 + m.row[1].y - m.row[0].x - m.row[2].z) * 2;
            q = {(m.row[0].y + m.row[1].x) / s, s / 4, (m.row[1].z + m.row[2].y) / s, (m.row[0].z - m.row[2].x) / s};
        } else {
            const double s = std::sqrt(1 + m.row[2].z - m.row[0].x - m.row[1].y) * 2;
            q = {(m.row[0].z + m.row[2].x) / s, (m.row[1].z + m.row[2].y) / s, s / 4, (m.row[1].x - m.row[0].y) / s};
        }
        return q;
    }

    void count_body(const PoseD& world, const BodyD& body, double gap, const Options& options,
                    const SurfaceContacts& out, std::size_t i) {
        const Vec3d up = column(world.rotation, 2);
        const reference::OracleHull& shape = library_.oracle[body.hull];
        const double size = shape.size + shape.round_radius;
        ++tally_.placements;
        const std::uint64_t records = out.offsets[i + 1] - out.offsets[i];
        tally_.records += records;
        tally_.several += records > 1 ? 1U : 0U;
        if (records == 0 && gap < static_cast<double>(options.margin) - 2e-6 * size) ++tally_.missed;
        for (std::uint64_t k = out.offsets[i]; k < out.offsets[i + 1]; ++k) {
            const Manifold4& m = out.records[k];
            tally_.points += m.count;
            const double off = length(to_double({m.normal[0], m.normal[1], m.normal[2]}) + up);
            tally_.worst_normal = std::fmax(tally_.worst_normal, off);
            if (!(off <= 1e-6)) ++tally_.ghosts;
            tally_.worst_distance =
                std::fmax(tally_.worst_distance, std::fabs(static_cast<double>(m.distance) - gap) / size);
        }
    }

    Random random_;
    Library library_;
    Tally tally_;
};

void report(const char* what, const Tally& t) {
    std::cout << what << ": " << t.placements << " placements, " << t.records << " records, " << t.points << " points, "
              << t.ghosts << " normals off the plane (worst " << t.worst_normal << "), " << t.missed << " missed, "
              << t.several << " bodies with several records, worst distance " << t.worst_distance << " of size\n";
}

void expect_no_ghosts(const Tally& t) {
    EXPECT_EQ(t.ghosts, 0U);
    EXPECT_EQ(t.missed, 0U);
    EXPECT_EQ(t.several, 0U);
    EXPECT_LE(t.worst_distance, 2e-6);
    EXPECT_GT(t.records, t.placements / 2);
    EXPECT_GT(t.points, t.records);
}

const std::uint64_t kPlacements = number("LANEFOLD_GHOSTS", 3000);
const std::uint64_t kSeed = number("LANEFOLD_SEED", 1);

TEST(Ghosts, EveryTilingHasOneNormal) {
    for (std::uint32_t tiling = 0; tiling < kTilingCount; ++tiling) {
        Campaign campaign(kSeed * 100 + tiling);
        Random random(kSeed * 100 + tiling, 1);
        for (const double cell : {0.2, 0.9, 4.0}) {
            const auto n = static_cast<std::uint32_t>(2 * std::ceil(2.5 / cell) + 2);
            const Surface s = flat_mesh(static_cast<Tiling>(tiling), n, cell, random).build();
            for (int round = 0; round < 4; ++round) {
                const double room = 0.5 * n * cell - 2.4;
                campaign.run(s, std::fmax(room, 0.1), 0.3, cell, false, kPlacements / (kTilingCount * 12));
            }
        }
        report(("tiling " + std::to_string(tiling)).c_str(), campaign.tally());
        expect_no_ghosts(campaign.tally());
    }
}

TEST(Ghosts, TrianglesTenThousandTimesLargerHaveOneNormal) {
    Campaign campaign(kSeed * 100 + 20);
    Random random(kSeed * 100 + 20, 1);
    const Surface s = flat_mesh(Tiling::random_flips, 6, 1e4, random).build();
    for (int round = 0; round < 4; ++round) campaign.run(s, 2e4, 0.3, 1e4, false, kPlacements / 16);
    report("large triangles", campaign.tally());
    expect_no_ghosts(campaign.tally());
}

TEST(Ghosts, TrianglesTenThousandTimesSmallerHaveOneNormal) {
    Campaign campaign(kSeed * 100 + 21);
    Random random(kSeed * 100 + 21, 1);
    const Surface s = flat_mesh(Tiling::random_flips, 40, 1e-4, random).build();
    for (int round = 0; round < 4; ++round) campaign.run(s, 1e-4, 1e-6, 1e-4, true, kPlacements / 16);
    report("small triangles", campaign.tally());
    EXPECT_EQ(campaign.tally().ghosts, 0U);
    EXPECT_EQ(campaign.tally().missed, 0U);
    EXPECT_GT(campaign.tally().records, campaign.tally().placements / 2);
}

}  // namespace
}  // namespace lanefold::test
