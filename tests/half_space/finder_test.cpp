// SPDX-License-Identifier: MIT
//
// Candidate pairs with half-spaces are those of brute force over all boxes and planes: frames of moving bodies and
// planes, filters, growth and motion, marks, bodies without a pose, windows of frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"

namespace lanefold::test {
namespace {

struct Planes : FinderWorld {
    std::vector<HalfSpace> planes;
    std::uint32_t first_plane = 0;
};

// Bodies in a heap, and half-spaces in its middle and beside it, as first, last and other bodies.
Planes plane_world(std::uint64_t seed, Isa isa, double far = 0) {
    Planes w;
    static_cast<FinderWorld&>(w) = make_world(seed, 400, 6, isa);
    Random random(seed + 1000);
    w.first_plane = static_cast<std::uint32_t>(w.hulls.size());
    w.planes = {{{0, 0, 1}, 0}, {{1, 2, -3}, 0.5F}, {{-1, 0, 0}, 5}, {{0.1F, 1, 0}, -4}};
    w.hulls = w.hulls.append(build_half_spaces(w.planes).hulls);
    const std::uint32_t bodies[] = {0, 3, 200, 399};
    for (std::uint32_t k = 0; k < 4; ++k) {
        BodyD& b = w.bodies[bodies[k]];
        b.hull = w.first_plane + k;
        if (k < 3) w.inverse_mass[bodies[k]] = 0;
    }
    for (BodyD& b : w.bodies) b.position[0] += far;
    return w;
}

// Pairs of brute force; `boxes`: of all bodies, grown and swept.
std::vector<Pair> expected_pairs(const Planes& w, const PairFinderOptions& o, std::span<const WorldBox> boxes) {
    std::vector<Pair> pairs = brute_force(w, o);
    for (std::uint32_t h = 0; h < w.bodies.size(); ++h) {
        const BodyD& body = w.bodies[h];
        if (body.hull < w.first_plane || !std::isfinite(body.position[0])) continue;
        Quat q;
        normalize(body.orientation, q);
        const HalfSpace& own = w.planes[body.hull - w.first_plane];
        const Vec3d n = rotation(q) * normalized(to_double(own.normal));
        const Vec3d at{body.position[0], body.position[1], body.position[2]};
        double offset = dot(n, at) + static_cast<double>(own.offset) + 0.5 * static_cast<double>(o.margin);
        if (!o.growth.empty()) offset += static_cast<double>(o.growth[h]);
        if (!o.motion.empty()) offset += std::max(0.0, dot(n, to_double(o.motion[h])));
        for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
            if (boxes[i].empty()) continue;
            double lowest = std::numeric_limits<double>::infinity();
            for (int corner = 0; corner < 8; ++corner) {
                const Vec3d x{(corner & 1) != 0 ? boxes[i].upper.x : boxes[i].lower.x,
                              (corner & 2) != 0 ? boxes[i].upper.y : boxes[i].lower.y,
                              (corner & 4) != 0 ? boxes[i].upper.z : boxes[i].lower.z};
                lowest = std::min(lowest, dot(n, x));
            }
            if (!(lowest <= offset)) continue;
            if (w.inverse_mass[h] == 0 && w.inverse_mass[i] == 0) continue;
            if (w.group[h] != 0 && w.group[h] == w.group[i]) continue;
            if ((w.category[h] & w.collides_with[i]) == 0 || (w.category[i] & w.collides_with[h]) == 0) continue;
            pairs.push_back({std::min(h, i), std::max(h, i)});
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::size_t of_planes(const Planes& w, std::span<const Pair> pairs) {
    return static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const Pair& p) {
        return w.bodies[p.a].hull >= w.first_plane || w.bodies[p.b].hull >= w.first_plane;
    }));
}

void move_some(Planes& w, Random& random, double way) {
    for (BodyD& b : w.bodies) {
        const bool plane = b.hull >= w.first_plane;
        if (!random.chance(plane ? 0.3 : 0.6)) continue;
        for (double& x : b.position) x += random.uniform(-way, way);
        turn(random, b, 0.1 * way);
    }
}

class HalfSpaceFinder : public IsaTest {};

TEST_P(HalfSpaceFinder, EveryFrameIsThatOfBruteForce) {
    for (const double way : {0.0, 1e-3, 0.05, 1.0}) {
        for (const double far : {0.0, 1e6}) {
            Planes w = plane_world(1301, GetParam(), far);
            PairFinder finder;
            Random random(1302);
            std::size_t found_of_planes = 0;
            std::vector<Pair> before;
            for (int frame = 0; frame < 25; ++frame) {
                const PairFinderOptions o = w.options(frame < 20 ? 0.05F : 0.2F);
                const PairFinderResult found = finder.find(w.hulls, w.view(), o);
                ASSERT_TRUE(found.status) << found.status.what;
                EXPECT_EQ(found.without_box, 0U);
                const std::vector<Pair> now(found.pairs.begin(), found.pairs.end());
                ASSERT_EQ(now, expected_pairs(w, o, finder.boxes())) << "way " << way << ", frame " << frame;
                found_of_planes += of_planes(w, now);
                EXPECT_LT(of_planes(w, now), 4 * w.bodies.size() * 3 / 4);
                move_some(w, random, way);
            }
            EXPECT_GT(found_of_planes, 25U * 200U);
        }
    }
}

TEST_P(HalfSpaceFinder, GrowthMotionMarksAndLostPosesAreSeen) {
    Planes w = plane_world(1303, GetParam());
    PairFinder finder;
    Random random(1304);
    std::vector<float> growth(w.bodies.size());
    std::vector<Vec3f> motion(w.bodies.size());
    std::vector<std::uint8_t> unmoved(w.bodies.size());
    for (int frame = 0; frame < 30; ++frame) {
        const std::vector<BodyD> before = w.bodies;
        if (frame > 0) move_some(w, random, 0.02);
        for (std::size_t i = 0; i < w.bodies.size(); ++i) {
            unmoved[i] = frame > 0 && random.chance(0.5) ? 1 : 0;
            if (unmoved[i] != 0) {
                w.bodies[i] = before[i];
                continue;
            }
            growth[i] = static_cast<float>(random.uniform(0, 0.1));
            motion[i] = to_float(random.in_ball() * 0.3);
        }
        // A plane and a hull are nowhere for a frame.
        const bool lost = frame % 5 == 4;
        if (lost) {
            w.bodies[3].position[0] = w.bodies[10].position[0] = std::nan("");
            unmoved[3] = unmoved[10] = 0;
        } else if (frame % 5 == 0) {
            for (const std::size_t i : {std::size_t{3}, std::size_t{10}}) {
                w.bodies[i].position[0] = random.uniform(-1, 1);
                unmoved[i] = 0;
            }
        }
        PairFinderOptions o = w.options(0.05F);
        o.growth = growth;
        o.motion = motion;
        o.unmoved = unmoved;
        const PairFinderResult found = finder.find(w.hulls, w.view(), o);
        ASSERT_TRUE(found.status) << found.status.what;
        EXPECT_EQ(found.without_box, lost ? 2U : 0U);
        const std::vector<WorldBox> boxes(finder.boxes().begin(), finder.boxes().end());
        // Pairs of boxes are those of other tests.
        const std::vector<Pair> all = expected_pairs(w, o, boxes);
        std::vector<Pair> planes_only;
        std::copy_if(all.begin(), all.end(), std::back_inserter(planes_only), [&](const Pair& p) {
            return w.bodies[p.a].hull >= w.first_plane || w.bodies[p.b].hull >= w.first_plane;
        });
        std::vector<Pair> found_planes;
        std::copy_if(found.pairs.begin(), found.pairs.end(), std::back_inserter(found_planes), [&](const Pair& p) {
            return w.bodies[p.a].hull >= w.first_plane || w.bodies[p.b].hull >= w.first_plane;
        });
        ASSERT_EQ(found_planes, planes_only) << frame;
        EXPECT_TRUE(std::is_sorted(found.pairs.begin(), found.pairs.end()));
        EXPECT_GT(planes_only.size(), 100U);
    }
}

TEST_P(HalfSpaceFinder, WindowsAreThoseOfFrames) {
    for (const double way : {1e-3, 0.2}) {
        Planes w = plane_world(1305, GetParam());
        Random random(1306);
        WindowFinder windows;
        for (int round = 0; round < 3; ++round) {
            std::vector<std::vector<BodyD>> frames;
            for (int f = 0; f < 11; ++f) {
                frames.push_back(w.bodies);
                if (f == 5) frames.back()[3].position[0] = std::nan("");
                move_some(w, random, way);
            }
            std::vector<BodyView> views;
            for (const std::vector<BodyD>& bodies : frames) views.emplace_back(std::span<const BodyD>(bodies));
            const PairFinderOptions o = w.options(0.05F);
            ASSERT_TRUE(windows.find(w.hulls, views, o).status);
            for (std::size_t f = 0; f < frames.size(); ++f) {
                PairFinder finder;
                const PairFinderResult frame = finder.find(w.hulls, views[f], o);
                ASSERT_TRUE(frame.status);
                std::vector<Pair> pairs(windows.count(f));
                ASSERT_TRUE(windows.list(f, pairs, 0));
                ASSERT_TRUE(std::equal(pairs.begin(), pairs.end(), frame.pairs.begin(), frame.pairs.end()))
                    << f << ": " << pairs.size() << ", " << frame.pairs.size();
                EXPECT_EQ(windows.without_box(f), frame.without_box);
            }
        }
    }
}

TEST(HalfSpaceBoxes, AreEmptyAndNoMistake) {
    const Planes w = plane_world(1307, Isa::scalar);
    std::vector<WorldBox> boxes(w.bodies.size());
    const WorldBoxesResult r = world_boxes(w.hulls, w.view(), 0, boxes);
    ASSERT_TRUE(r.status);
    EXPECT_EQ(r.without_box, 0U);
    EXPECT_TRUE(boxes[0].empty());
    EXPECT_FALSE(boxes[1].empty());
}

LANEFOLD_INSTANTIATE_ISA_TESTS(HalfSpaceFinder);

}  // namespace
}  // namespace lanefold::test
