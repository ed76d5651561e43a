// SPDX-License-Identifier: MIT
//
// Rays over a finder's tree: the bits of the calls without a finder, frame after frame, on every instruction set, with
// filters and worlds, for rays along axes and from afar.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/isa.hpp>
#include <lanefold/rays.hpp>
#include <lanefold/scene_queries.hpp>
#include <lanefold/surface_set.hpp>

#include "support/meshes.hpp"
#include "support/ray_scene.hpp"

namespace lanefold::test {
namespace {

// Every third ray is along an axis, every fifth comes from afar, every seventh begins in a body's middle.
RayScenery make_scene(std::uint64_t seed, std::uint32_t bodies, std::uint32_t rays, const Vec3d& at = {}) {
    RayScenery s = make_ray_scene({seed, bodies, rays, 8, at});
    Random random(seed + 1);
    for (std::size_t i = 0; i < s.rays.size(); ++i) {
        Ray& r = s.rays[i];
        const Vec3d by = direction_of(r);
        if (i % 3 == 0) {
            const std::uint32_t axis = random.index(3);
            for (std::uint32_t k = 0; k < 3; ++k) r.direction[k] = k == axis ? random.uniform(-20, 20) : 0.0;
        } else if (i % 5 == 0) {
            const double back = random.log_uniform(10, 1e9);
            r = ray_of(origin_of(r) - by * back, by * (back + 1));
        } else if (i % 7 == 0) {
            const BodyD& b = s.bodies[random.index(bodies)];
            r = ray_of({b.position[0], b.position[1], b.position[2]}, by);
        }
    }
    return s;
}

std::vector<RayHit> expected(const RayScenery& s, const RayInputs& inputs = {}) {
    std::vector<RayHit> out(s.rays.size());
    SweepWorkspace workspace;
    EXPECT_TRUE(cast_rays_serial(s.hulls, s.view(), s.rays, out, workspace, inputs).status);
    return out;
}

bool same(const std::vector<RayHit>& a, const std::vector<RayHit>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(RayHit)) == 0) continue;
        ADD_FAILURE() << "ray " << i << ": fraction " << a[i].fraction << ", not " << b[i].fraction << "; body "
                      << a[i].body << ", not " << b[i].body;
        return false;
    }
    return a.size() == b.size();
}

TEST(SceneRays, EqualRaysWithoutAFinder) {
    std::size_t by_state[kRayStateCount] = {};
    for (const Vec3d& at : {Vec3d{}, Vec3d{3e6, -1e6, 2e5}}) {
        RayScenery s = make_scene(31, 400, 2000, at);
        Random random(5);
        PairFinder finder;
        QueryWorkspace workspace;
        for (int frame = 0; frame < 4; ++frame) {
            ASSERT_TRUE(finder.find(s.hulls, s.view()).status);
            const std::vector<RayHit> wanted = expected(s);
            RayInputs any;
            any.mode = RayMode::any;
            const std::vector<RayHit> shadows = expected(s, any);
            for (const Isa isa : available_isas()) {
                QueryOptions options;
                options.isa = isa;
                std::vector<RayHit> out(s.rays.size());
                const RayResult r = cast_rays(finder, s.rays, out, workspace, {}, options);
                ASSERT_TRUE(r.status) << r.status.what;
                ASSERT_TRUE(same(out, wanted)) << "frame " << frame << " isa " << static_cast<int>(isa);
                ASSERT_TRUE(cast_rays(finder, s.rays, out, workspace, any, options).status);
                ASSERT_TRUE(same(out, shadows));
                for (std::size_t k = 0; k < kRayStateCount; ++k) by_state[k] += r.by_state[k];
            }
            for (BodyD& b : s.bodies) {
                if (b.hull + 1 == s.hulls.size()) continue;
                for (double& x : b.position) x += random.uniform(-0.3, 0.3);
            }
        }
    }
    std::printf("%zu misses, %zu hits, %zu inside\n", by_state[0], by_state[1], by_state[2]);
    for (int k = 0; k < 3; ++k) EXPECT_GT(by_state[k], 1000U);
}

TEST(SceneRays, AllHitsAndThreadsAndSurfacesEqualToo) {
    const RayScenery s = make_scene(32, 300, 1500);
    PairFinder finder;
    ASSERT_TRUE(finder.find(s.hulls, s.view()).status);
    const Mesh mesh = ball_mesh(8, 12, 5);
    const SurfaceResult surface = build_surface(mesh.points, mesh.triangles);
    ASSERT_TRUE(surface);
    const PlacedSurface placed[1] = {{&surface.surface, {}}};
    RayInputs inputs;
    inputs.surfaces = placed;
    std::vector<std::uint64_t> offsets(s.rays.size() + 1);
    std::vector<std::uint64_t> wanted_offsets(s.rays.size() + 1);
    SweepWorkspace serial;
    std::vector<RayHit> wanted(
        cast_rays_all_serial(s.hulls, s.view(), s.rays, wanted_offsets, {}, serial, inputs).required);
    ASSERT_TRUE(cast_rays_all_serial(s.hulls, s.view(), s.rays, wanted_offsets, wanted, serial, inputs).status);
    EXPECT_GT(wanted.size(), 2 * s.rays.size());
    QueryWorkspace workspace;
    tbb::task_arena arena(4);
    arena.execute([&] {
        std::vector<RayHit> out(wanted.size());
        const RayResult r = cast_rays_all(finder, s.rays, offsets, out, workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(offsets, wanted_offsets);
        EXPECT_TRUE(same(out, wanted));
        out.resize(wanted.size() / 3);
        const RayResult less = cast_rays_all(finder, s.rays, offsets, out, workspace, inputs);
        EXPECT_EQ(less.status.code, Status::truncated);
        EXPECT_EQ(less.required, wanted.size());
        EXPECT_EQ(std::memcmp(out.data(), wanted.data(), less.written * sizeof(RayHit)), 0);
        EXPECT_GT(less.written, 0U);
    });
}

// A set's surface is met as one that is given beside the bodies, far from its coordinates' origin too, and only from
// its outer side unless back faces are asked for.
TEST(SceneRays, SurfacesOfTheSetAreMetLikePlacedOnes) {
    const RayScenery s = make_scene(35, 60, 1500);
    Mesh mesh = ball_mesh(8, 12, 5);
    for (Vec3f& p : mesh.points) p = p + Vec3f{40, -30, 20};
    const SurfaceResult surface = build_surface(mesh.points, mesh.triangles);
    ASSERT_TRUE(surface);
    PlacedSurface placed[1] = {{&surface.surface, {}}};
    const Quat q{0.6F, 0, 0, 0.8F};
    const Vec3d at = Vec3d{} - transform({rotation(q), {}}, Vec3d{40, -30, 20});
    std::vector<BodyD> bodies = s.bodies;
    bodies.push_back(body_at(at, q, static_cast<std::uint32_t>(s.hulls.size())));
    std::memcpy(placed[0].pose.position, bodies.back().position, sizeof placed[0].pose.position);
    std::memcpy(placed[0].pose.orientation, bodies.back().orientation, sizeof placed[0].pose.orientation);
    const HullSet hulls = s.hulls.append(surface_set({&surface.surface, 1}).hulls);
    const BodyView view{std::span<const BodyD>(bodies)};
    PairFinder finder;
    ASSERT_TRUE(finder.find(hulls, view).status);
    SweepWorkspace serial;
    QueryWorkspace workspace;
    for (const bool back : {false, true}) {
        RayInputs inputs;
        inputs.back_faces = back;
        inputs.surfaces = placed;
        const std::vector<RayHit> wanted = expected(s, inputs);
        inputs.surfaces = {};
        std::vector<RayHit> out(s.rays.size());
        ASSERT_TRUE(cast_rays_serial(hulls, view, s.rays, out, serial, inputs).status);
        EXPECT_TRUE(same(out, wanted));
        ASSERT_TRUE(cast_rays(finder, s.rays, out, workspace, inputs).status);
        EXPECT_TRUE(same(out, wanted));
        std::size_t on_surface = 0;
        for (const RayHit& h : out) on_surface += h.state == RayState::hit && h.body + 1 == bodies.size() ? 1U : 0U;
        EXPECT_GT(on_surface, 100U);
    }
}

// Filters of bodies, or of rays.
struct Filters {
    std::vector<std::uint32_t> group;
    std::vector<std::uint32_t> category;
    std::vector<std::uint32_t> collides_with;
    std::vector<std::int32_t> world;

    Filters(std::size_t count, double shared, Random& random) {
        for (std::size_t i = 0; i < count; ++i) {
            group.push_back(random.index(3));
            category.push_back(random.index(8));
            collides_with.push_back(random.index(8));
            world.push_back(random.chance(shared) ? kSharedBody : static_cast<std::int32_t>(random.index(3)));
        }
    }
    template <class Options>
    Options options() const {
        Options o;
        o.group = group;
        o.category = category;
        o.collides_with = collides_with;
        o.world = world;
        return o;
    }
};

bool passes(const Filters& rays, std::size_t i, const Filters& bodies, std::size_t b) {
    return (rays.group[i] == 0 || rays.group[i] != bodies.group[b]) &&
           (rays.category[i] & bodies.collides_with[b]) != 0 && (bodies.category[b] & rays.collides_with[i]) != 0 &&
           (rays.world[i] == kSharedBody || bodies.world[b] == kSharedBody || bodies.world[b] == rays.world[i]);
}

// Filters of a query leave out bodies as if they were not there.
TEST(SceneRays, FiltersAndWorldsLeaveBodiesOut) {
    const RayScenery s = make_scene(33, 200, 600);
    Random random(3);
    const Filters of_bodies(s.bodies.size(), 0.1, random);
    const Filters of_rays(s.rays.size(), 0.25, random);
    auto filters = of_bodies.options<PairFinderOptions>();
    filters.worlds = 3;
    PairFinder finder;
    const PairFinderResult found = finder.find(s.hulls, s.view(), filters);
    ASSERT_TRUE(found.status) << found.status.what;
    std::vector<std::uint64_t> offsets(s.rays.size() + 1);
    std::vector<RayHit> out(20 * s.rays.size());
    QueryWorkspace workspace;
    const RayResult r = cast_rays_all(finder, s.rays, offsets, out, workspace, {}, of_rays.options<QueryOptions>());
    ASSERT_TRUE(r.status) << r.status.what;
    std::vector<std::uint64_t> all_offsets(s.rays.size() + 1);
    std::vector<RayHit> all(40 * s.rays.size());
    ASSERT_TRUE(cast_rays_all(finder, s.rays, all_offsets, all, workspace).status);
    std::size_t dropped = 0;
    for (std::size_t i = 0; i < s.rays.size(); ++i) {
        std::size_t at = offsets[i];
        for (std::size_t k = all_offsets[i]; k < all_offsets[i + 1]; ++k) {
            if (!passes(of_rays, i, of_bodies, all[k].body)) {
                ++dropped;
                continue;
            }
            ASSERT_LT(at, offsets[i + 1]) << i;
            EXPECT_EQ(std::memcmp(&out[at++], &all[k], sizeof(RayHit)), 0) << i;
        }
        EXPECT_EQ(at, offsets[i + 1]) << i;
    }
    std::printf("%zu hits, %zu filtered\n", static_cast<std::size_t>(r.required), dropped);
    EXPECT_GT(r.required, 100U);
    EXPECT_GT(dropped, 500U);
}

TEST(SceneRays, BadArgumentsAreRefused) {
    const RayScenery s = make_scene(34, 20, 20);
    PairFinder finder;
    QueryWorkspace workspace;
    std::vector<RayHit> out(s.rays.size());
    EXPECT_STREQ(cast_rays(finder, s.rays, out, workspace).status.what, "the finder has no frame: find() comes first");
    ASSERT_TRUE(finder.find(s.hulls, s.view()).status);
    const std::uint32_t one[1] = {1};
    QueryOptions options;
    options.group = one;
    EXPECT_STREQ(cast_rays(finder, s.rays, out, workspace, {}, options).status.what,
                 "group needs one number for each query, or none");
    options = {};
    const std::vector<std::int32_t> worlds(s.rays.size(), -2);
    options.world = worlds;
    EXPECT_STREQ(cast_rays(finder, s.rays, out, workspace, {}, options).status.what,
                 "world must be one of the scene's, or kSharedBody");
    QueryWorkspace moved = std::move(workspace);
    EXPECT_STREQ(cast_rays(finder, s.rays, out, workspace).status.what,  // NOLINT(bugprone-use-after-move): the test
                 "workspace was moved from");
    EXPECT_TRUE(cast_rays(finder, s.rays, out, moved).status);
}

}  // namespace
}  // namespace lanefold::test
