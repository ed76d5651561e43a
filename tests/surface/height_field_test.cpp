// SPDX-License-Identifier: MIT
//
// Height fields give the bits of the mesh of the same triangles: every query, arc and ring.
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/height_field.hpp>

#include "support/meshes.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

using detail::EdgeKind;

// A field and the options that made it; samples of tiles are cut out of one array.
struct Field {
    HeightFieldOptions options;
    std::vector<std::uint16_t> coarse;
    std::vector<float> fine;
    std::vector<std::uint8_t> holes;
    std::vector<std::uint8_t> diagonals;
    std::vector<std::uint16_t> materials;
    std::vector<HeightSamples> tiles;

    std::size_t rows() const { return options.tile_rows * (options.rows - 1) + 1; }
    std::size_t columns() const { return options.tile_columns * (options.columns - 1) + 1; }
    std::size_t cells() const { return (rows() - 1) * (columns() - 1); }

    SurfaceResult build() {
        options.holes = holes;
        options.diagonals = diagonals;
        options.materials = materials;
        return build_height_field(tiles, options);
    }

    void make_tiles() {
        tiles.clear();
        for (std::size_t i = 0; i < options.tile_rows; ++i) {
            for (std::size_t j = 0; j < options.tile_columns; ++j) {
                const std::size_t first = i * (options.rows - 1) * columns() + j * (options.columns - 1);
                tiles.push_back(coarse.empty() ? HeightSamples(fine.data() + first, columns())
                                               : HeightSamples(coarse.data() + first, columns()));
            }
        }
    }
};

Field make_field(std::uint64_t seed, std::size_t rows, std::size_t columns, std::size_t tile_rows,
                 std::size_t tile_columns) {
    Field f;
    Random random(seed);
    f.options.rows = rows;
    f.options.columns = columns;
    f.options.tile_rows = tile_rows;
    f.options.tile_columns = tile_columns;
    f.options.x0 = random.uniform(-20, 20);
    f.options.y0 = random.uniform(-20, 20);
    f.options.dx = random.uniform(0.1, 2);
    f.options.dy = random.uniform(0.1, 2);
    const double height = random.log_uniform(1e-3, 10);
    const bool coarse = random.chance(0.5);
    for (std::size_t i = 0; i < f.rows() * f.columns(); ++i) {
        // Some plateaus: flat edges.
        const double up = random.chance(0.4) ? 0.5 : random.uniform();
        if (coarse) {
            f.coarse.push_back(static_cast<std::uint16_t>(up * 65535));
        } else {
            f.fine.push_back(static_cast<float>(up * height));
        }
    }
    if (coarse) {
        f.options.scale = height / 65535;
        f.options.offset = random.uniform(-5, 5);
    }
    if (random.chance(0.7)) {
        for (std::size_t i = 0; i < f.cells(); ++i) f.holes.push_back(random.chance(0.15) ? 1 : 0);
    }
    if (random.chance(0.7)) {
        for (std::size_t i = 0; i < f.cells(); ++i) f.diagonals.push_back(random.chance(0.5) ? 255 : 0);
    }
    if (random.chance(0.5)) {
        for (std::size_t i = 0; i < f.cells(); ++i) f.materials.push_back(static_cast<std::uint16_t>(random.index(9)));
    }
    f.make_tiles();
    return f;
}

// The mesh of a surface's triangles, built anew.
Surface mesh_of(const Surface& field, SurfaceArrays& arrays) {
    arrays = surface_arrays(field);
    SurfaceOptions exact;
    exact.weld_tolerance = 0;
    exact.split_t_junctions = false;
    exact.drop_opposite = false;
    exact.materials = arrays.materials;
    const SurfaceResult built = build_surface(arrays.vertices, arrays.triangles, exact);
    EXPECT_TRUE(built) << built.status.what;
    EXPECT_EQ(built.surface.triangle_count(), arrays.triangles.size());
    return built.surface;
}

bool same_bits(const Vec3d& a, const Vec3d& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

struct Seen {
    std::uint64_t kinds[4] = {};
    std::uint64_t candidates = 0;
    std::uint64_t empty = 0;
};

void expect_same_face(const Surface& field, const Surface& mesh, const SurfaceArrays& arrays, std::uint32_t t,
                      Seen& seen) {
    const detail::SurfaceFace a = field.view().face(arrays.numbers[t]);
    const detail::SurfaceFace b = mesh.view().face(t);
    EXPECT_TRUE(same_bits(a.normal, b.normal));
    for (int k = 0; k < 3; ++k) {
        EXPECT_TRUE(same_bits(a.corner[k], b.corner[k]));
        EXPECT_EQ(a.edge[k].kind, b.edge[k].kind);
        EXPECT_TRUE(same_bits(a.edge[k].arc_end, b.edge[k].arc_end));
        ++seen.kinds[static_cast<int>(b.edge[k].kind)];
        if (b.edge[k].neighbour == Surface::kBorder) {
            EXPECT_EQ(a.edge[k].neighbour, Surface::kBorder);
        } else {
            EXPECT_EQ(a.edge[k].neighbour, arrays.numbers[b.edge[k].neighbour]);
        }
        std::vector<std::uint32_t> ring_a;
        std::vector<std::uint32_t> ring_b;
        field.view().ring(a.vertex[k], ring_a);
        mesh.view().ring(b.vertex[k], ring_b);
        ASSERT_EQ(ring_a.size(), ring_b.size());
        for (std::size_t i = 0; i < ring_a.size(); ++i)
            EXPECT_TRUE(same_bits(field.view().position(ring_a[i]), mesh.view().position(ring_b[i])));
    }
    EXPECT_EQ(field.material(arrays.numbers[t]), mesh.material(t));
}

TEST(HeightField, EqualsTheMeshOfItsTriangles) {
    Seen seen;
    std::size_t tiled = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed, 1);
        const std::size_t tile_rows = random.between(1, 3);
        const std::size_t tile_columns = random.between(1, 3);
        Field f = make_field(seed, random.between(2, 14), random.between(2, 14), tile_rows, tile_columns);
        const SurfaceResult built = f.build();
        ASSERT_TRUE(built) << built.status.what;
        const Surface& field = built.surface;
        EXPECT_EQ(surface_fault(field), "");
        EXPECT_EQ(field.triangle_count(), 2 * f.cells());
        tiled += f.tiles.size() > 1 ? 1U : 0U;
        SurfaceArrays arrays;
        const Surface mesh = mesh_of(field, arrays);
        if (mesh.empty()) continue;
        EXPECT_TRUE(same_bits(field.bounds().low, mesh.bounds().low));
        EXPECT_TRUE(same_bits(field.bounds().high, mesh.bounds().high));
        EXPECT_EQ(field.view().largest_coordinate(), mesh.view().largest_coordinate());
        for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) expect_same_face(field, mesh, arrays, t, seen);
        std::vector<std::uint32_t> a;
        std::vector<std::uint32_t> b;
        const Vec3d side = field.bounds().high - field.bounds().low;
        for (int i = 0; i < 2500; ++i) {
            const Vec3d at{field.bounds().low.x + side.x * random.uniform(-0.2, 1.2),
                           field.bounds().low.y + side.y * random.uniform(-0.2, 1.2),
                           field.bounds().low.z + side.z * random.uniform(-0.2, 1.2)};
            const double half = field.size() * random.log_uniform(1e-4, 1);
            SurfaceBox box{at - Vec3d{half, half, half * 0.3}, at + Vec3d{half, half, half * 0.3}};
            if (random.chance(0.2)) box.low.z = mesh.view().position(mesh.triangle(0)[0]).z;
            field.view().candidates(box, a);
            mesh.view().candidates(box, b);
            for (std::uint32_t& t : b) t = arrays.numbers[t];
            ASSERT_EQ(a, b) << "seed " << seed << " query " << i;
            seen.candidates += a.size();
            seen.empty += a.empty() ? 1U : 0U;
        }
    }
    EXPECT_GT(tiled, 20u);
    EXPECT_GT(seen.candidates, 100000u);
    EXPECT_GT(seen.empty, 10000u);
    for (const std::uint64_t kind : seen.kinds) EXPECT_GT(kind, 500u);
}

TEST(HeightField, TilesEqualTheWholeField) {
    Field f = make_field(9, 5, 7, 3, 2);
    const Surface tiled = f.build().surface;
    ASSERT_FALSE(tiled.empty());
    f.options.rows = f.rows();
    f.options.tile_rows = 1;
    f.options.columns = f.columns();
    f.options.tile_columns = 1;
    f.make_tiles();
    const Surface whole = f.build().surface;
    EXPECT_EQ(tiled.fingerprint(), whole.fingerprint());
    EXPECT_EQ(tiled.report().border_edges, whole.report().border_edges);
}

TEST(HeightField, BorrowedSamplesAreReadInPlaceWithAnyStrides) {
    const auto samples = std::make_shared<std::vector<float>>();
    for (int i = 0; i < 48; ++i) samples->push_back(static_cast<float>(i * i % 7));
    HeightFieldOptions options;
    options.rows = 6;
    options.columns = 4;
    // Every second column of an array of 8, its rows from the last to the first.
    HeightSamples view(samples->data() + 40, 8);
    view.row_stride = -view.row_stride;
    view.column_stride *= 2;
    options.borrow = true;
    options.keep = samples;
    const Surface borrowed = build_height_field({&view, 1}, options).surface;
    options.borrow = false;
    options.keep.reset();
    const Surface owned = build_height_field({&view, 1}, options).surface;
    ASSERT_EQ(borrowed.vertex_count(), 24u);
    for (std::uint32_t v = 0; v < 24; ++v) {
        EXPECT_EQ(borrowed.vertex(v).z, (*samples)[8 * (5 - v / 4) + 2 * (v % 4)]);
        EXPECT_EQ(borrowed.vertex(v), owned.vertex(v));
    }
    EXPECT_EQ(borrowed.fingerprint(), owned.fingerprint());
    EXPECT_EQ(samples.use_count(), 2);
    EXPECT_GE(owned.bytes(), borrowed.bytes() + 24 * sizeof(float));
}

TEST(HeightField, HolesHaveNoTrianglesAndTheirRimIsABorder) {
    const std::vector<float> flat(25, 1.0F);
    std::vector<std::uint8_t> holes(16, 0);
    holes[5] = 1;
    HeightFieldOptions options;
    options.rows = options.columns = 5;
    options.holes = holes;
    const HeightSamples samples(flat.data(), 5);
    const Surface surface = build_height_field({&samples, 1}, options).surface;
    EXPECT_FALSE(surface.exists(10));
    EXPECT_FALSE(surface.exists(11));
    EXPECT_FALSE(surface.exists(32));
    std::vector<std::uint32_t> out;
    // A box within the hole, and one that straddles its rim.
    surface.view().candidates({{1.1, 1.1, 0}, {1.9, 1.9, 2}}, out);
    EXPECT_TRUE(out.empty());
    surface.view().candidates({{1.1, 1.1, 0}, {2.5, 1.9, 2}}, out);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{12, 13}));
    std::uint64_t borders = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        for (int k = 0; surface.exists(t) && k < 3; ++k)
            borders += surface.view().edge_kind(t, k) == EdgeKind::border ? 1U : 0U;
    }
    EXPECT_EQ(borders, 20u);
    EXPECT_EQ(surface.report().border_edges, 20u);
}

TEST(HeightField, BadInputIsRefusedWithItsPlace) {
    const auto refused = [](Field& f, std::uint64_t where) {
        const SurfaceResult built = f.build();
        EXPECT_EQ(built.status.code, Status::bad_argument);
        EXPECT_EQ(built.status.where, where) << built.status.what;
        EXPECT_TRUE(built.surface.empty());
    };
    const auto plain = [] {
        Field f;
        f.options.rows = 3;
        f.options.columns = 4;
        f.fine.assign(12, 0.5F);
        f.make_tiles();
        return f;
    };
    Field f = plain();
    EXPECT_TRUE(f.build());
    f.fine[7] = std::numeric_limits<float>::quiet_NaN();
    refused(f, 7);
    f.holes.assign(6, 0);
    f.holes[2] = 1;
    refused(f, 7);
    f.holes[5] = 1;  // now only holes have the sample
    EXPECT_TRUE(f.build());
    f = plain();
    f.holes.assign(5, 0);
    refused(f, 5);
    f = plain();
    f.options.dx = 0;
    refused(f, 0);
    f = plain();
    f.options.x0 = 1e9;
    refused(f, 0);
    f = plain();
    f.options.rows = 1;
    refused(f, 0);
    f = plain();
    f.tiles.push_back(f.tiles[0]);
    refused(f, 2);
    f = plain();
    f.options.rows = f.options.columns = 40000;
    refused(f, std::uint64_t{1} << 30U);
    // Two tiles with their own samples, which differ in the second row of the common border.
    f = plain();
    std::vector<float> other(12, 0.5F);
    other[4] = 0.25F;
    f.options.tile_columns = 2;
    f.tiles = {HeightSamples(f.fine.data(), 4), HeightSamples(other.data(), 4)};
    refused(f, 10);
}

}  // namespace
}  // namespace lanefold::test
