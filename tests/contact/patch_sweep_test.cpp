// SPDX-License-Identifier: MIT
//
// Options::method = patch in batch calls. The judge checks every record: points on both surfaces, the deepest point as
// deep as the pair. All instruction sets give equal bits, and the kernels agree with the float64 path. Fields that must
// not depend on the method do not.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <lanefold/contact_features.hpp>

#include "support/engines.hpp"

namespace lanefold::test {
namespace {

constexpr Shape kRound[] = {Shape::rock,  Shape::debris,      Shape::cylinder, Shape::sphere,
                            Shape::prism, Shape::big,         Shape::box,      Shape::slab,
                            Shape::wedge, Shape::tetrahedron, Shape::cylinder, Shape::rock};

SweepConfig patch_sweep(const char* name, std::uint64_t seed, std::uint32_t pairs, std::uint32_t long_pairs) {
    SweepConfig c;
    c.name = name;
    c.seed = sweep_seed(seed);
    c.pairs = sweep_pairs(pairs, long_pairs);
    c.shapes = kRound;
    c.hulls = 36;
    c.options.method = ContactMethod::patch;
    return c;
}

Coverage judge(const SweepConfig& c) {
    IsaDifferences differences;
    const SweepResult r = run_sweep(c, all_isas_engine4(differences));
    expect_clean(r);
    expect_same(differences);
    std::printf("  %llu records of other instruction sets, %llu differ; %llu float64 pairs, %llu fallbacks\n",
                static_cast<unsigned long long>(differences.records),
                static_cast<unsigned long long>(differences.differing),
                static_cast<unsigned long long>(differences.counters.precise_pairs),
                static_cast<unsigned long long>(differences.counters.clip_fallbacks));
    return r.coverage;
}

TEST(PatchSweep, EveryManifoldIsExactAndTheSameEverywhere) {
    SweepConfig c = patch_sweep("patch, margin 0.02", 801, 8000, 800000);
    c.options.margin = 0.02F;
    c.reach = 0.02;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.by_kind[1] + seen.by_kind[2], c.pairs / 5U);
    EXPECT_GT(seen.multi_point, c.pairs / 5U);
    EXPECT_GT(seen.reduced, c.pairs / 50U);
    EXPECT_GT(seen.touching_separated, c.pairs / 50U);
}

TEST(PatchSweep, StrictWithoutMargin) {
    SweepConfig c = patch_sweep("patch, strict, margin 0", 802, 8000, 800000);
    c.options.face_preference = 0;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.by_kind[1] + seen.by_kind[2], c.pairs / 10U);
}

TEST(PatchSweep, ImpactSelection) {
    SweepConfig c = patch_sweep("patch, impact points", 803, 3000, 300000);
    c.options.margin = 0.02F;
    c.options.points = PointSelection::impact;
    judge(c);
}

TEST(PatchSweep, SizesAcrossTheLimitOfTheFloat64Path) {
    SweepConfig c = patch_sweep("patch, sizes 0.02 to 50", 804, 3000, 300000);
    c.min_scale = 0.02;
    c.max_scale = 50;
    c.options.margin = 0.001F;
    c.float_positions = false;
    judge(c);
}

// At any band: the promises of the contract, and the same bits on every instruction set.
TEST(PatchSweep, BandsFromNothingToTheWholeHull) {
    double points[4] = {};
    int k = 0;
    for (const float band : {0.0F, 0.001F, 0.05F, kMaxPatchBand}) {
        const std::string name = "patch, band " + std::to_string(band);
        SweepConfig c = patch_sweep(name.c_str(), 809, 2000, 200000);
        c.options.margin = 0.02F;
        c.options.patch_band = band;
        const Coverage seen = judge(c);
        EXPECT_GT(seen.by_kind[1] + seen.by_kind[2], c.pairs / 5U);
        // Every call has the same pairs; only the band changes.
        const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
        const SweepBlock block = make_block(c, library, 0, c.pairs);
        std::vector<Manifold16> out(c.pairs);
        IsaDifferences differences;
        all_isas_engine16(differences)(block, out);
        expect_same(differences);
        for (const Manifold16& m : out) points[k] += m.total;
        ++k;
    }
    std::printf("points by band: 0 %.0f, 0.001 %.0f, 0.05 %.0f, 1 %.0f\n", points[0], points[1], points[2], points[3]);
    // An area that contains another one may have fewer corners, so single manifolds lose points. Together they do not.
    EXPECT_LT(points[0], 1.01 * points[1]);
    EXPECT_LT(1.1 * points[1], points[2]);
    EXPECT_LT(1.2 * points[2], points[3]);
}

TEST(PatchSweep, BandChangesPointsAndNothingElse) {
    SweepConfig c = patch_sweep("", 810, 3000, 300000);
    c.options.margin = 0.02F;
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
    const SweepBlock block = make_block(c, library, 0, c.pairs);
    SweepConfig wide = c;
    wide.options.patch_band = 0.1F;
    const SweepBlock wide_block = make_block(wide, library, 0, c.pairs);
    std::vector<Manifold16> a(c.pairs), b(c.pairs);
    IsaDifferences differences;
    all_isas_engine16(differences)(block, a);
    all_isas_engine16(differences)(wide_block, b);
    expect_same(differences);
    std::uint32_t other_points = 0, other_kind = 0, other_normal = 0;
    for (std::uint32_t i = 0; i < c.pairs; ++i) {
        // For hulls that are apart the searches give the distance if the points prove it, otherwise the float64 path.
        const double size =
            std::max(library.oracle[block.bodies[2 * i].hull].size, library.oracle[block.bodies[2 * i + 1].hull].size);
        ASSERT_NEAR(double(a[i].distance), double(b[i].distance), 1e-6 * size) << i;
        ASSERT_EQ(a[i].kind == ContactKind::none, b[i].kind == ContactKind::none) << i;
        if (a[i].kind != b[i].kind) {
            ++other_kind;  // one of the two lost the deepest point and kept the edge contact
            continue;
        }
        other_normal += std::memcmp(a[i].normal, b[i].normal, sizeof a[i].normal) != 0 ? 1U : 0U;
        other_points += a[i].total != b[i].total ? 1U : 0U;
    }
    EXPECT_LT(other_kind, c.pairs / 25U);
    EXPECT_LT(other_normal, c.pairs / 100U);
    EXPECT_GT(other_points, c.pairs / 20U);
}

TEST(PatchSweep, Float64PathAlone) {
    SweepConfig c = patch_sweep("patch, float64 path", 805, 3000, 300000);
    c.options.margin = 0.02F;
    const SweepResult r = run_sweep(c, precise_engine4());
    expect_clean(r);
    EXPECT_GT(r.coverage.multi_point, c.pairs / 5U);
}

bool same_faces(const Manifold16& x, const Manifold16& y) {
    const bool face = x.kind == ContactKind::face_a || x.kind == ContactKind::face_b;
    return face && x.kind == y.kind && x.feature_a == y.feature_a && x.feature_b == y.feature_b;
}

// Furthest that a point of x is from the nearest point of y.
double furthest(const Manifold16& x, const Manifold16& y) {
    double worst = 0;
    for (int i = 0; i < x.count; ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (int k = 0; k < y.count; ++k) {
            const float* p = x.points[i].position;
            const float* q = y.points[k].position;
            const Vec3d d{double(p[0]) - double(q[0]), double(p[1]) - double(q[1]), double(p[2]) - double(q[2])};
            nearest = std::min(nearest, length(d) + std::fabs(double(x.points[i].separation - y.points[k].separation)));
        }
        worst = std::max(worst, nearest);
    }
    return worst;
}

void expect_points_of_the_float64_path(float band, std::uint32_t pairs, std::uint32_t long_pairs) {
    SweepConfig c = patch_sweep("", 806, pairs, long_pairs);
    c.options.margin = 0.02F;
    c.options.patch_band = band;
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
    const SweepBlock block = make_block(c, library, 0, c.pairs);
    std::vector<Manifold16> kernel(c.pairs), precise(c.pairs);
    IsaDifferences differences;
    all_isas_engine16(differences)(block, kernel);
    precise_engine16()(block, precise);
    expect_same(differences);
    std::uint32_t compared = 0, same = 0, far = 0;
    double worst = 0;
    for (std::uint32_t i = 0; i < c.pairs; ++i) {
        if (!same_faces(kernel[i], precise[i]) || kernel[i].total > 16 || precise[i].total > 16) continue;
        ++compared;
        const double size =
            std::max(library.oracle[block.bodies[2 * i].hull].size, library.oracle[block.bodies[2 * i + 1].hull].size);
        const double error = std::max(furthest(kernel[i], precise[i]), furthest(precise[i], kernel[i])) / size;
        // A vertex within rounding of the band, of an outline or of the limit may be on either side of it.
        if (error > 2e-5) {
            ++far;
        } else {
            worst = std::max(worst, error);
            same += kernel[i].total == precise[i].total ? 1U : 0U;
        }
    }
    std::printf(
        "seed 806, band %g: %u face contacts compared, %u with equal counts, worst %.1e of size, %u differ in a point "
        "at a "
        "limit\n",
        static_cast<double>(band), compared, same, worst, far);
    EXPECT_GT(compared, c.pairs / 6U);
    EXPECT_LT(far, compared / 20U);
}

TEST(PatchSweep, KernelsFindThePointsOfTheFloat64Path) {
    expect_points_of_the_float64_path(kPatchBand, 6000, 600000);
    expect_points_of_the_float64_path(0.002F, 2000, 200000);
    expect_points_of_the_float64_path(0.05F, 2000, 200000);
}

// The reference finds its two faces from the normal alone.
TEST(PatchSweep, Float64PathFindsThePointsOfTheReference) {
    SweepConfig c = patch_sweep("", 808, 3000, 300000);
    c.options.margin = 0.02F;
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
    const SweepBlock block = make_block(c, library, 0, c.pairs);
    std::vector<Manifold16> precise(c.pairs);
    precise_engine16()(block, precise);
    std::uint32_t compared = 0, differ = 0;
    double worst = 0;
    for (std::uint32_t i = 0; i < c.pairs; ++i) {
        const Manifold16& m = precise[i];
        const BodyD &body_a = block.bodies[2 * i], &body_b = block.bodies[2 * i + 1];
        const HullRecord &hull_a = library.hulls[body_a.hull], &hull_b = library.hulls[body_b.hull];
        if ((m.kind != ContactKind::face_a && m.kind != ContactKind::face_b) || (hull_a.is_box() && hull_b.is_box()))
            continue;
        const PoseD pose_a = pose_of(body_a), pose_b = pose_of(body_b);
        const published::Polyhedron a = published::make_polyhedron(hull_a, {pose_a.rotation, {}});
        const published::Polyhedron b =
            published::make_polyhedron(hull_b, {pose_b.rotation, pose_b.position - pose_a.position});
        const double small = std::min(library.oracle[body_a.hull].size, library.oracle[body_b.hull].size);
        const double size = std::max(library.oracle[body_a.hull].size, library.oracle[body_b.hull].size);
        // The exact normal, because the record's float32 normal is too coarse for heights of a large face.
        const bool on_a = m.kind == ContactKind::face_a;
        const Vec3d normal = on_a ? a.normals[m.feature_a] : -b.normals[m.feature_b];
        published::PatchSettings settings;
        settings.band = static_cast<double>(kPatchBand) * small;
        settings.margin = static_cast<double>(c.options.margin);
        settings.same = 1e-7 * small;
        settings.reference_on_b = !on_a;
        const published::PatchManifold expected = published::clip_patches(a, b, normal, settings);
        if (expected.points.size() > 16 || m.total > 16) continue;
        ++compared;
        double error = expected.points.empty() ? 1.0 : 0.0;
        for (const auto& p : expected.points) {
            double nearest = 1.0;
            for (int k = 0; k < m.count; ++k) {
                const float* x = m.points[k].position;
                nearest =
                    std::min(nearest, length(p.position - Vec3d{double(x[0]), double(x[1]), double(x[2])}) / size);
            }
            error = std::max(error, nearest);
        }
        double deepest = 1e30, expected_deepest = 1e30;
        for (int k = 0; k < m.count; ++k) deepest = std::min(deepest, double(m.points[k].separation));
        for (const auto& p : expected.points) expected_deepest = std::min(expected_deepest, p.separation);
        error = std::max(error, std::fabs(deepest - expected_deepest) / size);
        if (error > 2e-5) {
            ++differ;
        } else {
            worst = std::max(worst, error);
        }
    }
    std::printf(
        "seed 808: %u face contacts compared, worst %.1e of size, %u differ in a point at a limit or in a face\n",
        compared, worst, differ);
    EXPECT_GT(compared, c.pairs / 4U);
    EXPECT_LT(differ, compared / 20U);
}

TEST(PatchSweep, MethodChangesPointsAndNothingElse) {
    SweepConfig c = patch_sweep("", 807, 4000, 400000);
    c.options.margin = 0.02F;
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
    const SweepBlock patch_block = make_block(c, library, 0, c.pairs);
    std::vector<Manifold4> patch(c.pairs), clip(c.pairs);
    const Isa isa = Isa::scalar;
    serial_engine4(isa)(patch_block, patch);
    c.options.method = ContactMethod::clip;
    const SweepBlock clip_block = make_block(c, library, 0, c.pairs);
    serial_engine4(isa)(clip_block, clip);
    std::uint32_t points_differ = 0, other_kind = 0, boxes = 0;
    for (std::uint32_t i = 0; i < c.pairs; ++i) {
        ASSERT_EQ(patch[i].status, clip[i].status);
        ASSERT_EQ(patch[i].kind == ContactKind::none, clip[i].kind == ContactKind::none);
        ASSERT_EQ(patch[i].distance, clip[i].distance) << "pair " << i;
        const bool box_pair = library.hulls[patch_block.bodies[2 * i].hull].is_box() &&
                              library.hulls[patch_block.bodies[2 * i + 1].hull].is_box();
        if (box_pair) {
            ++boxes;
            EXPECT_EQ(bitwise_difference(patch[i], clip[i]), "") << "two boxes are always clipped";
        } else if (patch[i].kind != clip[i].kind) {
            ++other_kind;  // one of the two lost the deepest point and kept the edge contact
        } else {
            points_differ += bitwise_difference(patch[i], clip[i]).empty() ? 0U : 1U;
        }
    }
    std::printf("seed 807: %u manifolds differ in their points, %u in kind, %u pairs of boxes equal\n", points_differ,
                other_kind, boxes);
    EXPECT_GT(points_differ, c.pairs / 10U);
    EXPECT_LT(other_kind, c.pairs / 50U);
    EXPECT_GT(boxes, stored_seed() ? 50U : 0U);
}

}  // namespace
}  // namespace lanefold::test
