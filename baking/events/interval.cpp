// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/interval.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/read_body.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// A body that slides at the target's distance over a surface that turns may need more rounds than a sweep has. With so
// many times the tolerance, 1% of a size, nearly all have an answer, which is no later than the truth either.
constexpr float kCoarser = 10;

float as_float(double x) { return static_cast<float>(x); }

// The relative motion of two bodies at a contact: along the normal towards each other, and beside it. Per frame.
struct Closing {
    double speed = 0;
    double beside = 0;
};

Closing closing_of(const Vec3d& a, const Vec3d& b, const Vec3d& normal) {
    const Vec3d v = b - a;
    const double along = dot(v, normal);
    return {-along, length(v - normal * along)};
}

}  // namespace

void IntervalCounts::add(const IntervalCounts& other) {
    candidates += other.candidates;
    near += other.near;
    if (failed == 0) {
        failure = other.failure;
        failed_pair = other.failed_pair;
    }
    failed += other.failed;
}

IntervalSweeper::IntervalSweeper(const HullSet& hulls, const BodyMasses& masses, std::span<const float> inverse_mass,
                                 std::span<const std::uint32_t> group, const EventSettings& settings, Isa isa,
                                 std::uint32_t threads)
    : hulls_(hulls),
      masses_(masses),
      settings_(settings),
      isa_(isa),
      threads_(threads),
      pairs_(hulls, inverse_mass, group, isa, threads),
      bounces_(hulls, masses, inverse_mass, group, settings, isa, threads) {}

std::span<const EventPiece> IntervalSweeper::sweep(const IntervalInput& input, const StopToken& stop) {
    counts_ = {};
    pieces_.clear();
    touching_.assign(input.begin.count, 0);
    candidates_ = pairs_.find(input.begin, input.during, settings_.release);
    counts_.candidates = candidates_.size();
    sweep_back(input, stop);
    sweep_forth(input, stop);
    for (std::size_t i = 0; i < near_.size(); ++i) {
        const bool near = back_[i].state != SweepState::miss || forth_[i].state == SweepState::hit;
        if (near) add_piece(input, back_[i], forth_[i]);
    }
    if (settings_.bounces) add_bounces(input, stop);
    counts_.near = pieces_.size();
    return pieces_;
}

// Asks for the pairs that were not decided again, with a wider tolerance.
void IntervalSweeper::settle(const BodyView& first, const BodyView& second, SweepOptions options,
                             std::span<SweepRecord> records, const StopToken& stop) {
    unsettled_.clear();
    again_.clear();
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].state != SweepState::failed || records[i].failure != SweepFailure::rounds) continue;
        unsettled_.push_back(i);
        again_.push_back({records[i].pair[0], records[i].pair[1]});
    }
    if (again_.empty()) return;
    options.tolerance *= kCoarser;
    settled_.resize(again_.size());
    const SweepResult result =
        lanefold::sweep(hulls_, first, second, again_, options, settled_, workspace_, {.spins = {}, .stop = stop});
    refuse_events(result.status, "sweeps between frames");
    for (std::size_t i = 0; i < again_.size(); ++i) records[unsettled_[i]] = settled_[i];
}

void IntervalSweeper::count_failure(const SweepRecord& record) {
    if (counts_.failed++ != 0) return;
    counts_.failure = record.failure;
    counts_.failed_pair = {record.pair[0], record.pair[1]};
}

// Leaves in back_ and near_ the pairs that come within the release distance.
void IntervalSweeper::sweep_back(const IntervalInput& input, const StopToken& stop) {
    SweepOptions options;
    options.target = settings_.release;
    options.isa = isa_;
    options.threads = threads_;
    back_.resize(candidates_.size());
    const SweepResult result = sweep_compact(hulls_, input.end, input.begin, candidates_, options, back_, workspace_,
                                             {.spins = {}, .stop = stop});
    refuse_events(result.status, "sweeps between frames");
    back_.resize(static_cast<std::size_t>(result.written));
    settle(input.end, input.begin, options, back_, stop);
    std::erase_if(back_, [](const SweepRecord& record) { return record.state == SweepState::miss; });
    for (const SweepRecord& record : back_) {
        if (record.status == Status::cancelled) throw Failure(ExitCode::interrupted, "interrupted");
        if (record.state == SweepState::failed) count_failure(record);
    }
    keep_surfaces(input);
    std::erase_if(back_, [](const SweepRecord& record) { return record.state == SweepState::failed; });
    near_.clear();
    for (const SweepRecord& record : back_) near_.push_back({record.pair[0], record.pair[1]});
}

// A body that falls through a surface and ends behind it touches it on its way, but on its way back it comes from
// behind and passes. So all pairs with a surface are swept forth, too.
void IntervalSweeper::keep_surfaces(const IntervalInput& input) {
    if (!hulls_.has_surfaces()) return;
    const std::size_t known = back_.size();
    const auto is_surface = [&](std::uint32_t body) {
        return hulls_.surface(detail::read_body(input.begin, body).hull) != nullptr;
    };
    std::size_t at = 0;
    for (const Pair& pair : candidates_) {
        if (!is_surface(pair.a) && !is_surface(pair.b)) continue;
        while (at < known && Pair{back_[at].pair[0], back_[at].pair[1]} < pair) ++at;
        if (at < known && Pair{back_[at].pair[0], back_[at].pair[1]} == pair) continue;
        SweepRecord passed{};
        passed.fraction = 1;
        passed.pair[0] = pair.a;
        passed.pair[1] = pair.b;
        back_.push_back(passed);
    }
    std::inplace_merge(back_.begin(), back_.begin() + static_cast<std::ptrdiff_t>(known), back_.end(),
                       [](const SweepRecord& x, const SweepRecord& y) {
                           return Pair{x.pair[0], x.pair[1]} < Pair{y.pair[0], y.pair[1]};
                       });
}

void IntervalSweeper::sweep_forth(const IntervalInput& input, const StopToken& stop) {
    SweepOptions options;
    options.target = settings_.touch;
    options.isa = isa_;
    options.threads = threads_;
    forth_.resize(near_.size());
    const SweepResult result = lanefold::sweep(hulls_, input.begin, input.end, near_, options, forth_, workspace_,
                                               {.spins = {}, .stop = stop});
    refuse_events(result.status, "sweeps between frames");
    settle(input.begin, input.end, options, forth_, stop);
    for (const SweepRecord& record : forth_) {
        if (record.status == Status::cancelled) throw Failure(ExitCode::interrupted, "interrupted");
        if (record.state == SweepState::failed) count_failure(record);
    }
}

void IntervalSweeper::add_piece(const IntervalInput& input, const SweepRecord& back, const SweepRecord& forth) {
    EventPiece piece{};
    piece.pair = {back.pair[0], back.pair[1]};
    // Begins have the slack of a sweep's tolerance. Where the release distance is the touch distance, ends need it,
    // too: a contact at rest there would end at each frame and begin again.
    const bool at_release = settings_.release == settings_.touch && back.state == SweepState::hit && back.fraction == 0;
    const bool stays = back.state == SweepState::overlapping || at_release;
    const bool first = forth.state == SweepState::overlapping;
    const bool touches = first || forth.state == SweepState::hit;
    piece.flags = (touches ? kPieceTouches : 0U) | (first ? kPieceTouchesFirst : 0U) | (stays ? kPieceStays : 0U);
    piece.begin = first || !touches ? 0.0 : forth.fraction;
    piece.end = stays ? 1.0 : std::max(1.0 - back.fraction, piece.begin);
    // A body that keeps touching may strike something else, but not one that begins to.
    if (touches && !first) touching_[piece.pair.a] = touching_[piece.pair.b] = 1;
    if (touches) {
        measure(input, input.during, piece.begin, forth, piece);
    } else {
        measure(input, input.during, 1.0 - back.fraction, back, piece);
    }
    pieces_.push_back(piece);
}

// The piece of a pair among the first ones, which ascend; null without one.
EventPiece* IntervalSweeper::known(const Pair& pair, std::size_t among) {
    const auto end = pieces_.begin() + static_cast<std::ptrdiff_t>(among);
    const auto at = std::lower_bound(pieces_.begin(), end, pair,
                                     [](const EventPiece& piece, const Pair& p) { return piece.pair < p; });
    return at != end && at->pair == pair ? &*at : nullptr;
}

// Pieces behind the first ones ascend by themselves.
void IntervalSweeper::order(std::size_t among) {
    std::inplace_merge(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(among), pieces_.end(),
                       [](const EventPiece& x, const EventPiece& y) { return x.pair < y.pair; });
}

void IntervalSweeper::add_bounces(const IntervalInput& input, const StopToken& stop) {
    const std::size_t near = pieces_.size();
    for (const Bounce& bounce : bounces_.find(input, touching_, stop)) {
        const Pair pair{bounce.record.pair[0], bounce.record.pair[1]};
        EventPiece* const there = known(pair, near);
        if (there != nullptr && (there->flags & kPieceTouches) != 0) continue;
        EventPiece piece{};
        if (there != nullptr) piece = *there;
        piece.pair = pair;
        piece.flags |= kPieceBounces;
        piece.begin = bounce.fraction;
        piece.end = std::max(piece.end, piece.begin);
        measure(input, input.before, bounce.first, bounce.record, piece);
        if (there != nullptr) {
            *there = piece;
        } else {
            pieces_.push_back(piece);
        }
    }
    order(near);
}

// Finds the place, and how the two move there. `along`: the motion that has led to the contact from the first frame.
void IntervalSweeper::measure(const IntervalInput& input, std::span<const BodyMotion> along, double moment,
                              const SweepRecord& shown, EventPiece& piece) const {
    const std::uint32_t a = piece.pair.a;
    const std::uint32_t b = piece.pair.b;
    const PoseD pose_a = pose_at(detail::read_body(input.begin, a), along[a], moment);
    const PoseD pose_b = pose_at(detail::read_body(input.begin, b), along[b], moment);
    const Vec3d arm_a = to_double({shown.point[0], shown.point[1], shown.point[2]});
    const Vec3d place = pose_a.position + arm_a;
    const Vec3d arm_b = place - pose_b.position;
    const Vec3d normal = to_double({shown.normal[0], shown.normal[1], shown.normal[2]});
    // The motion of an interval in which a body is not there all the time is that of this one.
    const auto closing = [&](std::span<const BodyMotion> motions) {
        const BodyMotion& of_a = motions[a].there ? motions[a] : input.during[a];
        const BodyMotion& of_b = motions[b].there ? motions[b] : input.during[b];
        return closing_of(velocity_at(of_a, arm_a), velocity_at(of_b, arm_b), normal);
    };
    const Closing before = closing(input.before);
    const Closing during = closing(input.during);
    const Closing& begins = during.speed > before.speed ? during : before;
    const double places[3] = {place.x, place.y, place.z};
    std::copy_n(places, 3, piece.place);
    std::copy_n(shown.normal, 3, piece.normal);
    piece.closing = as_float(begins.speed * settings_.rate);
    piece.sliding = as_float(begins.beside * settings_.rate);
    piece.slide = as_float(during.beside);
    if (settings_.impulses == ImpulseSource::masses) estimate_impulses(input, normal, piece);
}

// By momentum: the mass of the two against each other, times the change of the speed that their centres of mass have
// along the normal. It needs no place, so all points of a contact are in it.
void IntervalSweeper::estimate_impulses(const IntervalInput& input, const Vec3d& normal, EventPiece& piece) const {
    const std::uint32_t bodies[2] = {piece.pair.a, piece.pair.b};
    double closing[3] = {};  // before, during and after
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t body = bodies[side];
        const BodyD first = detail::read_body(input.begin, body);
        const BodyMotion& motion = input.during[body];
        const BodyMotion& before = input.before[body];
        const BodyMotion& after = input.after[body];
        const PoseD begin = pose_at(first, motion, 0);
        const auto along = [&](const BodyMotion& m, const PoseD& pose) {
            return dot(masses_.centre_shift(body, m, pose), normal) * (side == 0 ? 1.0 : -1.0);
        };
        const double during = along(motion, begin);
        closing[0] += before.there ? -along({-before.shift, -before.spin, true}, begin) : during;
        closing[1] += during;
        closing[2] += after.there ? along(after, pose_at(first, motion, 1)) : during;
    }
    const double mass = settings_.rate * masses_.against_each_other(bodies[0], bodies[1]);
    piece.impulse_first = as_float(mass * std::max(0.0, closing[0] - closing[1]));
    piece.impulse_last = as_float(mass * std::max(0.0, closing[1] - closing[2]));
}

}  // namespace lanefold::tools
