// SPDX-License-Identifier: MIT
//
// Shapes, poses and checks for the tests of the float64 path. Every result is compared with the oracle and with the
// geometry of the hulls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <lanefold/detail/precise.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/reference.hpp>

#include "support/precise_arbiter.hpp"
#include "support/split_mix.hpp"

namespace lanefold::precise_test {

// The same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}

    std::uint64_t bits() { return bits_.next(); }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(bits() % n); }
    Vec3d direction() {
        for (;;) {
            const Vec3d v{between(-1, 1), between(-1, 1), between(-1, 1)};
            const double l = length_squared(v);
            if (l > 1e-3 && l < 1) return normalized(v);
        }
    }
    // Direction first, then length: operands of * may be evaluated in either order.
    Vec3d offset(double low, double high) {
        const Vec3d d = direction();
        return d * between(low, high);
    }

private:
    test::SplitMix bits_;
};

using Points = std::vector<Vec3f>;

inline Vec3f point(double x, double y, double z) { return to_float({x, y, z}); }

inline Points box_points(double x, double y, double z) {
    Points p;
    for (int i = 0; i < 8; ++i) p.push_back(point((i & 1) ? x : -x, (i & 2) ? y : -y, (i & 4) ? z : -z));
    return p;
}

inline Points scaled(Points p, double s) {
    for (Vec3f& v : p) v = point(v.x * s, v.y * s, v.z * s);
    return p;
}

inline Points shifted(Points p, double x, double y, double z) {
    for (Vec3f& v : p) v = point(v.x + x, v.y + y, v.z + z);
    return p;
}

inline Points turned(Points p, Random& random) {
    const Vec3d k = random.direction();
    const double a = random.between(0.1, 3.0);
    for (Vec3f& f : p) {
        const Vec3d v = to_double(f);
        f = to_float(v * std::cos(a) + cross(k, v) * std::sin(a) + k * (dot(k, v) * (1 - std::cos(a))));
    }
    return p;
}

inline Points ball_points(Random& random, int n, double roughness = 0.3) {
    Points p;
    for (int i = 0; i < n; ++i) p.push_back(to_float(random.offset(1 - roughness, 1)));
    return p;
}

inline Points prism_points(int sides, double radius, double half_height) {
    Points p;
    for (int i = 0; i < sides; ++i) {
        const double a = 2 * 3.14159265358979323846 * i / sides;
        p.push_back(point(radius * std::cos(a), radius * std::sin(a), -half_height));
        p.push_back(point(radius * std::cos(a), radius * std::sin(a), half_height));
    }
    return p;
}

// Hulls with their oracles.
struct Library {
    HullSet hulls;
    std::vector<reference::OracleHull> oracle;

    explicit Library(const std::vector<Points>& shapes) {
        Points all;
        std::vector<std::uint64_t> offsets{0};
        for (const Points& s : shapes) {
            all.insert(all.end(), s.begin(), s.end());
            offsets.push_back(all.size());
        }
        BuildResult built = build_hulls(all, offsets);
        for (const HullReport& f : built.failures) {
            ADD_FAILURE() << "hull " << f.hull << ": " << to_string(f.error) << " " << f.what;
        }
        hulls = built.hulls;
        for (std::size_t i = 0; i < hulls.size(); ++i) oracle.push_back(reference::make_oracle_hull(hulls.vertices(i)));
    }
};

struct Placement {
    double position[3] = {};
    float orientation[4] = {0, 0, 0, 1};
};

inline void set_quat(Placement& p, double x, double y, double z, double w) {
    const double l = std::sqrt(x * x + y * y + z * z + w * w);
    p.orientation[0] = static_cast<float>(x / l);
    p.orientation[1] = static_cast<float>(y / l);
    p.orientation[2] = static_cast<float>(z / l);
    p.orientation[3] = static_cast<float>(w / l);
}

inline void set_random_quat(Placement& p, Random& random) {
    const Vec3d k = random.direction();
    const double h = random.between(0, 1.57);
    set_quat(p, k.x * std::sin(h), k.y * std::sin(h), k.z * std::sin(h), std::cos(h));
}

inline void set_position(Placement& p, const Vec3d& v) {
    p.position[0] = v.x;
    p.position[1] = v.y;
    p.position[2] = v.z;
}

struct Tally {
    std::uint64_t pairs = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t separated = 0;  // reported with distance > 0
    std::uint64_t unreported = 0;
    std::uint64_t in_band = 0;
    std::uint64_t points = 0;
    std::uint64_t arbitrated = 0;  // decided in extended precision (support/precise_arbiter.hpp)
    std::uint64_t by_kind[kContactKindCount] = {};
    // Worst, relative to the size that the contract names.
    double distance_error = 0;
    double surface_error = 0;
    double normal_error = 0;
    double depth_missing = 0;

    void print(const char* name) const {
        std::printf(
            "%s: %llu pairs, %llu overlapping, %llu separated, %llu unreported, %llu in band, kinds %llu %llu %llu "
            "%llu %llu %llu, %llu arbitrated; worst distance %.2e, normal %.2e, surface %.2e, depth missing %.2e\n",
            name, ull(pairs), ull(overlapping), ull(separated), ull(unreported), ull(in_band), ull(by_kind[1]),
            ull(by_kind[2]), ull(by_kind[3]), ull(by_kind[4]), ull(by_kind[5]), ull(by_kind[6]), ull(arbitrated),
            distance_error, normal_error, surface_error, depth_missing);
    }

    static unsigned long long ull(std::uint64_t v) { return v; }
};

template <class Record>
bool all_zero(const Record& m) {
    Record zero;
    std::memset(static_cast<void*>(&zero), 0, sizeof zero);
    return std::memcmp(&zero, &m, sizeof zero) == 0;
}

class Judge {
public:
    explicit Judge(const Library& library) : library_(library) {}

    // Runs one pair and checks all promises of the contract for it. False when one is broken.
    bool check(std::uint32_t ia, const Placement& pa, std::uint32_t ib, const Placement& pb, double margin,
               double preference, PointSelection selection = PointSelection::all) {
        detail::PrecisePair pair;
        pair.a = &library_.hulls[ia];
        pair.b = &library_.hulls[ib];
        std::copy(pa.position, pa.position + 3, pair.position_a);
        std::copy(pb.position, pb.position + 3, pair.position_b);
        std::copy(pa.orientation, pa.orientation + 4, pair.orientation_a);
        std::copy(pb.orientation, pb.orientation + 4, pair.orientation_b);
        pair.margin = static_cast<float>(margin);
        pair.face_preference = static_cast<float>(preference);
        pair.points = selection;
        pair.index_a = 7;
        pair.index_b = 9;
        detail::collide_precise(pair, scratch_, four);
        detail::collide_precise(pair, scratch_, sixteen);
        detail::collide_precise(pair, scratch_, distance);
        failed_ = false;
        judge(pair, ia, ib);
        ++tally.pairs;
        return !failed_;
    }

    Tally tally;
    Manifold4 four{};
    Manifold16 sixteen{};
    PairDistance distance{};
    reference::OracleResult truth;

private:
    void expect(bool good, const char* what, double value = 0, double limit = 0) {
        if (good) return;
        failed_ = true;
        ADD_FAILURE() << what << ": " << value << ", allowed " << limit << " (oracle " << truth.distance << ", record "
                      << sixteen.distance << ", kind " << int(sixteen.kind) << ")";
    }

    void judge(const detail::PrecisePair& pair, std::uint32_t ia, std::uint32_t ib) {
        const reference::OracleHull& a = library_.oracle[ia];
        const reference::OracleHull& b = library_.oracle[ib];
        const PoseD pose_a = reference::oracle_pose(pair.position_a, pair.orientation_a);
        const PoseD pose_b = reference::oracle_pose(pair.position_b, pair.orientation_b);
        truth = reference::signed_distance(a, pose_a, b, pose_b);
        const double large = std::max(a.size, b.size);
        const double small = std::min(a.size, b.size);
        const bool refined = large > 64 * small;
        const double unit = refined ? small : large;
        const double far = length(pose_b.position - pose_a.position);
        // A float32 record rounds its distance, normal and positions.
        const double rounding = 1e-7 * std::fabs(truth.distance);
        const double bound = kDistanceTolerance * unit + rounding;

        expect(std::memcmp(four.normal, sixteen.normal, 24) == 0 && four.kind == sixteen.kind &&
                   four.total == sixteen.total && four.status == Status::ok,
               "4 and 16 points differ");
        expect(std::memcmp(four.normal, distance.normal, 16) == 0 && four.kind == distance.kind,
               "distance level differs");

        const bool differs = sixteen.kind == ContactKind::none ? truth.distance < pair.margin - bound
                                                               : std::fabs(sixteen.distance - truth.distance) > bound;
        if (truth.distance > 0 && refined && differs) {
            truth.distance =
                Arbiter(a, pair.position_a, pair.orientation_a, b, pair.position_b, pair.orientation_b).distance();
            ++tally.arbitrated;
        }
        const double apart = truth.distance - pair.margin;
        if (std::fabs(apart) <= bound) ++tally.in_band;
        if (sixteen.kind == ContactKind::none) {
            expect(apart >= -bound, "missed", apart, -bound);
            expect(all_zero(four) && all_zero(sixteen) && all_zero(distance), "unreported record is not zero");
            ++tally.unreported;
            return;
        }
        expect(apart <= bound, "reported beyond the margin", apart, bound);
        expect(sixteen.pair[0] == 7 && sixteen.pair[1] == 9, "body indices");
        ++tally.by_kind[static_cast<std::size_t>(sixteen.kind)];
        ++(sixteen.distance < 0 ? tally.overlapping : tally.separated);

        const double error = std::fabs(sixteen.distance - truth.distance) - rounding;
        tally.distance_error = std::max(tally.distance_error, error / unit);
        expect(error <= bound, "distance", error, bound);

        // Geometry of the normal: float32 components turn it by 6e-8, seen over the whole pair.
        const Vec3d n = to_double({sixteen.normal[0], sixteen.normal[1], sixteen.normal[2]});
        expect(std::fabs(length(n) - 1) < 2e-7, "normal is not unit", length(n), 1);
        const double lever = 1.2e-7 * (a.size + b.size + far);
        const double along = reference::separation_along(a, pose_a, b, pose_b, n);
        const double preference = static_cast<double>(pair.face_preference) * small;
        const double loss = truth.distance - along;
        tally.normal_error = std::max(tally.normal_error, (loss - preference - lever) / unit);
        expect(loss <= preference + bound + lever, "normal is no minimiser", loss, preference + bound + lever);

        judge_points(pair, a, pose_a, b, pose_b, n, bound, lever, preference, unit);
    }

    void judge_points(const detail::PrecisePair& pair, const reference::OracleHull& a, const PoseD& pose_a,
                      const reference::OracleHull& b, const PoseD& pose_b, const Vec3d& n, double bound, double lever,
                      double preference, double unit) {
        const FeatureCounts ca = pair.a->feature_counts();
        const FeatureCounts cb = pair.b->feature_counts();
        expect(sixteen.count >= 1 && sixteen.count <= 16 && sixteen.count <= sixteen.total, "point count",
               sixteen.count);
        expect(four.count == std::min<int>(4, sixteen.total) && sixteen.count == std::min<int>(16, sixteen.total),
               "capacity not used", four.count);
        double deepest = 1e300;
        for (int i = 0; i < sixteen.count; ++i) {
            const ContactPoint& c = sixteen.points[i];
            deepest = std::min<double>(deepest, c.separation);
            ++tally.points;
            expect(c.separation <= pair.margin + bound, "point beyond the margin", c.separation, pair.margin);
            const Vec3d middle = to_double({c.position[0], c.position[1], c.position[2]});
            // Float32 positions, and a float32 normal over half the separation.
            const double room = bound + lever + 1.2e-7 * (length(middle) + std::fabs(c.separation));
            const Vec3d on_a = middle - n * (0.5 * c.separation);
            const Vec3d on_b = middle + n * (0.5 * c.separation) - (pose_b.position - pose_a.position);
            const double da = std::fabs(reference::point_distance(a, pose_a.rotation, on_a));
            const double db = std::fabs(reference::point_distance(b, pose_b.rotation, on_b));
            tally.surface_error = std::max(tally.surface_error, (std::max(da, db) - (room - bound)) / unit);
            expect(da <= room, "not on a's surface", da, room);
            expect(db <= room, "not on b's surface", db, room);
            for (int k = 0; k < i; ++k) expect(sixteen.points[k].feature != c.feature, "feature id twice");
            const auto f = decode_feature(ca, cb, c.feature);
            expect(f.has_value(), "feature id cannot be decoded");
            if (!f) continue;
            const bool face_kind = sixteen.kind == ContactKind::face_a || sixteen.kind == ContactKind::face_b;
            if (sixteen.kind == ContactKind::face_a && f->a.type == FeatureType::face) {
                expect(f->a.index == sixteen.feature_a, "reference face of the id");
            }
            if (sixteen.kind == ContactKind::face_b && f->b.type == FeatureType::face) {
                expect(f->b.index == sixteen.feature_b, "reference face of the id");
            }
            if (!face_kind) expect(f->a.index == sixteen.feature_a && f->b.index == sixteen.feature_b, "features");
        }
        const double limit = truth.distance + preference + bound + lever;
        tally.depth_missing = std::max(tally.depth_missing, (deepest - truth.distance - preference - lever) / unit);
        expect(deepest <= limit, "deepest point missing", deepest, limit);
        if (sixteen.distance < 0 && preference == 0)
            expect(deepest < 0 || -truth.distance <= bound, "no penetrating point", deepest);
        const auto has = [this](const ContactPoint& c) {
            return std::any_of(sixteen.points, sixteen.points + sixteen.count,
                               [&c](const ContactPoint& d) { return std::memcmp(&c, &d, sizeof c) == 0; });
        };
        if (sixteen.total <= 16) {
            for (int i = 0; i < four.count; ++i) expect(has(four.points[i]), "a point of 4 is not among 16");
        }
    }

    const Library& library_;
    detail::PreciseScratch scratch_;
    bool failed_ = false;
};

}  // namespace lanefold::precise_test
