// SPDX-License-Identifier: MIT
//
// Captures: pairs of calls of every form go into bytes and come back so that the same call gives the same bits; bytes
// that are damaged anywhere are refused.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <xxhash.h>

#include <lanefold/capture.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/version.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

template <class M>
M as(const Manifold16& record) {
    M out{};
    std::memcpy(&out, &record, sizeof out);
    return out;
}

template <class T>
bool same_bits(const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
}

Body narrow(const BodyD& body) {
    Body out{};
    for (int i = 0; i < 3; ++i) out.position[i] = static_cast<float>(body.position[i]);
    std::copy(body.orientation, body.orientation + 4, out.orientation);
    out.hull = body.hull;
    return out;
}

// The record of a captured pair when it is computed again, with the bodies of the call that it was captured from.
template <class M>
M again(const Capture& capture, const CapturedPair& pair, Isa isa) {
    Options options = pair.options();
    const CallInputs inputs = pair.inputs();
    options.isa = isa;
    M out{};
    Workspace workspace;
    const BatchResult r =
        pair.position_is_double
            ? collide_pair(capture.hulls(), pair.a, pair.b, options, out, workspace, inputs)
            : collide_pair(capture.hulls(), narrow(pair.a), narrow(pair.b), options, out, workspace, inputs);
    EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    if (is_reported(out)) {
        out.pair[0] = pair.bodies.a;
        out.pair[1] = pair.bodies.b;
    }
    return out;
}

Capture read_whole(const std::vector<std::byte>& bytes) {
    CaptureResult result = read_capture(bytes);
    EXPECT_TRUE(static_cast<bool>(result)) << result.status.what << " " << result.status.where;
    EXPECT_EQ(result.other_blocks, 0U);
    return std::move(result.capture);
}

struct Counts {
    std::size_t pairs = 0;
    std::size_t reported = 0;
};

// Captures every pair of a block of a sweep, writes and reads it, and computes each again on every instruction set.
template <class M>
Counts capture_block(const SweepConfig& config, const Library& library, std::uint32_t first) {
    const SweepBlock block = make_block(config, library, first, 64);
    std::vector<M> out(block.pairs.size());
    std::vector<float> margins(block.pairs.size());
    for (std::size_t i = 0; i < margins.size(); ++i) margins[i] = 0.01F * static_cast<float>(i % 5);
    Options options = config.options;
    const CallInputs inputs{.pair_margins = margins};
    const BodyView bodies = config.float_positions ? BodyView(block.float_bodies) : BodyView(block.bodies);
    Workspace workspace;
    const BatchResult r =
        collide_serial(library.hulls, bodies, block.pairs, options, std::span<M>(out), workspace, inputs);
    EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    Capture capture;
    capture.note = "a sweep";
    const CapturedCall call{library.hulls, bodies, block.pairs, options, inputs, r.isa, 7, {}, {}, {}};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const CallStatus added = capture.add(call, i, out[i]);
        EXPECT_TRUE(static_cast<bool>(added)) << added.what << " " << added.where;
    }
    const std::vector<std::byte> bytes = capture.bytes();
    const Capture back = read_whole(bytes);
    EXPECT_EQ(back.bytes(), bytes);
    EXPECT_EQ(back.note, capture.note);
    EXPECT_EQ(back.version(), version());
    EXPECT_EQ(back.pairs().size(), out.size());
    EXPECT_LE(back.hulls().size(), library.size());
    Counts counts;
    for (std::size_t i = 0; i < back.pairs().size(); ++i) {
        const CapturedPair& pair = back.pairs()[i];
        EXPECT_EQ(pair.bodies, block.pairs[i]);
        EXPECT_EQ(pair.frame, 7U);
        EXPECT_EQ(pair.isa, r.isa);
        EXPECT_EQ(pair.margin, margins[i]);
        EXPECT_TRUE(same_bits(as<M>(pair.record), out[i]));
        for (const Isa isa : available_isas()) EXPECT_TRUE(same_bits(again<M>(back, pair, isa), out[i]));
        ++counts.pairs;
        counts.reported += is_reported(out[i]) ? 1U : 0U;
    }
    return counts;
}

TEST(Capture, PairsOfEveryShapeComeBackToTheSameBits) {
    Counts sum;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SweepConfig config;
        config.name = "capture";
        config.seed = seed;
        config.hulls = 60;
        config.pairs = 128;
        config.float_positions = seed % 2 == 0;
        if (seed > 2) config.options.method = ContactMethod::patch;
        const Library library =
            random_library(config.seed, config.hulls, config.shapes, config.min_scale, config.max_scale);
        for (const Counts& c :
             {capture_block<Manifold4>(config, library, 0), capture_block<Manifold16>(config, library, 64)}) {
            sum.pairs += c.pairs;
            sum.reported += c.reported;
        }
    }
    std::printf("%zu pairs, %zu reported, %zu instruction sets\n", sum.pairs, sum.reported, available_isas().size());
    EXPECT_EQ(sum.pairs, 512U);
    EXPECT_GT(sum.reported, 150U);
}

constexpr Vec3f kCube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                           {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

// Two cubes, one upon the other.
struct Cubes {
    BuildResult built = build_hull(kCube);
    BodyD bodies[3] = {
        {{0, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{0.5, 0, 1.9}, {0, 0, 0, 1}, 0, 0}, {{9, 0, 0}, {0, 0, 0, 1}, 0, 0}};
    Pair pairs[2] = {{0, 1}, {1, 2}};
    Options options;
    CallInputs inputs;
    Manifold4 out[2] = {};

    CapturedCall call() const {
        return {built.hulls, BodyView(bodies), pairs, options, inputs, Isa::scalar, 0, {}, {}, {}};
    }
    void collide() {
        Workspace workspace;
        const BatchResult r = collide_serial(built.hulls, BodyView(bodies), pairs, options, out, workspace, inputs);
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    }
    std::vector<std::byte> bytes() {
        collide();
        Capture capture;
        capture.note = "two cubes";
        EXPECT_TRUE(static_cast<bool>(capture.add(call(), 0, out[0])));
        EXPECT_TRUE(static_cast<bool>(capture.add(call(), 1, out[1])));
        return capture.bytes();
    }
};

TEST(Capture, PreviousRecordsOfEveryFormAreKept) {
    Cubes cubes;
    cubes.collide();
    Manifold4 previous[2] = {cubes.out[0], cubes.out[0]};
    previous[0].feature_a = 1;  // another face, so that the previous record matters
    previous[1].pair[0] = 1;
    previous[1].pair[1] = 2;
    cubes.bodies[1].position[0] = 0.51;
    for (const PreviousContacts& given : {PreviousContacts::dense(previous), PreviousContacts::compact(previous)}) {
        cubes.inputs.previous = given;
        cubes.options.hysteresis = 0.5F;
        cubes.collide();
        Capture capture;
        ASSERT_TRUE(static_cast<bool>(capture.add(cubes.call(), 0, cubes.out[0])));
        const Capture back = read_whole(capture.bytes());
        const CapturedPair& pair = back.pairs()[0];
        ASSERT_EQ(pair.previous_capacity, 4U);
        EXPECT_EQ(pair.previous.feature_a, 1U);
        for (const Isa isa : available_isas()) EXPECT_TRUE(same_bits(again<Manifold4>(back, pair, isa), cubes.out[0]));
    }
    // A dense record of another pair is none.
    cubes.inputs.previous = PreviousContacts::dense(previous);
    cubes.pairs[0] = {1, 0};
    Capture capture;
    ASSERT_TRUE(static_cast<bool>(capture.add(cubes.call(), 0, cubes.out[0])));
    EXPECT_EQ(capture.pairs()[0].previous_capacity, 0U);
}

TEST(Capture, BadPosesAreKeptAsTheyAre) {
    Cubes cubes;
    cubes.bodies[1].position[1] = std::numeric_limits<double>::quiet_NaN();
    cubes.bodies[2].orientation[3] = std::numeric_limits<float>::infinity();
    const Capture back = read_whole(cubes.bytes());
    EXPECT_EQ(cubes.out[0].status, Status::bad_pose);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(same_bits(again<Manifold4>(back, back.pairs()[i], Isa::scalar), cubes.out[i]));
    }
}

// Points on a sphere, and a box whose faces are dented by less than the builder merges: the corners of the dents are
// left out of its vertices.
std::vector<Points> clouds() {
    Points round;
    for (int i = 0; i < 400; ++i) {
        const float t = 0.7F * static_cast<float>(i);
        const float z = -1 + static_cast<float>(i) / 200.0F;
        round.push_back({std::sqrt(1 - z * z) * std::cos(t), std::sqrt(1 - z * z) * std::sin(t), z});
    }
    Points dented(std::begin(kCube), std::end(kCube));
    for (int i = 0; i < 60; ++i) {
        const float u = 0.9F * std::sin(static_cast<float>(i));
        const float v = 0.9F * std::cos(3 * static_cast<float>(i));
        const float out = 1 + 3e-7F * static_cast<float>(i % 4);
        dented.push_back(i % 3 == 0 ? Vec3f{out, u, v} : i % 3 == 1 ? Vec3f{u, -out, v} : Vec3f{u, v, out});
    }
    return {round, dented};
}

TEST(Capture, HullsOfEveryBuildComeBack) {
    std::size_t own_points = 0;
    std::size_t builds = 0;
    for (const Points& cloud : clouds()) {
        for (int way = 0; way < 8; ++way) {
            BuildOptions build;
            build.merge_coplanar = (way & 1) == 0;
            build.recognize_boxes = build.merge_coplanar;
            build.max_vertices = (way & 2) == 0 ? 0 : 24;
            build.origin = (way & 4) == 0 ? Origin::input : Origin::centre_of_mass;
            const BuildResult built = build_hull(cloud, build);
            ASSERT_TRUE(static_cast<bool>(built));
            const BodyD bodies[] = {{{0, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{1, 0, 0}, {0, 0, 0, 1}, 0, 0}};
            const Pair pairs[] = {{0, 1}};
            const Options options;
            const std::uint64_t offsets[] = {0, cloud.size()};
            const CapturedCall call{built.hulls, BodyView(bodies), pairs, options, {}, Isa::scalar, 0,
                                    cloud,       offsets,          build};
            Capture capture;
            const CallStatus added = capture.add(call, 0, Manifold4{});
            ASSERT_TRUE(static_cast<bool>(added)) << added.what;
            ASSERT_EQ(capture.hulls().size(), 1U);
            const Capture back = read_whole(capture.bytes());
            EXPECT_EQ(back.hulls().fingerprint(), built.hulls.fingerprint());
            own_points += back.hull_sources()[0].points.size() == built.hulls.vertices(0).size() ? 1U : 0U;
            ++builds;
        }
    }
    std::printf("%zu of %zu hulls are built again from their own vertices\n", own_points, builds);
    EXPECT_EQ(builds, 16U);
    // Both ways of keeping a hull are used.
    EXPECT_GT(own_points, 4U);
    EXPECT_LT(own_points, builds);
}

TEST(Capture, WhatCannotBeCapturedIsRefused) {
    Cubes cubes;
    cubes.collide();
    Capture capture;
    EXPECT_EQ(capture.add(cubes.call(), 2, cubes.out[0]).code, Status::bad_argument);
    cubes.pairs[0] = {1, 1};
    EXPECT_EQ(capture.add(cubes.call(), 0, cubes.out[0]).code, Status::bad_argument);
    cubes.pairs[0] = {0, 3};
    EXPECT_EQ(capture.add(cubes.call(), 0, cubes.out[0]).where, 3U);
    cubes.pairs[0] = {0, 1};
    cubes.bodies[1].hull = 1;
    EXPECT_EQ(capture.add(cubes.call(), 0, cubes.out[0]).where, 1U);
    cubes.bodies[1].hull = 0;
    const float margins[] = {0};
    cubes.inputs.pair_margins = margins;
    EXPECT_EQ(capture.add(cubes.call(), 0, cubes.out[0]).code, Status::bad_argument);
    cubes.inputs.pair_margins = {};
    EXPECT_TRUE(capture.pairs().empty());
    for (std::size_t i = 0; i < kMaxCapturedPairs; ++i)
        ASSERT_TRUE(static_cast<bool>(capture.add(cubes.call(), 0, cubes.out[0])));
    EXPECT_EQ(capture.add(cubes.call(), 0, cubes.out[0]).where, kMaxCapturedPairs);
    EXPECT_EQ(capture.hulls().size(), 1U);
    EXPECT_EQ(read_whole(capture.bytes()).pairs().size(), kMaxCapturedPairs);
}

TEST(CaptureFile, EveryDamagedByteAndEveryCutIsRefused) {
    const std::vector<std::byte> whole = Cubes().bytes();
    ASSERT_TRUE(static_cast<bool>(read_capture(whole)));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::vector<std::byte> damaged = whole;
        damaged[i] ^= std::byte{1} << (i % 8);
        const CaptureResult result = read_capture(damaged);
        EXPECT_EQ(result.status.code, Status::bad_argument) << "byte " << i;
        EXPECT_TRUE(result.capture.pairs().empty());
        EXPECT_FALSE(static_cast<bool>(read_capture(std::span(whole).first(i)))) << "cut at " << i;
    }
    std::vector<std::byte> longer = whole;
    longer.push_back({});
    EXPECT_FALSE(static_cast<bool>(read_capture(longer)));
}

TEST(CaptureFile, BlocksOfAnotherVersionAreCountedAndReplacedOnDemand) {
    std::vector<std::byte> bytes = Cubes().bytes();
    const std::uint64_t block = read_whole(bytes).hull_sources()[0].block;
    const std::uint64_t other = block + 1;
    std::size_t places = 0;
    for (std::size_t i = 0; i + 8 <= bytes.size(); ++i) {
        if (std::memcmp(bytes.data() + i, &block, 8) != 0) continue;
        std::memcpy(bytes.data() + i, &other, 8);
        ++places;
    }
    ASSERT_EQ(places, 1U);
    const std::uint64_t hash = XXH64(bytes.data(), bytes.size() - 8, 0);
    std::memcpy(bytes.data() + bytes.size() - 8, &hash, 8);
    CaptureResult result = read_capture(bytes);
    ASSERT_TRUE(static_cast<bool>(result)) << result.status.what;
    EXPECT_EQ(result.other_blocks, 1U);
    EXPECT_EQ(result.capture.bytes(), bytes);
    result.capture.set_blocks();
    EXPECT_EQ(read_whole(result.capture.bytes()).hull_sources()[0].block, block);
}

// Behind a right checksum every byte is either used, so that it is written again as it was read, or refused.
TEST(CaptureFile, ForgedBytesAreRefusedOrKept) {
    const std::vector<std::byte> whole = Cubes().bytes();
    std::size_t refused = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 8 < whole.size(); ++i) {
        for (const unsigned value : {0x00U, 0x01U, 0x7fU, 0x80U, 0xffU}) {
            std::vector<std::byte> forged = whole;
            forged[i] = static_cast<std::byte>(value);
            const std::uint64_t hash = XXH64(forged.data(), forged.size() - 8, 0);
            std::memcpy(forged.data() + forged.size() - 8, &hash, 8);
            const CaptureResult result = read_capture(forged);
            (result ? kept : refused) += 1;
            if (!result) continue;
            EXPECT_EQ(result.capture.bytes(), forged) << "byte " << i;
        }
    }
    std::printf("%zu forged files refused, %zu kept\n", refused, kept);
    EXPECT_GT(refused, 500U);
    EXPECT_GT(kept, 500U);
}

}  // namespace
}  // namespace lanefold::test
