// SPDX-License-Identifier: MIT
//
// A body on its way before a surface: its core at a fraction, what it sweeps, and for how long an axis separates it
// from a triangle. All is seen from the surface: if it turns, the body runs on a spiral about its position.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/detail/ground_sweep.hpp>
#include <lanefold/detail/time_above.hpp>
#include <lanefold/detail/time_within.hpp>

#include "ground/ground_body.hpp"
#include "ground/triangle.hpp"

namespace lanefold::detail {

// Memory that is reused from sweep to sweep.
struct GroundSweepMemory {
    GroundBody moved;
    std::vector<double> height;
    std::vector<double> rate;
    std::vector<std::uint32_t> fan;
};

class MovingBody {
public:
    // Places `first` where the body is at fraction 0, and goes there.
    MovingBody(const GroundMotion& motion, GroundBody& first, GroundSweepMemory& memory);

    // Places the body at a fraction.
    void go_to(double fraction);
    const GroundBody& body() const { return *now_; }
    // From the body's position to the core's centre, and the centre in the surface's coordinates.
    const Vec3d& lever() const { return lever_; }
    Vec3d origin() const { return place_ + lever_; }

    // Whether the body turns as the surface sees it.
    bool turns() const { return motion_.angle > 0 || ground_turns(); }
    // No point of the core moves by more from fraction 0 to 1.
    double fastest() const { return fastest_; }
    // No point of the core is further from the position.
    double reach() const { return reach_; }

    // The core sweeps a box whose centre moves on a line: that line, and half of the box.
    RayLine way() const { return {start_ + (low_ + high_) * 0.5, along_}; }
    Vec3d half_extent() const { return (high_ - low_) * 0.5; }

    // The part of the motion outside of which spheres keep the core further from a triangle than `most`.
    Window window(const Vec3d (&corner)[3], double most) const;

    // The time, at most `span`, up to which u (unit, from the triangle to the core) keeps the core further than `cut`
    // from the triangle. 0: it does not even now. The triangle is that about the core's centre now.
    double clear_time(const GroundTriangle& t, const Vec3d& u, double cut, double span);

private:
    bool ground_turns() const { return motion_.ground_angle > 0; }
    // The heights of the vertices along u, and their rates while u stands, `by`: u x the spin.
    MovingHeights heights_along(const Vec3d& u, const Vec3d& by);
    void follow_spiral();
    void sweep_box();
    double spiral_time(double separation, double top, const Vec3d& u, double cut, double span);
    double world_time(const GroundTriangle& t, double separation, const Vec3d& u, double span);
    double standing_time(double separation, double top, const Vec3d& u, double cut, double span);
    double turning_time(const GroundTriangle& t, double separation, const Vec3d& u, double span);

    const GroundMotion& motion_;
    GroundBody& first_;
    GroundSweepMemory& memory_;
    GroundBody* now_;
    double fraction_ = 0;
    Vec3d place_;  // the body's position as the surface sees it now
    Mat3d back_;   // the surface's turn since fraction 0, taken back
    // No further from this line than the box below has room is the position, at the same fraction.
    Vec3d start_;
    Vec3d along_;
    double bulge_ = 0;  // of a spiral, from that line
    double far_ = 0;    // no point of the core is further from the surface's position, if that turns
    Vec3d lever_;
    Vec3d first_lever_;
    Vec3d spin_;
    double arm_ = 0;  // no vertex is further from the axis
    double fastest_ = 0;
    double reach_ = 0;
    Vec3d low_;  // of the core, from the position, whenever
    Vec3d high_;
    Vec3d ball_;  // the centre of a ball about the core, from the position, whenever
    double radius_ = 0;
};

}  // namespace lanefold::detail
