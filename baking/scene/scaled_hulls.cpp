// SPDX-License-Identifier: MIT
//
// Scales of bodies (body_scale.npy, from version 3 on). Each hull and scale becomes a hull behind those of the files.
// So nothing else that reads a scene knows of scales, and every result is that of a scene whose files have these hulls:
// vertices times the scale, rounded to float32 once. Scaled hulls come first, then half-spaces, then compounds, each in
// the order in which bodies ask for them, because hulls of one kind are built together and compounds need their
// children. core/src/set/baked_scales.cpp has this order for built hulls; those of a scene are numbered before any is.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "scene/arrays.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

// Each hull and scale once.
class WantedHulls {
public:
    explicit WantedHulls(const OtherShapes& shapes) : shapes_(shapes) {
        std::map<std::uint8_t, std::uint64_t> counts;
        for (const std::uint8_t kind : shapes.kind) number_.push_back(counts[kind]++);
    }

    void add(std::uint32_t hull, float scale, std::uint64_t body) {
        if (scale == 1 || !known_.emplace(key(hull, scale), 0).second) return;
        const lanefold::ShapeKind kind = shapes_.kind_of(hull);
        if (kind == lanefold::ShapeKind::compound) {
            const std::uint64_t number = number_of(hull);
            for (std::uint64_t k = shapes_.offsets[number]; k < shapes_.offsets[number + 1]; ++k)
                add(shapes_.children[k].hull, scale, body);
            compounds_.push_back({hull, scale, body});
        } else {
            (kind == lanefold::ShapeKind::half_space ? planes_ : hulls_).push_back({hull, scale, body});
        }
    }

    // All of them, which get the ids from `first` on.
    std::vector<ScaledHull> take(std::uint64_t first) {
        std::vector<ScaledHull> out = std::move(hulls_);
        out.insert(out.end(), planes_.begin(), planes_.end());
        out.insert(out.end(), compounds_.begin(), compounds_.end());
        for (const ScaledHull& s : out) known_[key(s.hull, s.scale)] = static_cast<std::uint32_t>(first++);
        return out;
    }

    std::uint32_t id_of(std::uint32_t hull, float scale) const {
        return scale == 1 ? hull : known_.at(key(hull, scale));
    }
    // The number of a half-space or a compound among those of its kind.
    std::uint64_t number_of(std::uint32_t hull) const { return number_[hull]; }

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    static Key key(std::uint32_t hull, float scale) { return {hull, std::bit_cast<std::uint32_t>(scale)}; }

    const OtherShapes& shapes_;
    std::vector<std::uint64_t> number_;  // empty: all are hulls
    std::map<Key, std::uint32_t> known_;
    std::vector<ScaledHull> hulls_, planes_, compounds_;
};

Vec3f times(const Vec3f& v, float scale) { return {v.x * scale, v.y * scale, v.z * scale}; }

}  // namespace

void Scene::read_scales() {
    const std::filesystem::path path = folder_ / kBodyScaleFile;
    if (!is_there(path)) return;
    std::vector<float> scale = read_list<float>(NpyReader(path), bodies());
    for (std::uint64_t body = 0; body < scale.size(); ++body) {
        const std::uint32_t hull = body_hull_[body];
        if (!(std::isnormal(scale[body]) && scale[body] > 0)) {
            throw bad_input("{}: {} has scale {}, expected a finite number above 0{}", path.string(), describe(body),
                            scale[body], scale[body] > 0 ? ", not below the normal numbers of float32" : "");
        }
        if (scale[body] != 1 && other_shapes_.kind_of(hull) == lanefold::ShapeKind::surface) {
            throw bad_input("{}: {} has scale {}, but hull {} is a surface, which has none: scale its points",
                            path.string(), describe(body), scale[body], hull);
        }
    }
    if (std::all_of(scale.begin(), scale.end(), [](float s) { return s == 1; })) return;
    body_scale_ = std::move(scale);
    add_scaled_hulls();
}

void Scene::add_scaled_hulls() {
    WantedHulls wanted(other_shapes_);
    for (std::uint64_t body = 0; body < bodies(); ++body) wanted.add(body_hull_[body], body_scale_[body], body);
    scaled_hulls_ = wanted.take(hulls());
    for (const ScaledHull& s : scaled_hulls_) {
        const lanefold::ShapeKind kind = other_shapes_.kind_of(s.hull);
        for (std::uint64_t row = hull_offsets_[s.hull]; row < hull_offsets_[s.hull + 1]; ++row)
            hull_vertices_.push_back(times(hull_vertices_[row], s.scale));
        hull_offsets_.push_back(hull_vertices_.size());
        if (!hull_radius_.empty()) hull_radius_.push_back(hull_radius_[s.hull] * s.scale);
        if (kind == lanefold::ShapeKind::half_space) {
            HalfSpace plane = other_shapes_.half_spaces[wanted.number_of(s.hull)];
            plane.offset *= s.scale;
            other_shapes_.half_spaces.push_back(plane);
        } else if (kind == lanefold::ShapeKind::compound) {
            const std::uint64_t number = wanted.number_of(s.hull);
            for (std::uint64_t k = other_shapes_.offsets[number]; k < other_shapes_.offsets[number + 1]; ++k) {
                CompoundChild child = other_shapes_.children[k];
                child.hull = wanted.id_of(child.hull, s.scale);
                for (double& x : child.position) x *= static_cast<double>(s.scale);
                other_shapes_.children.push_back(child);
            }
            other_shapes_.offsets.push_back(other_shapes_.children.size());
        }
        if (!other_shapes_.kind.empty()) other_shapes_.kind.push_back(other_shapes_.kind[s.hull]);
    }
    body_hull_in_files_ = body_hull_;
    for (std::uint64_t body = 0; body < bodies(); ++body)
        body_hull_[body] = wanted.id_of(body_hull_[body], body_scale_[body]);
}

void Scene::refuse_scaled(std::uint64_t hull, const char* what) const {
    const ScaledHull* const s = scaled_hull(hull);
    if (s == nullptr) return;
    throw bad_input("{}: {} has scale {}, at which hull {} cannot be built: {}", (folder_ / kBodyScaleFile).string(),
                    describe(s->body), s->scale, s->hull, what);
}

void set_shapes(const Scene& scene, SceneWriter::Contents& contents) {
    const std::uint64_t hulls = scene.hulls_in_files();
    contents.hull_offsets = scene.hull_offsets().first(hulls + 1);
    contents.hull_vertices = scene.hull_vertices().first(contents.hull_offsets.back());
    contents.hull_radius = scene.hull_radius();
    if (!contents.hull_radius.empty()) contents.hull_radius = contents.hull_radius.first(hulls);
    contents.body_hull = scene.body_hull_in_files();
    contents.body_scale = scene.body_scale();
    OtherShapes& shapes = contents.other_shapes = scene.other_shapes();
    if (shapes.kind.empty()) return;
    shapes.kind.resize(hulls);
    const auto count = [&](lanefold::ShapeKind kind) {
        return static_cast<std::size_t>(
            std::count(shapes.kind.begin(), shapes.kind.end(), static_cast<std::uint8_t>(kind)));
    };
    shapes.half_spaces.resize(count(lanefold::ShapeKind::half_space));
    if (shapes.offsets.empty()) return;
    shapes.offsets.resize(count(lanefold::ShapeKind::compound) + 1);
    shapes.children.resize(shapes.offsets.back());
}

}  // namespace lanefold::tools
