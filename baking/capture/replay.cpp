// SPDX-License-Identifier: MIT
//
// Runs a captured pair through each set's kernels by the calls for one pair, through the float64 path and the oracle.

#include "capture/replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <lanefold/detail/captured_precise.hpp>
#include <lanefold/isa.hpp>

#include "capture/compare.hpp"
#include "capture/replay_bodies.hpp"

namespace lanefold::tools {
namespace {

Manifold4 first_four(const Manifold16& record) {
    Manifold4 out{};
    std::memcpy(&out, &record, sizeof out);
    return out;
}

reference::Judgement judge_record(const reference::JudgedPair& pair, const Manifold16& record, std::uint32_t capacity) {
    return capacity == 16 ? reference::judge(pair, record) : reference::judge(pair, first_four(record));
}

// The judge's words about the record and about that of 16 points.
std::string wrong_of(const reference::JudgedPair& pair, const ReplayedRecord& made, std::uint32_t capacity) {
    const reference::Judgement of_record = judge_record(pair, made.record, capacity);
    if (!of_record.right()) return of_record.what;
    if (capacity == 16) return {};
    const reference::Judgement of_all = reference::judge(pair, made.all);
    return of_all.right() ? std::string() : "with 16 points: " + of_all.what;
}

std::string difference_of(const ReplayedRecord& made, const ReplayedRecord& first) {
    if (made.refusal.code != first.refusal.code) return fmt::format("call: {}", to_string(made.refusal.code));
    std::string difference = first_difference(made.all, first.all, "clip");
    return difference.empty() ? first_difference(made.record, first.record, "reduction") : difference;
}

}  // namespace

bool PairReplay::sets_agree() const {
    return std::all_of(sets.begin(), sets.end(), [](const ReplayedRecord& r) { return r.difference.empty(); });
}

bool PairReplay::right() const {
    return precise.wrong.empty() &&
           std::all_of(sets.begin(), sets.end(), [](const ReplayedRecord& r) { return r.wrong.empty(); });
}

Replayer::Replayer(const Capture& capture) : capture_(capture), oracles_(capture.hulls().size()) {}

const reference::OracleHull& Replayer::oracle_hull(std::uint32_t hull) {
    if (oracles_[hull].vertices.empty()) oracles_[hull] = reference::make_oracle_hull(capture_.hulls(), hull);
    return oracles_[hull];
}

void Replayer::run_set(const CapturedPair& pair, Isa isa, ReplayedRecord& out) {
    out.name = to_string(isa);
    Options options = pair.options();
    const CallInputs inputs = pair.inputs();
    options.isa = isa;
    const auto run = [&](auto& record) {
        return pair.position_is_double
                   ? collide_pair(capture_.hulls(), pair.a, pair.b, options, record, workspace_, inputs)
                   : collide_pair(capture_.hulls(), narrow(pair.a), narrow(pair.b), options, record, workspace_,
                                  inputs);
    };
    Manifold16 all{};
    Manifold4 four{};
    const BatchResult result = run(all);
    const BatchResult shorter = run(four);
    out.refusal = result.status ? shorter.status : result.status;
    out.counters = result.counters;
    out.all = widened(all, pair.bodies);
    out.record = pair.capacity == 16 ? out.all : widened(four, pair.bodies);
}

void Replayer::run_precise(const CapturedPair& pair, ReplayedRecord& out) {
    out.name = "float64 path";
    const detail::PrecisePair input = detail::precise_pair(capture_, pair);
    detail::PreciseScratch scratch;
    Manifold4 four{};
    detail::collide_precise(input, scratch, out.all);
    detail::collide_precise(input, scratch, four);
    out.record = pair.capacity == 16 ? out.all : widened(four, pair.bodies);
}

// Whether there is no oracle: the call is refused, or a pose is none. Then what is wrong is told here.
bool Replayer::is_refused(const CapturedPair& pair, PairReplay& out) {
    if (!out.first().refusal) {
        out.sets.front().wrong = fmt::format("the call is refused: {}", out.first().refusal.what);
        return true;
    }
    out.has_oracle = is_good_pose(pair.a) && is_good_pose(pair.b);
    if (out.has_oracle) return false;
    for (ReplayedRecord& set : out.sets) {
        if (set.record.status != Status::bad_pose) set.wrong = "a pose that is none, but not the status bad_pose";
    }
    return true;
}

PairReplay Replayer::replay(std::size_t i) {
    const CapturedPair& pair = capture_.pairs()[i];
    PairReplay out;
    if (has_surface(pair)) {
        replay_ground(pair, out);
        return out;
    }
    for (const Isa isa : available_isas()) {
        ReplayedRecord made;
        run_set(pair, isa, made);
        if (!out.sets.empty()) made.difference = difference_of(made, out.first());
        out.sets.push_back(std::move(made));
    }
    out.of_call = pair.of_call(out.first().record);
    out.captured_difference = first_difference(pair.record, out.of_call, "clip or reduction");
    if (is_refused(pair, out)) return out;
    reference::JudgedPair judged =
        reference::judged_pair(capture_, pair, oracle_hull(pair.a.hull), oracle_hull(pair.b.hull));
    out.oracle = reference::signed_distance(*judged.a, judged.pose_a, *judged.b, judged.pose_b);
    out.judgement = judge_record(judged, out.first().record, pair.capacity);
    for (ReplayedRecord& set : out.sets) {
        if (&set == &out.sets.front() || !set.difference.empty()) set.wrong = wrong_of(judged, set, pair.capacity);
    }
    if (out.as_captured()) {
        out.captured_wrong = out.first().wrong;
    } else if (const auto found = judge_record(judged, pair.alone(pair.record), pair.capacity); !found.right()) {
        out.captured_wrong = found.what;
    }
    run_precise(pair, out.precise);
    judged.hysteresis = 0;
    out.precise.wrong = wrong_of(judged, out.precise, pair.capacity);
    return out;
}

std::string way_of(const CapturedPair& pair, const Capture& capture, const Counters& c) {
    const auto is_surface = [&](const BodyD& body) { return capture.hulls()[body.hull].shape == ShapeKind::surface; };
    if (is_surface(pair.a) || is_surface(pair.b)) return "triangles of a surface, one by one in float64";
    std::string out = c.box_pairs > 0     ? "boxes in lanes"
                      : c.hull_pairs > 0  ? "hulls in lanes"
                      : c.floor_pairs > 0 ? "a face of a far larger box"
                      : c.small_pairs > 0 ? "spheres and capsules in lanes"
                                          : "float64 path";
    if (c.precise_pairs > 0) {
        const HullRecord& a = capture.hulls()[pair.a.hull];
        const HullRecord& b = capture.hulls()[pair.b.hull];
        const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
        if ((flags & HullRecord::kThin) != 0) out += ", because a hull is thin";
        if ((flags & HullRecord::kWide) != 0) out += ", because a hull has more indices than 16 bits";
        if ((flags & HullRecord::kFar) != 0) out += ", because a hull is far from its origin";
        if (std::max(a.size, b.size) > kPreciseSizeRatio * std::min(a.size, b.size))
            out += fmt::format(", because of sizes beyond {}:1", kPreciseSizeRatio);
    }
    const std::uint64_t apart[] = {c.rejected_centre, c.rejected_face, c.rejected_edge, c.rejected_distance};
    const char* const by[] = {"the axis of the centres", "a face", "a pair of edges", "the exact distance"};
    for (std::size_t i = 0; i < std::size(apart); ++i) {
        if (apart[i] > 0) out += fmt::format(", left out by {}", by[i]);
    }
    if (c.distance_finished > 0) out += ", distance by the float64 path";
    if (c.clip_fallbacks > 0) out += ", the clip lacked the deepest point";
    if (c.held > 0) out += ", previous features kept";
    return out;
}

}  // namespace lanefold::tools
