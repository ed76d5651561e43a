// SPDX-License-Identifier: MIT
//
// Positions, margins and preferences at the limits of their types, in all combinations. Finite input is never an error
// and never changes another pair. Pairs further apart than the margin are not reported; the others are reported with
// finite and right numbers, on every instruction set, at every output level and in every form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/isa.hpp>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

// Magnitudes up to the limits of float32 and float64, those whose squares and fourth powers overflow float64, and
// denormal ones.
constexpr double kMagnitudes[] = {0.0,  5e-324, 1e-300, 1.0,  1e7,   1e15,    1e30,  1.7e38,  double{FLT_MAX}, 3.5e38,
                                  1e39, 2e39,   1e60,   1e77, 1e103, 1.3e154, 1e200, 8.9e307, DBL_MAX};

// Ordinary hulls of every path, and some of the largest and the smallest that the builder takes.
HullSet extreme_hulls() {
    BatchRandom random(3);
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const float size : {5e14F, 1e7F, 1e-5F, 1e-14F}) {
        for (int i = 0; i < 12; ++i) {
            float q[4];
            random.rotation(q);
            points.push_back({size * q[0], size * q[1], size * q[2]});
        }
        offsets.push_back(points.size());
    }
    for (int c = 0; c < 8; ++c) {
        points.push_back({(c & 1) != 0 ? 5e14F : -5e14F, (c & 2) != 0 ? 5e14F : -5e14F, (c & 4) != 0 ? 1e15F : 5e14F});
    }
    offsets.push_back(points.size());
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(static_cast<bool>(built)) << "the test's own hulls must build";
    return batch_hulls().append(built.hulls);
}

struct ExtremeScene {
    HullSet hulls = extreme_hulls();
    std::vector<BodyD> bodies;
    std::vector<Body> float_bodies;  // the same, where float32 holds all positions
    std::vector<Pair> pairs;
    std::vector<bool> ordinary;  // pairs near the origin, among the others so that they share their lanes

    BodyView view() const {
        return float_bodies.empty() ? BodyView(std::span<const BodyD>(bodies))
                                    : BodyView(std::span<const Body>(float_bodies));
    }
};

ExtremeScene make_scene(bool as_float) {
    ExtremeScene s;
    BatchRandom random(17);
    const auto hulls = static_cast<std::uint32_t>(s.hulls.size());
    const auto add = [&](double x, double y, double z, std::uint32_t hull) {
        BodyD body{};
        body.position[0] = x;
        body.position[1] = y;
        body.position[2] = z;
        body.hull = hull;
        random.rotation(body.orientation);
        s.bodies.push_back(body);
        return static_cast<std::uint32_t>(s.bodies.size() - 1);
    };
    std::vector<double> values;
    for (const double m : kMagnitudes) {
        if (as_float && m > double{FLT_MAX}) continue;
        values.push_back(m);
        values.push_back(-m);
    }
    for (int axes = 1; axes < 8; ++axes) {
        const auto at = [&](double v) {
            return add((axes & 1) != 0 ? v : 0.1, (axes & 2) != 0 ? v : -0.2, (axes & 4) != 0 ? v : 0.0,
                       random.below(hulls));
        };
        for (const double v : values) {
            for (const double w : values) {
                s.pairs.push_back({at(v), at(w)});
                s.ordinary.push_back(false);
                if (random.below(3) != 0) continue;
                const auto near = [&] {
                    return add(double{random.uniform(-0.8F, 0.8F)}, double{random.uniform(-0.8F, 0.8F)},
                               double{random.uniform(-0.8F, 0.8F)}, random.below(16));
                };
                s.pairs.push_back({near(), near()});
                s.ordinary.push_back(true);
            }
        }
    }
    if (!as_float) return s;
    for (const BodyD& d : s.bodies) {
        Body b{};
        for (int k = 0; k < 3; ++k) b.position[k] = static_cast<float>(d.position[k]);
        for (int k = 0; k < 4; ++k) b.orientation[k] = d.orientation[k];
        b.hull = d.hull;
        s.float_bodies.push_back(b);
    }
    return s;
}

// The least and the largest possible distance of a pair's hulls, by spheres about the bodies' origins.
struct Reach {
    long double least = 0;
    long double most = 0;
};

Reach reach_of(const ExtremeScene& s, const Pair& pair) {
    long double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const long double d = static_cast<long double>(s.bodies[pair.b].position[k]) - s.bodies[pair.a].position[k];
        squared += d * d;
    }
    long double sizes = 0;
    for (const std::uint32_t body : {pair.a, pair.b}) {
        long double furthest = 0;
        for (const Vec3f& v : s.hulls.vertices(s.bodies[body].hull)) {
            furthest =
                std::max(furthest, std::sqrt(static_cast<long double>(v.x) * v.x + static_cast<long double>(v.y) * v.y +
                                             static_cast<long double>(v.z) * v.z));
        }
        sizes += furthest;
    }
    const long double distance = std::sqrt(squared);
    // Float32 bodies are rounded again here. No pair is so near to the margin that it matters.
    return {(distance - sizes) * (1 - 1e-6L), (distance + sizes) * (1 + 1e-6L)};
}

bool finite_record(const Manifold4& m) {
    bool finite = std::isfinite(m.distance);
    for (const float x : m.normal) finite = finite && std::isfinite(x);
    for (int i = 0; i < m.count; ++i) {
        for (const float x : m.points[i].position) finite = finite && std::isfinite(x);
        finite = finite && std::isfinite(m.points[i].separation);
    }
    return finite;
}

void expect_right(const ExtremeScene& s, const std::vector<Manifold4>& out, float margin, const char* what) {
    std::size_t apart = 0;
    std::size_t near = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Manifold4& m = out[i];
        const Reach reach = reach_of(s, s.pairs[i]);
        ASSERT_EQ(m.status, Status::ok) << what << ": pair " << i;
        ASSERT_TRUE(finite_record(m)) << what << ": pair " << i;
        if (reach.least > static_cast<long double>(margin)) {
            ASSERT_TRUE(same_bits(m, Manifold4{})) << what << ": pair " << i << " is further apart than the margin";
            ++apart;
        } else if (reach.most < static_cast<long double>(margin)) {
            ASSERT_NE(m.kind, ContactKind::none) << what << ": pair " << i << " is nearer than the margin";
            ASSERT_GE(m.count, 1) << what << ": pair " << i;
            ASSERT_GE(static_cast<long double>(m.distance), std::min(reach.least, -reach.most))
                << what << ": pair " << i;
            ASSERT_LE(m.distance, margin) << what << ": pair " << i;
            ASSERT_LE(static_cast<long double>(m.distance), reach.most) << what << ": pair " << i;
            const float* n = m.normal;
            ASSERT_NEAR(std::hypot(n[0], n[1], n[2]), 1.0F, 1e-6F) << what << ": pair " << i;
            ++near;
        }
    }
    ASSERT_GT(apart, 200U) << what;
    if (margin > 1.0F) {
        ASSERT_GT(near, 500U) << what;
    }
}

Options options_for(const ExtremeScene& s, int variant, float margin, std::vector<Manifold4>& previous,
                    std::vector<PairCache>& cache, CallInputs& inputs) {
    Options o;
    o.margin = margin;
    o.hash = true;
    if (variant == 1) o.method = ContactMethod::patch;
    if (variant == 2) {
        // Garbage of the right form: features, ids and entries that no pair has.
        BatchRandom random(23);
        previous.resize(s.pairs.size());
        cache.resize(s.pairs.size());
        for (std::size_t i = 0; i < previous.size(); ++i) {
            auto* bytes = reinterpret_cast<unsigned char*>(&previous[i]);
            for (std::size_t k = 0; k < sizeof(Manifold4); ++k) bytes[k] = static_cast<unsigned char>(random.next());
            previous[i].pair[0] = s.pairs[i].a;
            previous[i].pair[1] = s.pairs[i].b;
            previous[i].kind = static_cast<ContactKind>(random.below(kContactKindCount));
            previous[i].count = static_cast<std::uint8_t>(random.below(5));
            previous[i].status = Status::ok;
            for (std::uint32_t& word : cache[i].opaque) word = static_cast<std::uint32_t>(random.next());
        }
        inputs.previous = PreviousContacts::dense(std::span<const Manifold4>(previous));
        inputs.cache = cache;
        o.hysteresis = FLT_MAX;
        o.points = PointSelection::impact;
    }
    if (variant == 3) o.face_preference = FLT_MAX;
    return o;
}

// Every form of the call gives these records.
void expect_every_form(const ExtremeScene& s, const Options& options, const std::vector<Manifold4>& expected,
                       const BatchResult& sums) {
    const std::size_t n = s.pairs.size();
    Workspace workspace;
    std::vector<Manifold4> dense(n);
    expect_same_sums(collide(s.hulls, s.view(), s.pairs, options, dense, workspace), sums, "parallel");
    expect_same(dense, expected, "parallel");
    std::vector<Manifold4> compact(n);
    const CompactResult c = collide_compact(s.hulls, s.view(), s.pairs, options, compact, workspace);
    compact.resize(c.written);
    expect_same(compact, reported_of(expected), "compact");
    std::vector<Manifold16> wide(n);
    ASSERT_TRUE(collide_serial(s.hulls, s.view(), s.pairs, options, wide, workspace).status);
    std::vector<PairDistance> distances(n);
    ASSERT_TRUE(collide(s.hulls, s.view(), s.pairs, options, distances, workspace).status);
    std::vector<std::uint64_t> bits((n + 63) / 64);
    ASSERT_TRUE(collide_overlap(s.hulls, s.view(), s.pairs, options, bits, workspace).status);
    for (std::size_t i = 0; i < n; ++i) {
        const bool touching = expected[i].kind != ContactKind::none;
        ASSERT_EQ(wide[i].kind, expected[i].kind) << i;
        ASSERT_EQ(wide[i].distance, expected[i].distance) << i;
        ASSERT_EQ(distances[i].distance, expected[i].distance) << i;
        ASSERT_EQ((bits[i / 64] >> (i % 64)) & 1U, touching ? 1U : 0U) << i;
    }
    for (std::size_t i = 0; i < n; i += 13) {
        Manifold4 m{};
        ASSERT_TRUE(
            collide_pair(s.hulls, s.bodies[s.pairs[i].a], s.bodies[s.pairs[i].b], options, m, workspace).status);
        if (s.float_bodies.empty() && m.kind != ContactKind::none) {
            m.pair[0] = s.pairs[i].a;
            m.pair[1] = s.pairs[i].b;
            ASSERT_TRUE(same_bits(m, expected[i])) << i;
        }
    }
}

void try_everything(bool as_float) {
    const ExtremeScene scene = make_scene(as_float);
    for (const float margin : {0.0F, 1e-45F, 0.15F, 1e15F, 3e38F, FLT_MAX}) {
        for (int variant = 0; variant < 4; ++variant) {
            std::vector<Manifold4> first;
            BatchResult sums;
            for (const Isa isa : available_isas()) {
                std::vector<Manifold4> previous;
                std::vector<PairCache> cache;
                CallInputs inputs;
                Options options = options_for(scene, variant, margin, previous, cache, inputs);
                options.isa = isa;
                std::vector<Manifold4> out(scene.pairs.size());
                Workspace workspace;
                const BatchResult r =
                    collide_serial(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs);
                ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
                ASSERT_EQ(r.isa, isa);
                const std::string what = std::string(to_string(isa)) + ", margin " + std::to_string(margin) +
                                         ", variant " + std::to_string(variant);
                if (first.empty()) {
                    expect_right(scene, out, margin, what.c_str());
                    first = out;
                    sums = r;
                }
                expect_same(out, first, what.c_str());
                sums.isa = isa;
                // The number of pairs that the pair cache settles depends on the call before.
                const bool every_form = isa == Isa::scalar || (variant == 0 && margin == 3e38F);
                if (every_form && variant != 2) expect_every_form(scene, options, first, sums);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(ExtremePoses, Float64PositionsInAllCombinations) { try_everything(false); }

TEST(ExtremePoses, Float32PositionsInAllCombinations) { try_everything(true); }

TEST(ExtremePoses, LeaveOrdinaryPairsAsTheyAre) {
    const ExtremeScene scene = make_scene(false);
    ExtremeScene alone = scene;
    alone.pairs.clear();
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        if (scene.ordinary[i]) alone.pairs.push_back(scene.pairs[i]);
    }
    ASSERT_GT(alone.pairs.size(), 1000U);
    for (const Isa isa : available_isas()) {
        Options options;
        options.margin = 0.15F;
        options.isa = isa;
        Workspace workspace;
        std::vector<Manifold4> mixed(scene.pairs.size());
        std::vector<Manifold4> expected(alone.pairs.size());
        ASSERT_TRUE(collide_serial(scene.hulls, scene.view(), scene.pairs, options, mixed, workspace).status);
        ASSERT_TRUE(collide_serial(alone.hulls, alone.view(), alone.pairs, options, expected, workspace).status);
        std::size_t k = 0;
        std::size_t touching = 0;
        for (std::size_t i = 0; i < mixed.size(); ++i) {
            if (!scene.ordinary[i]) continue;
            ASSERT_TRUE(same_bits(mixed[i], expected[k])) << to_string(isa) << ": pair " << i;
            touching += mixed[i].kind != ContactKind::none ? 1U : 0U;
            ++k;
        }
        EXPECT_GT(touching, 500U) << to_string(isa);
    }
}

// A preference larger than every depth always takes the best face; the manifold has points.
TEST(ExtremePreference, TakesAFaceAndHasPoints) {
    const BatchScene scene = make_batch_scene(31, 200, 6000);
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        std::vector<Manifold4> first;
        for (const Isa isa : available_isas()) {
            for (const float preference : {1e6F, 1e30F, 1.7e38F, FLT_MAX}) {
                Options options = scene.options();
                options.isa = isa;
                options.method = method;
                options.face_preference = preference;
                const std::vector<Manifold4> out = dense_reference<Manifold4>(scene, options);
                std::size_t faces = 0;
                for (std::size_t i = 0; i < out.size(); ++i) {
                    if (out[i].kind == ContactKind::none) continue;
                    ASSERT_GE(out[i].count, 1) << to_string(isa) << ", " << preference << ": pair " << i;
                    ASSERT_TRUE(finite_record(out[i])) << to_string(isa) << ", " << preference << ": pair " << i;
                    faces += out[i].kind == ContactKind::face_a || out[i].kind == ContactKind::face_b ? 1U : 0U;
                }
                EXPECT_GT(faces, 1000U);
                if (first.empty()) first = out;
                expect_same(out, first, "every preference beyond all depths means the same");
            }
        }
    }
}

}  // namespace
}  // namespace lanefold::test
