// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/gltf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "import/gltf_poses.hpp"
#include "import/rigid.hpp"

namespace lanefold::tools {
namespace {

// Modes of primitives that have surfaces.
constexpr std::uint64_t kTriangles = 4;
constexpr std::uint64_t kStrip = 5;
constexpr std::uint64_t kFan = 6;

// The corners of a mesh, each place once, and the middles of its triangles.
class MeshReader {
public:
    MeshReader(const GltfFile& file, SourcePiece& piece) : file_(file), piece_(piece) {}

    // Returns false when no primitive has a surface.
    bool read(std::uint64_t mesh, const std::string& from) {
        const Json& json = file_.at("meshes", mesh, from);
        const std::string where = fmt::format("meshes[{}]", mesh);
        const Json& primitives = file_.elements(json, "primitives", where);
        for (std::size_t i = 0; i < primitives.size(); ++i) {
            read_primitive(primitives[i], fmt::format("{}.primitives[{}]", where, i));
        }
        return piece_.faces() != 0;
    }

    bool has_floats() const { return has_floats_; }

private:
    void read_primitive(const Json& primitive, const std::string& where) {
        const std::uint64_t mode = file_.index(primitive, "mode", where).value_or(kTriangles);
        if (mode != kTriangles && mode != kStrip && mode != kFan) return;  // points and lines
        const std::string place = file_.path().string() + ": " + where;
        if (!member(member(primitive, "extensions"), "KHR_draco_mesh_compression").is_null()) {
            throw bad_input("{} is compressed by Draco; export it without compression", place);
        }
        const auto position = file_.index(member(primitive, "attributes"), "POSITION", where + ".attributes");
        if (!position) throw bad_input("{} has no POSITION", place);
        positions_ = file_.numbers(*position, where);
        has_floats_ = has_floats_ || positions_.has_floats();
        if (positions_.components() != 3) throw bad_input("{}: its POSITION has no three coordinates", place);
        std::uint64_t corners = positions_.count();
        const auto indices = file_.index(primitive, "indices", where);
        if (indices) {
            indices_ = file_.numbers(*indices, where);
            if (indices_.components() != 1 || !indices_.has_indices()) {
                throw bad_input("{}: its indices are no whole numbers", place);
            }
            corners = indices_.count();
        }
        const auto corner = [&](std::uint64_t i) {
            const std::uint64_t vertex = indices ? indices_.index(i) : i;
            if (vertex < positions_.count()) return add(vertex, place);
            throw bad_input("{}: corner {} is vertex {}, but there are {}", place, i, vertex, positions_.count());
        };
        const std::uint64_t count = mode == kTriangles ? corners / 3 : corners < 3 ? 0 : corners - 2;
        for (std::uint64_t t = 0; t < count; ++t) {
            const std::uint64_t first = mode == kTriangles ? 3 * t : t;
            // Every second triangle of a strip runs the other way.
            const std::uint64_t odd = mode == kStrip ? t % 2 : 0;
            for (const std::uint64_t i : {mode == kFan ? 0 : first, first + 1 + odd, first + 2 - odd}) {
                piece_.corners.push_back(corner(i));
            }
            piece_.face_ends.push_back(static_cast<std::uint32_t>(piece_.corners.size()));
        }
    }

    // Vertices of faces with different normals are one place, whose number it returns.
    std::uint32_t add(std::uint64_t vertex, const std::string& place) {
        const Vec3d p{positions_.get(vertex, 0), positions_.get(vertex, 1), positions_.get(vertex, 2)};
        if (!is_finite(p)) throw bad_input("{}: vertex {} is not finite", place, vertex);
        const auto number = static_cast<std::uint32_t>(piece_.points.size());
        const auto [at, added] = known_.try_emplace({p.x, p.y, p.z}, number);
        if (added) piece_.points.push_back(p);
        return at->second;
    }

    const GltfFile& file_;
    SourcePiece& piece_;
    GltfNumbers positions_;
    GltfNumbers indices_;
    bool has_floats_ = false;
    std::map<std::array<double, 3>, std::uint32_t> known_;
};

bool has_weights(const GltfFile& file, const Json& json, const std::string& where) {
    for (const Json& weight : file.elements(json, "weights", where)) {
        if (weight != 0) return true;
    }
    return false;
}

// Meshes that are more than a rigid piece.
void refuse_what_deforms(const GltfFile& file, const GltfNode& node, std::uint64_t mesh, const std::string& name) {
    const std::string place = fmt::format("{}: node '{}'", file.path().string(), name);
    if (!member(*node.json, "skin").is_null()) {
        throw bad_input("{} has a skin: a body is rigid; bake it into pieces", place);
    }
    const std::string where = fmt::format("nodes[{}]", node.number);
    if (has_weights(file, *node.json, where) || has_weights(file, file.at("meshes", mesh, where), where)) {
        throw bad_input("{} has a mesh that is morphed by weights; bake it into pieces", place);
    }
    if (!member(member(*node.json, "extensions"), "EXT_mesh_gpu_instancing").is_null()) {
        throw bad_input("{} has instances by EXT_mesh_gpu_instancing; export a node for each", place);
    }
}

std::string name_of(const GltfFile& file, const GltfNode& node, std::uint64_t mesh) {
    if (!node.name.empty()) return node.name;
    const Json& name = member(file.at("meshes", mesh, fmt::format("nodes[{}]", node.number)), "name");
    if (name.is_string() && !name.get_ref<const std::string&>().empty()) return printable(name.get<std::string>());
    return fmt::format("node_{}", node.number);
}

// A stretch that is the same in all directions is kept beside the points that the file has, whose hull other nodes may
// have, too. A mirror turns the order of corners round, but not what is outside.
void stretch(const Mat3d& by, SourcePiece& piece) {
    const std::optional<double> scale = uniform_scale(by);
    if (scale == 1.0) return;
    if (scale) {
        piece.scale = *scale;
        piece.unscaled = piece.points;
    }
    for (Vec3d& p : piece.points) p = by * p;
    if (dot(by.row[0], cross(by.row[1], by.row[2])) > 0) return;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : piece.face_ends) {
        std::reverse(piece.corners.begin() + begin, piece.corners.begin() + end);
        begin = end;
    }
}

}  // namespace

bool has_extension(const std::filesystem::path& path, std::string_view lower_case) {
    std::string extension = path.extension().string();
    for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return extension == lower_case;
}

bool is_gltf(const std::filesystem::path& path) { return has_extension(path, ".gltf") || has_extension(path, ".glb"); }

SourceFile read_gltf(const std::filesystem::path& path, const GltfRequest& request) {
    auto stage = std::make_shared<const GltfStage>(path, request.animation);
    const GltfFile& file = stage->file;
    SourceFile out;
    if (!stage->nodes.note().empty()) out.notes.push_back(stage->nodes.note());
    out.path = path;
    std::vector<std::size_t> nodes;
    std::vector<std::string> names;
    const std::vector<GltfNode>& all = stage->nodes.nodes();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const GltfNode& node = all[i];
        const std::string where = fmt::format("nodes[{}]", node.number);
        const std::optional<std::uint64_t> mesh = file.index(*node.json, "mesh", where);
        if (!mesh) continue;
        const std::string name = name_of(file, node, *mesh);
        refuse_what_deforms(file, node, *mesh, name);
        SourcePiece piece;
        piece.object = static_cast<std::uint32_t>(out.objects.size());
        MeshReader reader(file, piece);
        const bool has_surface = reader.read(*mesh, where);
        out.float_numbers = out.float_numbers || reader.has_floats();
        if (!has_surface) {
            out.notes.push_back(fmt::format("{}: node '{}' has no triangles and is left out", path.string(), name));
            continue;
        }
        out.objects.push_back(name);
        out.pieces.push_back(std::move(piece));
        nodes.push_back(i);
        names.push_back(name);
    }
    if (out.pieces.empty()) throw bad_input("{}: no node of the scene has a mesh with triangles", path.string());
    auto poses = std::make_shared<GltfPoses>(std::move(stage), std::move(nodes), std::move(names));
    if (request.apply_scale) {
        const std::vector<Mat3d> by = poses->take_stretch();
        for (std::size_t i = 0; i < by.size(); ++i) stretch(by[i], out.pieces[i]);
    }
    out.poses = std::move(poses);
    return out;
}

}  // namespace lanefold::tools
