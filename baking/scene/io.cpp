// SPDX-License-Identifier: MIT
//
// Reads and checks scene folders.

#include "scene/io.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <xxhash.h>

#include <lanefold/pose.hpp>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "scene/arrays.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// Files that only a scene from version 2 on may have: a program that reads version 1 would not see them.
constexpr const char* kVersion2Files[] = {
    "names.json",         "active.npy",          kHullKindFile,         kHullRadiusFile,       kHalfSpacesFile,
    kCompoundOffsetsFile, kChildHullFile,        kChildPositionFile,    kChildOrientationFile, kSurfaceOffsetsFile,
    kSurfaceVerticesFile, kSurfaceTrianglesFile, kSurfaceThicknessFile, kHeightFieldsFile,     kHeightSamplesFile,
    kHeightHolesFile,     kHeightDiagonalsFile};

template <class T>
std::uint64_t content_hash(std::span<const T> data, std::uint64_t seed = 0) {
    return XXH64(data.data(), data.size_bytes(), seed);
}

std::vector<Vec3f> read_vertices(const NpyReader& file) {
    file.expect_dtype<float>();
    file.expect_shape({kAnyLength, 3});
    std::vector<Vec3f> vertices(file.length());
    file.read_bytes(0, std::as_writable_bytes(std::span(vertices)));
    return vertices;
}

// `first`: the body with which the numbers begin.
template <class T>
void check_positions(const std::vector<T>& position, const fs::path& path, std::uint64_t frame, std::uint64_t first) {
    // Without a branch first, so that the compiler can test many at once.
    unsigned wrong = 0;
    for (const T x : position) wrong |= static_cast<unsigned>(!(std::fabs(x) <= std::numeric_limits<T>::max()));
    if (wrong == 0) return;
    const auto bad = std::find_if(position.begin(), position.end(), [](T x) { return !std::isfinite(x); });
    const auto i = static_cast<std::uint64_t>(bad - position.begin());
    throw bad_input("{}: frame {}, body {}: coordinate {} is {}", path.string(), frame, first + i / 3, i % 3, *bad);
}

void check_orientations(const SceneFrame& frame, const fs::path& path, std::uint64_t first) {
    unsigned wrong = 0;
    for (std::size_t i = 0; i < frame.orientation.size(); i += 4) {
        wrong |= static_cast<unsigned>(!is_orientation(&frame.orientation[i]));
    }
    if (wrong == 0) return;
    for (std::size_t i = 0; i < frame.orientation.size(); i += 4) {
        const float* const q = &frame.orientation[i];
        if (!frame.is_there(i / 4) || is_orientation(q)) continue;
        throw bad_input(
            "{}: frame {}, body {}: quaternion ({}, {}, {}, {}) is not of unit length (|q|^2 - 1 beyond {})",
            path.string(), frame.index, first + i / 4, q[0], q[1], q[2], q[3], kQuaternionTolerance);
    }
}

// Whether all pairs are of two different bodies below `bodies`. In doubt false: the caller looks at each. It has no
// branches, so that the compiler can test many at once.
bool are_surely_right(std::span<const Pair> pairs, std::uint64_t bodies) {
    const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(bodies, 0xFFFFFFFFU));
    unsigned wrong = 0;
    for (const Pair& pair : pairs) {
        wrong |= static_cast<unsigned>(pair.a >= end) | static_cast<unsigned>(pair.b >= end) |
                 static_cast<unsigned>(pair.a == pair.b);
    }
    return wrong == 0;
}

// Sets what belongs to bodies that are not there to zero: `width` numbers a body.
template <class T>
void clear_absent(const SceneFrame& frame, std::size_t width, std::vector<T>& numbers) {
    for (std::size_t i = 0; i < frame.active.size(); ++i) {
        if (frame.active[i] == 0) std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(width * i), width, T{0});
    }
}

// The two folders of a command are easily swapped.
const fs::path& checked_scene(const fs::path& folder) {
    if (!is_there(folder / "scene.json") && is_there(folder / "contacts.json"))
        throw bad_input("{}: a contacts folder where a scene belongs (contacts.json, but no scene.json)",
                        folder.string());
    return folder;
}

}  // namespace

Scene::Scene(const fs::path& folder)
    : folder_(folder),
      info_(read_scene_info(checked_scene(folder) / "scene.json")),
      hull_offsets_(read_list<std::uint64_t>(NpyReader(folder / "hull_offsets.npy"))),
      hull_vertices_(read_vertices(NpyReader(folder / "hull_vertices.npy"))),
      body_hull_(read_list<std::uint32_t>(NpyReader(folder / "body_hull.npy"))),
      position_(folder / "position.npy"),
      orientation_(folder / "orientation.npy") {
    check_hulls();
    if (is_there(folder / "body_inverse_mass.npy")) {
        inverse_mass_ = read_list<float>(NpyReader(folder / "body_inverse_mass.npy"), bodies());
    }
    if (is_there(folder / "body_group.npy")) {
        group_ = read_list<std::uint32_t>(NpyReader(folder / "body_group.npy"), bodies());
    }
    check_bodies();
    open_poses();
    open_pairs();
    open_version_2();
}

void Scene::open_version_2() {
    if (info_.version < 3 && is_there(folder_ / kBodyScaleFile))
        throw bad_input("{}: \"version\" is {}, but {} is there, which needs version 3",
                        (folder_ / "scene.json").string(), info_.version, kBodyScaleFile);
    if (info_.version < 2) {
        for (const char* const name : kVersion2Files) {
            if (!is_there(folder_ / name)) continue;
            throw bad_input("{}: \"version\" is 1, but {} is there, which needs version 2",
                            (folder_ / "scene.json").string(), name);
        }
        return;
    }
    open_version_3();
    if (is_there(folder_ / "names.json")) names_ = read_names(folder_ / "names.json", bodies());
    if (is_there(folder_ / "active.npy")) {
        active_.emplace(folder_ / "active.npy");
        active_->expect_shape({frames(), bodies()});
        // NumPy's bool and uint8 have the same bytes here.
        active_->expect_dtype(active_->header().dtype == npy_dtype<std::uint8_t>() ? "|u1" : "|b1", 1);
    }
    read_scales();
    check_surfaces();
}

void Scene::open_version_3() {
    other_shapes_ = read_other_shapes(folder_, hulls(), info_.version);
    const fs::path radii = folder_ / kHullRadiusFile;
    hull_radius_ = read_of_hulls<float>(radii, hulls(), info_.version, "radius");
    for (std::size_t h = 0; h < hull_radius_.size(); ++h) {
        if (std::isfinite(hull_radius_[h]) && hull_radius_[h] >= 0.0F) continue;
        throw bad_input("{}: hull {} has radius {}, expected a number >= 0", radii.string(), h, hull_radius_[h]);
    }
    for (std::size_t h = 0; h < other_shapes_.kind.size(); ++h) {
        if (other_shapes_.kind_of(h) == ShapeKind::hull) continue;
        const char* const kind = to_string(other_shapes_.kind_of(h));
        if (hull_offsets_[h + 1] != hull_offsets_[h])
            throw bad_input("{}: hull {} is a {}, which has no vertices, but it has {} rows",
                            (folder_ / "hull_offsets.npy").string(), h, kind, hull_offsets_[h + 1] - hull_offsets_[h]);
        if (!hull_radius_.empty() && hull_radius_[h] > 0)
            throw bad_input("{}: hull {} is a {}, which has no radius, but the file says {}", radii.string(), h, kind,
                            hull_radius_[h]);
    }
}

// A surface moves as its poses say, and nothing moves it: it has no inside, so no mass.
void Scene::check_surfaces() const {
    if (other_shapes_.surfaces.size() == 0 || inverse_mass_.empty()) return;
    for (std::uint64_t body = 0; body < bodies(); ++body) {
        const std::uint32_t hull = body_hull_[body];
        if (other_shapes_.kind_of(hull) != ShapeKind::surface || inverse_mass_[body] == 0) continue;
        throw bad_input("{}: {} has inverse mass {}, but hull {} is a surface, which nothing moves",
                        (folder_ / "body_inverse_mass.npy").string(), describe(body), inverse_mass_[body], hull);
    }
}

std::string Scene::describe(std::uint64_t body) const {
    return names_.empty() ? fmt::format("body {}", body) : fmt::format("body {} ('{}')", body, names_[body]);
}

void Scene::check_hulls() const {
    const std::string name = (folder_ / "hull_offsets.npy").string();
    if (hull_offsets_.empty()) throw bad_input("{}: empty, expected (number of hulls + 1) offsets", name);
    check_offsets(hull_offsets_, name, hull_vertices_.size(), "hull_vertices.npy");
}

void Scene::check_bodies() const {
    for (std::size_t i = 0; i < body_hull_.size(); ++i) {
        if (body_hull_[i] < hulls()) continue;
        throw bad_input("{}: body {} has hull {}, but there are {} hulls", (folder_ / "body_hull.npy").string(), i,
                        body_hull_[i], hulls());
    }
    for (std::size_t i = 0; i < inverse_mass_.size(); ++i) {
        if (std::isfinite(inverse_mass_[i]) && inverse_mass_[i] >= 0.0F) continue;
        throw bad_input("{}: body {} has inverse mass {}, expected a number >= 0",
                        (folder_ / "body_inverse_mass.npy").string(), i, inverse_mass_[i]);
    }
}

void Scene::open_poses() {
    position_.expect_shape({kAnyLength, bodies(), 3});
    positions_are_double_ = position_.header().dtype == npy_dtype<double>();
    if (positions_are_double_) {
        position_.expect_dtype<double>();
    } else {
        position_.expect_dtype<float>();
    }
    orientation_.expect_shape({frames(), bodies(), 4});
    orientation_.expect_dtype<float>();
}

void Scene::open_pairs() {
    const fs::path offsets = folder_ / "pair_offsets.npy";
    const fs::path pairs = folder_ / "pairs.npy";
    if (is_there(offsets) != is_there(pairs)) {
        throw bad_input("{}: missing, but {} is there; a scene has both or none",
                        (is_there(pairs) ? offsets : pairs).string(),
                        (is_there(pairs) ? pairs : offsets).filename().string());
    }
    if (!is_there(pairs)) return;
    pair_offsets_ = read_list<std::uint64_t>(NpyReader(offsets), frames() + 1);
    pairs_.emplace(pairs);
    pairs_->expect_dtype<std::uint32_t>();
    pairs_->expect_shape({kAnyLength, 2});
    check_offsets(pair_offsets_, offsets.string(), pairs_->length(), "pairs.npy");
}

std::uint64_t Scene::pairs_in_frame(std::uint64_t frame) const {
    return has_pairs() ? pair_offsets_[frame + 1] - pair_offsets_[frame] : 0;
}

std::uint64_t Scene::max_pairs_in_a_frame() const {
    std::uint64_t most = 0;
    for (std::uint64_t frame = 0; frame < frames(); ++frame) most = std::max(most, pairs_in_frame(frame));
    return most;
}

bool Scene::has_source_vertices() const { return is_there(folder_ / kSourceVerticesFile); }

std::vector<Vec3d> Scene::read_source_vertices() const {
    const fs::path path = folder_ / kSourceVerticesFile;
    if (!has_source_vertices()) {
        throw bad_input("{}: not there: only lanefold import writes it, from the numbers of hulls in the files",
                        path.string());
    }
    const NpyReader file(path);
    file.expect_dtype<double>();
    const std::uint64_t rows = hull_offsets_[hulls_in_files()];
    file.expect_shape({rows, 3});
    std::vector<Vec3d> out(rows);
    file.read_bytes(0, std::as_writable_bytes(std::span(out)));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (to_float(out[i]) == hull_vertices_[i]) continue;
        throw bad_input("{}: row {}, rounded to float32, is not that of hull_vertices.npy", path.string(), i);
    }
    for (const ScaledHull& scaled : scaled_hulls_) {
        for (std::uint64_t row = hull_offsets_[scaled.hull]; row < hull_offsets_[scaled.hull + 1]; ++row)
            out.push_back(out[row] * static_cast<double>(scaled.scale));
    }
    return out;
}

void Scene::read_pairs(std::uint64_t frame, std::uint64_t first, std::span<Pair> out) const {
    pairs_->read_bytes((pair_offsets_[frame] + first) * sizeof(Pair), std::as_writable_bytes(out));
}

void Scene::read_mask(std::uint64_t first, std::uint64_t count, SceneFrame& out) const {
    out.active.clear();
    if (!active_) return;
    out.active.resize(count);
    active_->read(out.index * bodies() + first, std::span(out.active));
    const auto bad = std::find_if(out.active.begin(), out.active.end(), [](std::uint8_t x) { return x > 1; });
    if (bad == out.active.end()) return;
    throw bad_input("{}: frame {}, body {}: {} is neither 0 nor 1", active_->path().string(), out.index,
                    first + static_cast<std::uint64_t>(bad - out.active.begin()), *bad);
}

void Scene::refuse_wrong_pair(const SceneFrame& frame) const {
    const std::uint64_t n = bodies();
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        const Pair& pair = frame.pairs[i];
        if (pair.a < n && pair.b < n && pair.a != pair.b) continue;
        throw bad_input("{}: frame {}, row {}: pair ({}, {}) {}", pairs_->path().string(), frame.index,
                        pair_offsets_[frame.index] + i, pair.a, pair.b,
                        pair.a == pair.b ? std::string("joins a body with itself")
                                         : fmt::format("is out of range, there are {} bodies", n));
    }
}

void Scene::read_frame_pairs(SceneFrame& out) const {
    out.pairs.resize(pairs_in_frame(out.index));
    if (out.pairs.empty()) return;
    read_pairs(out.index, 0, out.pairs);
    if (!are_surely_right(out.pairs, bodies())) refuse_wrong_pair(out);
    if (out.active.empty()) return;
    std::erase_if(out.pairs, [&](const Pair& pair) { return !out.is_there(pair.a) || !out.is_there(pair.b); });
}

void Scene::read_poses(std::uint64_t frame, std::uint64_t first, std::uint64_t count, SceneFrame& out) const {
    if (frame >= frames()) throw bad_input("{}: there is no frame {} (frames: {})", folder_.string(), frame, frames());
    out.index = frame;
    out.pairs.clear();
    const std::uint64_t at = frame * bodies() + first;
    read_mask(first, count, out);
    const auto read_positions = [&]<class T>(std::vector<T>& position) {
        position.resize(count * 3);
        position_.read(at * 3, std::span(position));
        clear_absent(out, 3, position);
        check_positions(position, position_.path(), frame, first);
    };
    if (positions_are_double_) {
        read_positions(out.position_double);
    } else {
        read_positions(out.position);
    }
    out.orientation.resize(count * 4);
    orientation_.read(at * 4, std::span(out.orientation));
    clear_absent(out, 4, out.orientation);
    check_orientations(out, orientation_.path(), first);
}

void Scene::read_frame(std::uint64_t frame, SceneFrame& out) const {
    read_poses(frame, 0, bodies(), out);
    read_frame_pairs(out);
}

BodyView Scene::view(const SceneFrame& frame) const {
    if (positions_are_double_) {
        return BodyView::from_arrays(frame.position_double.data(), frame.orientation.data(), body_hull_.data(),
                                     body_hull_.size());
    }
    return BodyView::from_arrays(frame.position.data(), frame.orientation.data(), body_hull_.data(), body_hull_.size());
}

std::uint64_t Scene::body_hull_hash() const { return content_hash(body_hull()); }
std::uint64_t Scene::group_hash() const { return group_.empty() ? 0 : content_hash(group()); }
std::uint64_t Scene::inverse_mass_hash() const { return inverse_mass_.empty() ? 0 : content_hash(inverse_mass()); }

std::uint64_t Scene::frame_hash(const SceneFrame& frame, bool with_pairs) {
    // Each array's hash seeds the next one's.
    std::uint64_t hash = content_hash(std::span<const float>(frame.position));
    hash = content_hash(std::span<const double>(frame.position_double), hash);
    hash = content_hash(std::span<const float>(frame.orientation), hash);
    return with_pairs ? content_hash(std::span<const Pair>(frame.pairs), hash) : hash;
}

}  // namespace lanefold::tools
