// SPDX-License-Identifier: MIT
//
// Captured pairs with a surface. A call with the pair alone gives all its records; the captured one is that of them
// whose normal it has, and the judge gets them all, because a contact may be in any of them.

#include <cmath>
#include <cstring>
#include <utility>

#include <lanefold/detail/captured_ground.hpp>
#include <lanefold/isa.hpp>

#include "capture/compare.hpp"
#include "capture/replay.hpp"
#include "capture/replay_bodies.hpp"
#include "contacts/judge_ground.hpp"
#include "contacts/whole_output.hpp"

namespace lanefold::tools {
namespace {

// The records of the pair alone, in compact output.
template <class M>
CallStatus collide_alone(const HullSet& hulls, const CapturedPair& pair, const Options& options, Workspace& workspace,
                         std::vector<M>& out) {
    const BodyD wide[] = {pair.a, pair.b};
    const Body narrowed[] = {narrow(pair.a), narrow(pair.b)};
    const BodyView bodies =
        pair.position_is_double ? BodyView(std::span<const BodyD>(wide)) : BodyView(std::span<const Body>(narrowed));
    const Pair pairs[] = {{0, 1}};
    out.resize(4);
    const auto call = [&](std::span<M> records) {
        return collide_compact_serial(hulls, bodies, std::span<const Pair>(pairs), options, records, workspace);
    };
    return whole_output(out, call).status;
}

// The number of the record whose normal is nearest to that of `like`, the first of equal ones.
template <class M>
std::size_t nearest(const std::vector<M>& records, const Manifold16& like) {
    const auto off = [&](const M& m) {
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += std::pow(static_cast<double>(m.normal[i]) - like.normal[i], 2);
        return sum;
    };
    std::size_t best = 0;
    for (std::size_t k = 1; k < records.size(); ++k)
        if (off(records[k]) < off(records[best])) best = k;
    return best;
}

template <class M>
bool same_bits(const std::vector<M>& x, const std::vector<M>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(M)) == 0);
}

std::string difference_of(const ReplayedRecord& made, const GroundRecords& records, const ReplayedRecord& first,
                          const GroundRecords& of_first) {
    if (made.refusal.code != first.refusal.code) return std::string("call: ") + to_string(made.refusal.code);
    std::string difference = first_difference(made.all, first.all, "clip");
    if (difference.empty()) difference = first_difference(made.record, first.record, "reduction");
    const bool same = same_bits(records.four, of_first.four) && same_bits(records.sixteen, of_first.sixteen);
    return difference.empty() && !same ? "another record of the pair" : difference;
}

// The record as the captured call has it: it rounds the points of a child otherwise than a call with the child alone.
Manifold16 record_of_call(const Capture& capture, const CapturedPair& pair, const ReplayedRecord& made) {
    if (!pair.of_children || !is_reported(made.record)) return pair.of_call(made.record);
    return pair.capacity == 16 ? detail::captured_ground<Manifold16>(capture, pair)[made.number]
                               : widened(detail::captured_ground<Manifold4>(capture, pair)[made.number], pair.bodies);
}

// These records with the captured one in the place of that which was chosen beside it.
GroundRecords with_captured(const CapturedPair& pair, const PairReplay& replay, GroundRecords records) {
    Manifold16 alone = pair.alone(pair.record);
    if (records.four.empty() || !is_reported(alone)) return {};
    alone.pair[0] = 0;
    alone.pair[1] = 1;
    const std::size_t at = replay.first().number;
    records.sixteen[at] = alone;
    std::memcpy(&records.four[at], &alone, sizeof(Manifold4));
    return records;
}

}  // namespace

bool Replayer::has_surface(const CapturedPair& pair) const {
    const HullSet& hulls = capture_.hulls();
    return hulls[pair.a.hull].shape == ShapeKind::surface || hulls[pair.b.hull].shape == ShapeKind::surface;
}

GroundRecords Replayer::run_ground(const CapturedPair& pair, Isa isa, ReplayedRecord& out) {
    GroundRecords made;
    Options options = pair.options();
    options.isa = isa;
    out.name = to_string(isa);
    const CallStatus wide = collide_alone(capture_.hulls(), pair, options, workspace_, made.sixteen);
    const CallStatus short_one = collide_alone(capture_.hulls(), pair, options, workspace_, made.four);
    out.refusal = wide ? short_one : wide;
    out.of = made.four.size();
    if (made.four.empty() || made.sixteen.size() != made.four.size()) return made;
    out.number = nearest(made.four, pair.record);
    out.all = widened(made.sixteen[out.number], pair.bodies);
    out.record = pair.capacity == 16 ? out.all : widened(made.four[out.number], pair.bodies);
    return made;
}

reference::Judgement Replayer::judge_ground(const CapturedPair& pair, const GroundRecords& records,
                                            std::uint32_t capacity) {
    if (shapes_.hulls.empty()) shapes_ = make_judged_shapes(capture_.hulls(), {}, {}, {});
    PairSettings how;
    how.margin = how.margin_unreported = pair.margin;
    how.face_preference = pair.face_preference;
    how.points = pair.points;
    const HullSet& hulls = capture_.hulls();
    return capacity == 16 ? judge_with_surface(hulls, shapes_, pair.a, pair.b, {0, 1}, how,
                                               std::span(std::as_const(records.sixteen)))
                          : judge_with_surface(hulls, shapes_, pair.a, pair.b, {0, 1}, how,
                                               std::span(std::as_const(records.four)));
}

void Replayer::replay_ground(const CapturedPair& pair, PairReplay& out) {
    out.of_surface = true;
    std::vector<GroundRecords> records;
    for (const Isa isa : available_isas()) {
        ReplayedRecord made;
        records.push_back(run_ground(pair, isa, made));
        if (!out.sets.empty()) made.difference = difference_of(made, records.back(), out.first(), records.front());
        out.sets.push_back(std::move(made));
    }
    const bool refused = is_refused(pair, out);
    out.of_call = refused ? pair.of_call(out.first().record) : record_of_call(capture_, pair, out.first());
    out.captured_difference = first_difference(pair.record, out.of_call, "clip or reduction");
    if (refused) return;
    for (std::size_t k = 0; k < out.sets.size(); ++k) {
        if (k > 0 && out.sets[k].difference.empty()) continue;
        const reference::Judgement judged = judge_ground(pair, records[k], pair.capacity);
        if (k == 0) out.judgement = judged;
        out.sets[k].wrong = judged.what;
        if (!judged.right() || pair.capacity == 16) continue;
        const reference::Judgement of_all = judge_ground(pair, records[k], 16);
        if (!of_all.right()) out.sets[k].wrong = "with 16 points: " + of_all.what;
    }
    out.oracle.distance = out.judgement.distance;
    out.captured_wrong = out.as_captured()
                             ? out.first().wrong
                             : judge_ground(pair, with_captured(pair, out, records.front()), pair.capacity).what;
}

}  // namespace lanefold::tools
