// SPDX-License-Identifier: MIT
//
// The motion bound of certificates, at its limit: pairs whose nearest points move towards each other by almost all that
// the bound allows. Dropped pairs are compared with the bound in float64. So a bound that is too low by 1e-4
// fails, and so does one that is too high by 1e-4.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/serial.hpp>

#include "support/coherent_scene.hpp"
#include "support/isa_fixture.hpp"
#include "support/own_certificates.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPlate = 0;
constexpr std::uint32_t kSpindle = 1;
constexpr double kTip = 1.5;  // of the spindle from its centre

// A plate of six sides, 0.6 high; a spindle along x.
HullSet plate_and_spindle() {
    std::vector<Vec3f> points;
    const auto ring = [&](float radius, float height, bool about_x) {
        for (int k = 0; k < 6; ++k) {
            const float angle = 1.0471976F * static_cast<float>(k);
            const float c = radius * std::cos(angle);
            const float s = radius * std::sin(angle);
            points.push_back(about_x ? Vec3f{height, c, s} : Vec3f{c, s, height});
        }
    };
    ring(3.0F, -0.3F, false);
    ring(3.0F, 0.3F, false);
    const std::uint64_t first = points.size();
    ring(0.05F, 0, true);
    points.push_back({static_cast<float>(kTip), 0, 0});
    points.push_back({-static_cast<float>(kTip), 0, 0});
    const std::uint64_t offsets[] = {0, first, points.size()};
    return build_hulls(points, offsets).hulls;
}

// How the spindle comes down to the plate in one step: its centre by `fall`, its tip by a turn of `angle`.
struct Approach {
    const char* name;
    double fall;
    float angle;
    bool plate_first;  // the plate is body A
};
constexpr Approach kApproaches[] = {{"fall", 0.4, 0, true},
                                    {"fall, the plate is B", 0.4, 0, false},
                                    {"turn", 0, 0.05F, true},
                                    {"turn, the plate is B", 0, 0.05F, false},
                                    {"fall and turn", 0.2, 0.05F, true},
                                    {"fall and turn, the plate is B", 0.2, 0.05F, false}};

// `at`: 0 before the step, 1 after it.
std::vector<BodyD> place(const Approach& approach, int at, double far_away) {
    BodyD plate{{far_away, -far_away, far_away}, {0, 0, 0, 1}, kPlate, 0};
    BodyD spindle = plate;
    spindle.hull = kSpindle;
    spindle.position[2] += 1.2 - approach.fall * at;
    // Tilted so far that the tip is the lowest point.
    const float about_y[3] = {0, 1, 0};
    CoherentScene::turn(about_y, 0.05F + approach.angle * static_cast<float>(at), plate.orientation,
                        spindle.orientation);
    return approach.plate_first ? std::vector<BodyD>{plate, spindle} : std::vector<BodyD>{spindle, plate};
}

std::vector<Body> as_float32(const std::vector<BodyD>& bodies) {
    std::vector<Body> out;
    for (const BodyD& b : bodies) {
        Body f{};
        for (int k = 0; k < 3; ++k) f.position[k] = static_cast<float>(b.position[k]);
        for (int k = 0; k < 4; ++k) f.orientation[k] = b.orientation[k];
        f.hull = b.hull;
        out.push_back(f);
    }
    return out;
}

class MotionBound : public IsaTest {
protected:
    void check(const Approach& approach, const BodyView& before, const BodyView& after) {
        const double d0 = distance(before);
        const double d1 = distance(after);
        // In the plate's frame. In the spindle's frame the plate, which is larger, moves by more.
        const double bound = approach.fall + 2 * std::sin(0.5 * static_cast<double>(approach.angle)) * kTip;
        const double slack = 16e-6 * (size_of(kPlate) + size_of(kSpindle));
        std::printf("%s, %s: distance %.4f to %.4f, bound %.4f\n", to_string(GetParam()), approach.name, d0, d1, bound);
        EXPECT_LT(d0 - d1, bound + 1e-5);
        EXPECT_GT(d0 - d1, 0.995 * bound) << "the bound is almost reached";
        EXPECT_EQ(dropped(before, d0, after, bound * (1 + 1e-4) + slack), 1U);
        EXPECT_EQ(dropped(before, d0, after, bound * (1 - 1e-4) + slack), 0U);
        EXPECT_EQ(dropped(before, d0, after, d0 - d1 - 1e-5), 0U) << "in contact";
    }

    HullSet hulls_ = plate_and_spindle();

private:
    Options options(double margin) const {
        Options o;
        o.margin = static_cast<float>(margin);
        o.isa = GetParam();
        return o;
    }

    double size_of(std::uint32_t hull) const { return static_cast<double>(hulls_[hull].size); }

    double distance(const BodyView& bodies) {
        Workspace workspace;
        Manifold4 out[1];
        const BatchResult r = collide_serial(hulls_, bodies, kPair, options(10), out, workspace);
        EXPECT_EQ(r.touching, 1U);
        return static_cast<double>(out[0].distance);
    }

    // Whether the certificate of the pose before drops the pair at the pose after, where the margin is less than the
    // certificate's distance by `less`.
    std::uint64_t dropped(const BodyView& before, double distance, const BodyView& after, double less) {
        OwnCertificates own(1);
        CompactResult r;
        EXPECT_TRUE(own.step(hulls_, before, kPair, options(distance - 1e-4), r).empty());
        const auto certified = static_cast<double>(own.all()[0].distance);
        EXPECT_NEAR(certified, distance, 1e-4);
        const std::vector<Manifold4> got = own.step(hulls_, after, kPair, options(certified - less), r);
        expect_ran(r);
        EXPECT_EQ(r.counters.certificates_tried, 1U);
        return r.counters.rejected_certificate;
    }

    static constexpr Pair kPair[1] = {{0, 1}};
};

TEST_P(MotionBound, IsNeitherTooLowNorTooHigh) {
    for (const Approach& approach : kApproaches) {
        const std::vector<Body> before = as_float32(place(approach, 0, 0));
        const std::vector<Body> after = as_float32(place(approach, 1, 0));
        check(approach, BodyView(before), BodyView(after));
    }
}

TEST_P(MotionBound, WithDoublePositionsFarAway) {
    for (const Approach& approach : kApproaches) {
        const std::vector<BodyD> before = place(approach, 0, 1e7);
        const std::vector<BodyD> after = place(approach, 1, 1e7);
        check(approach, BodyView(before), BodyView(after));
    }
}

LANEFOLD_INSTANTIATE_ISA_TESTS(MotionBound);

}  // namespace
}  // namespace lanefold::test
