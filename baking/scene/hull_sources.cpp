// SPDX-License-Identifier: MIT
//
// See the header. Numbers are written so that they are read back as the same float64.

#include "scene/hull_sources.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

using published::Polyhedron;

// Normals differ from unit length by at most this.
constexpr double kUnit = 1e-6;
// Vertices may be off a face's plane, or outside of it, by this part of the largest coordinate. The normals of the
// published example are only this right: its vertices are off by up to 0.0125, 0.9% of the largest coordinate.
constexpr double kFlat = 0.02;

// A solid out of the file. `where` names file and hull.
class Reader {
public:
    Reader(const Json& json, std::string where, std::span<const Vec3f> vertices)
        : json_(json), where_(std::move(where)), vertices_(vertices) {}

    Polyhedron read() {
        read_positions();
        solid_.normals = read_vectors("normals");
        read_faces();
        read_edges();
        check_faces();
        return std::move(solid_);
    }

private:
    const Json& list(const char* name) const {
        const Json& out = member(json_, name);
        if (!out.is_array()) throw bad_input("{}: \"{}\" is not a list", where_, name);
        return out;
    }

    std::vector<Vec3d> read_vectors(const char* name) const {
        std::vector<Vec3d> out;
        for (const Json& v : list(name)) {
            const bool three = v.is_array() && v.size() == 3 &&
                               std::all_of(v.begin(), v.end(), [](const Json& x) { return x.is_number(); });
            if (!three) throw bad_input("{}: \"{}\": entry {} is not three numbers", where_, name, out.size());
            out.push_back({v[0].get<double>(), v[1].get<double>(), v[2].get<double>()});
        }
        return out;
    }

    void read_positions() {
        solid_.positions = read_vectors("positions");
        if (solid_.positions.size() != vertices_.size()) {
            throw bad_input("{}: {} positions, but the hull has {} vertices", where_, solid_.positions.size(),
                            vertices_.size());
        }
        for (std::size_t k = 0; k < vertices_.size(); ++k) {
            if (to_float(solid_.positions[k]) == vertices_[k]) continue;
            throw bad_input("{}: position {}, rounded to float32, is not row {} of the hull's vertices", where_, k, k);
        }
    }

    // Indices of different vertices.
    std::vector<std::uint32_t> read_indices(const char* name, std::size_t entry, const Json& from) const {
        std::vector<std::uint32_t> out;
        if (!from.is_array()) throw bad_input("{}: \"{}\": entry {} is not a list", where_, name, entry);
        for (const Json& v : from) {
            if (!v.is_number_unsigned() || v.get<std::uint64_t>() >= vertices_.size()) {
                throw bad_input("{}: \"{}\": entry {}: no vertex {}, there are {}", where_, name, entry, v.dump(),
                                vertices_.size());
            }
            const auto index = v.get<std::uint32_t>();
            if (std::find(out.begin(), out.end(), index) != out.end()) {
                throw bad_input("{}: \"{}\": entry {}: vertex {} twice", where_, name, entry, index);
            }
            out.push_back(index);
        }
        return out;
    }

    void read_faces() {
        for (const Json& face : list("faces")) {
            const std::size_t f = solid_.faces.size();
            solid_.faces.push_back(read_indices("faces", f, face));
            if (solid_.faces.back().size() < 3) {
                throw bad_input("{}: \"faces\": entry {} has fewer than 3 vertices", where_, f);
            }
        }
        if (solid_.faces.size() != solid_.normals.size()) {
            throw bad_input("{}: {} faces, but {} normals", where_, solid_.faces.size(), solid_.normals.size());
        }
    }

    void read_edges() {
        for (const Json& edge : list("edges")) {
            const std::size_t e = solid_.edges.size();
            const std::vector<std::uint32_t> ends = read_indices("edges", e, edge);
            if (ends.size() != 2) throw bad_input("{}: \"edges\": entry {} has not 2 vertices", where_, e);
            solid_.edges.push_back({ends[0], ends[1]});
        }
    }

    // Each face lies in its plane, and the solid below it.
    void check_faces() const {
        double largest = 0;
        for (const Vec3d& p : solid_.positions) {
            largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        }
        for (std::size_t f = 0; f < solid_.faces.size(); ++f) {
            const Vec3d& n = solid_.normals[f];
            if (!(std::fabs(length(n) - 1) <= kUnit)) {
                throw bad_input("{}: \"normals\": entry {} is not of unit length", where_, f);
            }
            const Vec3d& origin = solid_.positions[solid_.faces[f][0]];
            const auto height = [&](std::uint32_t v) { return dot(n, solid_.positions[v] - origin); };
            for (const std::uint32_t v : solid_.faces[f]) {
                if (std::fabs(height(v)) <= kFlat * largest) continue;
                throw bad_input("{}: face {}: vertex {} is not in the plane of its normal", where_, f, v);
            }
            for (std::uint32_t v = 0; v < solid_.positions.size(); ++v) {
                if (height(v) <= kFlat * largest) continue;
                throw bad_input("{}: face {}: vertex {} is outside its plane", where_, f, v);
            }
        }
    }

    const Json& json_;
    std::string where_;
    std::span<const Vec3f> vertices_;
    Polyhedron solid_;
};

Json to_json(const std::vector<Vec3d>& vectors) {
    Json out = Json::array();
    for (const Vec3d& v : vectors) out.push_back({v.x, v.y, v.z});
    return out;
}

}  // namespace

std::map<std::uint32_t, Polyhedron> read_hull_sources(const Scene& scene) {
    std::map<std::uint32_t, Polyhedron> out;
    const std::filesystem::path path = scene.folder() / kHullSourcesFile;
    if (!is_there(path)) return out;
    const std::string name = path.string();
    const Json json = read_json_object(path);
    const Json& list = member(json, "hulls");
    if (!list.is_array()) throw bad_input("{}: \"hulls\" is not a list", name);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Json& hull = member(list[i], "hull");
        if (!hull.is_number_unsigned() || hull.get<std::uint64_t>() >= scene.hulls_in_files()) {
            throw bad_input("{}: entry {}: no hull {}, there are {}", name, i, hull.dump(), scene.hulls_in_files());
        }
        const auto index = hull.get<std::uint32_t>();
        const std::uint64_t first = scene.hull_offsets()[index];
        const auto vertices = scene.hull_vertices().subspan(first, scene.hull_offsets()[index + 1] - first);
        Polyhedron solid = Reader(list[i], fmt::format("{}: hull {}", name, index), vertices).read();
        if (!out.emplace(index, std::move(solid)).second) throw bad_input("{}: hull {} twice", name, index);
    }
    return out;
}

std::string hull_sources_text(std::span<const HullSource> sources) {
    Json list = Json::array();
    for (const HullSource& source : sources) {
        const Polyhedron& s = source.solid;
        list.push_back({{"hull", source.hull},
                        {"positions", to_json(s.positions)},
                        {"faces", s.faces},
                        {"edges", s.edges},
                        {"normals", to_json(s.normals)}});
    }
    return Json{{"hulls", std::move(list)}}.dump(1) + "\n";
}

}  // namespace lanefold::tools
