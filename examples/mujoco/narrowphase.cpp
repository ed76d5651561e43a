// SPDX-License-Identifier: MIT
//
// MuJoCo's geoms as lanefold's bodies, and the batch of a step.
#include "mujoco/narrowphase.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <lanefold/serial.hpp>

namespace lanefold::mujoco {
namespace {

// Pairs with a body of this hull have the status bad_hull, and MuJoCo answers them.
constexpr std::uint32_t kNoHull = 0xFFFFFFFF;

// Pairs for which nobody asked are computed in vain; to leave them out moves all others. An eighth costs less than
// moving at every step, in which a few pairs come and go.
constexpr std::size_t kMostUnasked = 8;

std::uint64_t key_of(const Pair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; }

// The quaternion (x, y, z, w) of a row-major rotation: from the largest of the four, so that nothing is divided by a
// small number.
std::array<double, 4> quaternion(const double* m) {
    const double trace = m[0] + m[4] + m[8];
    std::array<double, 4> q;
    if (trace >= std::max({m[0], m[4], m[8]})) {
        q = {m[7] - m[5], m[2] - m[6], m[3] - m[1], 1 + trace};
    } else if (m[0] >= m[4] && m[0] >= m[8]) {
        q = {1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6], m[7] - m[5]};
    } else if (m[4] >= m[8]) {
        q = {m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7], m[2] - m[6]};
    } else {
        q = {m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8], m[3] - m[1]};
    }
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& part : q) part /= length;
    return q;
}

// Points of hulls, one hull behind the other.
struct Shapes {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<float> radii;

    void end(double radius) {
        offsets.push_back(points.size());
        radii.push_back(static_cast<float>(radius));
    }
};

void add(int kind, const double* size, Shapes& shapes) {
    const auto x = static_cast<float>(size[0]), y = static_cast<float>(size[1]), z = static_cast<float>(size[2]);
    if (kind == box) {
        for (int k = 0; k < 8; ++k)
            shapes.points.push_back({(k & 1) != 0 ? x : -x, (k & 2) != 0 ? y : -y, (k & 4) != 0 ? z : -z});
        return shapes.end(0);
    }
    if (kind == capsule) {
        shapes.points.insert(shapes.points.end(), {{0, 0, -y}, {0, 0, y}});
    } else {
        shapes.points.push_back({0, 0, 0});
    }
    shapes.end(size[0]);
}

// The hulls of the shapes, and the id of each. A shape that is none, such as a flat mesh, has kNoHull.
HullSet build(const Shapes& shapes, std::vector<std::uint32_t>& ids) {
    Shapes good;
    ids.assign(shapes.radii.size(), 0);
    BuildOptions options;
    options.radii = shapes.radii;
    BuildResult built = build_hulls(shapes.points, shapes.offsets, options);
    for (const HullReport& failure : built.failures) ids[failure.hull] = kNoHull;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] == kNoHull) continue;
        ids[i] = next++;
        good.points.insert(good.points.end(), shapes.points.begin() + static_cast<std::ptrdiff_t>(shapes.offsets[i]),
                           shapes.points.begin() + static_cast<std::ptrdiff_t>(shapes.offsets[i + 1]));
        good.end(double{shapes.radii[i]});
    }
    if (built) return built.hulls;
    options.radii = good.radii;
    return build_hulls(good.points, good.offsets, options).hulls;
}

}  // namespace

Narrowphase::Narrowphase(const Arrays& arrays, std::uint32_t shapes, std::uint32_t threads)
    : arrays_(arrays), shapes_(shapes) {
    options_.threads = threads;
    bodies_.resize(arrays.kind.size());
    states_.resize(arrays.kind.size());
    for (std::size_t g = 0; g < states_.size(); ++g) states_[g] = read(g);
    build_meshes();
    build_others();
}

Narrowphase::State Narrowphase::read(std::size_t geom) const {
    State state;
    std::copy_n(arrays_.position + 3 * geom, 3, state.position);
    std::copy_n(arrays_.rotation + 9 * geom, 9, state.rotation);
    std::copy_n(arrays_.size + 3 * geom, 3, state.size);
    return state;
}

bool Narrowphase::is_current(int geom) const {
    const auto g = static_cast<std::size_t>(geom);
    const State now = read(g);
    return std::memcmp(&now, &states_[g], sizeof(State)) == 0;
}

bool Narrowphase::takes(std::size_t geom) const {
    switch (arrays_.kind[geom]) {
        case sphere:
            return (shapes_ & LANEFOLD_MUJOCO_SPHERE) != 0;
        case capsule:
            return (shapes_ & LANEFOLD_MUJOCO_CAPSULE) != 0;
        case box:
            return (shapes_ & LANEFOLD_MUJOCO_BOX) != 0;
        case mesh:
            return (shapes_ & LANEFOLD_MUJOCO_MESH) != 0;
        default:
            return false;
    }
}

void Narrowphase::build_meshes() {
    Shapes shapes;
    for (std::size_t m = 0; m < arrays_.first.size(); ++m) {
        const float* const p = arrays_.points + 3 * static_cast<std::size_t>(arrays_.first[m]);
        for (std::size_t i = 0; i < static_cast<std::size_t>(arrays_.vertices[m]); ++i)
            shapes.points.push_back({p[3 * i], p[3 * i + 1], p[3 * i + 2]});
        shapes.end(0);
    }
    meshes_ = build(shapes, mesh_hulls_);
}

// Geoms of one kind and size share a hull.
void Narrowphase::build_others() {
    Shapes shapes;
    std::map<std::array<double, 4>, std::size_t> known;
    std::vector<std::size_t> shape_of(states_.size());
    for (std::size_t g = 0; g < states_.size(); ++g) {
        const int kind = arrays_.kind[g];
        if (!takes(g) || kind == mesh) continue;
        const double* const size = states_[g].size;
        const std::array<double, 4> what = {double(kind), size[0], kind == sphere ? 0 : size[1],
                                            kind == box ? size[2] : 0};
        const auto [entry, is_new] = known.try_emplace(what, known.size());
        if (is_new) add(kind, size, shapes);
        shape_of[g] = entry->second;
    }
    std::vector<std::uint32_t> ids;
    const HullSet others = build(shapes, ids);
    const auto before = static_cast<std::uint32_t>(meshes_.size());
    hulls_ = meshes_.append(others);
    for (std::size_t g = 0; g < states_.size(); ++g) {
        std::uint32_t& hull = bodies_[g].hull;
        hull = kNoHull;
        if (!takes(g)) continue;
        if (arrays_.kind[g] == mesh) {
            if (arrays_.mesh[g] >= 0) hull = mesh_hulls_[static_cast<std::size_t>(arrays_.mesh[g])];
        } else if (ids[shape_of[g]] != kNoHull) {
            hull = before + ids[shape_of[g]];
        }
    }
}

void Narrowphase::begin_batch() {
    drop_unasked();
    bool same_sizes = true;
    for (std::size_t g = 0; g < states_.size(); ++g) {
        const State now = read(g);
        same_sizes = same_sizes && std::equal(now.size, now.size + 3, states_[g].size);
        states_[g] = now;
        std::copy_n(now.position, 3, bodies_[g].position);
        const std::array<double, 4> q = quaternion(now.rotation);
        std::transform(q.begin(), q.end(), bodies_[g].orientation, [](double x) { return static_cast<float>(x); });
    }
    if (!same_sizes) build_others();
    ++batch_;
    ++counts_.batches;
    next_ = 0;
    usable_ = compute(0, pairs_.size());
}

void Narrowphase::drop_unasked() {
    const auto asked = std::count(asked_in_.begin(), asked_in_.end(), batch_);
    const std::size_t unasked = pairs_.size() - static_cast<std::size_t>(asked);
    if (unasked * kMostUnasked <= pairs_.size()) return;
    places_.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (asked_in_[i] != batch_) continue;
        pairs_[kept] = pairs_[i];
        margins_[kept] = margins_[i];
        caches_[kept] = caches_[i];
        asked_in_[kept] = asked_in_[i];
        places_[key_of(pairs_[i])] = kept++;
    }
    pairs_.resize(kept);
    margins_.resize(kept);
    caches_.resize(kept);
    asked_in_.resize(kept);
    records_.resize(kept);
}

bool Narrowphase::compute(std::size_t from, std::size_t count) {
    if (count == 0) return true;
    CallInputs inputs;
    inputs.pair_margins = std::span<const float>(margins_).subspan(from, count);
    inputs.cache = std::span(caches_).subspan(from, count);
    const std::span<const Pair> pairs = std::span(pairs_).subspan(from, count);
    const std::span<Manifold4> out = std::span(records_).subspan(from, count);
    if (count == 1) return bool(collide_serial(hulls_, bodies_, pairs, options_, out, workspace_, inputs).status);
    return bool(collide(hulls_, bodies_, pairs, options_, out, workspace_, inputs).status);
}

// The place of a pair's record in this batch.
std::size_t Narrowphase::place_of(const Pair& pair, float margin) {
    std::size_t place = next_;
    if (place >= pairs_.size() || pairs_[place] != pair) {
        const auto [entry, is_new] = places_.try_emplace(key_of(pair), pairs_.size());
        place = entry->second;
        if (is_new) {
            pairs_.push_back(pair);
            margins_.push_back(-1);
            caches_.emplace_back();
            records_.emplace_back();
            asked_in_.push_back(0);
        }
    }
    next_ = place + 1;
    asked_in_[place] = batch_;
    if (margins_[place] == margin) {
        ++counts_.batched;
    } else {
        margins_[place] = margin;
        ++counts_.alone;
        usable_ = compute(place, 1) && usable_;
    }
    return place;
}

const Manifold4* Narrowphase::contact(int first, int second, double margin) {
    ++counts_.asked;
    const Manifold4* found = nullptr;
    if (margin >= 0) {
        try {
            if (batch_ == 0 || !is_current(first) || !is_current(second)) begin_batch();
            const std::size_t place = place_of({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)},
                                               static_cast<float>(margin));
            if (usable_ && records_[place].status == Status::ok) found = &records_[place];
        } catch (const std::exception&) {  // no memory: all begins again
            places_.clear();
            pairs_.clear();
            margins_.clear();
            caches_.clear();
            records_.clear();
            asked_in_.clear();
            batch_ = 0;
        }
    }
    if (found == nullptr) ++counts_.refused;
    return found;
}

}  // namespace lanefold::mujoco
