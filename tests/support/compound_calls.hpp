// SPDX-License-Identifier: MIT
//
// Calls on scenes with compounds, and the records that they must give.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/batch_threads.hpp"
#include "support/cold_call.hpp"
#include "support/compound_scene.hpp"

namespace lanefold::test {

// Every class of hull, spheres and capsules among them.
inline HullSet rounded_hulls() {
    const HullSet sharp = batch_hulls();
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    for (std::size_t h = 0; h < sharp.size(); ++h) {
        const auto own = sharp.vertices(h);
        const std::size_t kept = h == 4 ? 2 : h == 7 ? 1 : own.size();
        points.insert(points.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(kept));
        offsets.push_back(points.size());
        radii.push_back(h % 3 == 0 ? 0.0F : 0.02F * static_cast<float>(h % 5 + 1));
    }
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(points, offsets, options);
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

// Records of a compact call with room for all of them.
template <class Record>
std::vector<Record> compact_call(const BatchScene& scene, const Options& options, CompactResult* result = nullptr,
                                 std::vector<std::uint32_t>* candidates = nullptr, const CallInputs& inputs = {}) {
    std::vector<Record> out(60 * scene.pairs.size() + 100);
    std::vector<std::uint32_t> of(out.size());
    Workspace workspace;
    const CompactResult r = collide_compact(scene.hulls, scene.view(), scene.pairs, options, std::span<Record>(out),
                                            workspace, inputs, 0, of);
    EXPECT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.required, r.written);
    out.resize(r.written);
    of.resize(r.written);
    if (result != nullptr) *result = r;
    if (candidates != nullptr) *candidates = of;
    return out;
}

template <class Record>
std::vector<Record> dense_call(const BatchScene& scene, const Options& options, BatchResult* result = nullptr) {
    std::vector<Record> out(scene.pairs.size());
    std::memset(static_cast<void*>(out.data()), 0xAB, out.size() * sizeof(Record));
    Workspace workspace;
    BatchResult r;
    r = collide<Record>(scene.hulls, scene.view(), scene.pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    if (result != nullptr) *result = r;
    return out;
}

// Records of each pair, by brute force for those with compounds.
template <class Manifold>
std::vector<std::vector<Manifold>> expected_records(const CompoundScene& s, const Options& options) {
    std::vector<std::vector<Manifold>> all(s.scene.pairs.size());
    BatchScene hulls_only = s.scene;
    hulls_only.hulls = s.plain;
    const std::vector<Manifold> plain = dense_call<Manifold>(hulls_only, options);
    const std::vector<Manifold> mixed = dense_call<Manifold>(s.scene, options);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Pair pair = s.scene.pairs[i];
        if (!has_compound(s.scene, pair)) {
            if (is_reported(plain[i])) all[i].push_back(plain[i]);
        } else if (mixed[i].status != Status::ok) {
            all[i].push_back(mixed[i]);
        } else {
            all[i] = child_records<Manifold>(s.scene.hulls, s.plain, s.scene.view(), pair, options);
        }
    }
    return all;
}

template <class Manifold>
const Manifold& deepest(const std::vector<Manifold>& records) {
    return *std::min_element(records.begin(), records.end(),
                             [](const Manifold& x, const Manifold& y) { return x.distance < y.distance; });
}

template <class Manifold>
std::vector<Manifold> joined(const std::vector<std::vector<Manifold>>& records) {
    std::vector<Manifold> all;
    for (const auto& own : records) all.insert(all.end(), own.begin(), own.end());
    return all;
}

}  // namespace lanefold::test
