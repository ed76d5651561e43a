// SPDX-License-Identifier: MIT
//
// Hulls as polygons, bodies of a frame as one mesh, contacts of a frame as points: in the axes of a file.
#pragma once

#include <cstdint>
#include <vector>

#include "export/export.hpp"

namespace lanefold::tools {

// Vertices in the coordinates of the hull; loops run counter-clockwise seen from outside. A compound has those of all
// its children, a surface all its vertices and triangles.
struct HullMesh {
    std::vector<Vec3d> vertices;
    std::vector<std::uint32_t> loop_size;
    std::vector<std::uint32_t> loops;  // indices of vertices, one loop after the other
};
HullMesh hull_mesh(const HullSet& hulls, std::uint32_t hull, const Axes& axes);
std::vector<HullMesh> hull_meshes(const ExportInput& input);

// A body's place in the file's axes.
Vec3d body_position(const Scene& scene, const SceneFrame& frame, std::size_t body, const Axes& axes);

// Calls add(body, hull, pose) for every body that is there.
template <class Add>
void for_each_body(const ExportInput& input, const SceneFrame& frame, const Add& add) {
    for (std::size_t b = 0; b < input.scene.bodies(); ++b) {
        if (!frame.is_there(b)) continue;
        const std::array<float, 4> q = input.axes.quaternion(frame.orientation.data() + 4 * b);
        Quat unit;
        normalize(q.data(), unit);  // read_frame() has checked it
        add(b, input.scene.body_hull()[b], PoseD{rotation(unit), body_position(input.scene, frame, b, input.axes)});
    }
}

// One point of a record.
struct ContactRow {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t point = 0;  // of the record
    ContactKind kind = ContactKind::none;
    Vec3d position;        // world, midway between the surfaces
    Vec3d normal;          // from a to b
    float separation = 0;  // of the point; negative inside
    float distance = 0;    // of the pair
    std::uint32_t feature = 0;
};

// The contact points of a frame, in the order of its records. Adds what it leaves out to the report, once per call.
struct ContactCount {
    std::uint64_t records = 0;
    std::uint64_t without_points = 0;
};
ContactCount read_contacts(const ExportInput& input, const SceneFrame& frame, std::vector<ContactRow>& out);

// The position of the first body that is there, in whole units: the origin of coordinates that a file keeps in float32.
Vec3d round_origin(const ExportInput& input);

}  // namespace lanefold::tools
