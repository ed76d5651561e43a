// SPDX-License-Identifier: MIT
//
// Every method of docs/methods.md by library call. The lines between the marks are those of that page. Two cubes, one
// on the other and turned, overlap by a tenth. The program prints the number and depth of each method's points.
#include <cstdio>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/feature_manifold.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace {

using namespace lanefold;

struct Example {
    HullSet hulls;
    Body a, b;
    published::Polyhedron polyhedron_a, polyhedron_b;  // the same cubes, placed in the world
};

Example make_example() {
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    Example e{build_hull(cube).hulls, {{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0.25F, 0, 1.9F}, 0, {0, 0, 0.6F, 0.8F}}, {}, {}};
    const auto place = [&](const Body& body) {
        const Quat q{double{body.orientation[0]}, double{body.orientation[1]}, double{body.orientation[2]},
                     double{body.orientation[3]}};
        const PoseD pose{rotation(q), {double{body.position[0]}, double{body.position[1]}, double{body.position[2]}}};
        return published::make_polyhedron(e.hulls[body.hull], pose);
    };
    e.polyhedron_a = place(e.a);
    e.polyhedron_b = place(e.b);
    return e;
}

template <class Points>
void tell(const char* method, const Points& points) {
    double deepest = 0;
    for (const auto& p : points) deepest = p.separation < deepest ? double{p.separation} : deepest;
    std::printf("%-22s %zu points, the deepest %.4f\n", method, std::size(points), deepest);
}

void face_clipping(const Example& e) {
    // [clip]
    Manifold4 manifold;
    Workspace workspace;  // keep it from call to call
    Options options;      // ContactMethod::clip is the default
    const BatchResult done = collide_pair(e.hulls, e.a, e.b, options, manifold, workspace);
    // [end]
    if (done.status) tell("clip", std::span(manifold.points).first(manifold.count));
}

void support_patches(const Example& e) {
    // [patch]
    Manifold16 manifold;
    Workspace workspace;
    Options options;
    options.method = ContactMethod::patch;
    const BatchResult done = collide_pair(e.hulls, e.a, e.b, options, manifold, workspace);
    // [end]
    if (done.status) tell("patch", std::span(manifold.points).first(manifold.count));
}

void separating_axes(const published::Polyhedron& a, const published::Polyhedron& b) {
    // [axes]
    const published::Collision hit = published::collide(a, b);
    if (hit.colliding) std::printf("separation %.4f, B comes free by %.4f along z\n", hit.info.separation, hit.mtv.z);
    // [end]
}

void collision_plane(const published::Polyhedron& a, const published::Polyhedron& b) {
    // [plane]
    const published::Collision hit = published::collide(a, b);
    const published::ClipManifold m = published::clip_on_collision_plane(a, b, hit);
    for (const published::ClipPoint& p : m.points) std::printf("  (%.3f, %.3f)\n", p.position.x, p.position.y);
    // [end]
    tell("collision plane", m.points);
}

void to_the_letter(const published::Polyhedron& a, const published::Polyhedron& b) {
    // [literal]
    const published::literal::Result axes = published::literal::separating_axes(a, b);
    const published::literal::Result m = published::literal::clipping_manifold(a, b);
    const bool same = axes.info.separation == m.info.separation;
    // [end]
    tell(same ? "to the letter, both" : "to the letter", m.points);
}

void sutherland_hodgman(const published::Polyhedron& a, const published::Polyhedron& b) {
    // [hodgman]
    const published::Collision hit = published::collide(a, b);
    published::FaceClipSettings settings;
    settings.depth = published::Depth::plane_ray;  // exact; furthest_vertex is as often published
    const published::FaceClipManifold m = published::clip_significant_faces(a, b, hit.info.normal, settings);
    // [end]
    tell("sutherland-hodgman", m.points);
}

void contact_features(const published::Polyhedron& a, const published::Polyhedron& b) {
    // [features]
    const published::Collision hit = published::collide(a, b);
    published::FeatureSettings settings;
    settings.angle = 0.01;  // radians
    const published::FeatureManifold m = published::clip_features(a, b, hit, settings);
    // [end]
    tell("features", m.points);
}

void contact_response(const Manifold4& manifold) {
    Vec3d position[] = {{0, 0, 0}, {0.25, 0, 1.9}};
    Vec3d velocity[] = {{0, 0, 0}, {0, 0, -2}};
    const double inverse_mass[] = {0, 1};  // A does not move
    // [response]
    std::vector<ResponseContact> contacts;
    append_contacts(std::span(&manifold, 1), 0.5, contacts);  // half of the closing velocity comes back
    ResponseWorkspace workspace;
    const ResponseBodies bodies{position, velocity, inverse_mass, {}};
    const ResponseResult done = resolve_contacts(contacts, bodies, ResponseSettings{}, workspace);
    // [end]
    if (done.status) std::printf("B at %.4f moves with %.4f\n", position[1].z, velocity[1].z);
}

}  // namespace

int main() {
    const Example e = make_example();
    face_clipping(e);
    support_patches(e);
    separating_axes(e.polyhedron_a, e.polyhedron_b);
    collision_plane(e.polyhedron_a, e.polyhedron_b);
    to_the_letter(e.polyhedron_a, e.polyhedron_b);
    sutherland_hodgman(e.polyhedron_a, e.polyhedron_b);
    contact_features(e.polyhedron_a, e.polyhedron_b);
    Manifold4 manifold;
    Workspace workspace;
    if (collide_pair(e.hulls, e.a, e.b, Options{}, manifold, workspace).status) contact_response(manifold);
    return 0;
}
