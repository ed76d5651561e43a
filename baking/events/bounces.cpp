// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/bounces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/lever.hpp>
#include <lanefold/detail/read_body.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// A body's motion changes if a point of it moves from frame to frame by this part of its size more or less: what is
// less makes no dust and no sound.
constexpr double kChange = 1e-3;
// Motions go on for so many intervals: bodies that fall are slower in the frame after a bounce than just behind it, so
// their way back is longer than the interval.
constexpr double kReach = 1.5;
// By how much of an interval the first meeting may be later than the second. Bodies that fall are late on their way on
// and early on their way back, because the motion of a frame before is slower: by g dt / v in all, so bounces of bodies
// slower than about 1 m/s at 24 frames a second need it all, and more would take what lies behind for what was hit.
constexpr double kLate = 0.5;

}  // namespace

BounceFinder::BounceFinder(const HullSet& hulls, const BodyMasses& masses, std::span<const float> inverse_mass,
                           std::span<const std::uint32_t> group, const EventSettings& settings, Isa isa,
                           std::uint32_t threads)
    : hulls_(hulls),
      masses_(masses),
      settings_(settings),
      isa_(isa),
      threads_(threads),
      pairs_(hulls, inverse_mass, group, isa, threads) {}

std::span<const Bounce> BounceFinder::find(const IntervalInput& input, std::span<const std::uint8_t> touching,
                                           const StopToken& stop) {
    bounces_.clear();
    gap_.clear();
    choose_bodies(input, touching);
    if (std::find(chosen_.begin(), chosen_.end(), 1) == chosen_.end()) return bounces_;
    go_on(input.begin, input.before, kReach, on_);
    go_on(input.end, input.after, -kReach, back_);
    meet(input, stop);
    keep_nearest();
    return bounces_;
}

void BounceFinder::choose_bodies(const IntervalInput& input, std::span<const std::uint8_t> touching) {
    const std::size_t count = input.begin.count;
    chosen_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const BodyMotion& before = input.before[i];
        const BodyMotion& after = input.after[i];
        const auto body = static_cast<std::uint32_t>(i);
        if (touching[i] != 0 || !before.there || !input.during[i].there || !after.there || !masses_.movable(body)) {
            continue;
        }
        const std::uint32_t id = detail::read_body(input.begin, i).hull;
        if (hulls_.surface(id) != nullptr) continue;  // it goes its way, whatever it meets
        const HullRecord& hull = hulls_[id];
        const double lever = detail::lever_of(hulls_, id);
        const double change = length(after.shift - before.shift) + length(after.spin - before.spin) * lever;
        const double size = static_cast<double>(hull.size) + static_cast<double>(hull.round_radius);
        chosen_[i] = change > kChange * size ? 1 : 0;
    }
}

// A frame, and how far the motions lead from it. Bodies whose motions are not known have no pose.
void BounceFinder::go_on(const BodyView& from, std::span<const BodyMotion> motions, double factor, Way& way) const {
    way = {};
    for (std::size_t i = 0; i < from.count; ++i) {
        const BodyD body = detail::read_body(from, i);
        const BodyMotion& motion = motions[i];
        const Vec3d p = detail::position_of(body);
        const Vec3d q = p + motion.shift * factor;
        way.first.insert(way.first.end(), {p.x, p.y, p.z});
        way.last.insert(way.last.end(), {q.x, q.y, q.z});
        for (const float x : body.orientation) way.orientation.push_back(motion.there ? x : 0.0F);
        way.spin.push_back(motion.spin * factor);
        way.hull.push_back(body.hull);
    }
}

// Pairs that meet on the way on and on the way back.
void BounceFinder::meet(const IntervalInput& input, const StopToken& stop) {
    SweepOptions options;
    options.target = settings_.touch;
    options.isa = isa_;
    options.threads = threads_;
    going_on_.assign(input.before.begin(), input.before.end());
    for (BodyMotion& motion : going_on_) {
        motion.shift = motion.shift * kReach;
        motion.spin = motion.spin * kReach;
    }
    const std::span<const Pair> candidates = pairs_.find(on_.begin(), going_on_, settings_.touch, chosen_);
    forth_records_.resize(candidates.size());
    const SweepResult forth = sweep_compact(hulls_, on_.begin(), on_.end(), candidates, options, forth_records_,
                                            workspace_, {.spins = on_.spin, .stop = stop});
    refuse_events(forth.status, "sweeps between frames");
    forth_records_.resize(static_cast<std::size_t>(forth.written));
    std::erase_if(forth_records_, [&](const SweepRecord& record) {
        return record.state != SweepState::hit || !input.after[record.pair[0]].there ||
               !input.after[record.pair[1]].there || !parts(input, record);
    });
    met_.clear();
    for (const SweepRecord& record : forth_records_) met_.push_back({record.pair[0], record.pair[1]});
    back_records_.resize(met_.size());
    const SweepResult back = lanefold::sweep(hulls_, back_.begin(), back_.end(), met_, options, back_records_,
                                             workspace_, {.spins = back_.spin, .stop = stop});
    refuse_events(back.status, "sweeps between frames");
    for (std::size_t i = 0; i < met_.size(); ++i) {
        if (back_records_[i].state != SweepState::hit) continue;
        const double first = kReach * forth_records_[i].fraction;
        const double second = 1.0 - kReach * back_records_[i].fraction;
        if (first - second > kLate) continue;
        gap_.push_back(second - first);
        bounces_.push_back({forth_records_[i], first, std::clamp(0.5 * (first + second), 0.0, 1.0)});
    }
}

// Whether the two close in before and part afterwards, at their meeting.
bool BounceFinder::parts(const IntervalInput& input, const SweepRecord& record) const {
    const std::uint32_t a = record.pair[0];
    const std::uint32_t b = record.pair[1];
    const Vec3d normal = to_double({record.normal[0], record.normal[1], record.normal[2]});
    const Vec3d arm_a = to_double({record.point[0], record.point[1], record.point[2]});
    const BodyD body_a = detail::read_body(on_.begin(), a);
    const BodyD body_b = detail::read_body(on_.begin(), b);
    const Vec3d place_a = detail::position_of(body_a) + going_on_[a].shift * record.fraction;
    const Vec3d place_b = detail::position_of(body_b) + going_on_[b].shift * record.fraction;
    const Vec3d arm_b = arm_a + (place_a - place_b);
    const auto closing = [&](std::span<const BodyMotion> motions) {
        return dot(velocity_at(motions[a], arm_a) - velocity_at(motions[b], arm_b), normal);
    };
    return closing(input.before) > 0 && closing(input.after) < 0;
}

// A body hits what is nearest on its way: of the bounces that would explain its change of motion the one whose
// meetings are most apart, the lowest of equal ones. A body behind it is met later on the way on, and earlier on the
// way back.
void BounceFinder::keep_nearest() {
    std::vector<std::size_t> best(chosen_.size(), bounces_.size());
    for (std::size_t i = 0; i < bounces_.size(); ++i) {
        for (const std::uint32_t body : bounces_[i].record.pair) {
            if (chosen_[body] == 0) continue;
            if (best[body] == bounces_.size() || gap_[i] > gap_[best[body]]) best[body] = i;
        }
    }
    std::vector<std::uint8_t> kept(bounces_.size(), 0);
    for (const std::size_t i : best) {
        if (i < kept.size()) kept[i] = 1;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < bounces_.size(); ++i) {
        if (kept[i] != 0) bounces_[count++] = bounces_[i];
    }
    bounces_.resize(count);
}

}  // namespace lanefold::tools
