// SPDX-License-Identifier: MIT
//
// Prisms on prisms: a corner of the upper one stands inside the rim of the lower one's lid, by about as much as the arc
// test needs to rule the edge of the rim out, and is the lowest by a slight tilt. So the test's rounding decides
// whether that edge is combined, whose axis is the lid's normal up to rounding. Each pair has bodies of its own.
#pragma once

#include <cmath>
#include <vector>

#include "support/batch_scene.hpp"
#include "support/hulls.hpp"
#include "support/pair_motions.hpp"

namespace lanefold::test {

struct OverhangingScene {
    BatchScene scene;
    std::vector<PairMotion> first;    // before the certificates: the upper prism goes outwards
    std::vector<PairMotion> outward;  // on, beyond any certificate
    std::vector<double> length;       // of the first motion, metres
};

class OverhangingPairs {
public:
    OverhangingPairs(std::uint64_t seed, std::uint32_t count) : random_(seed) {
        make_prisms();
        for (std::uint32_t i = 0; i < count; ++i) add_pair();
    }
    OverhangingScene take() { return std::move(out_); }

private:
    static constexpr std::uint32_t kPrisms = 24;
    static constexpr double kPi = 3.14159265358979;

    struct Prism {
        std::uint32_t sides;
        double radius, half_height;
    };

    // Without four sides: boxes have no certificates.
    void make_prisms() {
        std::vector<Points> points;
        for (std::uint32_t i = 0; i < kPrisms; ++i) {
            const std::uint32_t sides = random_.between(3, 9);
            prisms_.push_back({sides == 4 ? 5 : sides, random_.uniform(0.3, 1), random_.uniform(0.2, 0.8)});
            points.push_back(prism_points(prisms_[i].sides, prisms_[i].radius, prisms_[i].half_height));
        }
        out_.scene.hulls = build_library(points).hulls;
        out_.scene.margin = 0.02F;
    }

    // The step of the fixed point of a pair that touches, about.
    double step(std::uint32_t lower, std::uint32_t upper) const {
        return (prisms_[lower].half_height + prisms_[upper].half_height + size(lower) + size(upper)) / 31250;
    }
    double size(std::uint32_t prism) const { return static_cast<double>(out_.scene.hulls[prism].size); }

    static Body body_at(std::uint32_t hull, const Vec3d& at, double turn) {
        Body b{};
        b.hull = hull;
        const Vec3f p = to_float(at);
        b.position[0] = p.x;
        b.position[1] = p.y;
        b.position[2] = p.z;
        b.orientation[2] = static_cast<float>(std::sin(turn / 2));
        b.orientation[3] = static_cast<float>(std::cos(turn / 2));
        return b;
    }

    static void turn(Body& body, const Vec3d& pivot, const Vec3d& axis, double angle) {
        PairMotion m;
        m.pivot = pivot;
        m.axis = axis;
        m.angle = angle;
        body = m.moved(body, 1);
    }

    // Shallow, deep or a gap.
    double draw_depth() {
        if (random_.chance(0.3)) return 0;
        const double depth = random_.log_uniform(1e-6, 3e-3);
        return random_.chance(0.5) ? depth : -depth;
    }

    void add_pair() {
        const std::uint32_t lower = random_.index(kPrisms);
        const std::uint32_t upper = random_.index(kPrisms);
        const Prism& a = prisms_[lower];
        const Prism& b = prisms_[upper];
        const double depth = draw_depth();
        const double length = random_.log_uniform(1e-6, 1e-3);
        // A certificate's reach: four of these steps, and rounding.
        const double sigma = 32e-6 * (size(lower) + size(upper));
        const double inside =
            4 * length + 2 * sigma + std::max(depth, 0.0) + random_.uniform(0, 9) * step(lower, upper);
        // The rim's edge between the corners 0 and 1 of the lower prism, and the upper one's corner 0 near its normal.
        const double middle = kPi / a.sides;
        const Vec3d out{std::cos(middle), std::sin(middle), 0};
        const Vec3d along{-std::sin(middle), std::cos(middle), 0};
        const double phi = middle + random_.uniform(-0.8, 0.8) * kPi / b.sides;
        const Vec3d corner{b.radius * std::cos(phi), b.radius * std::sin(phi), -b.half_height};
        const Vec3d stands = out * (a.radius * std::cos(middle) - inside - length) +
                             along * (random_.uniform(-0.7, 0.7) * a.radius * std::sin(middle)) +
                             Vec3d{0, 0, a.half_height - depth};
        Body below = body_at(lower, {}, 0);
        Body above = body_at(upper, stands - corner, phi);
        // Lifts the rest of the upper prism.
        turn(above, stands, {-std::sin(phi), std::cos(phi), 0}, random_.log_uniform(1e-8, 3e-3));
        place(below, above, out, length, sigma);
    }

    // Turns a pair as a whole, and adds it in either order.
    void place(Body& below, Body& above, const Vec3d& out, double length, double sigma) {
        Vec3d outward = out;
        if (random_.chance(0.7)) {
            const Vec3d axis = random_.direction();
            const double angle = random_.uniform(0, 3);
            turn(below, {}, axis, angle);
            turn(above, {}, axis, angle);
            outward = rotation(about(axis, angle)) * out;
        }
        const bool swapped = random_.chance(0.5);
        const auto first = static_cast<std::uint32_t>(out_.scene.bodies.size());
        out_.scene.bodies.push_back(swapped ? above : below);
        out_.scene.bodies.push_back(swapped ? below : above);
        out_.scene.pairs.push_back({first, first + 1});
        PairMotion m;
        m.body = first + (swapped ? 0 : 1);
        m.axis = {1, 0, 0};
        m.shift = outward * length;
        out_.first.push_back(m);
        m.shift = outward * (8 * length + 3 * sigma);
        out_.outward.push_back(m);
        out_.length.push_back(length);
    }

    Random random_;
    std::vector<Prism> prisms_;
    OverhangingScene out_;
};

}  // namespace lanefold::test
