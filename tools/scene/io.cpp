// SPDX-License-Identifier: MIT
//
// Reads and checks scene folders.

#include "scene/io.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <xxhash.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "lanefold-scene";
constexpr int kVersion = 1;

template <class T>
std::uint64_t content_hash(std::span<const T> data, std::uint64_t seed = 0) {
    return XXH64(data.data(), data.size_bytes(), seed);
}

SceneInfo read_info(const fs::path& path) {
    const std::string name = path.string();
    const Json json = read_json_object(path);
    if (member(json, "format") != kFormat) {
        throw bad_input("{}: \"format\" is not \"{}\": this is no scene", name, kFormat);
    }
    if (const Json& version = member(json, "version"); version != kVersion) {
        throw bad_input("{}: \"version\" is {}; this program reads version {}", name, version.dump(), kVersion);
    }
    SceneInfo info;
    if (json.contains("unit")) {
        if (!json["unit"].is_string()) throw bad_input("{}: \"unit\" is not a string", name);
        info.unit = json["unit"];
    }
    if (json.contains("pairs_margin") && !json["pairs_margin"].is_null()) {
        const Json& margin = json["pairs_margin"];
        if (!margin.is_number() || !(margin.get<double>() >= 0.0) || !std::isfinite(margin.get<double>())) {
            throw bad_input("{}: \"pairs_margin\" is {}, expected a number >= 0", name, margin.dump());
        }
        info.pairs_margin = margin.get<double>();
    }
    return info;
}

std::vector<Vec3f> read_vertices(const NpyReader& file) {
    file.expect_dtype<float>();
    file.expect_shape({kAnyLength, 3});
    std::vector<Vec3f> vertices(file.length());
    file.read_bytes(0, std::as_writable_bytes(std::span(vertices)));
    return vertices;
}

template <class T>
std::vector<T> read_list(const NpyReader& file, std::uint64_t length = kAnyLength) {
    file.expect_dtype<T>();
    file.expect_shape({length});
    return file.read_all<T>();
}

template <class T>
void check_positions(const std::vector<T>& position, const fs::path& path, std::uint64_t frame) {
    const auto bad = std::find_if(position.begin(), position.end(), [](T x) { return !std::isfinite(x); });
    if (bad == position.end()) return;
    const auto i = static_cast<std::uint64_t>(bad - position.begin());
    throw bad_input("{}: frame {}, body {}: coordinate {} is {}", path.string(), frame, i / 3, i % 3, *bad);
}

void check_orientations(const std::vector<float>& orientation, const fs::path& path, std::uint64_t frame) {
    Quat unused;
    for (std::size_t i = 0; i < orientation.size(); i += 4) {
        const float* const q = &orientation[i];
        if (normalize(q, unused)) continue;
        throw bad_input(
            "{}: frame {}, body {}: quaternion ({}, {}, {}, {}) is not of unit length (|q|^2 - 1 beyond {})",
            path.string(), frame, i / 4, q[0], q[1], q[2], q[3], kQuaternionTolerance);
    }
}

// `offsets` (not empty) of the file `name` cut the `rows` rows of another file.
void check_offsets(std::span<const std::uint64_t> offsets, const std::string& name, std::uint64_t rows,
                   const char* rows_file) {
    if (offsets.front() != 0) throw bad_input("{}: entry 0 is {}, expected 0", name, offsets.front());
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] >= offsets[i - 1]) continue;
        throw bad_input("{}: not ascending: entry {} is {} after {}", name, i, offsets[i], offsets[i - 1]);
    }
    if (offsets.back() != rows) {
        throw bad_input("{}: the last entry is {}, but {} has {} rows", name, offsets.back(), rows_file, rows);
    }
}

}  // namespace

Scene::Scene(const fs::path& folder)
    : folder_(folder),
      info_(read_info(folder / "scene.json")),
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

HullSet Scene::build_hulls(std::uint32_t threads) const {
    BuildOptions options;
    options.threads = threads;
    BuildResult result = lanefold::build_hulls(hull_vertices_, hull_offsets_, options);
    if (result) return std::move(result.hulls);
    const HullReport& report = result.failures.front();
    const std::uint64_t first = hull_offsets_[report.hull];
    throw bad_input("{}: hull {} (rows {} to {}) cannot be built: {} ({}), row {}{}",
                    (folder_ / "hull_vertices.npy").string(), report.hull, first, hull_offsets_[report.hull + 1],
                    report.what, to_string(report.error), first + report.culprit,
                    result.failures.size() > 1 ? fmt::format("; {} hulls failed", result.failures.size()) : "");
}

void Scene::read_pairs(std::uint64_t frame, std::uint64_t first, std::span<Pair> out) const {
    pairs_->read_bytes((pair_offsets_[frame] + first) * sizeof(Pair), std::as_writable_bytes(out));
}

void Scene::read_frame(std::uint64_t frame, SceneFrame& out) const {
    if (frame >= frames()) throw bad_input("{}: there is no frame {} (frames: {})", folder_.string(), frame, frames());
    out.index = frame;
    const std::uint64_t n = bodies();
    if (positions_are_double_) {
        out.position_double.resize(n * 3);
        position_.read(frame * n * 3, std::span(out.position_double));
        check_positions(out.position_double, position_.path(), frame);
    } else {
        out.position.resize(n * 3);
        position_.read(frame * n * 3, std::span(out.position));
        check_positions(out.position, position_.path(), frame);
    }
    out.orientation.resize(n * 4);
    orientation_.read(frame * n * 4, std::span(out.orientation));
    check_orientations(out.orientation, orientation_.path(), frame);
    out.pairs.resize(pairs_in_frame(frame));
    if (out.pairs.empty()) return;
    read_pairs(frame, 0, out.pairs);
    for (std::size_t i = 0; i < out.pairs.size(); ++i) {
        const Pair& pair = out.pairs[i];
        if (pair.a < n && pair.b < n && pair.a != pair.b) continue;
        throw bad_input("{}: frame {}, row {}: pair ({}, {}) {}", pairs_->path().string(), frame,
                        pair_offsets_[frame] + i, pair.a, pair.b,
                        pair.a == pair.b ? std::string("joins a body with itself")
                                         : fmt::format("is out of range, there are {} bodies", n));
    }
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
