// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman clipping of significant faces. The tests compare the choice of the faces with its definition, the
// clipped polygon with an enumeration of half planes, depth with rays through the whole hull, and deletion with
// clipping. One prints the error of the published depth as the faces tilt.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/sutherland_hodgman.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"
#include "support/polygons.hpp"

namespace lanefold::test {
namespace {

using published::Depth;
using published::FaceClipManifold;
using published::FaceClipSettings;
using published::Polyhedron;

double degrees(double d) { return d * std::numbers::pi / 180.0; }

double plane_offset(const Polyhedron& h, std::size_t f) { return dot(h.normals[f], h.positions[h.faces[f][0]]); }

// Parameter t at which the ray x + t d leaves the hull, from all of its planes; negative when x is outside of such a
// plane.
double exit_of_ray(const Polyhedron& h, const Vec3d& x, const Vec3d& d, std::size_t* face) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < h.normals.size(); ++f) {
        const double slope = dot(h.normals[f], d);
        if (slope <= 1e-9) continue;
        const double t = (plane_offset(h, f) - dot(h.normals[f], x)) / slope;
        if (t < least) least = t, *face = f;
    }
    return least;
}

TEST(SutherlandHodgman, SignificantFaceHoldsTheFurthestVertexAndIsTheMostParallel) {
    // A roof whose ridge is the furthest along z, with a steep and a flat side, and a flat vertex-free lid lower
    // down that is more parallel than either.
    Polyhedron roof;
    roof.positions = {{-1, -1, 0}, {-1, 1, 0}, {2, -1, 0.5}, {2, 1, 0.5}, {0, -1, 1}, {0, 1, 1}};
    roof.faces = {{0, 1, 5, 4}, {2, 3, 5, 4}, {0, 1, 3, 2}};
    const Vec3d steep = normalized(Vec3d{-1, 0, 1}), gentle = normalized(Vec3d{0.25, 0, 1});
    roof.normals = {steep, gentle, {0, 0, 1}};  // the last is no outward normal: only the choice matters here
    const auto s = published::significant_face(roof, {0, 0, 1});
    EXPECT_EQ(s.vertex, 4U);
    EXPECT_EQ(s.face, 1U);
    EXPECT_DOUBLE_EQ(s.alignment, gentle.z);
}

struct Frame2 {
    Vec3d origin, u, v;
    explicit Frame2(const Vec3d& o, const Vec3d& n) : origin(o) {
        u = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        v = cross(n, u);
    }
    Point2 flat(const Vec3d& x) const { return {dot(u, x - origin), dot(v, x - origin)}; }
    HalfPlane cut(const Vec3d& n, double offset) const { return {dot(n, u), dot(n, v), offset - dot(n, origin)}; }
};

// The expected rest of the incident face, without clipping: half planes of its own outline, of the neighbours of the
// reference face, and of the reference face itself (for which clipping and deleting differ: see `lid`).
std::vector<HalfPlane> half_planes(const Polyhedron& reference, std::uint32_t face, const Polyhedron& incident,
                                   std::uint32_t incident_face, const Frame2& frame, HalfPlane* lid) {
    std::vector<HalfPlane> out;
    const auto loop = published::cyclic_face(incident, incident_face);
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec3d& p = incident.positions[loop[k]];
        const Vec3d edge = incident.positions[loop[(k + 1) % loop.size()]] - p;
        const Vec3d n = normalized(cross(edge, incident.normals[incident_face]));
        out.push_back(frame.cut(n, dot(n, p)));
    }
    for (std::size_t f = 0; f < reference.faces.size(); ++f) {
        std::size_t shared = 0;
        for (const std::uint32_t v : reference.faces[f]) {
            for (const std::uint32_t w : reference.faces[face]) shared += v == w ? 1 : 0;
        }
        if (f != face && shared >= 2) out.push_back(frame.cut(reference.normals[f], plane_offset(reference, f)));
    }
    *lid = frame.cut(reference.normals[face], plane_offset(reference, face));
    return out;
}

double distance_to(const Point2& x, const std::vector<Point2>& points) {
    double least = std::numeric_limits<double>::infinity();
    for (const Point2& y : points) least = std::min(least, std::hypot(x.x - y.x, x.y - y.y));
    return least;
}

// The largest difference between a point's depth and the way of a ray from it through the reference face, per `size`.
// rays: counts those that leave through that face.
double worst_ray(const FaceClipManifold& m, const Polyhedron& reference, std::uint32_t face, const Vec3d& out,
                 double size, std::uint32_t& rays) {
    double worst = 0;
    for (const auto& p : m.points) {
        EXPECT_LT(length(p.on_incident - out * p.separation - p.on_reference), 1e-12 * size);
        std::size_t through = 0;
        const double exit = exit_of_ray(reference, p.on_incident, out, &through);
        if (through != face) continue;
        ++rays;
        worst = std::max(worst, std::fabs(exit + p.separation) / size);
    }
    return worst;
}

TEST(SutherlandHodgman, PointsAreTheCornersOfTheHalfPlanesBelowTheReferenceFace) {
    constexpr Shape kShapes[] = {Shape::box,  Shape::tetrahedron, Shape::wedge, Shape::prism,
                                 Shape::rock, Shape::octahedron,  Shape::debris};
    const Library library = random_library(51, 28, kShapes);
    double worst = 0, worst_depth = 0;
    std::uint32_t manifolds = 0, points = 0, deleted = 0, on_b = 0, rays = 0;
    for (std::uint32_t k = 0; k < 1500; ++k) {
        Random random(52, k);
        const std::uint32_t i = random.index(28), j = random.index(28);
        const double reach = library.oracle[i].size + library.oracle[j].size;
        const PoseD pb{rotation(random.rotation()), random.direction() * (random.uniform(0.1, 0.7) * reach)};
        const Polyhedron a = published::make_polyhedron(library.hulls[i], {});
        const Polyhedron b = published::make_polyhedron(library.hulls[j], pb);
        const published::Collision c = published::collide(a, b);
        if (!c.colliding) continue;
        const FaceClipManifold m = published::clip_significant_faces(a, b, c.info.normal);
        const Polyhedron& reference = m.reference_on_b ? b : a;
        const Polyhedron& incident = m.reference_on_b ? a : b;
        const std::uint32_t face = m.reference_on_b ? m.b.face : m.a.face;
        const std::uint32_t incident_face = m.reference_on_b ? m.a.face : m.b.face;
        const double size = std::max(library.oracle[i].size, library.oracle[j].size);
        const double bound = 1e-6 * size;  // merged faces are flat to 5e-7

        const Frame2 frame(incident.positions[incident.faces[incident_face][0]], incident.normals[incident_face]);
        HalfPlane lid{};
        std::vector<HalfPlane> planes = half_planes(reference, face, incident, incident_face, frame, &lid);
        std::vector<Point2> expected = corners_of(planes, 1e-10 * size);
        const std::size_t before = expected.size();
        const auto above = [&](const Point2& x) { return lid.nx * x.x + lid.ny * x.y > lid.offset + 1e-9; };
        std::erase_if(expected, above);
        deleted += before != expected.size() ? 1U : 0U;
        std::vector<Point2> found;
        for (const auto& p : m.points) found.push_back(frame.flat(p.on_incident));
        // Each point must be among the others.
        for (const Point2& x : expected) {
            ASSERT_LT(distance_to(x, found), bound) << "case " << k;
            worst = std::max(worst, distance_to(x, found) / size);
        }
        for (const Point2& x : found) ASSERT_LT(distance_to(x, expected), bound) << "case " << k;
        const Vec3d out = m.reference_on_b ? -c.info.normal : c.info.normal;
        worst_depth = std::max(worst_depth, worst_ray(m, reference, face, out, size, rays));
        ASSERT_LT(worst_depth, 1e-6) << "case " << k;
        ++manifolds;
        points += static_cast<std::uint32_t>(m.points.size());
        on_b += m.reference_on_b ? 1U : 0U;
    }
    std::printf(
        "seeds 51, 52: %u manifolds (%u with the reference on B), %u points, %u with points deleted, %u rays; worst "
        "corner %.1e, worst depth %.1e of size\n",
        manifolds, on_b, points, deleted, rays, worst, worst_depth);
    EXPECT_GT(manifolds, 500U);
    EXPECT_GT(on_b, 100U);
    EXPECT_GT(deleted, 100U);
    EXPECT_GT(rays, 1000U);
}

TEST(SutherlandHodgman, FlushPrismsGiveTheAreaOfTheIntersection) {
    double worst = 0;
    for (std::uint32_t k = 0; k < 200; ++k) {
        Random random(53, k);
        const auto turn = [&] { return about({0, 0, 1}, random.uniform(0, 2 * std::numbers::pi)); };
        const Polyhedron a = placed(prism_points(random.between(3, 9), 1.0, 1.0), {rotation(turn()), {}});
        const Polyhedron b = placed(prism_points(random.between(3, 9), random.uniform(0.5, 2.0), 1.0),
                                    {rotation(turn()), {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.9375}});
        const auto ring = [](const Polyhedron& h, double z) {
            std::vector<Point2> p;
            for (const Vec3d& v : h.positions) {
                if (std::fabs(v.z - z) < 1e-9) p.push_back({v.x, v.y});
            }
            return p;  // the generator's order is cyclic
        };
        const FaceClipManifold m = published::clip_significant_faces(a, b, {0, 0, 1});
        std::vector<Point2> found;
        for (const auto& p : m.points) {
            found.push_back({p.on_incident.x, p.on_incident.y});
            EXPECT_NEAR(p.separation, -0.0625, 1e-12);
        }
        const double error = std::fabs(area(found) - area(intersection(ring(a, 1.0), ring(b, 0.9375))));
        ASSERT_LT(error, 1e-7) << "case " << k;  // float32 corners: side planes are not quite upright
        worst = std::max(worst, error);
    }
    std::printf("seed 53: 200 pairs, worst error of the area %.1e\n", worst);
}

// The lowest face of a cube is tilted, half above the reference plane. The two corners above it are deleted, and no
// point of depth 0 replaces them.
TEST(SutherlandHodgman, PointsAboveTheReferenceFaceAreDeletedNotClipped) {
    const double tilt = degrees(10);
    const Polyhedron floor = placed(box_points(4, 4, 1), {});
    const double lowest = std::sin(tilt) + std::cos(tilt);
    const Polyhedron cube = placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)), {0, 0, 1 + lowest - 0.1}});
    const FaceClipManifold m = published::clip_significant_faces(floor, cube, {0, 0, 1});
    ASSERT_FALSE(m.reference_on_b);
    ASSERT_EQ(m.points.size(), 2U);
    for (const auto& p : m.points) EXPECT_NEAR(p.separation, -0.1, 1e-12);
    // Clipping would make two more, on the plane.
    std::vector<Vec3d> face;
    for (const std::uint32_t v : published::cyclic_face(cube, m.b.face)) face.push_back(cube.positions[v]);
    EXPECT_EQ(published::clip_below(face, {0, 0, 1}, 1.0, 1e-9).size(), 4U);
}

// The same cube tilted slightly: all four corners are points, and two of them touch first.
TEST(SutherlandHodgman, PointsAtImpactAreThoseThatTouchedFirst) {
    const double tilt = degrees(1);
    const Polyhedron floor = placed(box_points(4, 4, 1), {});
    const double lowest = std::sin(tilt) + std::cos(tilt);
    const Polyhedron cube = placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)), {0, 0, 1 + lowest - 0.1}});
    FaceClipManifold m = published::clip_significant_faces(floor, cube, {0, 0, 1});
    ASSERT_EQ(m.points.size(), 4U);
    published::keep_points_at_impact(m.points, 2 * std::sin(tilt) + 1e-9);
    EXPECT_EQ(m.points.size(), 4U);
    published::keep_points_at_impact(m.points, 2 * std::sin(tilt) - 1e-9);
    ASSERT_EQ(m.points.size(), 2U);
    for (const auto& p : m.points) EXPECT_NEAR(p.separation, -0.1, 1e-12);
    std::vector<published::FaceClipPoint> none;
    published::keep_points_at_impact(none, 1.0);
    EXPECT_TRUE(none.empty());
}

TEST(SutherlandHodgman, NeighboursThatLeanInwardsLeaveLess) {
    // A frustum as reference, its lid 2 x 2, its sides leaning in by 45 degrees above... seen from the lid they
    // lean outwards: at depth d below the lid, d more is left on every side.
    const Points frustum = {{-1, -1, 0},  {1, -1, 0},  {1, 1, 0},  {-1, 1, 0},
                            {-2, -2, -1}, {2, -2, -1}, {2, 2, -1}, {-2, 2, -1}};
    const Polyhedron a = placed(frustum, {});
    const Polyhedron b = placed(box_points(4, 4, 1), {Mat3d{}, {0, 0, 0.75}});
    const FaceClipManifold m = published::clip_significant_faces(a, b, {0, 0, 1});
    ASSERT_EQ(m.points.size(), 4U);
    for (const auto& p : m.points) {
        EXPECT_NEAR(std::fabs(p.on_incident.x), 1.25, 1e-12);
        EXPECT_NEAR(std::fabs(p.on_incident.y), 1.25, 1e-12);
        EXPECT_NEAR(p.separation, -0.25, 1e-12);
    }
}

// A long slab, tilted about y, below a small box: the contact normal is z (an edge contact would give one like
// it), the reference face is the slab's lid. From the slab's highest edge the lid falls by tan(tilt), which the
// published depth does not see: its error at a point is the distance from that edge times tan(tilt).
TEST(SutherlandHodgman, ErrorOfThePublishedDepthGrowsWithTheTilt) {
    std::printf("tilt [degrees]   largest error of the published depth   of the plane-ray depth   (box of 1 x 1)\n");
    double last = -1;
    double worst_exact = 0;
    for (const double tilt : {0.0, 1.0, 2.0, 5.0, 10.0, 20.0}) {
        const double angle = degrees(tilt);
        const Polyhedron slab = placed(box_points(2, 2, 0.5), {rotation(about({0, 1, 0}, angle)), {}});
        // The box hangs with its lower face at the height of the lid's middle, deep under the highest edge.
        const double height = 0.5 / std::cos(angle) - 0.3;
        const Polyhedron box = placed(box_points(0.5, 0.5, 2), {rotation(about({0, 1, 0}, angle)), {0, 0, height + 2}});
        FaceClipSettings exact, approximate;
        approximate.depth = Depth::furthest_vertex;
        const FaceClipManifold right = published::clip_significant_faces(slab, box, {0, 0, 1}, exact);
        const FaceClipManifold rough = published::clip_significant_faces(slab, box, {0, 0, 1}, approximate);
        ASSERT_EQ(right.points.size(), 4U);
        ASSERT_EQ(rough.points.size(), 4U);
        const Vec3d edge = slab.positions[right.a.vertex];
        double error = 0, error_exact = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            std::size_t through = 0;
            const double depth = exit_of_ray(slab, right.points[k].on_incident, {0, 0, 1}, &through);
            EXPECT_EQ(through, right.a.face);
            const double expected = std::fabs(edge.x - right.points[k].on_incident.x) * std::tan(angle);
            EXPECT_NEAR(std::fabs(rough.points[k].separation + depth), expected, 1e-6);
            error = std::max(error, std::fabs(rough.points[k].separation + depth));
            error_exact = std::max(error_exact, std::fabs(right.points[k].separation + depth));
        }
        std::printf("%14.0f   %36.4f   %22.1e\n", tilt, error, error_exact);
        EXPECT_GT(error, last);
        last = tilt == 0.0 ? 1e-9 : error;
        worst_exact = std::max(worst_exact, error_exact);
    }
    EXPECT_LT(worst_exact, 1e-12);
}

}  // namespace
}  // namespace lanefold::test
