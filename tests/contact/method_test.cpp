// SPDX-License-Identifier: MIT
//
// Clip and patch give one distance, to the last bit. For hulls that are apart, the points of the clip decide whether
// the best axis is the distance, or whether the float64 path must find it. So both methods must come to one decision,
// also where rounding makes it: a vertex at a distance from a face, beside one of its sides or a little beyond it.
#include <bit>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/serial.hpp>

#include "support/pair_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 20000;

// A vertex of b, deepest along a face's normal, at the gap over the line of one of the face's sides or `beyond` it.
PairPlace make_place(const Library& library, Random& random) {
    PairPlace p;
    const auto hulls = static_cast<std::uint32_t>(library.size());
    p.a = random.index(hulls);
    p.b = random.index(hulls);
    const detail::HullView a(library.hulls[p.a]);
    const PoseD to_input = a.internal_to_input();
    const std::uint32_t face = random.index(a.record->face_count);
    const std::uint32_t first = a.face_first[face];
    const std::uint32_t sides = a.face_first[face + 1] - first;
    const std::uint32_t k = random.index(sides);
    const Vec3d from = a.input_vertex(a.face_vertex[first + k]);
    const Vec3d to = a.input_vertex(a.face_vertex[first + (k + 1) % sides]);
    const Vec3d n = normalized(to_input.rotation * a.normal(face));
    const Vec3d outward = normalized(cross(to - from, n));
    const double smaller = std::min(library.oracle[p.a].size, library.oracle[p.b].size);
    const double beyond = random.log_uniform(1e-9, 1e-4) * smaller * (random.chance(0.8) ? 1 : -1);
    const double gap = random.log_uniform(1e-5, 0.2) * smaller;
    p.turn = random.rotation();
    const Mat3d turned = rotation(p.turn);
    const detail::HullView b(library.hulls[p.b]);
    Vec3d lowest = turned * b.input_vertex(0);
    for (std::uint32_t v = 1; v < b.record->vertex_count; ++v) {
        const Vec3d x = turned * b.input_vertex(v);
        if (dot(n, x) < dot(n, lowest)) lowest = x;
    }
    p.at = from + (to - from) * random.uniform() + outward * beyond + n * gap - lowest;
    p.put_anywhere(random);
    return p;
}

struct Run {
    std::vector<Manifold4> records = std::vector<Manifold4>(kPairs);
    Counters counters;
};

Run run(const PairScene& s, ContactMethod method, float margin) {
    Options options = s.config.options;
    options.method = method;
    options.margin = margin;
    Run out;
    Workspace workspace;
    const BatchResult r = collide_serial(s.library.hulls, BodyView(std::span<const Body>(s.float_bodies)), s.pairs,
                                         options, std::span<Manifold4>(out.records), workspace);
    EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;
    out.counters = r.counters;
    return out;
}

void compare(const char* name, std::span<const Shape> shapes, float preference, std::uint64_t seed) {
    PairScene s;
    Random random(sweep_seed(seed));
    s.library = random_library(sweep_seed(seed), 60, shapes, 0.3, 1.5);
    s.config.options.face_preference = preference;
    for (std::uint32_t i = 0; i < kPairs; ++i) s.add(make_place(s.library, random));
    const Run clip = run(s, ContactMethod::clip, 0.3F);
    const Run patch = run(s, ContactMethod::patch, 0.3F);
    std::size_t touching = 0;
    std::size_t other_points = 0;
    std::size_t differ = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Manifold4& x = clip.records[i];
        const Manifold4& y = patch.records[i];
        const bool same = (x.kind == ContactKind::none) == (y.kind == ContactKind::none) &&
                          std::bit_cast<std::uint32_t>(x.distance) == std::bit_cast<std::uint32_t>(y.distance);
        if (!same && differ++ < 5) ADD_FAILURE() << name << ", pair " << i << ": " << x.distance << ", " << y.distance;
        touching += x.kind != ContactKind::none ? 1U : 0U;
        other_points += x.total != y.total ? 1U : 0U;
    }
    std::printf("  %s: %zu of %u touch, %llu finished in float64, %zu with other points, %zu differ\n", name, touching,
                kPairs, static_cast<unsigned long long>(clip.counters.distance_finished), other_points, differ);
    EXPECT_EQ(differ, 0U);
    EXPECT_EQ(clip.counters.distance_finished, patch.counters.distance_finished);
    EXPECT_GT(touching, kPairs / 2);
    EXPECT_GT(other_points, kPairs / 100);
    EXPECT_GT(clip.counters.distance_finished, kPairs / 20);
    EXPECT_LT(clip.counters.distance_finished, 9 * kPairs / 10);
}

constexpr Shape kFewSides[] = {Shape::tetrahedron, Shape::wedge, Shape::debris, Shape::rock, Shape::octahedron};
constexpr Shape kManySides[] = {Shape::prism, Shape::cylinder, Shape::sphere, Shape::debris};

TEST(Method, NeverShowsInTheDistanceBesideTheSidesOfFaces) {
    compare("few sides", kFewSides, kDefaultFacePreference, 2301);
    compare("few sides, strict", kFewSides, 0, 2302);
}

TEST(Method, NeverShowsInTheDistanceBesideTheSidesOfLargeFaces) {
    compare("many sides", kManySides, kDefaultFacePreference, 2303);
    compare("many sides, strict", kManySides, 0, 2304);
}

}  // namespace
}  // namespace lanefold::test
