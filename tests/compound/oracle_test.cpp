// SPDX-License-Identifier: MIT
//
// Compounds against the oracle: every pair of children of every pair of bodies is judged, those with a record and those
// without, and the record of a dense call is that of the deepest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/serial.hpp>

#include "support/batch_scene.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

struct OracleSetting {
    std::uint64_t seed;
    Options options;
    double least_scale = 0.5;  // of the hulls
    double most_scale = 2;
    double spread = 1.5;  // of the children about their body
    double near = 3;      // of the bodies about each other
    double far = 0;       // of all from the origin
    std::span<const float> radii = {};
    bool rounded_poses = false;  // judged by the poses that child_body() gives
};

struct Counts {
    std::uint64_t pairs = 0;  // of children
    std::uint64_t records = 0;
    std::uint64_t several = 0;  // pairs of bodies with several
    std::uint64_t overlapping = 0;
    std::uint64_t violations = 0;
    double worst = 0;  // share of the distance's bound
};

class OracleScene {
public:
    explicit OracleScene(const OracleSetting& setting)
        : setting_(setting),
          library_(random_library(setting.seed, 12, small_shapes(), setting.least_scale, setting.most_scale, {})),
          random_(setting.seed + 1) {
        if (!setting.radii.empty()) round();
        make_compounds();
        make_bodies();
    }

    void judge(Counts& counts) {
        Options options = setting_.options;
        for (const Isa isa : available_isas()) {
            options.isa = isa;
            std::vector<Manifold16> records(4096);
            Workspace workspace;
            CompactResult r = collide_compact_serial(hulls_, BodyView(bodies_), pairs_, options,
                                                     std::span<Manifold16>(records), workspace);
            ASSERT_TRUE(r.status) << r.status.what;
            records.resize(r.written);
            std::vector<Manifold16> dense(pairs_.size());
            ASSERT_TRUE(collide_serial(hulls_, BodyView(bodies_), pairs_, options, dense, workspace).status);
            if (first_.empty()) {
                first_ = records;
                judge_all(records, dense, counts);
            } else {
                EXPECT_EQ(first_difference(std::span<const Manifold16>(records), std::span<const Manifold16>(first_)),
                          first_.size());
            }
        }
    }

private:
    static constexpr std::uint32_t kCompounds = 10;

    void round() {
        std::vector<Points> points;
        for (std::size_t h = 0; h < library_.size(); ++h)
            points.emplace_back(library_.hulls.vertices(h).begin(), library_.hulls.vertices(h).end());
        points[2].resize(1);
        points[5].resize(2);
        library_ = build_library(points, setting_.radii);
    }

    void make_compounds() {
        std::vector<CompoundChild> children;
        std::vector<std::uint64_t> offsets{0};
        const auto hulls = static_cast<std::uint32_t>(library_.hulls.size());
        for (std::uint32_t i = 0; i < kCompounds; ++i) {
            std::vector<reference::OracleChild> own;
            for (std::uint32_t k = 0; k <= i; ++k) {
                CompoundChild child;
                child.hull = random_.below(hulls);
                for (double& x : child.position) x = setting_.spread * static_cast<double>(random_.uniform(-1, 1));
                random_.rotation(child.orientation);
                children.push_back(child);
                own.push_back(
                    {&library_.oracle[child.hull], reference::oracle_pose(child.position, child.orientation)});
            }
            offsets.push_back(children.size());
            children_.push_back(own);
        }
        CompoundResult built = build_compounds(library_.hulls, children, offsets);
        ASSERT_TRUE(static_cast<bool>(built));
        hulls_ = built.hulls;
        for (std::uint32_t h = 0; h < hulls; ++h) alone_.push_back({{&library_.oracle[h], PoseD{}}});
    }

    void make_bodies() {
        for (std::uint32_t i = 0; i < 120; ++i) {
            BodyD body{};
            const double r = setting_.near / 2;
            for (double& x : body.position) x = setting_.far + r * static_cast<double>(random_.uniform(-1, 1));
            random_.rotation(body.orientation);
            const auto first = static_cast<std::uint32_t>(library_.hulls.size());
            body.hull = i % 4 == 3 ? random_.below(first) : first + random_.below(kCompounds);
            bodies_.push_back(body);
        }
        for (std::uint32_t i = 0; i < 120; i += 2) pairs_.push_back(i % 4 == 0 ? Pair{i, i + 1} : Pair{i + 1, i});
    }

    std::span<const reference::OracleChild> children_of(std::uint32_t hull) const {
        const std::size_t first = library_.hulls.size();
        return hull < first ? std::span(alone_[hull]) : std::span(children_[hull - first]);
    }

    void judge_all(const std::vector<Manifold16>& records, const std::vector<Manifold16>& dense, Counts& counts) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const Pair pair = pairs_[i];
            const BodyD& a = bodies_[pair.a];
            const BodyD& b = bodies_[pair.b];
            const PoseD pose_a = reference::oracle_pose(a.position, a.orientation);
            const PoseD pose_b = reference::oracle_pose(b.position, b.orientation);
            const auto of_a = children_of(a.hull);
            const auto of_b = children_of(b.hull);
            const std::size_t before = at;
            const Manifold16* deepest = nullptr;
            for (std::uint32_t ka = 0; ka < of_a.size(); ++ka) {
                for (std::uint32_t kb = 0; kb < of_b.size(); ++kb) {
                    const bool has = at < records.size() && records[at].pair[0] == pair.a &&
                                     records[at].pair[1] == pair.b && records[at].child_a == ka &&
                                     records[at].child_b == kb;
                    judge_one(i, ka, kb, has ? &records[at] : nullptr, counts);
                    if (!has) continue;
                    if (deepest == nullptr || records[at].distance < deepest->distance) deepest = &records[at];
                    ++at;
                }
            }
            counts.several += at - before > 1 ? 1U : 0U;
            EXPECT_TRUE(same_bits(dense[i], deepest != nullptr ? *deepest : Manifold16{})) << i;
            if (deepest == nullptr) continue;
            const double exact = reference::signed_distance(of_a, pose_a, of_b, pose_b).distance;
            EXPECT_NEAR(static_cast<double>(deepest->distance), exact, 4e-6 * setting_.most_scale * 2) << i;
        }
        EXPECT_EQ(at, records.size()) << "a record out of order, or of children that are none";
    }

    // The rounding of a large child's orientation exceeds the bound of far smaller ones.
    PoseD pose_of(BodyD body, const reference::OracleChild& child, std::uint32_t k, const Vec3d& origin) {
        const PoseD exact =
            reference::child_pose(reference::oracle_pose(body.position, body.orientation), child.pose, origin);
        if (!setting_.rounded_poses || hulls_.child_count(body.hull) == 0) return exact;
        const double at[3] = {body.position[0] - origin.x, body.position[1] - origin.y, body.position[2] - origin.z};
        std::copy_n(at, 3, body.position);
        const BodyD own = child_body(hulls_, body, k);
        const PoseD pose = reference::oracle_pose(own.position, own.orientation);
        for (int r = 0; r < 3; ++r) EXPECT_LT(length(pose.rotation.row[r] - exact.rotation.row[r]), 2e-7);
        EXPECT_LT(length(pose.position - exact.position), 1e-13);
        return pose;
    }

    void judge_one(std::size_t i, std::uint32_t ka, std::uint32_t kb, const Manifold16* record, Counts& counts) {
        const Pair pair = pairs_[i];
        const BodyD& a = bodies_[pair.a];
        const BodyD& b = bodies_[pair.b];
        const reference::OracleChild& child_a = children_of(a.hull)[ka];
        const reference::OracleChild& child_b = children_of(b.hull)[kb];
        const Vec3d origin = detail::position_of(a);
        reference::JudgedPair q;
        q.a = child_a.hull;
        q.b = child_b.hull;
        q.record_a = &library_.hulls[static_cast<std::size_t>(q.a - library_.oracle.data())];
        q.record_b = &library_.hulls[static_cast<std::size_t>(q.b - library_.oracle.data())];
        q.pose_a = pose_of(a, child_a, ka, origin);
        q.pose_b = pose_of(b, child_b, kb, origin);
        q.index_a = pair.a;
        q.index_b = pair.b;
        q.child_a = ka;
        q.child_b = kb;
        q.margin = setting_.options.margin;
        q.face_preference = setting_.options.face_preference;
        q.points = setting_.options.points;
        q.method = reference::judged_method(setting_.options.method);
        ++counts.pairs;
        reference::Judgement j;
        if (record == nullptr) {
            j = reference::judge_unreported(q);
        } else {
            Manifold16 m = *record;
            for (std::uint32_t k = 0; k < m.count; ++k) {
                const double by[3] = {q.pose_a.position.x, q.pose_a.position.y, q.pose_a.position.z};
                for (std::size_t c = 0; c < 3; ++c)
                    m.points[k].position[c] = static_cast<float>(static_cast<double>(m.points[k].position[c]) - by[c]);
            }
            j = reference::judge(q, m);
            ++counts.records;
            counts.overlapping += m.distance < 0 ? 1U : 0U;
            counts.worst = std::max(counts.worst, j.distance_share);
        }
        if (j.right()) return;
        ++counts.violations;
        if (counts.violations < 5)
            ADD_FAILURE() << "seed " << setting_.seed << " pair " << i << " children " << ka << ", " << kb << ": "
                          << j.what;
    }

    OracleSetting setting_;
    Library library_;
    BatchRandom random_;
    HullSet hulls_;
    std::vector<std::vector<reference::OracleChild>> children_;
    std::vector<std::vector<reference::OracleChild>> alone_;
    std::vector<BodyD> bodies_;
    std::vector<Pair> pairs_;
    std::vector<Manifold16> first_;
};

void expect_right(OracleSetting setting, std::uint64_t least_records) {
    Counts counts;
    for (std::uint64_t k = 0; k < 5; ++k) {
        OracleScene scene(setting);
        scene.judge(counts);
        setting.seed += 100;
    }
    std::printf(
        "seed %llu: %llu pairs of children, %llu records, %llu pairs of bodies with several, %llu overlap; "
        "violations %llu; distance %.2f of its bound\n",
        static_cast<unsigned long long>(setting.seed), static_cast<unsigned long long>(counts.pairs),
        static_cast<unsigned long long>(counts.records), static_cast<unsigned long long>(counts.several),
        static_cast<unsigned long long>(counts.overlapping), static_cast<unsigned long long>(counts.violations),
        counts.worst);
    EXPECT_EQ(counts.violations, 0U);
    EXPECT_GT(counts.records, least_records);
    EXPECT_GT(counts.several, 50U);
    EXPECT_GT(counts.overlapping, least_records / 4);
    EXPECT_GT(counts.pairs, counts.records + 1000);
}

Options with_margin(float margin) {
    Options options;
    options.margin = margin;
    return options;
}

TEST(CompoundOracle, EveryPairOfChildrenIsRight) { expect_right({.seed = 700, .options = with_margin(0.1F)}, 300); }

TEST(CompoundOracle, StrictWithoutMargin) {
    Options options;
    options.face_preference = 0;
    expect_right({.seed = 701, .options = options}, 300);
}

TEST(CompoundOracle, PatchesAndWideMargins) {
    Options options = with_margin(2);
    options.method = ContactMethod::patch;
    expect_right({.seed = 702, .options = options, .near = 8}, 300);
}

TEST(CompoundOracle, AtAMillionMetres) { expect_right({.seed = 703, .options = with_margin(0.1F), .far = 1e6}, 300); }

TEST(CompoundOracle, RoundedChildren) {
    static constexpr float kRadii[12] = {0, 0.1F, 0.5F, 0, 0.02F, 0.3F, 0, 0.1F, 0, 0.2F, 0, 0};
    expect_right({.seed = 704, .options = with_margin(0.1F), .radii = kRadii}, 300);
}

TEST(CompoundOracle, ChildrenOfManySizes) {
    expect_right(
        {.seed = 705, .options = with_margin(0.01F), .least_scale = 0.01, .most_scale = 10, .rounded_poses = true},
        300);
}

}  // namespace
}  // namespace lanefold::test
