// SPDX-License-Identifier: MIT
//
// Scenes for the tests of the batch calls, and comparisons bit for bit. A scene has few bodies, many candidate pairs
// and every class of hull; about half of the pairs touch.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/serial.hpp>

#include "support/split_mix.hpp"

namespace lanefold::test {

// The same numbers on every machine. Distributions of the standard library do not promise that.
class BatchRandom {
public:
    explicit BatchRandom(std::uint64_t seed) : bits_(seed) {}

    std::uint64_t next() { return bits_.next(); }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
    // In [lo, hi).
    float uniform(float lo, float hi) { return lo + (hi - lo) * static_cast<float>(next() >> 40) * 0x1p-24F; }

    void rotation(float q[4]) {
        for (;;) {
            double n = 0;
            double d[4];
            for (double& x : d) {
                x = static_cast<double>(uniform(-1.0F, 1.0F));
                n += x * x;
            }
            if (n < 0.01 || n > 1.0) continue;
            for (int i = 0; i < 4; ++i) q[i] = static_cast<float>(d[i] / std::sqrt(n));
            return;
        }
    }

    // A direction.
    void axis(float u[3]) {
        float q[4];
        rotation(q);
        const float l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) + 1e-6F;
        for (int i = 0; i < 3; ++i) u[i] = q[i] / l;
    }

    template <class T>
    void shuffle(std::span<T> list) {
        for (std::size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[below(static_cast<std::uint32_t>(i))]);
    }

private:
    SplitMix bits_;
};

struct BatchScene {
    HullSet hulls;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    float margin = 0.15F;

    BodyView view() const { return BodyView(std::span<const Body>(bodies)); }
    Options options() const {
        Options o;
        o.margin = margin;
        o.hash = true;
        return o;
    }
};

// 16 hulls: boxes (centred, off-centre, flat), rocks of 8 to 60 points, a needle, a pebble 200 times smaller
// than the rest (float64 path) and a slab 100 times larger (one face settles its pairs, or the float64 path).
inline HullSet batch_hulls() {
    BatchRandom random(7);
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    const auto box = [&](float hx, float hy, float hz, float cx) {
        for (int c = 0; c < 8; ++c) {
            points.push_back({cx + ((c & 1) != 0 ? hx : -hx), (c & 2) != 0 ? hy : -hy, (c & 4) != 0 ? hz : -hz});
        }
        offsets.push_back(points.size());
    };
    const auto rock = [&](int n, float sx, float sy, float sz) {
        for (int i = 0; i < n; ++i) {
            float q[4];
            random.rotation(q);
            const float l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) + 1e-6F;
            points.push_back({sx * q[0] / l, sy * q[1] / l, sz * q[2] / l});
        }
        offsets.push_back(points.size());
    };
    box(0.5F, 0.5F, 0.5F, 0.0F);
    box(0.7F, 0.4F, 0.3F, 0.0F);
    box(0.5F, 0.6F, 0.4F, 0.9F);
    box(0.9F, 0.9F, 0.05F, 0.0F);
    for (const int n : {8, 10, 12, 16, 20, 24, 32, 40, 60}) rock(n, 0.7F, 0.6F, 0.5F);
    rock(12, 1.5F, 0.03F, 0.03F);
    rock(12, 0.004F, 0.003F, 0.003F);
    box(70.0F, 70.0F, 0.5F, 0.0F);
    BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(static_cast<bool>(built)) << "the test's own hulls must build";
    return built.hulls;
}

// `pair_count` distinct random pairs of `body_count` bodies, which are so dense that many touch.
inline BatchScene make_batch_scene(std::uint64_t seed, std::uint32_t body_count, std::uint32_t pair_count) {
    BatchScene scene;
    scene.hulls = batch_hulls();
    BatchRandom random(seed);
    const float extent = 0.8F;
    for (std::uint32_t i = 0; i < body_count; ++i) {
        Body body{};
        for (float& x : body.position) x = random.uniform(-extent, extent);
        body.hull = random.below(static_cast<std::uint32_t>(scene.hulls.size()));
        random.rotation(body.orientation);
        scene.bodies.push_back(body);
    }
    while (scene.pairs.size() < pair_count) {
        const Pair pair{random.below(body_count), random.below(body_count)};
        if (pair.a != pair.b) scene.pairs.push_back(pair);
    }
    return scene;
}

// A scene with bad bodies and bad indices, in which every status occurs.
inline BatchScene make_bad_batch_scene(std::uint64_t seed, std::uint32_t body_count, std::uint32_t pair_count) {
    BatchScene scene = make_batch_scene(seed, body_count, pair_count);
    BatchRandom random(seed + 1);
    const float nan = std::nanf("");
    const float inf = HUGE_VALF;
    for (std::uint32_t i = 0; i < body_count / 16; ++i) {
        Body& body = scene.bodies[random.below(body_count)];
        switch (random.below(6)) {
            case 0:
                body.position[random.below(3)] = nan;
                break;
            case 1:
                body.position[random.below(3)] = -inf;
                break;
            case 2:
                body.orientation[random.below(4)] = nan;
                break;
            case 3:
                body.orientation[0] = body.orientation[1] = body.orientation[2] = body.orientation[3] = 0;
                break;
            case 4:
                body.orientation[3] += 3.0F;
                break;
            default:
                body.hull = random.below(2) == 0 ? static_cast<std::uint32_t>(scene.hulls.size()) : 0xFFFFFFFFU;
        }
    }
    for (std::uint32_t i = 0; i < pair_count / 16; ++i) {
        Pair& pair = scene.pairs[random.below(pair_count)];
        switch (random.below(4)) {
            case 0:
                pair.a = body_count;
                break;
            case 1:
                pair.b = 0xFFFFFFFFU;
                break;
            case 2:
                pair.b = pair.a;
                break;
            default:
                pair.a = 0xFFFFFFFEU;
                break;
        }
    }
    return scene;
}

template <class Record>
bool same_bits(const Record& a, const Record& b) {
    return std::memcmp(&a, &b, sizeof(Record)) == 0;
}

// Index of the first difference; records.size() when there is none.
template <class Record>
std::size_t first_difference(std::span<const Record> a, std::span<const Record> b) {
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (!same_bits(a[i], b[i])) return i;
    }
    return a.size();
}

template <class Record>
void expect_same(const std::vector<Record>& got, const std::vector<Record>& expected, const char* what) {
    const std::size_t i = first_difference(std::span<const Record>(got), std::span<const Record>(expected));
    EXPECT_EQ(i, expected.size()) << what << ": record " << i << " differs";
}

// Dense output of the serial call. Every other form must reproduce it.
template <class Record>
std::vector<Record> dense_reference(const BatchScene& scene, const Options& options, BatchResult* result = nullptr,
                                    const CallInputs& inputs = {}) {
    std::vector<Record> out(scene.pairs.size());
    std::memset(static_cast<void*>(out.data()), 0xAB, out.size() * sizeof(Record));
    Workspace workspace;
    const BatchResult r = collide_serial(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs);
    EXPECT_EQ(r.status.code, Status::ok) << r.status.what;
    if (result != nullptr) *result = r;
    return out;
}

template <class Record>
std::vector<Record> reported_of(const std::vector<Record>& dense) {
    std::vector<Record> out;
    for (const Record& record : dense) {
        if (is_reported(record)) out.push_back(record);
    }
    return out;
}

// Compares the fields of a result that must not depend on the form of the call.
inline void expect_same_sums(const BatchResult& got, const BatchResult& expected, const char* what) {
    EXPECT_EQ(got.pairs, expected.pairs) << what;
    EXPECT_EQ(got.touching, expected.touching) << what;
    EXPECT_EQ(got.overlapping, expected.overlapping) << what;
    EXPECT_EQ(got.points, expected.points) << what;
    EXPECT_EQ(got.hash, expected.hash) << what;
    for (std::size_t i = 0; i < kStatusCount; ++i) EXPECT_EQ(got.by_status[i], expected.by_status[i]) << what << i;
    for (std::size_t i = 0; i < kContactKindCount; ++i) EXPECT_EQ(got.by_kind[i], expected.by_kind[i]) << what << i;
    EXPECT_EQ(std::memcmp(&got.counters, &expected.counters, sizeof(Counters)), 0) << what << ": counters";
}

}  // namespace lanefold::test
