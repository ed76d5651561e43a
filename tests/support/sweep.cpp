// SPDX-License-Identifier: MIT
//
// Oracle sweeps.
#include "support/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "support/question.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBlock = 2048;
constexpr std::size_t kShown = 5;

Question question(const SweepBlock& block, std::size_t i) {
    return question_of(block.library, block.bodies[2 * i], block.bodies[2 * i + 1], block.pairs[i],
                       block.config.options);
}

// LANEFOLD_PAIR=n: pair n of every sweep that runs is printed, right or wrong.
std::uint32_t shown_pair() {
    const char* value = std::getenv("LANEFOLD_PAIR");
    return value == nullptr ? ~0U : static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
}

// The pair as an entry of tests/data/oracle_cases.txt, whose name says where it was found.
std::string as_case(const SweepConfig& config, const SweepBlock& block, std::size_t i, const Question& q) {
    const BodyD& a = block.bodies[2 * i];
    const BodyD& b = block.bodies[2 * i + 1];
    const Library& library = block.library;
    return std::string("case ") + to_string(library.shapes[a.hull]) + "_" + to_string(library.shapes[b.hull]) +
           "_seed" + std::to_string(config.seed) + "_pair" + std::to_string(block.first + i) + "\n" +
           describe(q, a.position, a.orientation, b.position, b.orientation);
}

template <class M, class Engine>
SweepResult run(const SweepConfig& config, const Engine& engine) {
    const Library library =
        random_library(config.seed, config.hulls, config.shapes, config.min_scale, config.max_scale);
    SweepResult result;
    std::vector<M> out;
    for (std::uint32_t first = 0; first < config.pairs; first += kBlock) {
        const SweepBlock block = make_block(config, library, first, kBlock);
        out.assign(block.pairs.size(), M{});
        // Filled with garbage, so that a record that is not written is found.
        std::memset(static_cast<void*>(out.data()), 0xA5, out.size() * sizeof(M));
        engine(block, std::span<M>(out));
        for (std::size_t i = 0; i < out.size(); ++i) {
            const Question q = question(block, i);
            const std::string wrong = check_manifold(q, out[i], result.coverage);
            const auto number = static_cast<std::uint32_t>(first + i);
            const bool asked_for = number == shown_pair();
            if (!asked_for && (wrong.empty() || result.violations.size() >= kShown)) continue;
            const std::string text = as_case(config, block, i, q);
            if (asked_for) std::printf("%s", text.c_str());
            if (wrong.empty()) continue;
            std::string found = "kind " + std::to_string(static_cast<int>(out[i].kind));
            found += ": ";
            found += wrong;
            found += "\n";
            found += text;
            result.violations.push_back(std::move(found));
        }
    }
    std::printf("%s, seed %llu: %s\n", config.name, static_cast<unsigned long long>(config.seed),
                result.coverage.summary().c_str());
    return result;
}

}  // namespace

SweepBlock make_block(const SweepConfig& config, const Library& library, std::uint32_t first, std::uint32_t count) {
    SweepBlock block{library, {}, {}, {}, config, first};
    std::vector<PoseKind> kinds;
    for (std::uint32_t k = 0; k < kPoseKindCount; ++k) {
        if ((config.kinds_mask >> k & 1U) != 0) kinds.push_back(static_cast<PoseKind>(k));
    }
    const auto hulls = static_cast<std::uint32_t>(library.size());
    const std::uint32_t last = std::min(config.pairs, first + count);
    for (std::uint32_t i = first; i < last; ++i) {
        Random random(config.seed, 0x100000000U + i);
        const std::uint32_t a = random.index(hulls);
        const std::uint32_t b = random.index(hulls);
        PosedPair pair = make_poses(kinds[i % kinds.size()], library.oracle[a], library.oracle[b], config.reach,
                                    config.float_positions, random);
        pair.a.hull = a;
        pair.b.hull = b;
        const auto n = static_cast<std::uint32_t>(block.bodies.size());
        block.pairs.push_back({n, n + 1});
        block.bodies.push_back(pair.a);
        block.bodies.push_back(pair.b);
        if (config.float_positions) {
            block.float_bodies.push_back(to_float_body(pair.a));
            block.float_bodies.push_back(to_float_body(pair.b));
        }
    }
    return block;
}

SweepResult run_sweep(const SweepConfig& config, const Engine4& engine) { return run<Manifold4>(config, engine); }
SweepResult run_sweep(const SweepConfig& config, const Engine16& engine) { return run<Manifold16>(config, engine); }

bool long_run() {
    const char* value = std::getenv("LANEFOLD_LONG");
    return value != nullptr && std::strcmp(value, "1") == 0;
}

std::uint32_t sweep_pairs(std::uint32_t normal, std::uint32_t long_count) { return long_run() ? long_count : normal; }

std::uint64_t sweep_seed(std::uint64_t seed) {
    const char* value = std::getenv("LANEFOLD_SEED");
    return value == nullptr ? seed : seed + 1000 * std::strtoull(value, nullptr, 10);
}

}  // namespace lanefold::test
