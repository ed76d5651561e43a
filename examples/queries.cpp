// SPDX-License-Identifier: MIT
//
// Questions to a scene: what does a ray hit, does a shadow ray hit anything, where does a moving crate stop, what does
// a blast reach, what is nearest. No list of pairs: the finder's tree is searched. Compiled and run as a test; it
// prints examples/queries.expected on every machine.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/scene_queries.hpp>

namespace {

using namespace lanefold;

// A crate (0), a ball of radius 1 (1), a ball of radius 4 (2) and the floor z <= 0 (3).
HullSet make_hulls() {
    std::vector<Vec3f> points;
    for (int c = 0; c < 8; ++c)
        points.push_back({(c & 1) != 0 ? 1.0F : -1.0F, (c & 2) != 0 ? 1.0F : -1.0F, (c & 4) != 0 ? 1.0F : -1.0F});
    points.push_back({});
    points.push_back({});
    const std::uint64_t offsets[] = {0, 8, 9, 10};
    const float radii[] = {0, 1, 4};
    BuildOptions options;
    options.radii = radii;
    const HalfSpace floor[] = {{{0, 0, 1}, 0}};
    return build_hulls(points, offsets, options).hulls.append(build_half_spaces(floor).hulls);
}

BodyD body(double x, double y, double z, std::uint32_t hull) { return {{x, y, z}, {0, 0, 0, 1}, hull, 0}; }

}  // namespace

int main() {
    // A floor, and a row of ten crates and balls on it, three apart.
    const HullSet hulls = make_hulls();
    std::vector<BodyD> bodies = {body(0, 0, 0, 3)};
    for (int i = 0; i < 10; ++i) bodies.push_back(body(3.0 * i, 0, 1, i % 2 == 0 ? 0U : 1U));

    // The finder of a simulation serves; find() is called once a frame in any case.
    PairFinder finder;
    if (!finder.find(hulls, bodies).status) return 1;
    QueryWorkspace workspace;  // keep it from call to call: then nothing allocates

    const Ray rays[] = {{{-10, 0, 1}, {100, 0, 0}}, {{3, 0, 10}, {0, 0, -20}}, {{1.5, 0, 10}, {0, 0, -20}}};
    RayHit hits[3];
    if (!cast_rays(finder, rays, hits, workspace).status) return 2;
    for (const RayHit& h : hits)
        std::printf("ray: body %u at fraction %.3f, normal %g %g %g\n", h.body, h.fraction, double{h.normal[0]},
                    double{h.normal[1]}, double{h.normal[2]});

    std::uint64_t offsets[4];
    RayHit all[16];
    if (!cast_rays_all(finder, {rays, 1}, {offsets, 2}, all, workspace).status) return 3;
    std::printf("the first ray passes through %u bodies\n", static_cast<unsigned>(offsets[1]));

    RayInputs shadow;
    shadow.mode = RayMode::any;
    if (!cast_rays(finder, rays, hits, workspace, shadow).status) return 4;
    std::printf("shadow: %s\n", hits[0].state == RayState::hit ? "yes" : "no");

    // A crate slides along the row from afar, another falls between two bodies.
    const BodyD begin[] = {body(-10, 0, 1.001, 0), body(1.5, 5, 9, 0)};
    const BodyD end[] = {body(40, 0, 1.001, 0), body(1.5, 5, -1, 0)};
    ShapeHit stops[2];
    if (!cast_shapes(finder, begin, end, {}, stops, workspace).status) return 5;
    for (const ShapeHit& s : stops)
        std::printf("cast: body %u at fraction %.2f, normal %g %g %g\n", s.body, s.fraction, double{s.normal[0]} + 0.0,
                    double{s.normal[1]} + 0.0, double{s.normal[2]} + 0.0);

    // Everything that a ball of 4 touches.
    const BodyD blast[] = {body(12, 0, 1, 2)};
    std::uint32_t reached[16];
    if (!overlap_scene(finder, blast, 0, {offsets, 2}, reached, workspace).status) return 6;
    std::printf("blast:");
    for (std::uint64_t k = offsets[0]; k < offsets[1]; ++k) std::printf(" %u", reached[k]);
    std::printf("\n");

    // A point is a ball, less its radius.
    const BodyD point[] = {body(-3, 0, 5, 1)};
    const float radius[] = {10};
    ClosestPoints near[1];
    if (!closest_points(finder, point, radius, near, workspace).status) return 7;
    std::printf("nearest: body %u at %.3f\n", near[0].body, double{near[0].distance} + 1.0);
    return 0;
}
