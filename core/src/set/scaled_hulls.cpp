// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/scaled_hulls.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <utility>

#include <lanefold/fp_environment.hpp>
#include <lanefold/half_space.hpp>

namespace lanefold {
namespace {

// Hull and bits of the scale.
using Key = std::array<std::uint32_t, 4>;

Key key_of(const HullScale& s) {
    return {s.hull, std::bit_cast<std::uint32_t>(s.scale.x), std::bit_cast<std::uint32_t>(s.scale.y),
            std::bit_cast<std::uint32_t>(s.scale.z)};
}

bool is_one(const Vec3f& s) { return s == Vec3f{1, 1, 1}; }

bool is_uniform(const Vec3f& s) { return std::fabs(s.x) == std::fabs(s.y) && std::fabs(s.x) == std::fabs(s.z); }

const char* fault_of(const HullSet& hulls, const HullScale& s) {
    if (!hulls.contains(s.hull)) return "scale: there is no such hull";
    if (!is_finite(s.scale)) return "scale: a component is NaN or infinite";
    for (const float c : {s.scale.x, s.scale.y, s.scale.z}) {
        if (!(std::fabs(c) >= std::numeric_limits<float>::min()))
            return "scale: a component is zero or below the normal numbers of float32";
    }
    if (hulls[s.hull].shape == ShapeKind::surface) return "scale: a surface is built of scaled points instead";
    const bool round = hulls[s.hull].round_radius > 0;
    return round && !is_uniform(s.scale) ? "scale: a rounded hull scales by one magnitude only" : nullptr;
}

Vec3d times(const Vec3f& a, const Vec3f& b) {
    return {static_cast<double>(a.x) * static_cast<double>(b.x), static_cast<double>(a.y) * static_cast<double>(b.y),
            static_cast<double>(a.z) * static_cast<double>(b.z)};
}

// If y is x scaled, n.x <= d says m.y <= d with m = n / scale, whose length divides both.
HalfSpace scaled_plane(const HalfSpace& plane, const Vec3f& s) {
    const Vec3d n = normalized(to_double(plane.normal));
    const Vec3d m{n.x / static_cast<double>(s.x), n.y / static_cast<double>(s.y), n.z / static_cast<double>(s.z)};
    return {to_float(normalized(m)), static_cast<float>(static_cast<double>(plane.offset) / length(m))};
}

// Scaled hulls that are not there yet, each once: hulls and half-spaces, with the places that wanted them first.
struct NewHulls {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    std::vector<std::size_t> hull_place;
    std::vector<HalfSpace> planes;
    std::vector<std::size_t> plane_place;
    std::vector<HullScale> keys_of_hulls;
    std::vector<HullScale> keys_of_planes;

    void add(const HullSet& hulls, const HullScale& s, std::size_t place) {
        if (const std::optional<HalfSpace> plane = half_space(hulls, s.hull)) {
            planes.push_back(scaled_plane(*plane, s.scale));
            plane_place.push_back(place);
            keys_of_planes.push_back(s);
            return;
        }
        for (const Vec3f& v : hulls.vertices(s.hull)) points.push_back(to_float(times(v, s.scale)));
        offsets.push_back(points.size());
        radii.push_back(hulls[s.hull].round_radius * std::fabs(s.scale.x));
        hull_place.push_back(place);
        keys_of_hulls.push_back(s);
    }
};

}  // namespace

struct ScaledHulls::State {
    HullSet hulls;
    BuildOptions options;
    std::map<Key, std::uint32_t> known;

    CallStatus add(std::span<const HullScale> wanted, std::vector<std::uint32_t>& ids) {
        NewHulls fresh;
        std::map<Key, std::uint32_t> now = known;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (const char* fault = fault_of(hulls, wanted[i])) return {Status::bad_argument, fault, i};
            if (!is_one(wanted[i].scale) && now.emplace(key_of(wanted[i]), 0).second) fresh.add(hulls, wanted[i], i);
        }
        BuildOptions own = options;
        own.radius = 0;
        own.radii = fresh.radii;
        own.origin = Origin::input;
        own.max_vertices = 0;
        const BuildResult built = build_hulls(fresh.points, fresh.offsets, own);
        if (!built) return {Status::bad_argument, built.failures[0].what, fresh.hull_place[built.failures[0].hull]};
        const BuildResult planes = build_half_spaces(fresh.planes);
        if (!planes) return {Status::bad_argument, planes.failures[0].what, fresh.plane_place[planes.failures[0].hull]};
        auto next = static_cast<std::uint32_t>(hulls.size());
        for (const HullScale& s : fresh.keys_of_hulls) now[key_of(s)] = next++;
        for (const HullScale& s : fresh.keys_of_planes) now[key_of(s)] = next++;
        ids.reserve(wanted.size());
        for (const HullScale& s : wanted) ids.push_back(is_one(s.scale) ? s.hull : now.at(key_of(s)));
        hulls = hulls.append(built.hulls).append(planes.hulls);
        known = std::move(now);
        return {};
    }
};

ScaledHulls::ScaledHulls(HullSet hulls, const BuildOptions& options)
    : state_(std::make_unique<State>(State{std::move(hulls), options, {}})) {}
ScaledHulls::ScaledHulls(ScaledHulls&&) noexcept = default;
ScaledHulls& ScaledHulls::operator=(ScaledHulls&&) noexcept = default;
ScaledHulls::~ScaledHulls() = default;

ScaledIds ScaledHulls::take(std::span<const HullScale> wanted) {
    ScaledIds result;
    try {
        result.status = in_default_environment([&] { return state_->add(wanted, result.ids); });
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "scaled hulls", wanted.size()};
    }
    if (!result.status) result.ids.clear();
    return result;
}

ScaledIds ScaledHulls::take(std::uint32_t hull, const Vec3f& scale) {
    const HullScale wanted{hull, scale};
    return take(std::span(&wanted, 1));
}

const HullSet& ScaledHulls::hulls() const { return state_->hulls; }

}  // namespace lanefold
