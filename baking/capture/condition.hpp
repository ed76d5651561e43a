// SPDX-License-Identifier: MIT
//
// Conditions on pairs, such as `depth > 0.1 * smaller and kind == edge_edge`, for --capture. docs/formats.md lists the
// fields.
//
//   condition  = and { "or" and }               also ||
//   and        = not { "and" not }              also &&
//   not        = { "not" } ( comparison | "(" condition ")" )   also !
//   comparison = sum ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum    also =
//   sum        = product { ( "+" | "-" ) product }
//   product    = factor { ( "*" | "/" ) factor }
//   factor     = { "-" } ( number | field | "(" sum ")" )
//
// kind and status are compared with names (`kind == face_a`), by ==, = and != only, and stand on the left. Numbers of
// the record are unknown for a pair that is not reported, and so is each comparison with them: neither it nor its `not`
// holds. Such a pair's kind is none, and its status ok.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::tools {

// A pair as a condition sees it.
struct ConditionInput {
    // The first 48 bytes of a record of either capacity; null if the pair is not reported.
    const Manifold4* record = nullptr;
    Pair bodies{};
    Pair hulls{};
    const HullRecord* hull_a = nullptr;
    const HullRecord* hull_b = nullptr;
    std::uint64_t frame = 0;
};

class Condition {
public:
    // Throws Failure(bad_input) that names the place in the text.
    explicit Condition(const std::string& text);

    bool holds(const ConditionInput& input) const;
    const std::string& text() const { return text_; }

    // "distance, depth, ...": the names of all fields.
    static std::string field_names();

    enum class Op : std::uint8_t {
        number,
        field,
        negate,
        add,
        subtract,
        multiply,
        divide,
        less,
        less_equal,
        greater,
        greater_equal,
        equal,
        not_equal,
        logical_and,
        logical_or,
        logical_not
    };
    struct Step {
        Op op = Op::number;
        std::uint32_t field = 0;
        double number = 0;
    };

private:
    std::string text_;
    std::vector<Step> steps_;  // in the order of evaluation on a stack
};

}  // namespace lanefold::tools
