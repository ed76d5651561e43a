// SPDX-License-Identifier: MIT
//
// Simulates certificates of motion.
//
// A search at the relative pose X0 leaves candidates: faces and arcs of edges that reach within D of the best axis, and
// the highest separations of all others, FA and FB (faces of A, of B), EA and EB (arcs of A, of B). A direction that is
// fixed to A changes its separation by at most muA, the largest motion of a point of B in A's frame, and likewise for
// B. So at X1 the optimum is among the candidates if
//
//     best face > max(FA + muA, FB + muB) + sigma  and  best axis > max(EA + muA, EB + muB) + sigma.
//
// An arc's highest separation is bounded by the lowest vertex of the other hull below both of its faces, over all
// vertices. A search that knows few vertices has higher bounds, so real certificates hold less often than these.
#include "experiments/certificates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include <lanefold/diagnostics.hpp>

namespace lanefold::bench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::array<int, 3> kAges = {1, 4, 16};
// Thresholds D in motions of the step.
constexpr std::array<double, 4> kThresholds = {2, 4, 8, 16};

struct Edge {
    std::uint32_t vertex[2];
    std::uint32_t face[2];
};

// A hull about its centre.
struct Body0 {
    const PolyHull* hull = nullptr;
    std::vector<Vec3d> vertices;
    std::vector<double> offsets;
    std::vector<Edge> edges;
    double radius = 0;
};

Body0 centred(const PolyHull& hull) {
    Body0 out;
    out.hull = &hull;
    for (const Vec3f& v : hull.vertices) {
        out.vertices.push_back(to_double(v) - hull.centre);
        out.radius = std::max(out.radius, length(out.vertices.back()));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> half;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        out.offsets.push_back(hull.offsets[f] - dot(hull.normals[f], hull.centre));
        const std::vector<std::uint32_t>& loop = hull.faces[f];
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t a = loop[k];
            const std::uint32_t b = loop[(k + 1) % loop.size()];
            const auto other = half.find({b, a});
            if (other == half.end())
                half[{a, b}] = f;
            else
                out.edges.push_back({{b, a}, {other->second, f}});
        }
    }
    return out;
}

PoseD centre_pose(const Body& body, const PolyHull& hull) {
    Quat q;
    normalize(body.orientation, q);
    const Mat3d r = rotation(q);
    const Vec3d p = {body.position[0], body.position[1], body.position[2]};
    return {r, r * hull.centre + p};
}

// B in A's frame.
PoseD relative(const PoseD& a, const PoseD& b) {
    const Mat3d at = transpose(a.rotation);
    return {at * b.rotation, at * (b.position - a.position)};
}

PoseD inverse(const PoseD& p) { return {transpose(p.rotation), -transpose_times(p.rotation, p.position)}; }

// Largest motion of a point within `radius` of B's centre, in A's frame.
double motion(const PoseD& from, const PoseD& to, double radius) {
    double squares = 0;
    for (int i = 0; i < 3; ++i) squares += length_squared(to.rotation.row[i] - from.rotation.row[i]);
    return length(to.position - from.position) + std::sqrt(squares / 2) * radius;
}

// Separations of one hull's faces from single vertices of the other, and their minima.
struct Side {
    const Body0* own = nullptr;
    std::vector<Vec3d> others;                 // vertices of the other hull in this one's frame
    std::vector<std::vector<double>> heights;  // [face][vertex]
    std::vector<double> faces;                 // separations
    std::vector<double> arcs;                  // upper bounds

    void measure(const Body0& hull, const Body0& other, const PoseD& pose) {
        own = &hull;
        others.clear();
        for (const Vec3d& v : other.vertices) others.push_back(transform(pose, v));
        heights.assign(hull.offsets.size(), {});
        faces.clear();
        for (std::size_t f = 0; f < hull.offsets.size(); ++f) {
            for (const Vec3d& v : others) heights[f].push_back(dot(hull.hull->normals[f], v) - hull.offsets[f]);
            faces.push_back(*std::min_element(heights[f].begin(), heights[f].end()));
        }
    }
    // `back`: how far the other hull is moved, in this one's frame, before arcs are bounded; `by`: its length.
    void bound_arcs(const Vec3d& back, double by) {
        arcs.clear();
        for (const Edge& e : own->edges) {
            const double shift0 = dot(own->hull->normals[e.face[0]], back);
            const double shift1 = dot(own->hull->normals[e.face[1]], back);
            double lowest = kNever;
            for (std::size_t v = 0; v < others.size(); ++v)
                lowest = std::min(lowest, std::max(heights[e.face[0]][v] + shift0, heights[e.face[1]][v] + shift1));
            // Above zero it bounds nothing: weights of the normals may sum to more than 1.
            arcs.push_back(lowest > 0 ? kNever : lowest + by);
        }
    }
    double best() const { return *std::max_element(faces.begin(), faces.end()); }
};

// Separation along the cross product of two edges whose arcs cross; -infinity for others.
double edge_separation(const Side& a, std::size_t i, const Side& b, std::size_t j, const PoseD& to_a) {
    const Edge& ea = a.own->edges[i];
    const Edge& eb = b.own->edges[j];
    const Vec3d from_a = a.own->vertices[ea.vertex[0]];
    const Vec3d along_a = a.own->vertices[ea.vertex[1]] - from_a;
    const Vec3d from_b = a.others[eb.vertex[0]];
    const Vec3d along_b = a.others[eb.vertex[1]] - from_b;
    const double y0 = dot(a.own->hull->normals[ea.face[0]], along_b);
    const double y1 = dot(a.own->hull->normals[ea.face[1]], along_b);
    const double x0 = dot(to_a.rotation * b.own->hull->normals[eb.face[0]], along_a);
    const double x1 = dot(to_a.rotation * b.own->hull->normals[eb.face[1]], along_a);
    const bool crossing = y0 * y1 < 0 && x0 * x1 < 0 && y0 * x0 > 0;
    Vec3d n = cross(along_a, along_b);
    if (!crossing || length_squared(n) < 1e-12 * length_squared(along_a) * length_squared(along_b)) return -kNever;
    n = normalized(n);
    if (y0 < 0) n = -n;
    return dot(n, from_b - from_a);
}

struct Search {
    Side a, b;
    double face = 0;  // best
    double axis = 0;  // best face or edge

    Search(const Body0& hull_a, const Body0& hull_b, const PoseD& to_a) {
        const PoseD to_b = inverse(to_a);
        a.measure(hull_a, hull_b, to_a);
        b.measure(hull_b, hull_a, to_b);
        face = std::max(a.best(), b.best());
        axis = face;
        Vec3d u{};
        if (face > 0) {
            const bool on_b = b.best() > a.best();
            const Side& s = on_b ? b : a;
            const auto f = static_cast<std::size_t>(std::find(s.faces.begin(), s.faces.end(), face) - s.faces.begin());
            u = on_b ? -(to_a.rotation * s.own->hull->normals[f]) : s.own->hull->normals[f];
        }
        const double by = std::max(face, 0.0);
        a.bound_arcs(-by * u, by);
        b.bound_arcs(by * (to_b.rotation * u), by);
        for (std::size_t i = 0; i < a.arcs.size(); ++i) {
            for (std::size_t j = 0; a.arcs[i] > face && j < b.arcs.size(); ++j) {
                if (b.arcs[j] > face) axis = std::max(axis, edge_separation(a, i, b, j, to_a));
            }
        }
    }
};

// The threshold of one hull's part of a certificate.
struct Part {
    double faces = 0;
    double arcs = 0;
    double under_faces = -kNever;  // FA or FB
    double under_arcs = -kNever;   // EA or EB
    double unruled = 0;            // candidate arcs that the vertex under the best face does not rule out

    Part(const Side& s, double face, double axis, double reach) {
        std::vector<bool> candidate;
        for (const double value : s.faces) {
            candidate.push_back(value > face - reach);
            if (candidate.back())
                ++faces;
            else
                under_faces = std::max(under_faces, value);
        }
        const auto best =
            static_cast<std::uint32_t>(std::max_element(s.faces.begin(), s.faces.end()) - s.faces.begin());
        const std::vector<double>& below = s.heights[best];
        const auto v = static_cast<std::size_t>(std::min_element(below.begin(), below.end()) - below.begin());
        const bool has_best = s.faces[best] >= face;
        for (std::size_t e = 0; e < s.arcs.size(); ++e) {
            const std::uint32_t* f = s.own->edges[e].face;
            if (candidate[f[0]] || candidate[f[1]] || s.arcs[e] > axis - reach) {
                ++arcs;
                const bool of_best = has_best && (f[0] == best || f[1] == best);
                const std::uint32_t other = f[0] == best ? f[1] : f[0];
                if (s.arcs[e] > std::min(face, 0.0) && !(of_best && s.heights[other][v] < face)) ++unruled;
            } else {
                under_arcs = std::max(under_arcs, s.arcs[e]);
            }
        }
    }
};

struct Sums {
    double count = 0;
    double holds[kAges.size()] = {};
    double faces = 0;
    double arcs = 0;
    double combinations = 0;
    double unruled = 0;

    double of(double x) const { return x / std::max(count, 1.0); }
};

class Study {
public:
    explicit Study(const Scene& scene) : scene_(scene) {
        for (const PolyHull& hull : scene.polyhedra) hulls_.push_back(centred(hull));
    }

    void step(std::size_t frame) {
        Sums apart_centre, apart_best;
        std::array<Sums, kThresholds.size()> touching;
        std::vector<double> motions;
        for (const Pair& pair : scene_.frames[frame].pairs) {
            const Body0& a = hulls_[body(frame, pair.a).hull];
            const Body0& b = hulls_[body(frame, pair.b).hull];
            const double large = std::max(a.hull->size, b.hull->size);
            if ((a.hull->is_box && b.hull->is_box) || large > 64 * std::min(a.hull->size, b.hull->size)) continue;
            const double sigma = 2 * static_cast<double>(kPruneSlack) * (a.hull->size + b.hull->size);
            const PoseD x0 = pose(frame, pair);
            const Search now(a, b, x0);
            motions.push_back(motion(x0, pose(frame + 1, pair), b.radius) / std::min(a.hull->size, b.hull->size));
            if (now.axis > scene_.margin) {
                const double centre = centre_gap(a, now, x0);
                apart(pair, frame, x0, {a, b}, centre > scene_.margin ? centre : now.axis, sigma, apart_centre);
                apart(pair, frame, x0, {a, b}, std::max(centre, now.axis), sigma, apart_best);
            } else {
                touch(pair, frame, x0, now, sigma, touching);
            }
        }
        std::sort(motions.begin(), motions.end());
        if (motions.empty()) {
            fmt::print("step {:>4}: no pair: those of two boxes and those of very different sizes are left out\n",
                       frame);
            return;
        }
        fmt::print("step {:>4}: motion of a pair in a step, in sizes of the smaller hull: median {:.5f}, 90% {:.5f}\n",
                   frame, motions[motions.size() / 2], motions[motions.size() * 9 / 10]);
        print_apart("apart, first axis that drops", apart_centre);
        print_apart("apart, best axis", apart_best);
        for (std::size_t k = 0; k < kThresholds.size(); ++k) print_touching(kThresholds[k], touching[k]);
    }

private:
    struct Two {
        const Body0& a;
        const Body0& b;
    };

    const Body& body(std::size_t frame, std::uint32_t i) const { return scene_.frames[frame].bodies[i]; }
    PoseD pose(std::size_t frame, const Pair& pair) const {
        const Body& a = body(frame, pair.a);
        const Body& b = body(frame, pair.b);
        return relative(centre_pose(a, *hulls_[a.hull].hull), centre_pose(b, *hulls_[b.hull].hull));
    }
    static double centre_gap(const Body0& a, const Search& now, const PoseD& to_a) {
        const Vec3d n = normalized(to_a.position);
        double top = -kNever;
        double low = kNever;
        for (const Vec3d& v : a.vertices) top = std::max(top, dot(n, v));
        for (const Vec3d& v : now.a.others) low = std::min(low, dot(n, v));
        return low - top;
    }
    bool exists(std::size_t frame, int age) const {
        return frame + static_cast<std::size_t>(age) < scene_.frames.size();
    }

    void apart(const Pair& pair, std::size_t frame, const PoseD& x0, const Two& hulls, double gap, double sigma,
               Sums& to) const {
        ++to.count;
        for (std::size_t k = 0; k < kAges.size(); ++k) {
            if (!exists(frame, kAges[k])) continue;
            const PoseD x1 = pose(frame + static_cast<std::size_t>(kAges[k]), pair);
            const double mu =
                std::min(motion(x0, x1, hulls.b.radius), motion(inverse(x0), inverse(x1), hulls.a.radius));
            to.holds[k] += gap - mu > scene_.margin + sigma ? 1 : 0;
        }
    }

    void touch(const Pair& pair, std::size_t frame, const PoseD& x0, const Search& now, double sigma,
               std::array<Sums, kThresholds.size()>& to) const {
        const Body0& a = *now.a.own;
        const Body0& b = *now.b.own;
        const PoseD next = pose(frame + 1, pair);
        const double step = std::max(motion(x0, next, b.radius), motion(inverse(x0), inverse(next), a.radius));
        for (std::size_t k = 0; k < kThresholds.size(); ++k) {
            const double reach = kThresholds[k] * step + 2 * sigma;
            const Part of_a(now.a, now.face, now.axis, reach);
            const Part of_b(now.b, now.face, now.axis, reach);
            Sums& s = to[k];
            ++s.count;
            s.faces += of_a.faces + of_b.faces;
            s.arcs += of_a.arcs + of_b.arcs;
            s.combinations += of_a.arcs * of_b.arcs;
            s.unruled += of_a.unruled * of_b.unruled;
            for (std::size_t i = 0; i + 1 < kAges.size(); ++i) {
                if (!exists(frame, kAges[i])) continue;
                const PoseD x1 = pose(frame + static_cast<std::size_t>(kAges[i]), pair);
                const Search then(a, b, x1);
                const double mu_a = motion(x0, x1, b.radius) + sigma;
                const double mu_b = motion(inverse(x0), inverse(x1), a.radius) + sigma;
                const bool holds = then.face > std::max(of_a.under_faces + mu_a, of_b.under_faces + mu_b) &&
                                   then.axis > std::max(of_a.under_arcs + mu_a, of_b.under_arcs + mu_b);
                s.holds[i] += holds ? 1 : 0;
            }
        }
    }

    static void print_apart(const char* what, const Sums& s) {
        fmt::print("  {:<30} {:>6.0f} pairs; hold after 1, 4, 16 steps: {:.1f}, {:.1f}, {:.1f}%\n", what, s.count,
                   100 * s.of(s.holds[0]), 100 * s.of(s.holds[1]), 100 * s.of(s.holds[2]));
    }
    static void print_touching(double threshold, const Sums& s) {
        fmt::print(
            "  touching, D {:>4.0f} motions {:>8.0f} pairs; hold after 1, 4 steps: {:.1f}, {:.1f}%; faces {:.1f}, "
            "arcs {:.1f}, combinations {:.0f}, after the rule of the best face {:.1f}\n",
            threshold, s.count, 100 * s.of(s.holds[0]), 100 * s.of(s.holds[1]), s.of(s.faces), s.of(s.arcs),
            s.of(s.combinations), s.of(s.unruled));
    }

    const Scene& scene_;
    std::vector<Body0> hulls_;
};

}  // namespace

void print_certificates(const Scene& scene) {
    if (scene.frames.size() < 2) {
        throw std::runtime_error(fmt::format("{}: --certificates needs 2 consecutive frames, this scene has {}",
                                             scene.name, scene.frames.size()));
    }
    fmt::print("{}: {} frames\n", scene.name, scene.frames.size());
    Study study(scene);
    for (const double at : {0.2, 0.35, 0.6, 0.9}) {
        study.step(static_cast<std::size_t>(at * static_cast<double>(scene.frames.size() - 2)));
        std::fflush(stdout);
    }
}

}  // namespace lanefold::bench
