// SPDX-License-Identifier: MIT
//
// With the default settings of the contact response stacks come to rest.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/serial.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "support/response_world.hpp"

namespace lanefold::test {
namespace {

using World = ResponseWorld;

// Default settings, 60 steps a second, contacts within a margin of 2% of a box. Ten boxes dropped on one another stand
// still after five seconds.
TEST(ContactResponse, TenBoxesComeToRestWithDefaultSettings) {
    constexpr std::uint32_t kBoxes = 10;
    const Points lists[] = {box_points(0.5, 0.5, 0.5), box_points(5, 5, 0.5)};
    const Library library = build_library(lists);
    for (const ResolutionOrder order : {ResolutionOrder::passes, ResolutionOrder::per_contact}) {
        World w;
        w.add({0, 0, -0.5}, {}, 0.0);
        for (std::uint32_t i = 0; i < kBoxes; ++i) w.add({0.02 * (i % 3), 0.01 * (i % 2), 0.6 + 1.1 * i}, {}, 1.0);
        std::vector<Pair> pairs;
        for (std::uint32_t i = 1; i <= kBoxes; ++i) pairs.push_back({i - 1, i});
        std::vector<BodyD> bodies(w.position.size());
        std::vector<Manifold4> manifolds(pairs.size());
        Workspace workspace;
        Options options;
        options.margin = 0.02F;
        std::vector<ResponseContact> contacts;
        ResponseSettings settings;
        settings.step = 1.0 / 60.0;
        settings.order = order;
        double fastest = 0, sunk = 0;
        std::uint32_t limits = 0, late_limits = 0, most = 0;
        for (int i = 0; i < 600; ++i) {
            w.acceleration.assign(w.position.size(), {0, 0, -9.81});
            w.acceleration[0] = {};
            for (std::size_t k = 1; k < w.position.size(); ++k) {
                w.velocity[k] = w.velocity[k] + w.acceleration[k] * settings.step;
                w.position[k] = w.position[k] + w.velocity[k] * settings.step;
            }
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                bodies[k].hull = k == 0 ? 1 : 0;
                set_orientation(bodies[k], Quat{});
                const double p[3] = {w.position[k].x, w.position[k].y, w.position[k].z};
                std::copy(p, p + 3, bodies[k].position);
            }
            ASSERT_TRUE(collide_serial(library.hulls, BodyView(std::span<const BodyD>(bodies)), pairs, options,
                                       manifolds, workspace)
                            .status);
            contacts.clear();
            append_contacts(manifolds, 0.3, contacts);
            const ResponseResult r = w.resolve(contacts, settings);
            ASSERT_TRUE(r.status);
            limits += r.limit_reached ? 1U : 0U;
            most = std::max({most, r.velocity_iterations, r.position_iterations});
            if (i < 300) continue;
            late_limits += r.limit_reached ? 1U : 0U;
            for (std::size_t k = 1; k < w.position.size(); ++k) {
                fastest = std::max(fastest, length(w.velocity[k]));
                sunk = std::max(sunk, std::fabs(w.position[k].z - (static_cast<double>(k) - 0.5)));
            }
        }
        std::printf(
            "%s: fastest after 5 s %.1e m/s, furthest from its place %.1e m, most iterations %u, limit reached in "
            "%u steps\n",
            order == ResolutionOrder::passes ? "passes" : "per contact", fastest, sunk, most, limits);
        EXPECT_LT(fastest, 1e-3);
        EXPECT_LT(sunk, 2e-3);
        EXPECT_EQ(late_limits, 0U);
    }
}

// Cases of the source: a ball on the ground, two balls on each other, with default settings.
TEST(ContactResponse, BallsComeToRestWithDefaultSettings) {
    for (const ResolutionOrder order : {ResolutionOrder::passes, ResolutionOrder::per_contact}) {
        World w;
        w.add({0, 0, 1.5}, {}, 1.0);
        w.add({0, 0, 2.8}, {}, 0.5);
        const double radius[] = {0.5, 0.5};
        const Pair pair[] = {{0, 1}};
        ResponseSettings settings;
        settings.step = 1.0 / 60.0;
        settings.order = order;
        std::vector<ResponseContact> contacts;
        double fastest = 0;
        std::uint32_t touched = 0;
        for (int i = 0; i < 600; ++i) {
            w.acceleration.assign(2, {0, 0, -9.81});
            for (std::size_t k = 0; k < 2; ++k) {
                w.velocity[k] = w.velocity[k] + w.acceleration[k] * settings.step;
                w.position[k] = w.position[k] + w.velocity[k] * settings.step;
            }
            contacts.clear();
            if (w.position[0].z <= 0.52) contacts.push_back(contact(kNoBody, 0, {0, 0, 1}, 0.6, 0.5 - w.position[0].z));
            EXPECT_EQ(append_spheres(pair, w.view(), radius, 0.6, contacts, 0.02), 0U);
            touched += contacts.size() == 2 ? 1U : 0U;
            const ResponseResult r = w.resolve(contacts, settings);
            EXPECT_FALSE(r.limit_reached);
            if (i < 300) continue;
            for (const Vec3d& v : w.velocity) fastest = std::max(fastest, length(v));
        }
        EXPECT_LT(fastest, 1e-3);
        EXPECT_NEAR(w.position[0].z, 0.5, 1e-3);
        EXPECT_NEAR(w.position[1].z, 1.5, 1e-3);
        EXPECT_GT(touched, 300U);
    }
}

}  // namespace
}  // namespace lanefold::test
