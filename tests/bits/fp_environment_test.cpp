// SPDX-License-Identifier: MIT
//
// Every public call that computes, under every rounding mode, with denormals flushed (FTZ, DAZ), and with exceptions
// unmasked where nothing raises them: the same bytes as in the default environment, and the host's settings come back.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>
#include <vector>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/feature_manifold.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/sutherland_hodgman.hpp>

#include "support/batch_scene.hpp"
#include "support/bytes.hpp"
#include "support/fp_modes.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

struct Call {
    const char* name;
    std::function<void(Bytes&)> run;
};

// Clouds of every kind, rough and nearly flat, of ordinary and of tiny size: squares of the latter are denormal in
// float32.
struct Clouds {
    Points points;
    std::vector<std::uint64_t> offsets{0};

    Clouds() {
        for (std::uint32_t i = 0; i < 60; ++i) {
            Random random(77, i);
            const Shape shape = all_shapes()[i % all_shapes().size()];
            const double scale = i % 3 == 2 ? 3e-15 : random.log_uniform(0.1, 10.0);
            const Points cloud =
                transformed(make_points(shape, random), scale, random.rotation(), random.in_ball() * (2.0 * scale));
            points.insert(points.end(), cloud.begin(), cloud.end());
            offsets.push_back(points.size());
        }
    }
};

const Clouds& clouds() {
    static const Clouds instance;
    return instance;
}

const BatchScene& scene() {
    static const BatchScene instance = [] {
        BatchScene s = make_batch_scene(41, 60, 1500);
        for (std::size_t i = 0; i < s.bodies.size(); i += 4) s.bodies[i].position[i % 3] = 1e-41F;
        return s;
    }();
    return instance;
}

const std::vector<Manifold4>& contacts() {
    static const std::vector<Manifold4> instance = dense_reference<Manifold4>(scene(), scene().options());
    return instance;
}

void add_builder(std::vector<Call>& calls) {
    for (const std::uint32_t threads : {1U, 3U}) {
        calls.push_back({threads == 1 ? "build_hulls" : "build_hulls, 3 threads", [threads](Bytes& out) {
                             BuildOptions options;
                             options.threads = threads;
                             const BuildResult r = build_hulls(clouds().points, clouds().offsets, options);
                             out.add(r.failures.size());
                             out.add(r.hulls);
                         }});
    }
    calls.push_back({"build_hull with a budget of vertices", [](Bytes& out) {
                         BuildOptions options;
                         options.max_vertices = 12;
                         out.add(build_hull(clouds().points, options).hulls);
                     }});
    calls.push_back({"build_hull of what cannot be built", [](Bytes& out) {
                         const Vec3f flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-9F}, {0.3F, 0.4F, -1e-9F}};
                         const BuildResult r = build_hull(flat);
                         for (const HullReport& f : r.failures) {
                             out.add(f.error);
                             out.add(f.culprit);
                         }
                     }});
    calls.push_back({"HullSet::append", [](Bytes& out) { out.add(scene().hulls.append(scene().hulls)); }});
}

void add_batches(std::vector<Call>& calls) {
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        const auto options = [method] {
            Options o = scene().options();
            o.method = method;
            return o;
        };
        const auto batch = [&](const char* name, auto record, auto call) {
            calls.push_back({name, [options, call](Bytes& out) {
                                 Workspace workspace;
                                 std::vector<decltype(record)> records(scene().pairs.size());
                                 out.add(static_cast<const BatchResult&>(call(options(), records, workspace)));
                                 out.add(records);
                             }});
        };
        batch("collide", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide(scene().hulls, scene().view(), scene().pairs, o, r, w);
        });
        batch("collide, 16 points", Manifold16{}, [](const Options& o, std::span<Manifold16> r, Workspace& w) {
            return collide(scene().hulls, scene().view(), scene().pairs, o, r, w);
        });
        batch("collide_serial", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide_serial(scene().hulls, scene().view(), scene().pairs, o, r, w);
        });
        batch("collide_compact", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            return collide_compact(scene().hulls, scene().view(), scene().pairs, o, r, w);
        });
        batch("collide_distance", PairDistance{}, [](const Options& o, std::span<PairDistance> r, Workspace& w) {
            return collide_distance(scene().hulls, scene().view(), scene().pairs, o, r, w);
        });
        batch("collide_overlap", std::uint64_t{}, [](Options o, std::span<std::uint64_t> r, Workspace& w) {
            return collide_overlap(scene().hulls, scene().view(), scene().pairs, o, r.first((r.size() + 63) / 64), w);
        });
        batch("collide_pair", Manifold4{}, [](const Options& o, std::span<Manifold4> r, Workspace& w) {
            for (std::size_t i = 0; i < r.size(); ++i) {
                const Pair p = scene().pairs[i];
                collide_pair(scene().hulls, scene().bodies[p.a], scene().bodies[p.b], o, r[i], w);
            }
            return BatchResult{};
        });
    }
    calls.push_back({"collide with previous contacts and denormal options", [](Bytes& out) {
                         Options o = scene().options();
                         o.previous = PreviousContacts::dense(std::span<const Manifold4>(contacts()));
                         o.hysteresis = 1e-41F;
                         o.face_preference = 1e-41F;
                         o.margin = 1e-41F;
                         std::vector<Manifold4> records(scene().pairs.size());
                         Workspace workspace;
                         out.add(collide(scene().hulls, scene().view(), scene().pairs, o, records, workspace));
                         out.add(records);
                     }});
}

void add_records(std::vector<Call>& calls) {
    calls.push_back({"hash_record of denormal numbers", [](Bytes& out) {
                         Manifold4 m{};
                         m.distance = -1e-41F;
                         m.points[0].separation = 3e-45F;
                         out.add(hash_record(m));
                     }});
    calls.push_back({"match_contacts", [](Bytes& out) {
                         for (std::size_t i = 1; i < contacts().size(); ++i) {
                             const auto match = match_contacts(contacts()[i - 1], contacts()[i]);
                             out.add(match.broken);
                             for (const std::uint8_t p : match.previous) out.add(p);
                         }
                     }});
}

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
        for (std::size_t i = 0; i < scene().pairs.size() && all.size() < 60; i += 7) {
            if (contacts()[i].kind == ContactKind::none) continue;
            PosedHulls p;
            const Body& a = scene().bodies[scene().pairs[i].a];
            const Body& b = scene().bodies[scene().pairs[i].b];
            const double at_a[3] = {a.position[0], a.position[1], a.position[2]};
            const double at_b[3] = {b.position[0], b.position[1], b.position[2]};
            p.pose_a = reference::oracle_pose(at_a, a.orientation);
            p.pose_b = reference::oracle_pose(at_b, b.orientation);
            p.a = reference::make_oracle_hull(scene().hulls.vertices(a.hull));
            p.b = reference::make_oracle_hull(scene().hulls.vertices(b.hull));
            p.world_a = published::make_polyhedron(scene().hulls[a.hull], p.pose_a);
            p.world_b = published::make_polyhedron(scene().hulls[b.hull], p.pose_b);
            all.push_back(std::move(p));
        }
        return all;
    }();
    return instance;
}

void add_oracle(std::vector<Call>& calls) {
    calls.push_back({"make_oracle_hull", [](Bytes& out) {
                         for (std::size_t i = 0; i < scene().hulls.size(); ++i) {
                             out.add(reference::make_oracle_hull(scene().hulls.vertices(i)));
                         }
                     }});
    calls.push_back({"oracle_pose", [](Bytes& out) {
                         for (const Body& b : scene().bodies) {
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
                         for (std::size_t i = 0; i < scene().hulls.size(); ++i) {
                             out.add(pub::make_polyhedron(scene().hulls[i], posed()[i % posed().size()].pose_a));
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

// What the response works on; made before any mode is set.
struct Moving {
    std::vector<Vec3d> position;
    std::vector<Vec3d> velocity;
    std::vector<double> inverse_mass;
    std::vector<Manifold16> wide = dense_reference<Manifold16>(scene(), scene().options());
    std::vector<Link> links;

    Moving() {
        for (std::size_t i = 0; i < scene().bodies.size(); ++i) {
            const Body& b = scene().bodies[i];
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
                     out.add(r.points);
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
                         append_contacts(std::span<const Manifold4>(contacts()), 0.3, all);
                         append_contacts(std::span<const Manifold16>(w.wide), 0.2, all);
                         append_cables(w.links, bodies, all);
                         append_rods(w.links, bodies, all);
                         out.add(all);
                         for (const ResponseContact& c : all) out.add(closing_velocity(bodies, c));
                         ResponseSettings settings;
                         settings.step = 0.01;
                         ResponseWorkspace workspace;
                         const ResponseResult r = resolve_contacts(all, bodies, settings, workspace);
                         out.add(r.worst_penetration);
                         out.add(r.worst_closing);
                         out.add(r.velocity_iterations);
                         out.add(w.position);
                         out.add(w.velocity);
                     }});
}

std::vector<Call> every_call() {
    std::vector<Call> calls;
    add_builder(calls);
    add_batches(calls);
    add_records(calls);
    add_oracle(calls);
    add_published(calls);
    add_literal(calls);
    add_response(calls);
    return calls;
}

TEST(FpEnvironment, EveryCallGivesTheSameBytesUnderEveryMode) {
    const std::fenv_t ours = current_environment();
    std::size_t compared = 0;
    for (const Call& call : every_call()) {
        Bytes expected;
        call.run(expected);
        ASSERT_GT(expected.all().size(), 4U) << call.name << " gave nothing to compare";
        for (const Mode& mode : modes()) {
            Bytes got;
            mode.set();
            const unsigned before = control_of_host();
            call.run(got);
            const unsigned after = control_of_host();
            std::fesetenv(&ours);
            EXPECT_EQ(before, after) << call.name << ", " << mode.name << ": the host's settings must come back";
            EXPECT_TRUE(got.all() == expected.all()) << call.name << ", " << mode.name << ": other bytes";
            ++compared;
        }
    }
    EXPECT_GE(compared, 200U);
}

// The proof that the modes do something here: the same arithmetic without a guard.
TEST(FpEnvironment, ModesChangeUnguardedArithmetic) {
    const std::fenv_t ours = current_environment();
    const auto quotient = [](double x, double y) {
        // Volatile, also the result: nothing else keeps the division between the changes of the environment.
        const volatile double one = x;
        const volatile double other = y;
        const volatile double q = one / other;
        return q;
    };
    const auto tiny = [](float y) {
        const volatile float x = y;
        const volatile float sum = x * 0.5F + x * 0.25F;
        return sum;
    };
    const double nearest = quotient(1.0, 3.0);
    const double tenth = quotient(1.0, 10.0);
    const float kept = tiny(1e-41F);
    int differing = 0;
    for (const Mode& mode : modes()) {
        mode.set();
        const double t = quotient(1.0, 3.0);
        const double m = quotient(1.0, 10.0);
        const float k = tiny(1e-41F);
        std::fesetenv(&ours);
        const bool same = std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(nearest) &&
                          std::bit_cast<std::uint64_t>(m) == std::bit_cast<std::uint64_t>(tenth) &&
                          std::bit_cast<std::uint32_t>(k) == std::bit_cast<std::uint32_t>(kept);
        differing += same ? 0 : 1;
    }
    EXPECT_EQ(differing, static_cast<int>(modes().size()) - 1) << "all but round to nearest";
}

TEST(FpEnvironment, GuardedWorkStaysInside) {
    const std::fenv_t ours = current_environment();
    for (const Mode& mode : modes()) {
        mode.set();
        const double third = in_default_environment([one = 1.0, three = 3.0]() mutable {
            volatile double a = one;
            volatile double b = three;
            return a / b;
        });
        std::fesetenv(&ours);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(third), 0x3FD5555555555555U) << mode.name;
    }
}

}  // namespace
}  // namespace lanefold::test
