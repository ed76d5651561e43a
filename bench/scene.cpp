// SPDX-License-Identifier: MIT
//
// Scenes: hulls as polygons for the peers, candidate pairs, and reading scene folders.
#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>

#include "scene_io.hpp"

namespace lanefold::bench {
namespace {

PolyHull make_polyhedron(const HullSet& hulls, std::size_t id) {
    const HullRecord& record = hulls[id];
    const detail::HullView view(record);
    const PoseD frame = view.internal_to_input();
    PolyHull out;
    const auto vertices = hulls.vertices(id);
    out.vertices.assign(vertices.begin(), vertices.end());
    for (std::size_t f = 0; f < record.face_count; ++f) {
        std::vector<std::uint32_t> loop;
        for (std::size_t k = view.face_first[f]; k < view.face_first[f + 1]; ++k) loop.push_back(view.face_vertex[k]);
        const Vec3d n = normalized(frame.rotation * view.normal(f));
        double offset = -1e300;
        for (const Vec3f& v : out.vertices) offset = std::max(offset, dot(n, to_double(v)));
        out.faces.push_back(std::move(loop));
        out.normals.push_back(n);
        out.offsets.push_back(offset);
    }
    out.centre = frame.position;
    out.is_box = record.is_box();
    out.half_extent = {record.half_extent[0], record.half_extent[1], record.half_extent[2]};
    out.axes = frame.rotation;
    out.size = record.size;
    return out;
}

struct WorldBox {
    float low[3];
    float high[3];
    std::uint32_t body;
};

WorldBox world_box(const PolyHull& hull, const Body& body, std::uint32_t index, double grow) {
    Quat q;
    normalize(body.orientation, q);
    const Mat3d r = rotation(q);
    WorldBox box{};
    box.body = index;
    for (int axis = 0; axis < 3; ++axis) {
        double low = 1e300;
        double high = -1e300;
        for (const Vec3f& v : hull.vertices) {
            const double x = dot(r.row[axis], to_double(v));
            low = std::min(low, x);
            high = std::max(high, x);
        }
        const double p = body.position[axis];
        box.low[axis] = static_cast<float>(p + low - grow);
        box.high[axis] = static_cast<float>(p + high + grow);
    }
    return box;
}

}  // namespace

std::size_t Scene::pair_count() const {
    std::size_t n = 0;
    for (const Frame& f : frames) n += f.pairs.size();
    return n;
}

void build_scene_hulls(Scene& scene, const std::vector<Vec3f>& points, const std::vector<std::uint64_t>& offsets) {
    BuildResult built = build_hulls(points, offsets);
    if (!built) {
        const HullReport& r = built.failures.front();
        throw std::runtime_error(scene.name + ": hull " + std::to_string(r.hull) + ": " + r.what);
    }
    scene.hulls = std::move(built.hulls);
    scene.polyhedra.clear();
    for (std::size_t h = 0; h < scene.hulls.size(); ++h) scene.polyhedra.push_back(make_polyhedron(scene.hulls, h));
}

std::vector<Pair> find_candidates(const Scene& scene, const std::vector<Body>& bodies, double margin) {
    std::vector<WorldBox> boxes;
    boxes.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        boxes.push_back(
            world_box(scene.polyhedra[bodies[i].hull], bodies[i], static_cast<std::uint32_t>(i), margin / 2));
    }
    // Sweep along x: boxes sorted by their lower end, each against those that begin before it ends.
    std::sort(boxes.begin(), boxes.end(), [](const WorldBox& l, const WorldBox& r) {
        return l.low[0] != r.low[0] ? l.low[0] < r.low[0] : l.body < r.body;
    });
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const WorldBox& a = boxes[i];
        for (std::size_t j = i + 1; j < boxes.size() && boxes[j].low[0] <= a.high[0]; ++j) {
            const WorldBox& b = boxes[j];
            if (a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2]) {
                pairs.push_back({std::min(a.body, b.body), std::max(a.body, b.body)});
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

Scene load_scene(const std::filesystem::path& folder, double margin, std::size_t max_frames) {
    const tools::Scene source(folder);
    Scene scene;
    scene.name = folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
    scene.description = "scene folder";
    scene.margin = margin;
    build_scene_hulls(scene, {source.hull_vertices().begin(), source.hull_vertices().end()},
                      {source.hull_offsets().begin(), source.hull_offsets().end()});
    const bool stored = source.has_pairs() && source.info().pairs_margin.value_or(0.0) >= margin;
    const std::size_t total = source.frames();
    const std::size_t count = std::min(max_frames, total);
    const auto fixed = source.inverse_mass();
    const auto group = source.group();
    for (std::size_t i = 0; i < count; ++i) {
        tools::SceneFrame read;
        // The last frames: a pile that was dropped is settled there.
        source.read_frame(total - count + i, read);
        Frame frame;
        for (std::size_t b = 0; b < source.bodies(); ++b) {
            Body body{};
            for (std::size_t c = 0; c < 3; ++c) {
                body.position[c] = source.positions_are_double() ? static_cast<float>(read.position_double[3 * b + c])
                                                                 : read.position[3 * b + c];
            }
            std::copy_n(read.orientation.begin() + static_cast<std::ptrdiff_t>(4 * b), 4, body.orientation);
            body.hull = source.body_hull()[b];
            frame.bodies.push_back(body);
        }
        if (stored) {
            frame.pairs = std::move(read.pairs);
        } else {
            frame.pairs = find_candidates(scene, frame.bodies, margin);
            std::erase_if(frame.pairs, [&](const Pair& p) {
                return (!fixed.empty() && fixed[p.a] == 0 && fixed[p.b] == 0) ||
                       (!group.empty() && group[p.a] != 0 && group[p.a] == group[p.b]);
            });
        }
        scene.frames.push_back(std::move(frame));
    }
    return scene;
}

}  // namespace lanefold::bench
