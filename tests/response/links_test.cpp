// SPDX-License-Identifier: MIT
//
// Cables and rods as generators of contacts: a pendulum on a rod, a cable slack and taut, a rod that pushes and pulls,
// each against its closed form; and links that are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <vector>

#include "support/response_world.hpp"

namespace lanefold::test {
namespace {

using World = ResponseWorld;

// A pendulum on a rod from a fixed point. Period for amplitude A: 2 pi sqrt(L / g) / agm(1, cos(A / 2)), by the
// arithmetic-geometric mean (Gauss).
TEST(ContactResponse, PendulumOnARodKeepsItsLengthAndPeriod) {
    const double g = 9.81, length_of_rod = 1.5, step = 2e-5;
    for (const double amplitude : {0.05, 1.0, 2.0}) {
        double x = 1.0, y = std::cos(amplitude / 2);
        for (int i = 0; i < 20; ++i) {
            const double mean = 0.5 * (x + y);
            y = std::sqrt(x * y);
            x = mean;
        }
        const double period = 2 * std::numbers::pi * std::sqrt(length_of_rod / g) / x;
        World w;
        w.add({length_of_rod * std::sin(amplitude), 0, -length_of_rod * std::cos(amplitude)}, {}, 0.25);
        w.acceleration = {{0, 0, -g}};
        Link rod;
        rod.a = 0;
        rod.length = length_of_rod;
        std::vector<ResponseContact> contacts;
        ResponseSettings settings;
        settings.step = step;
        settings.position_tolerance = settings.velocity_tolerance = 1e-12;
        double worst_length = 0, last_crossing = -1, sum = 0;
        int crossings = 0;
        const double top = -length_of_rod * std::cos(amplitude);
        double highest = -length_of_rod;
        for (int i = 0; crossings < 7; ++i) {
            const double before = w.position[0].x;
            w.velocity[0] = w.velocity[0] + w.acceleration[0] * step;
            w.position[0] = w.position[0] + w.velocity[0] * step;
            contacts.clear();
            ASSERT_TRUE(append_rods({&rod, 1}, w.view(), contacts));
            ASSERT_TRUE(w.resolve(contacts, settings).status);
            worst_length = std::max(worst_length, std::fabs(length(w.position[0]) - length_of_rod));
            if (crossings > 0) highest = std::max(highest, w.position[0].z);
            if (before > 0 && w.position[0].x <= 0) {
                const double now = (i + before / (before - w.position[0].x)) * step;
                if (last_crossing >= 0) sum += now - last_crossing;
                last_crossing = now;
                ++crossings;
            }
            ASSERT_LT(i, 3000000);
        }
        const double measured = sum / 6;
        std::printf("amplitude %.2f: period %.5f, closed form %.5f; length off by %.1e, height regained to %.1e\n",
                    amplitude, measured, period, worst_length, std::fabs(highest - top));
        EXPECT_NEAR(measured, period, 2e-3 * period);
        EXPECT_LT(worst_length, 1e-9);
        EXPECT_NEAR(highest, top, 5e-3);
    }
}

TEST(ContactResponse, CableIsNothingWhileSlackAndBouncesWhenTaut) {
    const double g = 9.81, step = 1e-4, max_length = 2.0, e = 0.5;
    World w;
    w.add({0, 0, 10}, {}, 0.0);
    w.add({0, 0, 9.5}, {}, 1.0);
    Link cable;
    cable.a = 1;
    cable.b = 0;
    cable.length = max_length;
    cable.restitution = e;
    std::vector<ResponseContact> contacts;
    ResponseSettings settings;
    settings.step = step;
    double taut_at = -1, speed_before = 0, speed_after = 0, longest = 0;
    for (int i = 1; i < 30000; ++i) {
        w.acceleration = {{}, {0, 0, -g}};
        w.velocity[1] = w.velocity[1] + w.acceleration[1] * step;
        w.position[1] = w.position[1] + w.velocity[1] * step;
        contacts.clear();
        ASSERT_TRUE(append_cables({&cable, 1}, w.view(), contacts));
        if (taut_at < 0 && contacts.empty()) {
            EXPECT_NEAR(w.velocity[1].z, -g * i * step, 1e-9);
        }
        const double before = w.velocity[1].z;
        ASSERT_TRUE(w.resolve(contacts, settings).status);
        if (taut_at < 0 && !contacts.empty()) {
            taut_at = i * step;
            speed_before = before;
            speed_after = w.velocity[1].z;
        }
        longest = std::max(longest, w.position[0].z - w.position[1].z);
    }
    const double fall = max_length - 0.5;
    EXPECT_NEAR(taut_at, std::sqrt(2 * fall / g), 2 * step);
    EXPECT_NEAR(speed_before, -std::sqrt(2 * g * fall), 2 * g * step);
    EXPECT_NEAR(speed_after, -e * (speed_before + g * step), 1e-9);
    EXPECT_LE(longest, max_length + settings.position_tolerance);
    EXPECT_NEAR(w.position[1].z, 10 - max_length, 1e-3) << "hangs in the end";
    std::printf("taut after %.4f s (closed form %.4f), bounced %.4f -> %.4f, never longer than %.7f\n", taut_at,
                std::sqrt(2 * fall / g), speed_before, speed_after, longest);
}

TEST(ContactResponse, RodPushesAndPulls) {
    World w;
    w.add({0, 0, 0}, {1, 0, 0}, 1.0);
    w.add({2, 0, 0}, {}, 1.0);
    Link rod;
    rod.a = 0;
    rod.b = 1;
    rod.length = 2.5;
    std::vector<ResponseContact> contacts;
    ASSERT_TRUE(append_rods({&rod, 1}, w.view(), contacts));
    EXPECT_TRUE(w.resolve(contacts).status);
    EXPECT_NEAR(w.position[0].x, -0.25, 1e-15);  // too short: pushed apart
    EXPECT_NEAR(w.position[1].x, 2.25, 1e-15);
    EXPECT_EQ(w.velocity[0], (Vec3d{0.5, 0, 0}));
    EXPECT_EQ(w.velocity[1], (Vec3d{0.5, 0, 0}));
    w.position[1].x = 3.25;
    w.velocity[1].x = 2.5;
    contacts.clear();
    ASSERT_TRUE(append_rods({&rod, 1}, w.view(), contacts));
    EXPECT_TRUE(w.resolve(contacts).status);
    EXPECT_NEAR(w.position[1].x - w.position[0].x, 2.5, 1e-15);  // too long: pulled
    EXPECT_EQ(w.velocity[0], (Vec3d{1.5, 0, 0}));
    EXPECT_EQ(w.velocity[1], (Vec3d{1.5, 0, 0}));
}

TEST(ContactResponse, BadLinksAreRefusedAndAppendNothing) {
    World w;
    w.add({0, 0, 0}, {}, 1.0);
    w.add({2, 0, 0}, {}, 1.0);
    w.add({std::nan(""), 0, 0}, {}, 1.0);
    const double inf = std::numeric_limits<double>::infinity();
    const Link good{0, 1, {}, 1.0, 0.5};
    std::uint32_t cases = 0;
    const auto refused = [&](const Link& bad, const char* what, bool as_rod = true) {
        SCOPED_TRACE(++cases);
        const Link links[] = {good, good, bad};
        for (const bool rods : {false, true}) {
            std::vector<ResponseContact> out(1, contact(0, 1, {1, 0, 0}, 0.25, 3));
            const CallStatus status = rods ? append_rods(links, w.view(), out) : append_cables(links, w.view(), out);
            if (rods && !as_rod) {
                EXPECT_TRUE(status);
                EXPECT_EQ(out.size(), 4U);
                continue;
            }
            EXPECT_EQ(status.code, Status::bad_argument);
            EXPECT_STREQ(status.what, what);
            EXPECT_EQ(status.where, 2U);
            ASSERT_EQ(out.size(), 1U);
            EXPECT_EQ(out[0].penetration, 3);
        }
    };
    refused(Link{}, "link names a body that does not exist");
    refused({kNoBody, 0, {}, 1, 0}, "link names a body that does not exist");
    refused({3, 0, {}, 1, 0}, "link names a body that does not exist");
    refused({0, 3, {}, 1, 0}, "link names a body that does not exist");
    refused({0, kNoBody - 1, {}, 1, 0}, "link names a body that does not exist");
    refused({1, 1, {}, 1, 0}, "link of a body with itself");
    for (const double wrong : {std::nan(""), -1e-300, -1.0, inf, -inf}) {
        refused({0, 1, {}, wrong, 0}, "length of a link must be finite and >= 0");
    }
    for (const double wrong : {std::nan(""), -0.1, 1.1}) {
        refused({0, 1, {}, 1, wrong}, "restitution must be within 0 and 1", false);
    }
    refused({0, kNoBody, {0, inf, 0}, 1, 0}, "anchor of a link is not finite");
    refused({2, kNoBody, {}, 1, 0}, "body of a link is not finite");
    refused({0, 2, {}, 1, 0}, "body of a link is not finite");
    EXPECT_EQ(cases, 17U);

    // A world without bodies, and no links at all.
    std::vector<ResponseContact> out;
    EXPECT_FALSE(append_rods({&good, 1}, {}, out));
    EXPECT_TRUE(append_cables({}, {}, out));
    EXPECT_TRUE(append_rods({}, {}, out));
    EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace lanefold::test
