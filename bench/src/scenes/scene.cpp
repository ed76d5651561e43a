// SPDX-License-Identifier: MIT
//
// Scenes: hulls as polygons for the peers, candidate pairs, and reading scene folders.
#include "scenes/scene.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>

#include "scene/find_pairs.hpp"
#include "scene/io.hpp"

namespace lanefold::bench {
namespace {

PolyHull make_polyhedron(const HullSet& hulls, std::size_t id) {
    const HullRecord& record = hulls[id];
    PolyHull out;
    out.radius = static_cast<double>(record.round_radius);
    if (const auto plane = half_space(hulls, id)) {
        out.half_space = true;
        const Vec3d n = to_double(plane->normal);
        out.normals.push_back(normalized(n));
        out.offsets.push_back(static_cast<double>(plane->offset));
        return out;
    }
    const detail::HullView view(record);
    const PoseD frame = view.internal_to_input();
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

}  // namespace

std::size_t Scene::pair_count() const {
    std::size_t n = 0;
    for (const Frame& f : frames) n += f.pairs.size();
    return n;
}

bool Scene::is_sharp() const {
    return std::all_of(polyhedra.begin(), polyhedra.end(), [](const PolyHull& h) { return h.is_sharp(); });
}

void build_scene_hulls(Scene& scene, const std::vector<Vec3f>& points, const std::vector<std::uint64_t>& offsets) {
    BuildResult built = build_hulls(points, offsets);
    if (!built) {
        const HullReport& r = built.failures.front();
        throw std::runtime_error(scene.name + ": hull " + std::to_string(r.hull) + ": " + r.what);
    }
    set_scene_hulls(scene, std::move(built.hulls));
}

void build_scene_hulls(Scene& scene, const std::vector<std::vector<Vec3f>>& hulls) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const std::vector<Vec3f>& p : hulls) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    build_scene_hulls(scene, points, offsets);
}

std::vector<Pair> find_candidates(const Scene& scene, const std::vector<Body>& bodies) {
    return tools::find_pairs(scene.hulls, std::span<const Body>(bodies), {}, {}, static_cast<float>(scene.margin));
}

void add_couple(Frame& frame, const Body& a, const Body& b) {
    const auto n = static_cast<std::uint32_t>(frame.bodies.size());
    frame.bodies.push_back(a);
    frame.bodies.push_back(b);
    frame.pairs.push_back({n, n + 1});
}

void set_scene_hulls(Scene& scene, HullSet hulls) {
    scene.hulls = std::move(hulls);
    scene.polyhedra.clear();
    for (std::size_t h = 0; h < scene.hulls.size(); ++h) scene.polyhedra.push_back(make_polyhedron(scene.hulls, h));
}

Scene load_scene(const std::filesystem::path& folder, double margin, std::size_t max_frames) {
    const tools::Scene source(folder);
    Scene scene;
    scene.name = folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
    scene.description = "scene folder";
    scene.margin = margin;
    if (source.other_shapes().offsets.size() > 1)
        throw std::runtime_error(folder.string() + ": has compounds, which no other engine here has");
    set_scene_hulls(scene, source.build_hulls());
    const bool stored = source.has_pairs() && source.info().pairs_margin.value_or(0.0) >= margin;
    const std::size_t total = source.frames();
    const std::size_t count = std::min(max_frames, total);
    for (std::size_t i = 0; i < count; ++i) {
        tools::SceneFrame read;
        // The last frames, because a pile has settled there.
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
            frame.pairs = tools::find_pairs(scene.hulls, std::span<const Body>(frame.bodies), source.inverse_mass(),
                                            source.group(), static_cast<float>(margin));
        }
        scene.frames.push_back(std::move(frame));
    }
    return scene;
}

}  // namespace lanefold::bench
