// SPDX-License-Identifier: MIT
//
// Surfaces of lanefold_surface.h are those of C++, and so are the bytes of the contacts with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <lanefold_surface.h>
#include <lanefold/collide_surface.hpp>
#include <lanefold/height_field.hpp>

#include "support/batch_scene.hpp"
#include "support/c_hulls.hpp"
#include "support/meshes.hpp"

namespace lanefold::test {
namespace {

struct FreeSurface {
    void operator()(lanefold_surface* surface) const { lanefold_surface_free(surface); }
    void operator()(lanefold_surface_contacts* contacts) const { lanefold_surface_contacts_free(contacts); }
};
using CSurface = std::unique_ptr<lanefold_surface, FreeSurface>;
using CContacts = std::unique_ptr<lanefold_surface_contacts, FreeSurface>;

lanefold_status build(const Mesh& mesh, const lanefold_surface_options* options, CSurface& out) {
    lanefold_surface* made = nullptr;
    const lanefold_status s =
        lanefold_build_surface(&mesh.points.data()->x, mesh.points.size(), mesh.triangles.data()->data(),
                               mesh.triangles.size(), options, &made);
    out.reset(made);
    return s;
}

// Forty bodies over the square 0 .. 1.
std::vector<BodyD> bodies_over_square() {
    BatchRandom random(3);
    std::vector<BodyD> bodies(40);
    for (BodyD& b : bodies) {
        for (double& x : b.position) x = static_cast<double>(random.uniform(0.1F, 0.9F));
        random.rotation(b.orientation);
        b.hull = random.below(13);
    }
    bodies[5].hull = 99;
    bodies[6].position[0] = std::nan("");
    return bodies;
}

void expect_same_contacts(const Surface& own, const lanefold_surface* surface, const SurfacePose& pose) {
    const HullSet set = batch_hulls();
    const CHulls hulls = c_hulls(set);
    const std::vector<BodyD> bodies = bodies_over_square();
    Options options;
    options.margin = 0.05F;
    SurfaceContacts contacts;
    ASSERT_TRUE(collide_surface(own, pose, set, bodies, {}, options, contacts));
    ASSERT_GT(contacts.records.size(), 30U);
    lanefold_options c_options = LANEFOLD_OPTIONS_INIT;
    c_options.margin = 0.05F;
    lanefold_surface_pose c_pose = LANEFOLD_SURFACE_POSE_INIT;
    std::memcpy(c_pose.position, pose.position, sizeof c_pose.position);
    std::memcpy(c_pose.orientation, pose.orientation, sizeof c_pose.orientation);
    c_pose.index = pose.index;
    const lanefold_body_view view =
        lanefold_view_bodies_d(reinterpret_cast<const lanefold_body_d*>(bodies.data()), bodies.size());
    const CContacts out(lanefold_surface_contacts_create());
    ASSERT_EQ(lanefold_collide_surface(surface, &c_pose, hulls.get(), &view, nullptr, 0, &c_options, out.get()).code,
              LANEFOLD_OK);
    std::uint64_t n = 0;
    const lanefold_manifold4* records = lanefold_surface_records(out.get(), &n);
    ASSERT_EQ(n, contacts.records.size());
    EXPECT_EQ(std::memcmp(records, contacts.records.data(), n * sizeof *records), 0);
    const std::uint64_t* offsets = lanefold_surface_offsets(out.get(), &n);
    EXPECT_EQ(std::vector<std::uint64_t>(offsets, offsets + n), contacts.offsets);
    const std::uint32_t list[] = {7, 5, 30};
    ASSERT_TRUE(collide_surface(own, pose, set, bodies, list, options, contacts));
    ASSERT_EQ(lanefold_collide_surface(surface, &c_pose, hulls.get(), &view, list, 3, &c_options, out.get()).code,
              LANEFOLD_OK);
    records = lanefold_surface_records(out.get(), &n);
    ASSERT_EQ(n, contacts.records.size());
    EXPECT_EQ(std::memcmp(records, contacts.records.data(), n * sizeof *records), 0);
    ASSERT_EQ(lanefold_collide_surface(surface, &c_pose, hulls.get(), &view, list, 0, &c_options, out.get()).code,
              LANEFOLD_OK);
    EXPECT_EQ(lanefold_surface_records(out.get(), &n), nullptr);
    EXPECT_EQ(*lanefold_surface_offsets(out.get(), &n), 0U);
    EXPECT_EQ(n, 1U);
}

TEST(CSurfaces, AMeshIsThatOfCpp) {
    Mesh mesh = soup(grid_mesh(8, 0.2F, 5));
    mesh.triangles.push_back({0, 1, 1});
    std::vector<std::uint16_t> materials(mesh.triangles.size());
    for (std::size_t i = 0; i < materials.size(); ++i) materials[i] = static_cast<std::uint16_t>(i % 5);
    SurfaceOptions options;
    options.materials = materials;
    options.thickness = 0.5F;
    const SurfaceResult own = build_surface(mesh.points, mesh.triangles, options);
    ASSERT_TRUE(own);
    lanefold_surface_options c_options = LANEFOLD_SURFACE_OPTIONS_INIT;
    c_options.materials = materials.data();
    c_options.thickness = 0.5F;
    CSurface surface;
    ASSERT_EQ(build(mesh, &c_options, surface).code, LANEFOLD_OK);
    EXPECT_EQ(lanefold_surface_fingerprint(surface.get()), own.surface.fingerprint());
    ASSERT_EQ(lanefold_surface_triangle_count(surface.get()), own.surface.triangle_count());
    ASSERT_EQ(lanefold_surface_vertex_count(surface.get()), own.surface.vertex_count());
    for (std::uint32_t t = 0; t < own.surface.triangle_count(); ++t) {
        lanefold_surface_triangle got;
        ASSERT_EQ(lanefold_surface_get_triangle(surface.get(), t, &got).code, LANEFOLD_OK);
        const std::array<std::uint32_t, 3> corners = own.surface.triangle(t);
        EXPECT_TRUE(std::equal(corners.begin(), corners.end(), got.vertices));
        for (int k = 0; k < 3; ++k) EXPECT_EQ(got.neighbours[k], own.surface.neighbour(t, k));
        EXPECT_EQ(got.input, own.surface.input_triangle(t));
        EXPECT_EQ(got.material, own.surface.material(t));
    }
    lanefold_surface_report report = LANEFOLD_SURFACE_REPORT_INIT;
    ASSERT_EQ(lanefold_surface_get_report(surface.get(), &report).code, LANEFOLD_OK);
    EXPECT_EQ(report.copies.count, own.surface.report().copies.count);
    EXPECT_GT(report.copies.count, 100U);
    EXPECT_EQ(report.degenerate.count, 1U);
    EXPECT_EQ(report.degenerate.places[0], 128U);
    EXPECT_EQ(report.border_edges, own.surface.report().border_edges);
    EXPECT_EQ(report.weld_tolerance, own.surface.report().weld_tolerance);
    expect_same_contacts(own.surface, surface.get(), {{0.1, -0.1, 0.2}, {0, 0, 0, 1}, 12});
}

TEST(CSurfaces, FarFloat64PointsHaveTheOriginOfCpp) {
    const Mesh mesh = grid_mesh(4, 0.2F, 6);
    std::vector<Vec3d> points;
    for (const Vec3f& p : mesh.points) points.push_back(to_double(p) + Vec3d{4e6 + 0.1, -3e6, 0.1});
    SurfaceOptions options;
    options.origin = Origin::box_centre;
    const SurfaceResult own = build_surface(points, mesh.triangles, options);
    ASSERT_TRUE(own);
    lanefold_surface_options c_options = LANEFOLD_SURFACE_OPTIONS_INIT;
    lanefold_surface* made = nullptr;
    const auto build_far = [&] {
        return lanefold_build_surface_double(&points.data()->x, points.size(), mesh.triangles.data()->data(),
                                             mesh.triangles.size(), &c_options, &made);
    };
    EXPECT_EQ(build_far().code, LANEFOLD_BAD_ARGUMENT);
    c_options.origin = LANEFOLD_ORIGIN_BOX_CENTRE;
    ASSERT_EQ(build_far().code, LANEFOLD_OK);
    const CSurface surface(made);
    EXPECT_EQ(lanefold_surface_fingerprint(made), own.surface.fingerprint());
    double low[3];
    double shift[3];
    ASSERT_EQ(lanefold_surface_get_bounds(made, low, nullptr, shift).code, LANEFOLD_OK);
    EXPECT_EQ(shift[0], own.surface.shift().x);
    EXPECT_EQ(low[2], own.surface.bounds().low.z);
}

TEST(CSurfaces, AHeightFieldIsThatOfCpp) {
    std::vector<std::uint16_t> samples;
    BatchRandom random(8);
    for (int i = 0; i < 11 * 9; ++i) samples.push_back(static_cast<std::uint16_t>(random.below(200)));
    std::vector<std::uint8_t> holes(10 * 8);
    holes[33] = 1;
    HeightFieldOptions options;
    options.rows = 11;
    options.columns = 9;
    options.dx = 0.12;
    options.dy = 0.1;
    options.scale = 0.001;
    options.holes = holes;
    const HeightSamples tile(samples.data(), 9);
    const SurfaceResult own = build_height_field({&tile, 1}, options);
    ASSERT_TRUE(own);
    lanefold_height_field_options c_options = LANEFOLD_HEIGHT_FIELD_OPTIONS_INIT;
    c_options.rows = 11;
    c_options.columns = 9;
    c_options.dx = 0.12;
    c_options.dy = 0.1;
    c_options.scale = 0.001;
    c_options.holes = holes.data();
    const lanefold_height_samples c_tile = {samples.data(), 18, 2, 1, 0};
    for (const bool borrow : {false, true}) {
        c_options.borrow = borrow ? 1 : 0;
        lanefold_surface* made = nullptr;
        ASSERT_EQ(lanefold_build_height_field(&c_tile, 1, &c_options, &made).code, LANEFOLD_OK);
        const CSurface surface(made);
        EXPECT_EQ(lanefold_surface_fingerprint(made), own.surface.fingerprint());
        lanefold_surface_triangle hole;
        ASSERT_EQ(lanefold_surface_get_triangle(made, 66, &hole).code, LANEFOLD_OK);
        EXPECT_EQ(hole.exists, 0);
        float v[3];
        ASSERT_EQ(lanefold_surface_get_vertex(made, 20, v).code, LANEFOLD_OK);
        EXPECT_EQ(v[2], own.surface.vertex(20).z);
        expect_same_contacts(own.surface, made, {});
    }
    lanefold_surface* made = nullptr;
    const lanefold_height_samples two[2] = {c_tile, c_tile};
    EXPECT_EQ(lanefold_build_height_field(two, 2, &c_options, &made).code, LANEFOLD_BAD_ARGUMENT);
    c_options.rows = 0;
    EXPECT_EQ(lanefold_build_height_field(&c_tile, 1, &c_options, &made).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_build_height_field(nullptr, 1, &c_options, &made).code, LANEFOLD_BAD_ARGUMENT);
}

TEST(CSurfaces, PiecesBecomeTheSurfaceOfCpp) {
    const HullSet set = batch_hulls();
    const CHulls hulls = c_hulls(set);
    std::vector<SurfacePiece> pieces;
    std::vector<lanefold_surface_piece> c_pieces;
    for (int i = 0; i < 9; ++i) {
        const auto number = static_cast<std::uint16_t>(i);
        pieces.push_back({0, {i % 3 * 1.0, i / 3 * 1.0, 0}, {0, 0, 0, 1}, number});
        c_pieces.push_back({{i % 3 * 1.0, i / 3 * 1.0, 0}, {0, 0, 0, 1}, 0, number, 0});
    }
    const SurfaceResult own = surface_of_hulls(set, pieces);
    ASSERT_TRUE(own);
    lanefold_surface* made = nullptr;
    ASSERT_EQ(lanefold_surface_of_hulls(hulls.get(), c_pieces.data(), 9, nullptr, &made).code, LANEFOLD_OK);
    const CSurface surface(made);
    EXPECT_EQ(lanefold_surface_fingerprint(made), own.surface.fingerprint());
    c_pieces[4].hull = 50;
    EXPECT_EQ(lanefold_surface_of_hulls(hulls.get(), c_pieces.data(), 9, nullptr, &made).where, 4U);
    EXPECT_EQ(made, nullptr);
}

TEST(CSurfaces, BadArgumentsAreRefused) {
    Mesh mesh = grid_mesh(4, 0.2F, 6);
    CSurface surface;
    ASSERT_EQ(build(mesh, nullptr, surface).code, LANEFOLD_OK);
    lanefold_surface_triangle t;
    EXPECT_EQ(lanefold_surface_get_triangle(surface.get(), 32, &t).where, 32U);
    float v[3];
    EXPECT_EQ(lanefold_surface_get_vertex(surface.get(), 25, v).where, 25U);
    lanefold_surface_report unset{};
    EXPECT_EQ(lanefold_surface_get_report(surface.get(), &unset).code, LANEFOLD_BAD_ARGUMENT);
    const CHulls hulls = c_hulls(batch_hulls());
    const lanefold_body_view none = lanefold_view_bodies(nullptr, 0);
    const CContacts out(lanefold_surface_contacts_create());
    lanefold_surface_pose pose = LANEFOLD_SURFACE_POSE_INIT;
    pose.position[1] = std::nan("");
    EXPECT_EQ(lanefold_collide_surface(surface.get(), &pose, hulls.get(), &none, nullptr, 0, nullptr, out.get()).code,
              LANEFOLD_BAD_POSE);
    EXPECT_EQ(lanefold_collide_surface(nullptr, nullptr, hulls.get(), &none, nullptr, 0, nullptr, out.get()).code,
              LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_collide_surface(surface.get(), nullptr, hulls.get(), &none, nullptr, 3, nullptr, out.get()).code,
              LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_collide_surface(surface.get(), nullptr, hulls.get(), &none, nullptr, 0, nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    lanefold_surface_options options = LANEFOLD_SURFACE_OPTIONS_INIT;
    options.origin = 7;
    EXPECT_EQ(build(mesh, &options, surface).code, LANEFOLD_BAD_ARGUMENT);
    mesh.triangles[9][2] = 99;
    EXPECT_EQ(build(mesh, nullptr, surface).where, 9U);
    EXPECT_EQ(surface, nullptr);
}

}  // namespace
}  // namespace lanefold::test
