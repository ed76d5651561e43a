// SPDX-License-Identifier: MIT
//
// Hulls of a C++ set, built again through lanefold.h.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold.h>
#include <lanefold/hull_set.hpp>

namespace lanefold::test {

struct FreeHulls {
    void operator()(lanefold_hulls* hulls) const { lanefold_hulls_free(hulls); }
};
using CHulls = std::unique_ptr<lanefold_hulls, FreeHulls>;

// All hulls of a set without removed or rounded ones.
inline CHulls c_hulls(const HullSet& set) {
    std::vector<float> points;
    std::vector<std::uint64_t> offsets = {0};
    for (std::size_t id = 0; id < set.size(); ++id) {
        for (const Vec3f& v : set.vertices(id)) points.insert(points.end(), {v.x, v.y, v.z});
        offsets.push_back(points.size() / 3);
    }
    lanefold_hulls* built = nullptr;
    const lanefold_status s = lanefold_build_hulls(points.data(), points.size() / 3, offsets.data(), set.size(),
                                                   nullptr, &built, nullptr, nullptr, 0, nullptr);
    EXPECT_EQ(s.code, LANEFOLD_OK) << s.what << " " << s.where;
    return CHulls(built);
}

}  // namespace lanefold::test
