// SPDX-License-Identifier: MIT
//
// Measures and prints the contact methods.
#include "experiments/methods.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <lanefold/contact_features.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/sutherland_hodgman.hpp>

#include "measure/lanefold.hpp"
#include "measure/machine.hpp"
#include "measure/quality.hpp"
#include "measure/stages.hpp"
#include "scenes/random.hpp"
#include "support/trembling.hpp"

namespace lanefold::bench {
namespace {

double face_contact_ns(const Scene& scene, ContactMethod method, int passes) {
    const Isa isa = choose_isa(Isa::automatic).isa;
    const std::vector<Isa> staged = staged_isas();
    if (std::find(staged.begin(), staged.end(), isa) == staged.end()) return 0;
    double ns = 0;
    for (const StageTime& t : profile_stages(scene, isa, passes, method).stages) {
        if (t.stage == detail::Stage::face_contacts || t.stage == detail::Stage::box_faces) ns += t.ns;
    }
    return ns;
}

void print_batch_methods(const Scene& scene, const MethodsPlan& plan) {
    const std::vector<Pair>& pairs = scene.frames.back().pairs;
    std::vector<std::unique_ptr<LanefoldEngine>> list;
    for (const PointSelection points : {PointSelection::all, PointSelection::impact}) {
        for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
            LanefoldSettings s;
            s.margin = scene.margin;
            s.method = method;
            s.points = points;
            list.push_back(make_lanefold(s));
        }
    }
    std::vector<Engine*> engines;
    for (const auto& e : list) {
        e->prepare(scene);
        e->set_frame(scene.frames.back());
        engines.push_back(e.get());
    }
    const OracleSample sample(scene, scene.frames.back(), plan.oracle_pairs, plan.oracle_seconds, plan.timing.seed);
    Timing row;
    row.scene = scene.name;
    const std::vector<Timing> times = time_engines(engines, pairs, plan.timing, row);
    fmt::print("  {:<44} {:>8} {:>5} {:>7} {:>12} {:>7} {:>9}\n", "batch", "ns/pair", "+-%", "x clip", "ns/face",
               "points", "depth um");
    for (std::size_t k = 0; k < list.size(); ++k) {
        engines[k]->reserve(pairs.size());
        engines[k]->collide(pairs);
        const auto& by_kind = list[k]->last().by_kind;
        const std::uint64_t faces = by_kind[static_cast<std::size_t>(ContactKind::face_a)] +
                                    by_kind[static_cast<std::size_t>(ContactKind::face_b)];
        const auto contacts = static_cast<double>(std::max<std::uint64_t>(faces, 1));
        const double points = static_cast<double>(list[k]->last().points) /
                              static_cast<double>(std::max<std::uint64_t>(list[k]->last().touching, 1));
        // Selections of points have no row for the contact stage, because they hardly change its time.
        const double stage = k < 2
                                 ? face_contact_ns(scene, list[k]->settings().method, std::max(5, plan.timing.rounds)) *
                                       static_cast<double>(pairs.size()) / contacts
                                 : 0;
        const Quality q = sample.judge(*engines[k]);
        fmt::print("  {:<44} {:>8.1f} {:>5.1f} {:>7.2f} {:>12} {:>7.2f} {:>9.3f}\n", list[k]->info().title,
                   times[k].median(), 100 * times[k].spread(), times[k].median() / times[0].median(),
                   stage > 0 ? fmt::format("{:.0f}", stage) : "", points, 1e6 * q.depth_worst);
    }
}

// --- the float64 methods, one pair at a time

struct ReferencePair {
    published::Polyhedron a;
    published::Polyhedron b;
    published::Collision collision;
    double truth = 0;  // the oracle's distance
    double small = 0;  // size of the smaller hull
};

// Overlapping pairs in a seeded order, until separating axes have taken `seconds`.
std::vector<ReferencePair> reference_pairs(const Scene& scene, double seconds, std::size_t most, std::uint64_t seed,
                                           double& ns_per_axis_search) {
    const Frame& frame = scene.frames.back();
    std::vector<Pair> order = frame.pairs;
    shuffle(order, seed);
    std::vector<ReferencePair> out;
    double spent = 0;
    std::size_t searches = 0;
    for (const Pair& pair : order) {
        if (out.size() >= most || spent >= seconds) break;
        const Body& body_a = frame.bodies[pair.a];
        const Body& body_b = frame.bodies[pair.b];
        const auto pose = [&body_a](const Body& body) {
            double p[3];
            for (int k = 0; k < 3; ++k)
                p[k] = static_cast<double>(body.position[k]) - static_cast<double>(body_a.position[k]);
            return reference::oracle_pose(p, body.orientation);
        };
        const HullRecord& hull_a = scene.hulls[body_a.hull];
        const HullRecord& hull_b = scene.hulls[body_b.hull];
        const reference::OracleHull oracle_a = reference::make_oracle_hull(scene.hulls.vertices(body_a.hull));
        const reference::OracleHull oracle_b = reference::make_oracle_hull(scene.hulls.vertices(body_b.hull));
        ReferencePair r;
        r.truth = reference::signed_distance(oracle_a, pose(body_a), oracle_b, pose(body_b)).distance;
        if (r.truth >= 0) continue;
        r.small = std::min(oracle_a.size, oracle_b.size);
        r.a = published::make_polyhedron(hull_a, pose(body_a));
        r.b = published::make_polyhedron(hull_b, pose(body_b));
        const double start = clock_seconds(ClockKind::thread);
        r.collision = published::collide(r.a, r.b);
        spent += clock_seconds(ClockKind::thread) - start;
        ++searches;
        out.push_back(std::move(r));
    }
    ns_per_axis_search = 1e9 * spent / static_cast<double>(std::max<std::size_t>(searches, 1));
    return out;
}

// Number of points of one contact, and the least separation.
struct Found {
    std::size_t points = 0;
    double deepest = std::numeric_limits<double>::infinity();
};

template <class Points>
Found found(const Points& points) {
    Found f;
    for (const auto& p : points) {
        ++f.points;
        f.deepest = std::min(f.deepest, p.separation);
    }
    return f;
}

using ReferenceMethod = std::function<Found(const ReferencePair&)>;

void print_reference_row(const char* name, const std::vector<const ReferencePair*>& pairs,
                         const ReferenceMethod& method) {
    std::size_t empty = 0;
    double points = 0;
    double worst = 0;
    for (const ReferencePair* p : pairs) {
        const Found f = method(*p);
        points += static_cast<double>(f.points);
        if (f.points == 0) {
            ++empty;
        } else {
            worst = std::max(worst, std::fabs(f.deepest - p->truth));
        }
    }
    constexpr int kRepeats = 5;
    Timing row;
    row.scene = "methods";
    row.engine = name;
    row.pairs = pairs.size();
    if (!pairs.empty()) {
        row.add_sample(kRepeats, pairs.size(), Counting::off, [&](benchmark::State&) {
            for (const ReferencePair* p : pairs) method(*p);
        });
    }
    const auto n = static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
    fmt::print("  {:<52} {:>12.0f} {:>7.2f} {:>9.1f} {:>12.3g}\n", name, row.median(), points / n,
               100 * static_cast<double>(empty) / n, 1e6 * worst);
}

void print_reference_methods(const Scene& scene, const MethodsPlan& plan) {
    double axis_ns = 0;
    const std::vector<ReferencePair> pairs =
        reference_pairs(scene, plan.oracle_seconds, plan.oracle_pairs, plan.timing.seed, axis_ns);
    std::vector<const ReferencePair*> all;
    std::vector<const ReferencePair*> faces;
    double worst = 0;
    for (const ReferencePair& p : pairs) {
        all.push_back(&p);
        if (p.collision.info.type != published::Type::edges) faces.push_back(&p);
        worst = std::max(worst, std::fabs(p.collision.info.separation - p.truth));
    }
    fmt::print("  {:<52} {:>12} {:>7} {:>9} {:>12}\n",
               fmt::format("float64, one call at a time ({} pairs, {} faces)", all.size(), faces.size()), "ns/call",
               "points", "% without", "depth um");
    fmt::print("  {:<52} {:>12.0f} {:>7} {:>9} {:>12.3g}\n", "separating axes as published, corrected", axis_ns, "", "",
               1e6 * worst);
    print_reference_row("then clipping on the collision plane", all, [](const ReferencePair& p) {
        return found(published::clip_on_collision_plane(p.a, p.b, p.collision).points);
    });
    const auto sutherland_hodgman = [](const ReferencePair& p, published::Depth depth) {
        published::FaceClipSettings settings;
        settings.depth = depth;
        return found(published::clip_significant_faces(p.a, p.b, p.collision.info.normal, settings).points);
    };
    print_reference_row("faces: Sutherland-Hodgman, plane and ray", faces,
                        [&](const ReferencePair& p) { return sutherland_hodgman(p, published::Depth::plane_ray); });
    print_reference_row("faces: Sutherland-Hodgman, furthest vertex", faces, [&](const ReferencePair& p) {
        return sutherland_hodgman(p, published::Depth::furthest_vertex);
    });
    print_reference_row("faces: support patches", faces, [](const ReferencePair& p) {
        published::PatchSettings settings;
        settings.band = static_cast<double>(kPatchBand) * p.small;
        settings.same = 1e-9 * p.small;
        settings.reference_on_b = p.collision.info.type == published::Type::face_b;
        return found(published::clip_patches(p.a, p.b, p.collision.info.normal, settings).points);
    });
    print_reference_row("faces: contact features of both (no depths)", faces, [](const ReferencePair& p) {
        const Vec3d& n = p.collision.info.normal;
        Found f;
        f.points = published::contact_feature(p.a, n).vertices.size() +
                   published::contact_feature(p.b, n * -1.0).vertices.size();
        f.deepest = p.truth;
        return f;
    });
}

// --- flicker and area

using tools::PlanePoint;
using tools::Steadiness;
using tools::TremblingFrame;
using tools::TremblingScene;

template <class M>
std::vector<PlanePoint> batch_points(const TremblingScene& scene, const TremblingFrame& f, ContactMethod method,
                                     PointSelection points, Workspace& workspace) {
    Options options;
    options.margin = tools::kTrembleMargin;
    options.method = method;
    options.points = points;
    M m{};
    if (!collide_pair(scene.hulls, f.a, f.b, options, m, workspace).status) return {};
    return tools::plan_of(m);
}

// The published methods on the same frame. They search only face directions, because bodies at rest meet with faces,
// and the pairs of edges of such hulls would take seconds a frame.
struct PublishedFrame {
    published::Polyhedron a;
    published::Polyhedron b;
    published::Collision collision;
};

PublishedFrame publish(const TremblingScene& scene, const TremblingFrame& f) {
    PublishedFrame out;
    out.a = published::make_polyhedron(scene.hulls[f.a.hull], reference::oracle_pose(f.a.position, f.a.orientation));
    out.b = published::make_polyhedron(scene.hulls[f.b.hull], reference::oracle_pose(f.b.position, f.b.orientation));
    const published::FaceDirection a = published::query_face_directions(out.a, out.b);
    const published::FaceDirection b = published::query_face_directions(out.b, out.a);
    published::Info& info = out.collision.info;
    const bool on_a = a.separation >= b.separation;
    info.type = on_a ? published::Type::face_a : published::Type::face_b;
    info.index = {on_a ? a.face : b.face, on_a ? a.support : b.support};
    info.separation = on_a ? a.separation : b.separation;
    info.normal = on_a ? out.a.normals[a.face] : out.b.normals[b.face] * -1.0;
    out.collision.colliding = info.separation <= 0;
    out.collision.mtv = info.normal * -info.separation;
    return out;
}

}  // namespace

void print_steadiness(std::uint64_t seed) {
    fmt::print("\nflicker and area at rest, trembling by a thousandth of a radian, margin {} at radius 1\n",
               tools::kTrembleMargin);
    for (const TremblingScene& scene : tools::make_trembling_scenes(seed)) {
        fmt::print("  {:<52} {:>9} {:>7} {:>7} {:>7}\n", scene.name, "flicker %", "area", "least", "points");
        Workspace workspace;
        using Method = std::function<std::vector<PlanePoint>(const TremblingFrame&)>;
        const auto row = [&](const char* name, const Method& method) {
            Steadiness s(scene.true_area);
            for (const TremblingFrame& f : scene.frames) s.add(method(f), f.other_body);
            fmt::print("  {:<52} {:>9.1f} {:>7.3f} {:>7.3f} {:>7.1f}\n", name, 100 * s.flicker(), s.mean_area(),
                       s.least_area(), s.mean_points());
        };
        row("clip, 4 points", [&](const TremblingFrame& f) {
            return batch_points<Manifold4>(scene, f, ContactMethod::clip, PointSelection::all, workspace);
        });
        row("clip, 16 points", [&](const TremblingFrame& f) {
            return batch_points<Manifold16>(scene, f, ContactMethod::clip, PointSelection::all, workspace);
        });
        row("patch, 4 points", [&](const TremblingFrame& f) {
            return batch_points<Manifold4>(scene, f, ContactMethod::patch, PointSelection::all, workspace);
        });
        row("patch, 16 points", [&](const TremblingFrame& f) {
            return batch_points<Manifold16>(scene, f, ContactMethod::patch, PointSelection::all, workspace);
        });
        row("patch, 16 points, at impact", [&](const TremblingFrame& f) {
            return batch_points<Manifold16>(scene, f, ContactMethod::patch, PointSelection::impact, workspace);
        });
        row("clipping on the collision plane, faces only", [&](const TremblingFrame& f) {
            const PublishedFrame p = publish(scene, f);
            std::vector<PlanePoint> out;
            for (const auto& x : published::clip_on_collision_plane(p.a, p.b, p.collision).points)
                out.push_back({x.position.x, x.position.y});
            return out;
        });
        row("Sutherland-Hodgman, faces only", [&](const TremblingFrame& f) {
            const PublishedFrame p = publish(scene, f);
            std::vector<PlanePoint> out;
            for (const auto& x : published::clip_significant_faces(p.a, p.b, p.collision.info.normal).points)
                out.push_back({x.on_incident.x, x.on_incident.y});
            return out;
        });
    }
}

void print_methods(const Scene& scene, const MethodsPlan& plan) {
    const PinnedThread pinned(plan.processor);
    fmt::print("\n{}: {} pairs, margin {} m\n", scene.name, scene.frames.back().pairs.size(), scene.margin);
    print_batch_methods(scene, plan);
    print_reference_methods(scene, plan);
}

}  // namespace lanefold::bench
