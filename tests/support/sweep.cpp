// SPDX-License-Identifier: MIT
//
// Oracle sweeps.
#include "support/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include <lanefold/capture.hpp>

#include "support/question.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBlock = 2048;
constexpr std::size_t kShown = 5;

reference::JudgedPair question(const SweepBlock& block, std::size_t i) {
    return question_of(block.library, block.bodies[2 * i], block.bodies[2 * i + 1], block.pairs[i],
                       block.config.options);
}

// LANEFOLD_PAIR=n: pair n of every sweep that runs is printed and captured, right or wrong.
std::uint32_t shown_pair() {
    const char* value = std::getenv("LANEFOLD_PAIR");
    return value == nullptr ? ~0U : static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
}

// Says where the pair was found.
std::string case_name(const SweepConfig& config, const SweepBlock& block, std::size_t i) {
    const Library& library = block.library;
    return std::string(to_string(library.shapes[block.bodies[2 * i].hull])) + "_" +
           to_string(library.shapes[block.bodies[2 * i + 1].hull]) + "_seed" + std::to_string(config.seed) + "_pair" +
           std::to_string(block.first + i);
}

// With LANEFOLD_CAPTURES=FOLDER: writes a capture of the pair into it, and says so or why not.
template <class M>
std::string save_case(const SweepConfig& config, const SweepBlock& block, std::size_t i, const M& record) {
    const char* const folder = std::getenv("LANEFOLD_CAPTURES");
    if (folder == nullptr) return {};
    const BodyView bodies = config.float_positions ? BodyView(block.float_bodies) : BodyView(block.bodies);
    const Library& library = block.library;
    const CapturedCall call{library.hulls,      bodies, block.pairs,    config.options,  {},
                            config.options.isa, 0,      library.points, library.offsets, {}};
    Capture capture;
    capture.note = std::string(config.name) + ": " + case_name(config, block, i);
    const CallStatus added = capture.add(call, i, record);
    if (!added) return std::string("not captured: ") + added.what + "\n";
    const std::string path = std::string(folder) + "/" + case_name(config, block, i) + ".lfp";
    const std::vector<std::byte> bytes = capture.bytes();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    return (file ? "captured in " : "cannot write ") + path + "\n";
}

template <class M>
std::string as_case(const SweepConfig& config, const SweepBlock& block, std::size_t i, const reference::JudgedPair& q,
                    const M& record) {
    const BodyD& a = block.bodies[2 * i];
    const BodyD& b = block.bodies[2 * i + 1];
    return "case " + case_name(config, block, i) + "\n" + save_case(config, block, i, record) +
           describe(q, a.position, a.orientation, b.position, b.orientation);
}

template <class M, class Engine>
SweepResult run(const SweepConfig& config, const Engine& engine) {
    const Library library =
        random_library(config.seed, config.hulls, config.shapes, config.min_scale, config.max_scale, config.rounding);
    SweepResult result;
    std::vector<M> out;
    for (std::uint32_t first = 0; first < config.pairs; first += kBlock) {
        const SweepBlock block = make_block(config, library, first, kBlock);
        out.assign(block.pairs.size(), M{});
        // Filled with garbage, so that a record that is not written is found.
        std::memset(static_cast<void*>(out.data()), 0xA5, out.size() * sizeof(M));
        engine(block, std::span<M>(out));
        for (std::size_t i = 0; i < out.size(); ++i) {
            const reference::JudgedPair q = question(block, i);
            const std::string wrong = check_manifold(q, out[i], result.coverage);
            const auto number = static_cast<std::uint32_t>(first + i);
            const bool asked_for = number == shown_pair();
            if (!asked_for && (wrong.empty() || result.violations.size() >= kShown)) continue;
            const std::string text = as_case(config, block, i, q, out[i]);
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

std::string save_pair(const SweepBlock& block, std::size_t i, const Manifold4& record) {
    return save_case(block.config, block, i, record);
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

bool stored_seed() { return std::getenv("LANEFOLD_SEED") == nullptr; }

}  // namespace lanefold::test
