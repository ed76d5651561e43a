// SPDX-License-Identifier: MIT
//
// Repeats the pairs of a capture on every instruction set of this machine and on the float64 path, compares the records
// stage by stage, and has them judged by the oracle.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lanefold/capture.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/serial.hpp>

#include "contacts/judge_bodies.hpp"

namespace lanefold::tools {

// The record that one instruction set, or the float64 path, made of a pair. A record of 4 points is in the first 128
// bytes.
struct ReplayedRecord {
    std::string name;    // of the instruction set
    CallStatus refusal;  // of the call; ok if it ran
    Counters counters;
    Manifold16 record{};     // of the captured capacity
    Manifold16 all{};        // of capacity 16: the points before a reduction to four
    std::string difference;  // the first stage in which it differs from the first set, and how; empty: the same bits
    std::string wrong;       // what the judge finds; empty: right. Judged only if it differs from the first set
    // With a surface a pair has any number of records: this is number `number` of `of`, from 0.
    std::size_t number = 0;
    std::size_t of = 1;
};

// All records of a pair with a surface, of both capacities.
struct GroundRecords {
    std::vector<Manifold16> sixteen;
    std::vector<Manifold4> four;
};

struct PairReplay {
    std::vector<ReplayedRecord> sets;  // the weakest first
    ReplayedRecord precise;            // without the previous record; its bits need not be those of lanes
    // A surface is one of the two. All of its sets are of the float64 path, and `precise` is empty.
    bool of_surface = false;
    // False for poses that are refused: such a pair has no oracle.
    bool has_oracle = false;
    reference::OracleResult oracle;   // with a surface the distance of its deepest contact, and no normal
    reference::Judgement judgement;   // of the first set's record
    Manifold16 of_call{};             // the first set's record as the captured call has it
    std::string captured_difference;  // of the captured record from the first set's; empty: the same bits
    std::string captured_wrong;       // what the judge finds in the captured record; empty: right, or no oracle

    const ReplayedRecord& first() const { return sets.front(); }
    bool sets_agree() const;
    bool right() const;  // every set, and the float64 path, by the judge
    bool as_captured() const { return captured_difference.empty(); }
};

class Replayer {
public:
    explicit Replayer(const Capture& capture);

    PairReplay replay(std::size_t i);

private:
    const reference::OracleHull& oracle_hull(std::uint32_t hull);
    void run_set(const CapturedPair& pair, Isa isa, ReplayedRecord& out);
    void run_precise(const CapturedPair& pair, ReplayedRecord& out);

    static bool is_refused(const CapturedPair& pair, PairReplay& out);
    bool has_surface(const CapturedPair& pair) const;
    void replay_ground(const CapturedPair& pair, PairReplay& out);
    GroundRecords run_ground(const CapturedPair& pair, Isa isa, ReplayedRecord& out);
    reference::Judgement judge_ground(const CapturedPair& pair, const GroundRecords& records, std::uint32_t capacity);

    const Capture& capture_;
    JudgedShapes shapes_;                         // empty until a pair with a surface needs them
    std::vector<reference::OracleHull> oracles_;  // empty until they are needed
    Workspace workspace_;
};

// The way of a pair through the engine, by the counters of its call: "hulls in lanes, ..."
std::string way_of(const CapturedPair& pair, const Capture& capture, const Counters& counters);

}  // namespace lanefold::tools
