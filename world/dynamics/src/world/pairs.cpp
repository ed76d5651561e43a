// SPDX-License-Identifier: MIT
//
// Which pairs a step looks at, and with which margins.
#include <algorithm>
#include <cmath>
#include <new>

#include <lanefold/fp_environment.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

float speed(const float* v) { return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); }

bool at_rest(const detail::MotionRow& m) {
    return m.v[0] == 0 && m.v[1] == 0 && m.v[2] == 0 && m.w[0] == 0 && m.w[1] == 0 && m.w[2] == 0;
}

}  // namespace

// Whether anybody wants to know of the pair: what the finder is told about the bodies, for pairs of the caller.
bool World::Impl::wanted(const Pair& pair) const {
    const auto [a, b] = pair;
    if (kind[a] != BodyKind::dynamic && kind[b] != BodyKind::dynamic) return false;
    if ((groups[a] & touches[b]) == 0 || (groups[b] & touches[a]) == 0) return false;
    return limb_of[a] == 0 || limb_of[a] != limb_of[b];
}

// Boxes with half the margin, swept by the body's velocity and blown up by its spin.
CallStatus World::Impl::find_pairs(float dt, std::span<const Pair>& pairs) {
    const std::size_t n = bodies();
    const float fall = fall_in(dt);
    growth.resize(n);
    sweep.resize(n);
    box_stands.resize(n);
    loops.over(n, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const detail::MotionRow& m = motion[i];
            const float grown = speed(m.w) * radius[i] * dt + (m.inverse_mass > 0 ? fall : 0);
            sweep[i] = {m.v[0] * dt, m.v[1] * dt, m.v[2] * dt};
            const bool rests = at_rest(m);
            // A box that stands has the growth of the call before: another step or gravity, or a body that woke, may
            // change it.
            box_stands[i] = boxed[i] != 0 && rests && grown == growth[i] ? 1 : 0;
            growth[i] = grown;
            boxed[i] = rests ? 1 : 0;
        }
    });
    PairFinderOptions options;
    options.margin = settings.margin * settings.unit;
    options.growth = growth;
    options.motion = sweep;
    options.inverse_mass = finder_mass;
    options.group = limb_of;
    options.category = groups;
    options.collides_with = touches;
    options.unmoved = box_stands;
    options.threads = settings.threads;
    options.isa = settings.isa;
    const PairFinderResult found = finder.find(hulls, BodyView(pose), options);
    if (!found.status) boxed.assign(n, 0);  // a refused call made no boxes
    pairs = found.pairs;
    return found.status;
}

// How far gravity alone may bring two bodies together in a step, beyond what half of the margin is for: 0 unless steps
// are long.
float World::Impl::fall_in(float dt) const {
    const Vec3f& g = settings.gravity;
    const float fall = std::sqrt((g.x * g.x + g.y * g.y) + g.z * g.z) * dt * dt;
    return std::max(0.0F, fall - 0.5F * settings.margin * settings.unit);
}

float World::Impl::margin_of(const Pair& pair, float dt) const {
    const detail::MotionRow& a = motion[pair.a];
    const detail::MotionRow& b = motion[pair.b];
    const float v[3] = {a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]};
    const float spin = speed(a.w) * radius[pair.a] + speed(b.w) * radius[pair.b];
    const float fall = a.inverse_mass > 0 || b.inverse_mass > 0 ? fall_in(dt) : 0;
    return settings.margin * settings.unit + ((speed(v) + spin) * dt + fall);
}

WorldPairs World::find_pairs(double dt) {
    WorldPairs result;
    if (!impl_) result.status = moved_from();
    if (!result.status) return result;
    Isa isa = Isa::scalar;
    result.status = impl_->begin_call(dt, isa);
    if (!result.status) return result;
    try {
        result.status = in_default_environment([&] { return impl_->find_pairs(static_cast<float>(dt), result.pairs); });
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "find_pairs", 0};
    }
    if (!result.status) result.pairs = {};
    return result;
}

float World::pair_margin(const Pair& pair, double dt) const {
    const Impl& w = seen(impl_);
    if (pair.a >= w.bodies() || pair.b >= w.bodies()) return 0;
    return in_default_environment([&] { return w.margin_of(pair, static_cast<float>(dt)); });
}

}  // namespace lanefold
