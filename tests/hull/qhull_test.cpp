// SPDX-License-Identifier: MIT
//
// The exact hull of the builder against a foreign judge, Qhull. If Qhull's triangles stand the proof of convexity,
// both hulls must have the same faces and volumes. If they do not, Qhull has merged facets. Our own hull is proven
// in any case.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "hull/hull_surface.hpp"
#include "hull/input.hpp"
#include "hull/quickhull.hpp"
#include "support/hull_checks.hpp"
#include "support/hull_proof.hpp"
#include "support/hulls.hpp"
#include "support/sweep.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace lanefold::test {
namespace {

struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

// Frees Qhull's memory at the end, after errors too.
class Instance {
public:
    explicit Instance(std::FILE* sink) { qh_zero(&qh_, sink); }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance() {
        qh_.NOerrexit = True;
        qh_freeqhull(&qh_, !qh_ALL);
        int current = 0;
        int total = 0;
        qh_memfreeshort(&qh_, &current, &total);
    }
    qhT* get() { return &qh_; }

private:
    qhT qh_;
};

// Corners of Qhull's triangulated facets, in no particular order; empty if Qhull failed. `centre` moves the points
// about the origin.
std::vector<detail::Triangle> qhull_triangles(std::span<const Vec3d> points, const Vec3d& centre) {
    // Qhull reports to a file.
    const std::unique_ptr<std::FILE, CloseFile> sink(std::fopen("/dev/null", "w"));
    std::vector<coordT> coordinates;
    for (const Vec3d& p : points)
        coordinates.insert(coordinates.end(), {p.x - centre.x, p.y - centre.y, p.z - centre.z});
    // Qt: triangulated facets. No joggling, because it moves the points.
    char command[] = "qhull Qt";
    Instance instance(sink.get());
    qhT* qh = instance.get();
    if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, command, sink.get(),
                     sink.get()) != 0) {
        return {};
    }
    std::vector<detail::Triangle> triangles;
    facetT* facet = nullptr;
    FORALLfacets {
        detail::Triangle t{detail::kNone, detail::kNone, detail::kNone};
        std::size_t corners = 0;
        vertexT* vertex = nullptr;
        vertexT** vertexp = nullptr;
        FOREACHvertex_(facet->vertices) {
            if (corners < 3) t[corners] = static_cast<std::uint32_t>(qh_pointid(qh, vertex->point));
            ++corners;
        }
        if (corners != 3 || *std::ranges::max_element(t) >= points.size()) return {};
        triangles.push_back(t);
    }
    return triangles;
}

// Points of a kind that depends on i: seeded shapes, thin shapes, clouds of 4 to 250 points, and clouds with coplanar
// and nearly coplanar points in plenty.
Points some_points(std::uint64_t i) {
    Random random(33, i);
    const auto shapes = i % 2 == 0 ? all_shapes() : thin_shapes();
    const Shape shape = shapes[i / 6 % shapes.size()];
    Points p = i % 2 == 0 ? make_points(shape, random) : make_thin_points(shape, random);
    switch (i % 6) {
        case 2: {  // integers
            p.clear();
            const std::uint32_t side = random.between(1, 8);
            const auto whole = [&] { return static_cast<float>(random.between(0, side)); };
            for (std::uint32_t k = random.between(4, 80); k > 0; --k) p.push_back({whole(), whole(), whole()});
            break;
        }
        case 3: {  // a base that is flat except for float64 rounding: Qhull merges it, lanefold does not
            p.clear();
            const double noise = random.log_uniform(1e-15, 1e-11);
            for (int k = 0; k < 60; ++k) {
                p.push_back(to_float({random.uniform(-1, 1), random.uniform(-1, 1), noise * random.uniform(-1, 1)}));
            }
            p.push_back({0, 0, 1});
            break;
        }
        case 4: {  // more points inside faces and on edges, nearly coplanar
            const auto count = static_cast<std::uint32_t>(p.size());
            for (int k = 0; k < 60; ++k) {
                const Vec3d a = to_double(p[random.index(count)]);
                const Vec3d b = to_double(p[random.index(count)]);
                p.push_back(to_float(a + (b - a) * random.uniform()));
            }
            break;
        }
        case 5: {  // a cloud
            p.clear();
            const double inner = random.chance(0.5) ? 0.0 : random.uniform(0.9, 1.0);
            for (double k = random.log_uniform(4, 250); k > 0; --k) p.push_back(to_float(random.arrow(inner, 1.0)));
            break;
        }
        default:
            break;
    }
    return transformed(p, random.log_uniform(0.01, 100), random.chance(0.5) ? random.rotation() : Quat{},
                       random.chance(0.5) ? Vec3d{} : random.direction() * 10.0);
}

using Loops = std::vector<std::vector<std::uint32_t>>;

Loops sorted_loops(const detail::FaceLoops& faces) {
    Loops out;
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto l = faces.loop(f);
        std::vector<std::uint32_t> loop(l.begin(), l.end());
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
        out.push_back(std::move(loop));
    }
    std::sort(out.begin(), out.end());
    return out;
}

// The volume of the cones from `inside` to the triangles.
double volume(std::span<const Vec3d> points, const std::vector<detail::Triangle>& triangles, const Vec3d& inside) {
    double sum = 0;
    for (const detail::Triangle& t : triangles) {
        sum += std::fabs(dot(points[t[0]] - inside, cross(points[t[1]] - inside, points[t[2]] - inside)));
    }
    return sum / 6;
}

struct Counts {
    std::uint32_t proven = 0;   // Qhull's hulls that stand the proof
    std::uint32_t refuted = 0;  // and that do not
    std::uint32_t wrong = 0;    // of these: the volume is off by more than 1e-9 of the cubed size
    std::uint32_t failed = 0;   // Qhull gave no triangles
    std::uint32_t refused = 0;  // points without a hull, by the builder
};

// One set of points, built by both.
void compare(const Points& p, Counts& counts) {
    detail::HullInput input;
    if (!detail::prepare_input(p, input)) {
        ++counts.refused;
        return;
    }
    const std::span<const Vec3d> points = input.points;
    const auto surface = detail::incremental_hull(points, input.start).surface;
    const detail::FaceLoops own = detail::exact_faces(points, surface);
    ASSERT_FALSE(detail::find_twins(own, static_cast<std::uint32_t>(points.size())).empty());
    ASSERT_TRUE(is_sphere(surface, points.size()));
    ASSERT_TRUE(contains_all(points, own));

    Vec3d inside;
    for (const std::uint32_t s : input.start) inside = inside + points[s] * 0.25;
    const auto triangles = qhull_triangles(points, inside);
    if (triangles.empty()) {
        ++counts.failed;
        return;
    }
    const double cube = input.size * input.size * input.size;
    const double own_volume = volume(points, surface.triangle, inside);
    const double difference = std::fabs(own_volume - volume(points, triangles, inside)) / cube;
    detail::TriangleSurface foreign;
    if (make_convex_surface(points, triangles, inside, foreign)) {
        const detail::FaceLoops faces = detail::exact_faces(points, foreign);
        if (contains_all(points, faces)) {
            ++counts.proven;
            ASSERT_LT(difference, 1e-12);
            ASSERT_EQ(sorted_loops(faces), sorted_loops(own));
            return;
        }
    }
    ++counts.refuted;
    counts.wrong += difference > 1e-9 ? 1U : 0U;
    const BuildResult r = build_hull(p);
    // Thin ones may be flat across another plane than the first.
    if (!r && r.failures[0].error == HullError::flat) return;
    ASSERT_TRUE(r);
    ASSERT_EQ(check_hull(r.hulls, 0, p), "");
}

// LANEFOLD_LONG=1: a million hulls.
TEST(HullQhull, AgreesWithOurOwnHull) {
    const std::uint32_t hulls = sweep_pairs(3120, 1'000'000);
    Counts counts;
    for (std::uint64_t i = 0; i < hulls; ++i) {
        ASSERT_NO_FATAL_FAILURE(compare(some_points(i), counts)) << "set of points " << i;
    }
    std::printf(
        "%u sets of points: %u refused; Qhull's surface proven %u times, refuted %u times (%u of them of another "
        "volume), missing %u times\n",
        hulls, counts.refused, counts.proven, counts.refuted, counts.wrong, counts.failed);
    EXPECT_GT(counts.proven, hulls / 2);
    EXPECT_GT(counts.refuted, hulls / 39);
}

}  // namespace
}  // namespace lanefold::test
