// SPDX-License-Identifier: MIT
//
// Thin shapes (tests/support/thin_shapes.cpp) against the oracle: plates, needles, blades, slivers, edges and faces as
// narrow as float32 can represent, over twelve decades of thickness. Hulls that the builder accepts keep every promise
// on every instruction set; thinner ones are refused with a report.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/engines.hpp"
#include "support/question.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {
namespace {

// Thin and ordinary shapes.
std::span<const Shape> mixed_shapes() {
    static const std::vector<Shape> all = [] {
        std::vector<Shape> shapes(thin_shapes().begin(), thin_shapes().end());
        shapes.insert(shapes.end(), small_shapes().begin(), small_shapes().end());
        return shapes;
    }();
    return all;
}

SweepConfig base(const char* name, std::uint64_t seed, std::uint32_t pairs) {
    SweepConfig c;
    c.name = name;
    c.seed = sweep_seed(seed);
    c.pairs = sweep_pairs(pairs, 20 * pairs);
    c.hulls = 108;
    c.shapes = thin_shapes();
    c.options.margin = 0.02F;
    c.reach = 0.05;
    return c;
}

// Every decade of thickness that the builder accepts, hulls for the lanes and hulls for float64. The library of another
// seed may lack a decade by chance, and may have half as many thin hulls.
void expect_coverage(const SweepConfig& c) {
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
    int by_decade[13] = {};
    std::size_t thin = 0;
    for (std::size_t i = 0; i < library.size(); ++i) {
        ++by_decade[thickness_decade(library.oracle[i])];
        thin += (library.hulls[i].flags & HullRecord::kThin) != 0 ? 1U : 0U;
    }
    std::printf("  %zu hulls, %zu thin, %zu refused as flat; by decade of thickness:", library.size(), thin,
                library.refused);
    for (const int n : by_decade) std::printf(" %d", n);
    std::printf("\n");
    const auto decades = std::count_if(by_decade, by_decade + 6, [](int n) { return n > 0; });
    EXPECT_GE(decades, stored_seed() ? 6 : 4);
    for (int decade = 7; decade < 13; ++decade) EXPECT_EQ(by_decade[decade], 0) << "must be refused";
    EXPECT_GT(thin, library.size() / (stored_seed() ? 8 : 16));
    EXPECT_LT(thin, library.size());
    EXPECT_GT(library.refused, 5U);
}

Coverage judge(const SweepConfig& c) {
    expect_coverage(c);
    IsaDifferences differences;
    const SweepResult r = run_sweep(c, all_isas_engine4(differences));
    expect_clean(r);
    expect_same(differences);
    EXPECT_GT(differences.counters.precise_pairs, c.pairs / 4U);
    EXPECT_GT(differences.counters.hull_pairs, c.pairs / 50U);
    return r.coverage;
}

TEST(ThinSweep, DefaultsWithSmallMargin) {
    const SweepConfig c = base("thin shapes, margin 0.02", 301, 16000);
    const Coverage seen = judge(c);
    EXPECT_GT(seen.overlapping, c.pairs / 4U);
    EXPECT_GT(seen.multi_point, c.pairs / 20U);
    EXPECT_GT(seen.by_kind[3], c.pairs / 20U);
}

TEST(ThinSweep, StrictWithoutMargin) {
    SweepConfig c = base("thin shapes, strict, margin 0", 302, 16000);
    c.options.margin = 0;
    c.options.face_preference = 0;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.overlapping, c.pairs / 4U);
    EXPECT_GT(seen.unreported, c.pairs / 20U);
}

TEST(ThinSweep, StrictWithAMarginOfHalfASize) {
    SweepConfig c = base("thin shapes, strict, margin 0.5", 303, 12000);
    c.options.margin = 0.5F;
    c.options.face_preference = 0;
    c.reach = 0.5;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.touching_separated, c.pairs / 10U);
    EXPECT_GT(seen.by_kind[4] + seen.by_kind[5], c.pairs / 200U);
    EXPECT_GT(seen.by_kind[6], c.pairs / 1000U);
}

TEST(ThinSweep, Patches) {
    SweepConfig c = base("thin shapes, patches, margin 0.1", 304, 10000);
    c.options.method = ContactMethod::patch;
    c.options.margin = 0.1F;
    c.reach = 0.1;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.multi_point, c.pairs / 20U);
}

TEST(ThinSweep, MixedWithOrdinaryShapesOfManySizes) {
    SweepConfig c = base("thin and ordinary shapes, sizes 0.02 to 50", 305, 12000);
    c.shapes = mixed_shapes();
    c.hulls = 126;
    c.min_scale = 0.02;
    c.max_scale = 50.0;
    c.options.margin = 0.001F;
    c.float_positions = false;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.overlapping, c.pairs / 4U);
}

TEST(ThinSweep, MethodNeverShowsInTheDistance) {
    for (const float preference : {kDefaultFacePreference, 0.0F}) {
        SweepConfig c = base("clip and patch", 307, 30000);
        c.shapes = mixed_shapes();
        c.hulls = 126;
        c.options.margin = 0.3F;
        c.options.face_preference = preference;
        c.reach = 0.3;
        const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale);
        const SweepBlock block = make_block(c, library, 0, c.pairs);
        Workspace workspace;
        std::vector<Manifold4> out[2] = {std::vector<Manifold4>(c.pairs), std::vector<Manifold4>(c.pairs)};
        for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
            Options options = c.options;
            options.method = method;
            const BatchResult r =
                collide_serial(library.hulls, BodyView(std::span<const Body>(block.float_bodies)), block.pairs, options,
                               std::span<Manifold4>(out[static_cast<int>(method)]), workspace);
            ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        }
        std::size_t touching = 0;
        for (std::size_t i = 0; i < c.pairs; ++i) {
            const Manifold4& clip = out[0][i];
            const Manifold4& patch = out[1][i];
            EXPECT_EQ(clip.kind == ContactKind::none, patch.kind == ContactKind::none) << i;
            EXPECT_EQ(std::bit_cast<std::uint32_t>(clip.distance), std::bit_cast<std::uint32_t>(patch.distance))
                << i << ": " << clip.distance << " and " << patch.distance;
            touching += clip.kind != ContactKind::none ? 1U : 0U;
        }
        EXPECT_GT(touching, c.pairs / 2U);
    }
}

TEST(ThinHulls, ThinnerThanTheBuilderAcceptsAreRefusedAndNoneBefore) {
    // A plate along its axes holds any thickness to the last bit.
    for (double thickness = 1e-12; thickness < 1.0; thickness *= 10.0) {
        const Points plate = box_points(1.0, 0.7, 0.5 * thickness);
        const BuildResult built = build_hull(plate);
        const double size = 0.5 * std::sqrt(4.0 + 1.96 + thickness * thickness);
        if (thickness < 0.99e-6 * size) {
            ASSERT_FALSE(static_cast<bool>(built)) << thickness;
            EXPECT_EQ(built.failures[0].error, HullError::flat) << thickness;
        } else if (thickness > 1.01e-6 * size) {
            ASSERT_TRUE(static_cast<bool>(built)) << thickness << ": " << built.failures[0].what;
            EXPECT_EQ((built.hulls[0].flags & HullRecord::kThin) != 0, thickness < 3e-4 * size) << thickness;
        }
    }
}

// A vertex bends a side of the box's top by `turn` (radians).
TEST(ThinHulls, HullsWithTwoSidesOfAFaceAlmostInOneLineAre) {
    for (const double turn : {1e-5, 1e-4, 2e-4, 1e-3, 1e-2, 0.1}) {
        Points points = box_points(1.0, 0.7, 0.5);
        points.push_back({0.0F, 0.7F + static_cast<float>(turn / 2.0), 0.5F});
        const BuildResult built = build_hull(points);
        ASSERT_TRUE(static_cast<bool>(built)) << turn;
        ASSERT_EQ(built.hulls[0].vertex_count, 9U) << turn;
        EXPECT_EQ((built.hulls[0].flags & HullRecord::kThin) != 0, turn < 3e-4) << turn;
    }
    const BuildResult cylinder = build_hull(prism_points(1000, 1.0, 1.0));
    ASSERT_TRUE(static_cast<bool>(cylinder));
    EXPECT_EQ(cylinder.hulls[0].flags & HullRecord::kThin, 0) << "1,000 sides turn by 6e-3";
}

TEST(ThinHulls, OrdinaryShapesAndStoredPilesAreNone) {
    const Library library = random_library(sweep_seed(306), 260, all_shapes());
    std::size_t thin = 0;
    for (std::size_t i = 0; i < library.size(); ++i)
        thin += (library.hulls[i].flags & HullRecord::kThin) != 0 ? 1U : 0U;
    // Among the hundreds of points of another seed's big hulls two may be so near that a face is a sliver.
    EXPECT_LE(thin, stored_seed() ? 0U : 2U);
    for (const char* name : {"boxes_pile", "debris_pile"}) {
        const StoredScene scene = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
        for (std::size_t i = 0; i < scene.library.size(); ++i) {
            EXPECT_EQ(scene.library.hulls[i].flags & HullRecord::kThin, 0) << name << " " << i;
        }
    }
}

TEST(ThinHulls, TheFlagIsNoPartOfTheFingerprintAndTheFloat64PathTakesThem) {
    const Points plate = box_points(1.0, 0.7, 2e-5);
    const Points prism = prism_points(5, 1.0, 1e-5);
    const Library library = build_library(std::vector<Points>{plate, prism, box_points(1, 1, 1)});
    EXPECT_NE(library.hulls[0].flags & HullRecord::kThin, 0);
    EXPECT_NE(library.hulls[1].flags & HullRecord::kThin, 0);
    EXPECT_EQ(library.hulls[2].flags & HullRecord::kThin, 0);
    const Body bodies[] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 0.5F}, 2, {0, 0, 0, 1}}, {{0, 0, 1}, 2, {0, 0, 0, 1}}};
    const Pair pairs[] = {{0, 1}, {1, 2}};
    Manifold4 out[2];
    Workspace workspace;
    const BatchResult r =
        collide_serial(library.hulls, BodyView(bodies), pairs, Options{}, std::span<Manifold4>(out), workspace);
    ASSERT_TRUE(static_cast<bool>(r.status));
    EXPECT_EQ(r.counters.precise_pairs, 1U);
    EXPECT_EQ(r.counters.box_pairs, 1U);
}

}  // namespace
}  // namespace lanefold::test
