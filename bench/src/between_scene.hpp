// SPDX-License-Identifier: MIT
//
// Shared by lanefold_rays, lanefold_volumes and lanefold_toi: rocks in a cloud, their triangles, rows of two engines in
// turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>

#include "measure/harness.hpp"

namespace lanefold::bench {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed * 2 + 1) {}
    double uniform(double low, double high) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return low + (high - low) * (static_cast<double>(state_ >> 11U) * 0x1p-53);
    }
    Vec3d direction() {
        for (;;) {
            const Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double l = length(v);
            if (l > 0.1 && l < 1) return v * (1 / l);
        }
    }
    std::uint32_t index(std::uint32_t count) { return static_cast<std::uint32_t>(uniform(0, count)); }

private:
    std::uint64_t state_;
};

// Hulls of `points` points near a sphere of half a metre.
inline HullSet rocks(std::uint64_t seed, std::uint32_t count, std::uint32_t points) {
    Draw draw(seed);
    std::vector<Vec3f> all;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint32_t h = 0; h < count; ++h) {
        for (std::uint32_t i = 0; i < points; ++i) all.push_back(to_float(draw.direction() * draw.uniform(0.4, 0.5)));
        offsets.push_back(all.size());
    }
    return build_hulls(all, offsets).hulls;
}

inline BodyD body_at(const Vec3d& position, std::uint32_t hull, Draw& draw) {
    BodyD body{};
    body.position[0] = position.x;
    body.position[1] = position.y;
    body.position[2] = position.z;
    body.hull = hull;
    const Vec3d axis = draw.direction();
    const double half = draw.uniform(0, 3.1);
    const double parts[4] = {axis.x * std::sin(half), axis.y * std::sin(half), axis.z * std::sin(half), std::cos(half)};
    for (int k = 0; k < 4; ++k) body.orientation[k] = static_cast<float>(parts[k]);
    return body;
}

inline PoseD pose_of(const BodyD& body) {
    Quat q;
    normalize(body.orientation, q);
    return {rotation(q), {body.position[0], body.position[1], body.position[2]}};
}

// The corners of a hull's triangles, counter-clockwise from outside: three numbers of its vertices each.
inline std::vector<std::uint32_t> triangles_of(const HullRecord& hull) {
    const detail::HullView view(hull);
    std::vector<std::uint32_t> out;
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        const std::uint32_t first = view.face_first[f];
        for (std::uint32_t k = first + 1; k + 1 < view.face_first[f + 1]; ++k)
            out.insert(out.end(), {view.face_vertex[first], view.face_vertex[k], view.face_vertex[k + 1]});
    }
    return out;
}

// The rows of lanefold and of another engine, which take turns over `items` rays or pairs: both then have had the same
// machine. The least times count, because what else runs on it only adds to them.
struct Race {
    Timing own;
    Timing other;

    Race(const char* subset, std::uint32_t points, const char* engine, std::size_t items) {
        own.scene = "rocks-" + std::to_string(points);
        own.subset = subset;
        own.pairs = items;
        other = own;
        own.engine = "lanefold";
        other.engine = engine;
    }

    void round(const Pass& a, const Pass& b) {
        own.add_sample(1, own.pairs, Counting::on, a);
        other.add_sample(1, other.pairs, Counting::on, b);
    }
};

// Number `i` of the command line, or the usual one.
inline std::uint32_t argument(int argc, char** argv, int i, std::uint32_t usual) {
    return i < argc ? static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)) : usual;
}

}  // namespace lanefold::bench
