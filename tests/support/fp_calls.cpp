// SPDX-License-Identifier: MIT
//
// The calls of core/reference as bytes.
#include "support/fp_calls.hpp"

#include <utility>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/feature_manifold.hpp>
#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::test {

const BatchScene& fp_scene() {
    static const BatchScene instance = [] {
        BatchScene s = make_batch_scene(41, 60, 1500);
        for (std::size_t i = 0; i < s.bodies.size(); i += 4) s.bodies[i].position[i % 3] = 1e-41F;
        return s;
    }();
    return instance;
}

const std::vector<Manifold4>& fp_contacts() {
    static const std::vector<Manifold4> instance = dense_reference<Manifold4>(fp_scene(), fp_scene().options());
    return instance;
}

namespace {

// Two hulls and their poses, a few times.
struct PosedHulls {
    reference::OracleHull a;
    reference::OracleHull b;
    PoseD pose_a;
    PoseD pose_b;
    published::Polyhedron world_a;
    published::Polyhedron world_b;
};

const std::vector<PosedHulls>& posed() {
    static const std::vector<PosedHulls> instance = [] {
        std::vector<PosedHulls> all;
        for (std::size_t i = 0; i < fp_scene().pairs.size() && all.size() < 60; i += 7) {
            if (fp_contacts()[i].kind == ContactKind::none) continue;
            PosedHulls p;
            const Body& a = fp_scene().bodies[fp_scene().pairs[i].a];
            const Body& b = fp_scene().bodies[fp_scene().pairs[i].b];
            const double at_a[3] = {a.position[0], a.position[1], a.position[2]};
            const double at_b[3] = {b.position[0], b.position[1], b.position[2]};
            p.pose_a = reference::oracle_pose(at_a, a.orientation);
            p.pose_b = reference::oracle_pose(at_b, b.orientation);
            p.a = reference::make_oracle_hull(fp_scene().hulls.vertices(a.hull));
            p.b = reference::make_oracle_hull(fp_scene().hulls.vertices(b.hull));
            p.world_a = published::make_polyhedron(fp_scene().hulls[a.hull], p.pose_a);
            p.world_b = published::make_polyhedron(fp_scene().hulls[b.hull], p.pose_b);
            all.push_back(std::move(p));
        }
        return all;
    }();
    return instance;
}

void add_oracle(std::vector<Call>& calls) {
    calls.push_back({"make_oracle_hull", [](Bytes& out) {
                         for (std::size_t i = 0; i < fp_scene().hulls.size(); ++i) {
                             out.add(reference::make_oracle_hull(fp_scene().hulls.vertices(i)));
                         }
                     }});
    calls.push_back({"oracle_pose", [](Bytes& out) {
                         for (const Body& b : fp_scene().bodies) {
                             const double at[3] = {1e-310, 0.1, 1e9};
                             out.add(reference::oracle_pose(at, b.orientation));
                         }
                     }});
    calls.push_back({"signed_distance, separation_along, point_distance", [](Bytes& out) {
                         for (const PosedHulls& p : posed()) {
                             const auto r = reference::signed_distance(p.a, p.pose_a, p.b, p.pose_b);
                             out.add(r.distance);
                             out.add(r.normal);
                             out.add(reference::separation_along(p.a, p.pose_a, p.b, p.pose_b, {0.1, 0.7, -0.3}));
                             out.add(reference::point_distance(p.a, p.pose_a.rotation, {0.3, 0.1, 0.2}));
                             out.add(reference::point_distance(p.a, p.pose_a.rotation, {2.3, 0.1, -1.2}));
                         }
                     }});
}

void add_published(std::vector<Call>& calls) {
    namespace pub = published;
    calls.push_back({"make_polyhedron", [](Bytes& out) {
                         for (std::size_t i = 0; i < fp_scene().hulls.size(); ++i) {
                             out.add(pub::make_polyhedron(fp_scene().hulls[i], posed()[i % posed().size()].pose_a));
                         }
                     }});
    calls.push_back(
        {"separating axes as published", [](Bytes& out) {
             for (const PosedHulls& p : posed()) {
                 const auto s = pub::supports_along(p.world_a, {0.1, 0.7, -0.3});
                 out.add(s.min_value);
                 out.add(s.max_value);
                 out.add(pub::query_face_directions(p.world_a, p.world_b).separation);
                 const auto e = pub::query_edge_directions(p.world_a, p.world_b);
                 out.add(e.separation);
                 out.add(e.normal);
                 out.add(e.mu_a);
                 const auto l = pub::closest_points_of_lines({0.1, 0.2, 0.3}, {1, 0.1, 0}, {0.7, 0.6, 0.5},
                                                             p.pose_b.rotation.row[0]);
                 out.add(l.on_p);
                 out.add(l.mu_q);
                 const auto c = pub::collide(p.world_a, p.world_b);
                 out.add(c.mtv);
                 out.add(c.point);
                 out.add(c.info.separation);
                 out.add(c.info.normal);
                 out.add(pub::clip_on_collision_plane(p.world_a, p.world_b, c).points);
                 out.add(pub::clip_on_collision_plane(p.world_b, p.world_a, pub::collide(p.world_b, p.world_a)).points);
             }
         }});
    calls.push_back({"cyclic_face, strictly_inside", [](Bytes& out) {
                         for (const PosedHulls& p : posed()) {
                             for (std::uint32_t f = 0; f < p.world_a.faces.size(); ++f) {
                                 out.add(pub::cyclic_face(p.world_a, f));
                             }
                             out.add(pub::strictly_inside(p.world_a.positions, {0, 0, 1}, {0.1, 0.1, 0.1}));
                         }
                     }});
}

void add_clipping(std::vector<Call>& calls) {
    namespace pub = published;
    calls.push_back({"Sutherland-Hodgman", [](Bytes& out) {
                         for (const PosedHulls& p : posed()) {
                             const Vec3d n = normalized(Vec3d{0.3, 0.2, 0.9});
                             out.add(pub::significant_face(p.world_a, n).alignment);
                             out.add(pub::clip_significant_faces(p.world_a, p.world_b, n).points);
                             out.add(pub::clip_below(p.world_a.positions, n, 0.1, 1e-9));
                         }
                     }});
    calls.push_back({"contact features and patches", [](Bytes& out) {
                         for (const PosedHulls& p : posed()) {
                             const Vec3d n = normalized(Vec3d{0.3, 0.2, 0.9});
                             const pub::PlaneAxes axes = pub::plane_axes(n);
                             out.add(axes.across);
                             out.add(axes.along);
                             out.add(pub::contact_feature(p.world_a, n, 0.1));
                             out.add(pub::support_patch(p.world_a, n, 0.1, axes));
                             out.add(pub::surface_height(p.world_a, n, {0.01, 0.02, 0.03}));
                             pub::PatchSettings settings;
                             settings.band = 0.05;
                             settings.margin = 0.1;
                             settings.same = 1e-6;
                             out.add(pub::clip_patches(p.world_a, p.world_b, n, settings).points);
                         }
                     }});
}

// Input of the response. It is made before any mode is set.
struct Moving {
    std::vector<Vec3d> position;
    std::vector<Vec3d> velocity;
    std::vector<double> inverse_mass;
    std::vector<Manifold16> wide = dense_reference<Manifold16>(fp_scene(), fp_scene().options());
    std::vector<Link> links;

    Moving() {
        for (std::size_t i = 0; i < fp_scene().bodies.size(); ++i) {
            const Body& b = fp_scene().bodies[i];
            position.push_back({b.position[0], b.position[1], b.position[2]});
            velocity.push_back({0.1 * static_cast<double>(i % 7), -1.0 / 3.0, 1e-310});
            inverse_mass.push_back(1.0 / (1.0 + static_cast<double>(i % 5)));
        }
        for (std::uint32_t i = 1; i < 20; ++i) links.push_back({i - 1, i, {}, 0.05, 0.1});
    }
};

void add_literal(std::vector<Call>& calls) {
    namespace pub = published;
    calls.push_back({"grown features", [](Bytes& out) {
                         for (const PosedHulls& p : posed()) {
                             const auto c = pub::collide(p.world_a, p.world_b);
                             const pub::FeatureManifold m = pub::clip_features(p.world_a, p.world_b, c);
                             out.add(m.a);
                             out.add(m.b);
                             for (const pub::FeaturePoint& x : m.points) {
                                 out.add(x.position);
                                 out.add(x.separation);
                             }
                             const FeaturePair vertices{{FeatureType::vertex, 0}, {FeatureType::vertex, 0}};
                             out.add(
                                 pub::intersect_features(p.world_a, p.world_b, c.info.normal, vertices).points.size());
                         }
                     }});
    calls.push_back(
        {"the published methods to the letter", [](Bytes& out) {
             for (const PosedHulls& p : posed()) {
                 const auto f = pub::literal::query_face_directions(p.world_a, p.world_b);
                 if (f) out.add(f->separation);
                 const auto e = pub::literal::query_edge_directions(p.world_a, p.world_b);
                 if (e) out.add(e->normal);
                 const auto l = pub::literal::line_line({0, 0.1, 0}, {1, 0.7, 0.3}, {0.3, 0, 0.9}, {0.7, 1, 1});
                 if (l) out.add(l->on_q);
                 std::vector<std::uint32_t> loop = pub::cyclic_face(p.world_a, 0);
                 out.add(pub::literal::point_in_polygon(p.world_a, loop, p.world_a.normals[0],
                                                        p.world_a.positions[loop[0]] * 0.9));
                 for (const auto& r : {pub::literal::separating_axes(p.world_a, p.world_b),
                                       pub::literal::clipping_manifold(p.world_a, p.world_b)}) {
                     out.add(r.mtv);
                     for (const auto& point : r.points) out.add(point.position);
                 }
             }
         }});
}

void add_response(std::vector<Call>& calls) {
    static const Moving world;
    calls.push_back({"contact response", [](Bytes& out) {
                         Moving w = world;
                         const ResponseBodies bodies{w.position, w.velocity, w.inverse_mass, {}};
                         std::vector<ResponseContact> all;
                         append_contacts(std::span<const Manifold4>(fp_contacts()), 0.3, all);
                         append_contacts(std::span<const Manifold16>(w.wide), 0.2, all);
                         const bool linked = append_cables(w.links, bodies, all) && append_rods(w.links, bodies, all);
                         out.add(linked);
                         out.add(all);
                         for (const ResponseContact& c : all) out.add(closing_velocity(bodies, c));
                         ResponseSettings settings;
                         settings.step = 0.01;
                         settings.iterations = 400;  // a pile uses all iterations; more of them would take minutes
                         ResponseWorkspace workspace;
                         const ResponseResult r = resolve_contacts(all, bodies, settings, workspace);
                         out.add(r.worst_penetration);
                         out.add(r.worst_closing);
                         out.add(r.velocity_iterations);
                         out.add(w.position);
                         out.add(w.velocity);
                     }});
}

}  // namespace

void add_reference_calls(std::vector<Call>& calls) {
    add_oracle(calls);
    add_published(calls);
    add_clipping(calls);
    add_literal(calls);
    add_response(calls);
}

}  // namespace lanefold::test
