// SPDX-License-Identifier: MIT
//
// lanefold_volumes [pairs] [rounds]: overlap volumes of pairs of rocks, by lanefold and by CGAL, which intersects their
// meshes, each on one thread, in turns. The volumes are compared first: one that is off by more than lanefold promises
// ends the program with 1.
#include <cmath>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <lanefold/serial_measures.hpp>

#include "between_scene.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::bench;

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

Mesh mesh_of(const HullSet& hulls, const BodyD& body) {
    const PoseD pose = pose_of(body);
    Mesh mesh;
    std::vector<Mesh::Vertex_index> at;
    for (const Vec3f& v : hulls.vertices(body.hull)) {
        const Vec3d p = transform(pose, to_double(v));
        at.push_back(mesh.add_vertex({p.x, p.y, p.z}));
    }
    const std::vector<std::uint32_t> corners = triangles_of(hulls[body.hull]);
    for (std::size_t i = 0; i < corners.size(); i += 3)
        mesh.add_face(at[corners[i]], at[corners[i + 1]], at[corners[i + 2]]);
    return mesh;
}

// Intersecting changes the meshes, so each pair has copies; making them is not timed.
double volume_of(Mesh& a, Mesh& b) {
    Mesh both;
    if (!pmp::corefine_and_compute_intersection(a, b, both)) return -1;
    return both.number_of_faces() == 0 ? 0 : pmp::volume(both);
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint32_t pairs = argument(argc, argv, 1, 300);
    const int rounds = static_cast<int>(argument(argc, argv, 2, 3));
    std::printf("| points a hull | pairs | worst difference / L s^2 | lanefold, us a pair | CGAL | ratio |\n");
    std::printf("|---|---|---|---|---|---|\n");
    bool good = true;
    for (const std::uint32_t points : {8U, 32U, 96U}) {
        Draw draw(points);
        const HullSet hulls = rocks(points, 32, points);
        std::vector<BodyD> bodies;
        std::vector<Pair> list;
        for (std::uint32_t i = 0; i < pairs; ++i) {
            bodies.push_back(body_at({}, draw.index(32), draw));
            bodies.push_back(body_at(draw.direction() * draw.uniform(0.3, 0.75), draw.index(32), draw));
            list.push_back({2 * i, 2 * i + 1});
        }
        const BodyView view{std::span<const BodyD>(bodies)};
        std::vector<ContactMeasures> mine(pairs);
        std::vector<double> theirs(pairs);
        MeasureWorkspace workspace;
        std::vector<Mesh> whole, meshes;
        for (const BodyD& body : bodies) whole.push_back(mesh_of(hulls, body));
        const auto own = [&] { static_cast<void>(measure_contacts_serial(hulls, view, list, mine, workspace)); };
        const auto other = [&] {
            for (std::uint32_t i = 0; i < pairs; ++i) theirs[i] = volume_of(meshes[2 * i], meshes[2 * i + 1]);
        };
        meshes = whole;
        own();
        other();
        double worst = 0;
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const auto [s, l] = std::minmax(hulls[bodies[2 * i].hull].size, hulls[bodies[2 * i + 1].hull].size);
            worst = std::max(worst, std::fabs(mine[i].volume - theirs[i]) / (double{l} * double{s} * double{s}));
        }
        Race race("volumes", points, "cgal", pairs);
        for (int r = 0; r < rounds; ++r) {
            meshes = whole;
            race.round([&](auto&) { own(); }, [&](auto&) { other(); });
        }
        good = good && worst <= 1e-5;
        std::printf("| %u | %u | %.2g | %.2f | %.0f | %.0f |\n", points, pairs, worst, 1e-3 * race.own.min(),
                    1e-3 * race.other.min(), race.other.min() / race.own.min());
    }
    return good ? 0 : 1;
}
