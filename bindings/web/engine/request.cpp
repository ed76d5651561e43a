// SPDX-License-Identifier: MIT
//
// See request.hpp.
#include "engine/request.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "console/failure.hpp"

namespace lanefold::web {
namespace {

using tools::bad_input;

// More points than a person edits; a text of some megabytes.
constexpr std::size_t kMostPoints = 20000;

const Json& field(const Json& from, const char* name) {
    const auto at = from.find(name);
    if (at == from.end()) throw bad_input("'{}' is missing", name);
    return *at;
}

std::vector<Vec3f> read_points(const Json& body, const char* which) {
    const Json& list = field(body, "vertices");
    if (!list.is_array() || list.size() % 3 != 0) throw bad_input("{}.vertices: expected a list of x, y, z", which);
    if (list.size() / 3 > kMostPoints) throw bad_input("{}.vertices: more than {} points", which, kMostPoints);
    std::vector<Vec3f> out(list.size() / 3);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].is_number()) throw bad_input("{}.vertices: entry {} is no number", which, i);
        float* const c = i % 3 == 0 ? &out[i / 3].x : i % 3 == 1 ? &out[i / 3].y : &out[i / 3].z;
        *c = static_cast<float>(list[i].get<double>());
    }
    return out;
}

float length_of(const Json& from, const char* name, float otherwise) {
    const auto value = static_cast<float>(number_of(from, name, static_cast<double>(otherwise)));
    if (!(value >= 0.0F) || !std::isfinite(value)) throw bad_input("{}: expected a number >= 0", name);
    return value;
}

void read_settings(const Json& request, PairRequest& out) {
    tools::StoryRequest& s = out.story;
    s.pair = {0, 1};
    s.margin = length_of(request, "margin", 0.0F);
    s.face_preference = length_of(request, "face_preference", kDefaultFacePreference);
    s.band = length_of(request, "band", kPatchBand);
    s.feature_angle = length_of(request, "feature_angle", s.feature_angle);
    if (s.band > kMaxPatchBand) throw bad_input("band: expected 0 to {}", kMaxPatchBand);
    if (s.feature_angle > 0.785F) throw bad_input("feature_angle: expected 0 to 0.785 radians");
    if (request.contains("method")) s.method = tools::parse_method(request["method"].get<std::string>(), "method");
    if (request.contains("points")) {
        s.points = tools::parse_point_selection(request["points"].get<std::string>(), "points");
    }
    // As `lanefold collide` has it: these methods find overlaps only, and their normal is the minimum.
    if (tools::is_reference(s.method)) {
        s.margin = 0;
        s.face_preference = 0;
    }
    if (tools::is_impact_only(s.method)) s.points = PointSelection::impact;
    const double capacity = number_of(request, "capacity", 4);
    if (capacity != 4 && capacity != 16) throw bad_input("capacity: 4 or 16");
    out.capacity = static_cast<std::uint32_t>(capacity);
}

}  // namespace

double number_of(const Json& from, const char* name, double otherwise) {
    const auto at = from.find(name);
    if (at == from.end()) return otherwise;
    if (!at->is_number()) throw bad_input("{}: expected a number", name);
    return at->get<double>();
}

template <std::size_t N>
std::array<double, N> numbers_of(const Json& from, const char* name) {
    const Json& list = field(from, name);
    if (!list.is_array() || list.size() != N) throw bad_input("{}: expected {} numbers", name, N);
    std::array<double, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!list[i].is_number()) throw bad_input("{}: entry {} is no number", name, i);
        out[i] = list[i].get<double>();
    }
    return out;
}
template std::array<double, 3> numbers_of<3>(const Json&, const char*);
template std::array<double, 4> numbers_of<4>(const Json&, const char*);

PairRequest read_pair(const Json& request) {
    PairRequest out;
    const char* const names[] = {"a", "b"};
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& body = field(request, names[i]);
        if (!body.is_object()) throw bad_input("{}: expected an object", names[i]);
        out.points[i] = read_points(body, names[i]);
        const auto position = numbers_of<3>(body, "position");
        const auto orientation = numbers_of<4>(body, "orientation");
        out.bodies[i].hull = static_cast<std::uint32_t>(i);
        std::copy(position.begin(), position.end(), out.bodies[i].position);
        for (std::size_t k = 0; k < 4; ++k) out.bodies[i].orientation[k] = static_cast<float>(orientation[k]);
    }
    read_settings(request, out);
    return out;
}

bool Hulls::build(const PairRequest& request) {
    const auto same = [](const std::vector<Vec3f>& x, const std::vector<Vec3f>& y) {
        return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(Vec3f)) == 0;
    };
    if (same(points_[0], request.points[0]) && same(points_[1], request.points[1]) && !built_.hulls.empty()) {
        return true;
    }
    points_ = request.points;
    std::vector<Vec3f> all = points_[0];
    all.insert(all.end(), points_[1].begin(), points_[1].end());
    const std::uint64_t offsets[] = {0, points_[0].size(), all.size()};
    BuildOptions options;
    options.threads = 1;
    built_ = build_hulls(all, offsets, options);
    return static_cast<bool>(built_);
}

Json to_json(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const float (&v)[3]) {
    return Json::array({static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])});
}

Json to_json(const HullReport& report) {
    Json out;
    out["body"] = report.hull == 0 ? "a" : "b";
    out["error"] = to_string(report.error);
    out["what"] = report.what;
    out["point"] = report.culprit;
    return out;
}

}  // namespace lanefold::web
