// SPDX-License-Identifier: MIT
//
// See the header.
#include "set/baked_scales.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>

namespace lanefold::detail {
namespace {

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
    if (hulls.child_count(s.hull) != 0 && !(is_uniform(s.scale) && s.scale.x > 0 && s.scale.y > 0 && s.scale.z > 0))
        return "scale: a compound scales by one positive number only";
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

void sort_by_place(std::vector<ScaleFault>& faults) {
    std::sort(faults.begin(), faults.end(), [](const ScaleFault& a, const ScaleFault& b) { return a.place < b.place; });
}

}  // namespace

BakedScales::Key BakedScales::key_of(const HullScale& s) {
    return {s.hull, std::bit_cast<std::uint32_t>(s.scale.x), std::bit_cast<std::uint32_t>(s.scale.y),
            std::bit_cast<std::uint32_t>(s.scale.z)};
}

std::uint32_t BakedScales::find(const HullScale& scale) const {
    if (is_one(scale.scale)) return scale.hull;
    const auto at = known_.find(key_of(scale));
    return at == known_.end() ? kNone : at->second;
}

// Scaled shapes that are not there yet, each once, with the places that wanted them first. A child of a compound has
// its compound's place.
struct BakedScales::Batch {
    struct Wanted {
        HullScale scale;
        std::size_t place;
    };
    std::vector<Wanted> hulls;
    std::vector<Wanted> planes;
    std::vector<Wanted> compounds;
    std::set<Key> listed;

    void list(const BakedScales& to, const HullScale& s, std::size_t place) {
        const HullSet& set = to.hulls_;
        if (to.find(s) != kNone || !listed.insert(key_of(s)).second) return;
        if (set.child_count(s.hull) != 0) {
            for (std::size_t k = 0; k < set.child_count(s.hull); ++k)
                list(to, {set.child(s.hull, k).hull, s.scale}, place);
            compounds.push_back({s, place});
        } else if (half_space(set, s.hull)) {
            planes.push_back({s, place});
        } else {
            hulls.push_back({s, place});
        }
    }
};

// Hulls and half-spaces of the batch. The builder refuses all or none, so what it refuses is told and left out, and the
// rest built. False: there is no memory.
bool BakedScales::bake(Batch& batch, std::vector<ScaleFault>& faults) {
    BuildOptions own = options_;
    own.radius = 0;
    own.origin = Origin::input;
    own.max_vertices = 0;
    for (;;) {
        std::vector<Vec3f> points;
        std::vector<std::uint64_t> offsets{0};
        std::vector<float> radii;
        for (const Batch::Wanted& w : batch.hulls) {
            for (const Vec3f& v : hulls_.vertices(w.scale.hull)) points.push_back(to_float(times(v, w.scale.scale)));
            offsets.push_back(points.size());
            radii.push_back(hulls_[w.scale.hull].round_radius * std::fabs(w.scale.scale.x));
        }
        own.radii = radii;
        const BuildResult built = build_hulls(points, offsets, own);
        auto next = static_cast<std::uint32_t>(hulls_.size());
        if (built) {
            hulls_ = hulls_.append(built.hulls);
            for (const Batch::Wanted& w : batch.hulls) known_[key_of(w.scale)] = next++;
            break;
        }
        for (auto f = built.failures.rbegin(); f != built.failures.rend(); ++f) {
            if (f->error == HullError::internal) return false;
            faults.push_back({batch.hulls[f->hull].place, f->what});
            batch.hulls.erase(batch.hulls.begin() + f->hull);
        }
    }
    for (const Batch::Wanted& w : batch.planes) {
        const HalfSpace plane = scaled_plane(*half_space(hulls_, w.scale.hull), w.scale.scale);
        const BuildResult built = build_half_spaces({&plane, 1});
        if (!built) {
            faults.push_back({w.place, built.failures[0].what});
            continue;
        }
        known_[key_of(w.scale)] = static_cast<std::uint32_t>(hulls_.size());
        hulls_ = hulls_.append(built.hulls);
    }
    return true;
}

void BakedScales::bake_compounds(Batch& batch, std::vector<ScaleFault>& faults) {
    for (const Batch::Wanted& w : batch.compounds) {
        std::vector<CompoundChild> children;
        bool whole = true;
        for (std::size_t k = 0; whole && k < hulls_.child_count(w.scale.hull); ++k) {
            CompoundChild child = hulls_.child(w.scale.hull, k);
            for (double& x : child.position) x *= static_cast<double>(w.scale.scale.x);
            child.hull = find({child.hull, w.scale.scale});
            whole = child.hull != kNone;
            children.push_back(child);
        }
        // A child that has no such scale is a fault of its own place, which may be another.
        if (!whole) {
            faults.push_back({w.place, "scale: a child of the compound has no such scale"});
            continue;
        }
        CompoundResult built = build_compound(hulls_, children);
        if (!built) {
            faults.push_back({w.place, built.failures[0].what});
            continue;
        }
        known_[key_of(w.scale)] = static_cast<std::uint32_t>(hulls_.size());
        hulls_ = std::move(built.hulls);
    }
}

void BakedScales::forget_behind(const HullSet& before) {
    hulls_ = before;
    std::erase_if(known_, [&](const auto& known) { return known.second >= before.size(); });
}

AddedScales BakedScales::add(std::span<const HullScale> wanted) {
    AddedScales added;
    std::vector<ScaleFault>& faults = added.faults;
    Batch batch;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (const char* fault = fault_of(hulls_, wanted[i]))
            faults.push_back({i, fault});
        else if (!is_one(wanted[i].scale))
            batch.list(*this, wanted[i], i);
    }
    const HullSet before = hulls_;
    try {
        added.memory = bake(batch, faults);
        if (added.memory) bake_compounds(batch, faults);
    } catch (...) {
        forget_behind(before);
        throw;
    }
    if (!added.memory) forget_behind(before);
    sort_by_place(faults);
    return added;
}

}  // namespace lanefold::detail
