// SPDX-License-Identifier: MIT
//
// Scenes for measurements of support patches: flat sides that a scan or a modeller has cut into nearly coplanar faces,
// and finely faceted round hulls, at rest except for a tremor of a thousandth of a radian. Two figures are measured:
// how often a manifold jumps, and how much of the region that truly touches its points span.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::tools {

// A frame: b rests on a, overlapping by kTrembleDepth, in nearly the same way as in the frame before.
struct TremblingFrame {
    BodyD a;
    BodyD b;
    bool other_body = false;  // the frame is independent of the one before
};

struct TremblingScene {
    std::string name;
    HullSet hulls;  // of metre size; they touch in planes perpendicular to z
    double true_area = 0;
    std::vector<TremblingFrame> frames;
};

inline constexpr double kTrembleDepth = 5e-4;    // of overlap, at bodies of radius 1
inline constexpr float kTrembleMargin = 0.005F;  // a quarter of the usual margin for metre-sized bodies

// Three scenes of 1,000 frames each: a 64-sided cylinder on a floor, its lids rippled by a few ten-thousandths of the
// radius; a sphere of 3,000 vertices that rolls on a floor to and fro by up to half of their spacing; stones with two
// flat sides on each other, every point displaced by up to 2e-4. Throws io_failure when a hull cannot be built.
std::vector<TremblingScene> make_trembling_scenes(std::uint64_t seed);

struct PlanePoint {
    double x;
    double y;
};

// Follows one manifold through a scene's frames.
class Steadiness {
public:
    explicit Steadiness(double true_area) : true_area_(true_area) {}

    // The points of a frame's manifold, seen along z.
    void add(const std::vector<PlanePoint>& points, bool other_body);

    std::uint32_t frames() const { return frames_; }
    // Share of the frames whose convex hull moved (Hausdorff distance) by more than half the radius of the true region.
    double flicker() const { return static_cast<double>(jumps_) / frames_; }
    // Area of the convex hull as a share of the true region's.
    double mean_area() const { return area_ / frames_; }
    double least_area() const { return least_area_; }
    double mean_points() const { return points_ / frames_; }

private:
    double true_area_;
    std::vector<PlanePoint> last_;
    std::uint32_t frames_ = 0;
    std::uint32_t jumps_ = 0;
    double area_ = 0;
    double least_area_ = std::numeric_limits<double>::infinity();
    double points_ = 0;
};

// The points of a record, which are offsets from A's position.
template <class Manifold>
std::vector<PlanePoint> plan_of(const Manifold& m) {
    std::vector<PlanePoint> p;
    for (std::uint32_t i = 0; i < m.count; ++i)
        p.push_back({static_cast<double>(m.points[i].position[0]), static_cast<double>(m.points[i].position[1])});
    return p;
}

}  // namespace lanefold::tools
