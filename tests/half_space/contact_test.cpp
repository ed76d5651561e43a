// SPDX-License-Identifier: MIT
//
// Contacts with half-spaces: closed forms, seeded pairs of every kind of hull against the judge on every instruction
// set, records that are spoilt, choices of points that stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <lanefold/isa.hpp>

#include "support/half_spaces.hpp"

namespace lanefold::test {
namespace {

template <class Record = Manifold4>
Record contact(const HullSet& hulls, const BodyD& a, const BodyD& b, const Options& options) {
    Workspace workspace;
    Record m{};
    EXPECT_TRUE(collide_pair(hulls, a, b, options, m, workspace).status);
    return m;
}

Options with_margin(float margin) {
    Options options;
    options.margin = margin;
    return options;
}

// The plane z = 0.5, a cube, a sphere of radius 0.5, a capsule along x of radius 0.25, a plate 0.02 thick.
enum Id : std::uint32_t { kPlane, kCube, kSphere, kCapsule, kPlate, kWall };
HullSet set() {
    const HalfSpace floor{{0, 0, 4}, 0.5F};
    const HalfSpace wall{{1, 0, 0}, 0};
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p :
         {box_points(1, 1, 1), Points{{0, 0, 0}}, Points{{-1, 0, 0}, {1, 0, 0}}, box_points(1, 1, 0.01)}) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    const float radii[] = {0, 0.5F, 0.25F, 0};
    BuildOptions options;
    options.radii = radii;
    return build_half_spaces(std::span(&floor, 1))
        .hulls.append(build_hulls(points, offsets, options).hulls)
        .append(build_half_spaces(std::span(&wall, 1)).hulls);
}

TEST(HalfSpaceContacts, AreThoseOfTheClosedForm) {
    const HullSet hulls = set();
    // A cube on the plane, far aside and far from the origin of the world.
    for (const Vec3d& at : {Vec3d{}, Vec3d{1e6, -2e6, 3e6}}) {
        const Manifold4 m =
            contact(hulls, placed_body(kPlane, at), placed_body(kCube, at + Vec3d{300, 0, 1.49}), with_margin(0.01F));
        EXPECT_EQ(m.kind, ContactKind::face_a);
        EXPECT_EQ(m.feature_a, 0U);
        EXPECT_EQ(m.feature_b, 0U);
        EXPECT_NEAR(m.distance, -0.01, 1e-6);
        EXPECT_EQ(m.normal[2], 1.0F);
        ASSERT_EQ(m.count, 4);
        for (const ContactPoint& p : m.points) {
            EXPECT_NEAR(p.position[2], 0.495, 1e-6);
            EXPECT_NEAR(std::fabs(p.position[0] - 300), 1, 1e-4);
            const auto f = decode_feature(hulls[kPlane].feature_counts(), hulls[kCube].feature_counts(), p.feature);
            ASSERT_TRUE(f.has_value());
            EXPECT_EQ(f->a, (Feature{FeatureType::face, 0}));
            EXPECT_EQ(f->b.type, FeatureType::vertex);
            EXPECT_EQ(hulls.vertices(kCube)[f->b.index].z, -1.0F);
        }
    }
    // The plane's body turned: a wall that the hull is before, as B.
    const Quat quarter = about({0, 1, 0}, 1.5707963267948966);
    const Manifold4 wall =
        contact(hulls, placed_body(kSphere, {1.25, 7, 9}), placed_body(kPlane, {0.3, 0, 0}, quarter), with_margin(0));
    EXPECT_EQ(wall.kind, ContactKind::face_b);
    EXPECT_NEAR(wall.distance, 1.25 - 0.3 - 0.5 - 0.5, 1e-6);
    EXPECT_NEAR(wall.normal[0], -1, 1e-6);
    ASSERT_EQ(wall.count, 1);
    const Vec3f on_sphere = witness_on_a(wall.normal, wall.points[0]);
    EXPECT_NEAR(on_sphere.x, -0.5, 1e-6);
    // A capsule that lies has two points; any depth; nothing beyond the margin.
    EXPECT_EQ(contact(hulls, placed_body(kPlane, {}), placed_body(kCapsule, {0, 0, 0.7}), with_margin(0)).count, 2);
    EXPECT_NEAR(contact(hulls, placed_body(kPlane, {}), placed_body(kCapsule, {0, 0, -1e4}), with_margin(0)).distance,
                -1e4 - 0.25 - 0.5, 1e-3);
    EXPECT_EQ(contact(hulls, placed_body(kPlane, {}), placed_body(kCapsule, {0, 0, 0.7601}), with_margin(0.01F)).kind,
              ContactKind::none);
    EXPECT_EQ(contact(hulls, placed_body(kPlane, {}), placed_body(kCapsule, {0, 0, 0.7599}), with_margin(0.01F)).count,
              2);
}

TEST(HalfSpaceContacts, TwoHalfSpacesNeverTouch) {
    const HullSet hulls = set();
    const Manifold4 m = contact(hulls, placed_body(kPlane, {}), placed_body(kWall, {}), with_margin(1e30F));
    const Manifold4 zero{};
    EXPECT_EQ(std::memcmp(&m, &zero, sizeof m), 0);
    EXPECT_EQ(contact(hulls, placed_body(kPlane, {}), placed_body(kPlane, {0, 0, -5}), with_margin(1)).status,
              Status::ok);
    const reference::OracleHull plane = reference::make_oracle_hull(hulls, kPlane);
    reference::JudgedPair pair;
    pair.a = pair.b = &plane;
    pair.record_a = pair.record_b = &hulls[kPlane];
    pair.index_b = 1;
    EXPECT_TRUE(reference::judge(pair, m).right());
    Manifold4 invented = contact(hulls, placed_body(kPlane, {}), placed_body(kCube, {}), with_margin(1));
    EXPECT_FALSE(reference::judge(pair, invented).right());
}

// All eight corners of a plate are within the margin. The four that are kept are the lower ones, level or leaning.
TEST(HalfSpaceContacts, PlatesThinnerThanTheMarginKeepTheirLowerCorners) {
    const HullSet hulls = set();
    for (const double lean : {0.0, 1e-9, 1e-5, 1e-3, 5e-3}) {
        for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
            Options options = with_margin(0.1F);
            options.method = method;
            const BodyD plate = placed_body(kPlate, {0, 0, 0.51}, about({0.6, 0.8, 0}, lean));
            const Manifold4 m = contact(hulls, placed_body(kPlane, {}), plate, options);
            EXPECT_EQ(m.total, 8);
            ASSERT_EQ(m.count, 4);
            for (const ContactPoint& p : m.points) {
                const auto f =
                    decode_feature(hulls[kPlane].feature_counts(), hulls[kPlate].feature_counts(), p.feature);
                ASSERT_TRUE(f.has_value());
                EXPECT_LT(hulls.vertices(kPlate)[f->b.index].z, 0) << lean;
            }
            EXPECT_EQ(contact<Manifold16>(hulls, placed_body(kPlane, {}), plate, options).count, 8);
        }
    }
}

TEST(HalfSpaceContacts, BodiesWithoutEndAreApartOrHaveNumbers) {
    const HullSet hulls = set();
    for (const double far : {1e30, 1e37, 1e39, 1e300}) {
        for (const Vec3d& at : {Vec3d{far, 0, 0}, Vec3d{0, 0, far}, Vec3d{0, 0, -far}, Vec3d{far, far, -far}}) {
            const Manifold4 m = contact(hulls, placed_body(kPlane, {}), placed_body(kCube, at), with_margin(1));
            EXPECT_EQ(m.status, Status::ok);
            EXPECT_TRUE(std::isfinite(m.distance));
            for (int k = 0; k < m.count; ++k) {
                for (const float x : m.points[k].position) EXPECT_TRUE(std::isfinite(x)) << far;
            }
        }
    }
}

struct Counts {
    std::size_t touching = 0;
    std::size_t overlapping = 0;
    std::size_t reduced = 0;
    std::size_t apart = 0;
    std::uint64_t in_lanes = 0;
    std::uint64_t in_float64 = 0;
    double worst_distance = 0;
    double worst_share = 0;
};

template <class Record>
std::vector<Record> records_of(const PlaneScene& scene, Options options, Isa isa, Counts* counts = nullptr) {
    options.isa = isa;
    std::vector<Record> out(scene.pairs.size());
    Workspace workspace;
    const BatchResult r =
        collide_serial(scene.set, scene.view(), scene.pairs, options, std::span<Record>(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    if (counts != nullptr) {
        counts->in_lanes += r.counters.floor_pairs;
        counts->in_float64 += r.counters.precise_pairs;
    }
    return out;
}

template <class Record>
void judge_all(const PlaneScene& scene, const Options& options, Counts& counts) {
    const std::span<const Isa> isas = available_isas();
    const std::vector<Record> records = records_of<Record>(scene, options, isas[0], &counts);
    for (const Isa isa : isas) {
        const std::vector<Record> others = records_of<Record>(scene, options, isa);
        for (std::size_t i = 0; i < records.size(); ++i)
            ASSERT_EQ(std::memcmp(&others[i], &records[i], sizeof(Record)), 0) << to_string(isa) << ", pair " << i;
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < records.size() && wrong < 5; ++i) {
        const reference::Judgement j = reference::judge(judged_pair(scene, i, options), records[i]);
        if (!j.right()) {
            ++wrong;
            ADD_FAILURE() << "pair " << i << ", capacity " << Record::kCapacity << ", method "
                          << static_cast<int>(options.method) << ", points " << static_cast<int>(options.points)
                          << ", total " << records[i].total << ": " << j.what;
        }
        counts.touching += j.touching ? 1U : 0U;
        counts.overlapping += j.overlapping ? 1U : 0U;
        counts.apart += j.touching ? 0U : 1U;
        counts.reduced += records[i].total > records[i].count ? 1U : 0U;
        counts.worst_distance = std::max(counts.worst_distance, j.distance_share);
        counts.worst_share = std::max({counts.worst_share, j.surface_share, j.normal_share, j.depth_share});
    }
}

// Returns the share of pairs that lanes settle.
double sweep(const PlaneSceneSettings& settings, std::span<const Shape> shapes, const Rounding& rounding,
             float margin) {
    const PlaneScene scene = make_plane_scene(settings, shapes, rounding);
    EXPECT_EQ(scene.pairs.size(), settings.pairs);
    Counts counts;
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        for (const PointSelection points : {PointSelection::all, PointSelection::impact}) {
            Options options = with_margin(margin);
            options.method = method;
            options.points = points;
            judge_all<Manifold4>(scene, options, counts);
            judge_all<Manifold16>(scene, options, counts);
        }
    }
    std::printf(
        "[          ] seed %llu: %zu touching, %zu overlapping, %zu apart, %zu reduced; %llu in lanes, %llu in "
        "float64; worst distance %.3f of "
        "the bound, other shares %.3f\n",
        static_cast<unsigned long long>(settings.seed), counts.touching, counts.overlapping, counts.apart,
        counts.reduced, static_cast<unsigned long long>(counts.in_lanes),
        static_cast<unsigned long long>(counts.in_float64), counts.worst_distance, counts.worst_share);
    EXPECT_GT(counts.touching, settings.pairs);
    EXPECT_GT(counts.overlapping, settings.pairs);
    EXPECT_GT(counts.apart, settings.pairs / 4);
    EXPECT_GT(counts.reduced, settings.pairs / 20);
    return static_cast<double>(counts.in_lanes) / static_cast<double>(counts.in_lanes + counts.in_float64);
}

TEST(HalfSpaceSweep, SharpHulls) { EXPECT_GT(sweep({1101, 3000, 10, 1.5, 0.5}, all_shapes(), {}, 0.02F), 0.7); }

TEST(HalfSpaceSweep, RoundedHulls) {
    EXPECT_GT(sweep({1102, 3000, 10, 1.5, 0.5}, all_shapes(), {0.7, 1e-3, 2}, 0.02F), 0.7);
}

TEST(HalfSpaceSweep, ThinHulls) { sweep({1103, 2000, 10, 1.5, 0.5}, thin_shapes(), {}, 0.02F); }

TEST(HalfSpaceSweep, WideMarginsAndDeepOverlaps) {
    sweep({1104, 2000, 10, 20, 0.3}, all_shapes(), {0.5, 1e-3, 2}, 10.0F);
}

TEST(HalfSpaceSweep, AMillionMetresAway) { sweep({1105, 2000, 1e6, 1.5, 0.5}, all_shapes(), {0.5, 1e-3, 2}, 0.02F); }

TEST(HalfSpaceSweep, SpheresAndCapsules) {
    const Shape shapes[] = {Shape::point, Shape::segment};
    const PlaneScene scene = make_plane_scene({1106, 3000, 10, 1.5, 0}, shapes, {1, 0.1, 2});
    Counts counts;
    judge_all<Manifold4>(scene, with_margin(0.05F), counts);
    judge_all<Manifold16>(scene, with_margin(0.05F), counts);
    EXPECT_GT(counts.touching, 1500U);
    EXPECT_GT(counts.apart, 1000U);
    EXPECT_LT(counts.in_float64, 600U);  // cores far from their own origins
}

TEST(HalfSpaceJudge, SpoiltRecordsAreFound) {
    const PlaneScene scene = make_plane_scene({1107, 400, 10, 0.5, 0.7}, all_shapes(), {0.5, 1e-3, 1});
    const Options options = with_margin(0.05F);
    const std::vector<Manifold4> records = records_of<Manifold4>(scene, options, available_isas()[0]);
    std::size_t spoilt = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].kind == ContactKind::none) continue;
        const reference::JudgedPair pair = judged_pair(scene, i, options);
        const auto size = static_cast<float>(reference::judge_bounds(pair).unit);
        const auto expect_refused = [&](const char* how, const auto& spoil) {
            Manifold4 m = records[i];
            spoil(m);
            EXPECT_FALSE(reference::judge(pair, m).right()) << how << ", pair " << i;
            ++spoilt;
        };
        expect_refused("not reported", [](Manifold4& m) { m = {}; });
        expect_refused("distance", [&](Manifold4& m) { m.distance += 1e-4F * size; });
        expect_refused("normal turned round", [](Manifold4& m) {
            for (float& x : m.normal) x = -x;
        });
        expect_refused("normal a little aside", [](Manifold4& m) {
            m.normal[0] += 2e-6F;
            m.normal[1] -= 2e-6F;
        });
        expect_refused("separation", [&](Manifold4& m) { m.points[0].separation -= 1e-3F * size; });
        expect_refused("point aside", [&](Manifold4& m) { m.points[0].position[0] += 1e-3F * size; });
        expect_refused("feature of the plane",
                       [](Manifold4& m) { ++(m.kind == ContactKind::face_a ? m.feature_a : m.feature_b); });
        expect_refused("id", [](Manifold4& m) { m.points[0].feature ^= 0x5A5A5A5AU; });
        expect_refused("the other body's face", [](Manifold4& m) {
            m.kind = m.kind == ContactKind::face_a ? ContactKind::face_b : ContactKind::face_a;
        });
        expect_refused("body", [](Manifold4& m) { m.pair[1] = 70000; });
        if (records[i].count < 2) continue;
        expect_refused("a point twice", [](Manifold4& m) { m.points[0] = m.points[1]; });
        expect_refused("the deepest point left out", [](Manifold4& m) {
            const auto deepest = std::min_element(
                m.points, m.points + m.count,
                [](const ContactPoint& x, const ContactPoint& y) { return x.separation < y.separation; });
            *deepest = m.points[m.count - 1];
            m.points[--m.count] = {};
            --m.total;
        });
    }
    EXPECT_GT(spoilt, 2000U);
}

// A prism of eight sides rolls on its lid by angles far below a reduction's ties: with hysteresis its points stay.
TEST(HalfSpaceContacts, HysteresisKeepsTheChosenPoints) {
    const HalfSpace floor{{0, 0, 1}, 0};
    const HullSet hulls =
        build_half_spaces(std::span(&floor, 1)).hulls.append(build_hull(prism_points(8, 1, 0.5)).hulls);
    Workspace workspace;
    Options options = with_margin(0.05F);
    std::size_t changed_without = 0;
    std::size_t changed_with = 0;
    Manifold4 before{};
    Manifold4 held{};
    Random random(1108);
    for (int frame = 0; frame < 200; ++frame) {
        const BodyD bodies[] = {placed_body(0, {}), placed_body(1, {0, 0, 0.501}, about(random.direction(), 1e-5))};
        const Pair pairs[] = {{0, 1}};
        Manifold4 now{};
        ASSERT_TRUE(collide_serial(hulls, BodyView(bodies), pairs, options, std::span(&now, 1), workspace).status);
        EXPECT_EQ(now.total, 8);
        Manifold4 next{};
        CallInputs inputs;
        inputs.previous = PreviousContacts::dense(std::span<const Manifold4>(&held, 1));
        ASSERT_TRUE(
            collide_serial(hulls, BodyView(bodies), pairs, options, std::span(&next, 1), workspace, inputs).status);
        const auto same_ids = [](const Manifold4& x, const Manifold4& y) {
            for (int k = 0; k < 4; ++k) {
                const bool there = std::any_of(y.points, y.points + 4,
                                               [&](const ContactPoint& p) { return p.feature == x.points[k].feature; });
                if (!there) return false;
            }
            return true;
        };
        if (frame > 0) {
            changed_without += same_ids(before, now) ? 0U : 1U;
            changed_with += same_ids(held, next) ? 0U : 1U;
        }
        EXPECT_EQ(next.distance, now.distance);
        before = now;
        held = next;
    }
    EXPECT_GT(changed_without, 20U);
    EXPECT_EQ(changed_with, 0U);
}

}  // namespace
}  // namespace lanefold::test
