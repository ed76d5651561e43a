// SPDX-License-Identifier: MIT
//
// HullSet: sharing, appending, fingerprints, lifetimes, wide and far hulls.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

struct Input {
    Points points;
    std::vector<std::uint64_t> offsets{0};

    void add(const Points& p) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    std::span<const Vec3f> of(std::size_t i) const {
        return std::span(points).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

Input make_input(std::uint64_t seed, std::uint32_t count) {
    Input in;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(seed, i);
        in.add(make_points(static_cast<Shape>(i % kShapeCount), random));
    }
    return in;
}

HullSet build(const Input& in) {
    const BuildResult r = build_hulls(in.points, in.offsets);
    EXPECT_TRUE(r);
    return r.hulls;
}

TEST(HullSet, EmptySetAnswersEverything) {
    const HullSet s;
    EXPECT_TRUE(s.empty());
    EXPECT_EQ(s.size(), 0U);
    EXPECT_EQ(s.hot_bytes(), 0U);
    EXPECT_EQ(s.max_vertices(), 0U);
    EXPECT_EQ(s.max_faces(), 0U);
    EXPECT_EQ(s.max_edges(), 0U);
    EXPECT_EQ(s.fingerprint(), HullSet().fingerprint());
    EXPECT_TRUE(s.append(HullSet()).empty());
}

TEST(HullSet, RecordsAreContiguousCacheLines) {
    const HullSet s = build(make_input(51, 30));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(s.records()) % 64, 0U);
    for (std::size_t i = 0; i < s.size(); ++i) EXPECT_EQ(&s[i], s.records() + i);
}

TEST(HullSet, CountsAreTheLargest) {
    const HullSet s = build(make_input(52, 30));
    std::uint32_t v = 0;
    std::uint32_t f = 0;
    std::uint32_t e = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        v = std::max(v, s[i].vertex_count);
        f = std::max(f, s[i].face_count);
        e = std::max(e, s[i].edge_count);
        bytes += block_bytes(s[i]).size() + sizeof(HullRecord);
    }
    EXPECT_EQ(s.max_vertices(), v);
    EXPECT_EQ(s.max_faces(), f);
    EXPECT_EQ(s.max_edges(), e);
    EXPECT_EQ(s.hot_bytes(), bytes);
}

TEST(HullSet, AppendSharesBlocksAndKeepsIds) {
    const Input a = make_input(53, 20);
    const Input b = make_input(54, 15);
    const HullSet first = build(a);
    const HullSet second = build(b);
    const HullSet both = first.append(second);
    ASSERT_EQ(both.size(), 35U);
    for (std::size_t i = 0; i < 35; ++i) {
        const HullSet& from = i < 20 ? first : second;
        const std::size_t local = i < 20 ? i : i - 20;
        EXPECT_EQ(both[i].block, from[local].block) << "copied block";
        EXPECT_TRUE(std::ranges::equal(both.vertices(i), from.vertices(local)));
        EXPECT_TRUE(std::ranges::equal(both.input_index(i), from.input_index(local)));
        EXPECT_EQ(&both.info(i), &from.info(local));
        EXPECT_EQ(check_hull(both, i, i < 20 ? a.of(local) : b.of(local)), "");
    }
    EXPECT_EQ(both.hot_bytes(), first.hot_bytes() + second.hot_bytes());
    EXPECT_EQ(first.size(), 20U);  // unchanged
}

TEST(HullSet, AppendWorksOnEmptyAndOnItself) {
    const HullSet s = build(make_input(55, 5));
    EXPECT_EQ(HullSet().append(s).fingerprint(), s.fingerprint());
    EXPECT_EQ(s.append(HullSet()).fingerprint(), s.fingerprint());
    const HullSet twice = s.append(s);
    ASSERT_EQ(twice.size(), 10U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(twice[i].block, twice[i + 5].block);
        EXPECT_TRUE(std::ranges::equal(twice.vertices(i), twice.vertices(i + 5)));
    }
    HullSet chain;
    for (int i = 0; i < 50; ++i) chain = chain.append(s);
    ASSERT_EQ(chain.size(), 250U);
    EXPECT_EQ(chain[249].block, s[4].block);
    EXPECT_EQ(&chain.info(123), &s.info(3));
}

TEST(HullSet, BlocksLiveAsLongAsAnySetWithThem) {
    const Input in = make_input(56, 6);
    HullSet kept;
    {
        const HullSet inner = build(in);
        kept = inner.append(build(make_input(57, 3)));
    }
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(check_hull(kept, i, in.of(i)), "");
    const HullSet copy = kept;
    const HullSet moved = std::move(kept);
    EXPECT_EQ(copy.fingerprint(), moved.fingerprint());
    EXPECT_EQ(copy.records(), moved.records());
}

TEST(HullSet, FingerprintDoesNotSeeSegments) {
    const Input all = make_input(58, 12);
    Input head;
    Input tail;
    for (std::size_t i = 0; i < 12; ++i) {
        const auto p = all.of(i);
        (i < 5 ? head : tail).add(Points(p.begin(), p.end()));
    }
    EXPECT_EQ(build(head).append(build(tail)).fingerprint(), build(all).fingerprint());
}

TEST(HullSet, FingerprintSeesOrderVerticesAndTopology) {
    std::set<std::uint64_t> seen;
    const HullSet a = build(make_input(59, 4));
    const HullSet b = build(make_input(60, 4));
    seen.insert(HullSet().fingerprint());
    seen.insert(a.fingerprint());
    seen.insert(b.fingerprint());
    seen.insert(a.append(b).fingerprint());
    seen.insert(b.append(a).fingerprint());
    seen.insert(a.append(a).fingerprint());
    Points p = box_points(1, 1, 1);
    seen.insert(build_hull(p).hulls.fingerprint());
    BuildOptions triangles;
    triangles.merge_coplanar = false;
    seen.insert(build_hull(p, triangles).hulls.fingerprint());
    BuildOptions no_box;
    no_box.recognize_boxes = false;
    seen.insert(build_hull(p, no_box).hulls.fingerprint());
    p[3].x = std::nextafter(p[3].x, 2.0F);
    seen.insert(build_hull(p).hulls.fingerprint());
    EXPECT_EQ(seen.size(), 10U);
}

// Fixed numbers: hulls in scene and contacts files must not change unnoticed, and must be the same on every machine.
// The points come from + - * / sqrt alone, which round the same everywhere.
Input pinned_input() {
    Input in;
    for (std::uint64_t i = 0; i < 60; ++i) {
        Random random(61, i);
        const Mat3d turn = rotation(random.rotation());
        Points p;
        for (std::uint32_t k = 0; k < 64; ++k) {
            Vec3d v = random.direction();
            const std::uint32_t layer = k / 16;
            const std::uint32_t line = k / 4 % 4;
            if (i % 3 == 1) v = {double(k % 4), double(line), double(layer)};
            if (i % 3 == 2) v = {v.x, v.y, v.z < 0 ? 0.0 : v.z};
            p.push_back(to_float(turn * v));
        }
        in.add(p);
    }
    return in;
}

TEST(HullSet, FingerprintsArePinned) {
    EXPECT_EQ(build_hull(box_points(1, 2, 3)).hulls.fingerprint(), 5886719939162571902U);
    EXPECT_EQ(build(pinned_input()).fingerprint(), 2863385059178230179U);
}

// Hash of every byte that kernels read, and of the builder's report. Only a change of the block's layout may change it.
TEST(HullSet, BlocksAndInfoArePinned) {
    const HullSet s = build(pinned_input());
    std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
    const auto add = [&hash](const void* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3U;
        }
    };
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto block = block_bytes(s[i]);
        add(block.data(), block.size());
        const HullInfo& info = s.info(i);
        add(&info.deviation, sizeof(double));
        add(&info.min_edge_angle, sizeof(double));
        add(&info.mass.volume, sizeof(double));
        add(&info.mass.centre_of_mass, sizeof(Vec3d));
        add(&info.mass.inertia, sizeof(Mat3d));
    }
    EXPECT_EQ(hash, 13573053993228908826U);
}

TEST(HullSet, MinusZeroIsStoredAsZero) {
    Points p = box_points(1, 1, 1);
    for (Vec3f& v : p) v = v + Vec3f{1, 1, 1};
    Points q = p;
    for (Vec3f& v : q) {
        for (float* x : {&v.x, &v.y, &v.z}) {
            if (*x == 0.0F) *x = -0.0F;
        }
    }
    const BuildResult a = build_hull(p);
    const BuildResult b = build_hull(q);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a.hulls.fingerprint(), b.hulls.fingerprint());
    for (const Vec3f& v : b.hulls.vertices(0))
        EXPECT_FALSE(std::signbit(v.x) || std::signbit(v.y) || std::signbit(v.z));
}

TEST(HullSet, LargeHullsUseWideIndices) {
    Points p;
    Random random(62);
    for (int i = 0; i < 12000; ++i) p.push_back(to_float(random.direction()));
    const BuildResult r = build_hull(p);
    ASSERT_TRUE(r);
    const HullRecord& h = r.hulls[0];
    EXPECT_GT(2 * h.edge_count, kMaxIndex16);
    EXPECT_NE(h.flags & HullRecord::kWide, 0);
    EXPECT_EQ(check_hull(r.hulls, 0, p), "");
}

TEST(HullSet, NarrowIndicesReachTheirLimit) {
    // Triangulated hulls have 2 E = 6 V - 12 slots: the last 16-bit one has 10924 vertices.
    for (const std::uint32_t count : {10924U, 10925U}) {
        Points p;
        Random random(63);
        for (std::uint32_t i = 0; i < count; ++i) p.push_back(to_float(random.direction()));
        BuildOptions options;
        options.merge_coplanar = false;
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r);
        ASSERT_EQ(r.hulls[0].vertex_count, count);
        EXPECT_EQ((r.hulls[0].flags & HullRecord::kWide) != 0, count == 10925U);
        HullExpectation expect;
        expect.merged = false;
        EXPECT_EQ(check_hull(r.hulls, 0, p, expect), "");
    }
}

TEST(HullSet, FarHullsAreMarked) {
    const Points p = prism_points(7, 1, 1);
    for (const double sizes : {0.0, 1.0, 3.9, 4.1, 100.0}) {
        const double size = std::sqrt(2.0) / 2 * 2;
        Points q = p;
        for (Vec3f& v : q) v.x += static_cast<float>(sizes * size * 1.2);
        const BuildResult r = build_hull(q);
        ASSERT_TRUE(r);
        const double ratio = std::fabs(double(r.hulls[0].centre[0])) / double(r.hulls[0].size);
        EXPECT_EQ((r.hulls[0].flags & HullRecord::kFar) != 0, ratio > 4.0) << ratio;
        EXPECT_EQ(check_hull(r.hulls, 0, q), "");
    }
}

TEST(HullSet, RemovedHullsLeaveTheirIdsEmptyForEver) {
    const Input first = make_input(21, 12);
    const Input second = make_input(22, 5);
    const HullSet a = build(first);
    const HullSet b = build(second);
    const HullSet both = a.append(b);
    const std::uint32_t gone[] = {3, 14, 3, 99};
    const HullSet rest = both.remove(gone);
    EXPECT_EQ(rest.size(), 17U);
    EXPECT_EQ(rest.removed(), 2U);
    EXPECT_NE(rest.fingerprint(), both.fingerprint());
    EXPECT_EQ(both.removed(), 0U) << "the old set stays";
    for (std::uint32_t id = 0; id < 17; ++id) {
        const bool there = id != 3 && id != 14;
        EXPECT_EQ(rest.contains(id), there);
        EXPECT_EQ(rest.vertices(id).empty(), !there);
        EXPECT_EQ(rest.input_index(id).empty(), !there);
        EXPECT_EQ(rest.info(id).input_points == 0, !there);
        EXPECT_EQ(rest[id].block, there ? both[id].block : nullptr);
    }
    EXPECT_FALSE(rest.contains(17));
    // New hulls get new ids; no id is used again.
    const HullSet more = rest.append(a);
    EXPECT_EQ(more.size(), 29U);
    EXPECT_EQ(more.removed(), 2U);
    EXPECT_FALSE(more.contains(3));
    EXPECT_EQ(more.vertices(17).size(), a.vertices(0).size());
    // The same hulls with the same ids, made in other steps, have the same fingerprint.
    const std::uint32_t in_a[] = {3};
    const std::uint32_t in_b[] = {2};
    EXPECT_EQ(a.remove(in_a).append(b.remove(in_b)).fingerprint(), rest.fingerprint());
    // Nothing to remove.
    EXPECT_EQ(rest.remove(gone).fingerprint(), rest.fingerprint());
    EXPECT_EQ(HullSet().remove(gone).size(), 0U);
    EXPECT_EQ(rest.remove({}).fingerprint(), rest.fingerprint());
}

TEST(HullSet, MemoryOfABuildGoesWithItsLastHull) {
    const HullSet a = build(make_input(23, 6));
    HullSet both = build(make_input(24, 6)).append(a);
    const std::uint32_t part[] = {0, 1, 2, 3, 4};
    EXPECT_EQ(both.remove(part).hot_bytes(), both.hot_bytes());
    const std::uint32_t all[] = {0, 1, 2, 3, 4, 5};
    const HullSet rest = both.remove(all);
    EXPECT_EQ(rest.hot_bytes(), a.hot_bytes() + 6 * sizeof(HullRecord));
    both = HullSet();
    for (std::uint32_t id = 6; id < 12; ++id) EXPECT_EQ(rest.vertices(id).data(), a.vertices(id - 6).data());
    EXPECT_EQ(rest.remove(std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11}).hot_bytes(), 12 * sizeof(HullRecord));
}

}  // namespace
}  // namespace lanefold::test
