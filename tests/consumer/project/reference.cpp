// SPDX-License-Identifier: MIT
//
// The smallest program that needs lanefold::reference to link, from each of its folders: the oracle, a published method
// and the response, on two cubes of side 2, the second 1.5 above the first.
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/published.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/sutherland_hodgman.hpp>

int main() {
    std::array<lanefold::Vec3f, 8> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F};
    }
    const lanefold::PoseD below;
    lanefold::PoseD above;
    above.position = {0, 0, 1.5};
    const auto cube = lanefold::reference::make_oracle_hull(corners);
    const auto exact = lanefold::reference::signed_distance(cube, below, cube, above);

    const lanefold::BuildResult built = lanefold::build_hull(corners);
    if (!built) return 1;
    const auto a = lanefold::published::make_polyhedron(built.hulls[0], below);
    const auto b = lanefold::published::make_polyhedron(built.hulls[0], above);
    const auto hit = lanefold::published::collide(a, b);
    const auto points = lanefold::published::clip_significant_faces(a, b, hit.info.normal).points;
    const auto feature = lanefold::published::contact_feature(a, hit.info.normal);
    std::printf("distance %g, %zu points\n", exact.distance, points.size());
    if (exact.distance != -0.5 || hit.info.separation != -0.5 || points.size() != 4) return 2;
    if (feature.type != lanefold::FeatureType::face) return 3;

    std::array<lanefold::Vec3d, 1> position{{{0, 0, 1.5}}};
    std::array<lanefold::Vec3d, 1> velocity{{{0, 0, -1}}};
    const std::array<double, 1> inverse_mass{1.0};
    std::vector<lanefold::ResponseContact> contacts(1);
    contacts[0] = {lanefold::kNoBody, 0, hit.info.normal, -exact.distance, 0.0};
    lanefold::ResponseWorkspace workspace;
    const auto done = lanefold::resolve_contacts(contacts, {position, velocity, inverse_mass, {}}, {}, workspace);
    if (!done.status || std::fabs(position[0].z - 2.0) > 1e-4 || std::fabs(velocity[0].z) > 1e-6) return 4;
    return 0;
}
