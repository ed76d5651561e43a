// SPDX-License-Identifier: MIT
//
// The oracle of sweeps before surfaces: a march over every triangle, with distances by brute force, looks for the
// moments at which a triangle's distance comes down to the target, and asks by brute force whether the direction then
// is one of the triangle's. It shares no code with the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <lanefold/surface_oracle.hpp>
#include <lanefold/sweep_oracle.hpp>

namespace lanefold::test {

// A hull on its way before a surface, which may move and turn, too.
struct GroundFlight {
    const reference::OracleSurface* surface = nullptr;
    const reference::OracleHull* hull = nullptr;
    reference::OracleMotion ground;
    reference::OracleMotion body;

    reference::SurfaceExaminer at(double fraction) const {
        reference::OraclePair pair{nullptr, nullptr, ground, body};
        PoseD pose_ground;
        PoseD pose_body;
        reference::oracle_poses(pair, fraction, pose_ground, pose_body);
        return {*surface, pose_ground, *hull, pose_body, 0};
    }

    double fastest() const {
        double turn = 0;
        for (const Vec3d& v : hull->vertices) turn = std::max(turn, length(cross(body.spin, body.rotation * v)));
        // As the surface sees it, what it turns by moves the hull on the longest lever.
        const Vec3d from = body.position - ground.position;
        const Vec3d to = from + (body.shift - ground.shift);
        double reach = 0;
        for (const Vec3d& v : hull->vertices) reach = std::max(reach, length(v));
        const double lever = std::max(length(from), length(to)) + reach;
        return length(body.shift - ground.shift) + turn + length(ground.spin) * lever;
    }
};

// A triangle as it is at a fraction: the distance of the rounded body, or less than none of the core where it cuts.
struct GroundSight {
    double distance = 0;
    Vec3d direction;
};
inline GroundSight look(const GroundFlight& f, std::uint32_t t, double fraction) {
    const reference::SurfaceExaminer examiner = f.at(fraction);
    const reference::OracleTriangle o = examiner.lies(t);
    const bool cut = o.axes <= 0;
    return {(cut ? o.axes : o.distance) - f.hull->round_radius, cut ? Vec3d{} : o.direction};
}

// How sure the oracle is of a meeting.
enum class Met : std::uint8_t { no, perhaps, surely };

// The first meetings of all triangles.
struct GroundMeetings {
    double surely = 2;         // the first that counts beyond doubt
    double perhaps = 2;        // the first that may count
    std::uint32_t passed = 0;  // meetings from behind
};

class GroundMarch {
public:
    // `fine`: excursions by less are not seen. `tolerance`: of a hit's distance.
    GroundMarch(const GroundFlight& flight, double target, double tolerance, double fine)
        : f_(flight), target_(target), tolerance_(tolerance), fine_(fine), fastest_(flight.fastest()) {}

    GroundMeetings run() {
        for (std::uint32_t t = 0; t < f_.surface->triangles.size(); ++t) follow(t);
        return out_;
    }

private:
    void follow(std::uint32_t t) {
        bool inside = look(f_, t, 0).distance <= target_;
        double last = 0;  // where it was outside
        for (double at = 0; at <= 1 && at <= out_.surely;) {
            const double d = look(f_, t, at).distance;
            if (d <= target_ && !inside) {
                judge(t, last, at);
                inside = true;
            }
            if (d > target_) {
                inside = false;
                last = at;
            }
            const double step = std::max(std::fabs(d - target_), fine_);
            at += fastest_ > step ? step / fastest_ : 2;
        }
    }

    // The moment between two at which the distance comes down to `distance`.
    double crossing(std::uint32_t t, double out, double in, double distance) const {
        for (int i = 0; i < 60 && in - out > 1e-15; ++i) {
            const double middle = 0.5 * (out + in);
            (look(f_, t, middle).distance > distance ? out : in) = middle;
        }
        return out;
    }

    // Whether the direction at a distance above the target is admissible.
    Met admits(std::uint32_t t, double at) const {
        const GroundSight s = look(f_, t, at);
        if (length(s.direction) == 0) return Met::perhaps;
        if (reference::inadmissibility(*f_.surface, t, s.direction, reference::BorderCone::that_all_face) < 1e-10)
            return Met::surely;
        return reference::inadmissibility(*f_.surface, t, s.direction) < 1e-4 ? Met::perhaps : Met::no;
    }

    void judge(std::uint32_t t, double last, double at) {
        const double here = crossing(t, last, at, target_ + 1e-5 * tolerance_);
        const double before = crossing(t, 0, at, target_ + 0.9 * tolerance_);
        const Met met[2] = {admits(t, here), admits(t, std::min(before, here))};
        const double when = crossing(t, last, at, target_);
        if (met[0] == Met::surely && met[1] == Met::surely) out_.surely = std::min(out_.surely, when);
        if (met[0] != Met::no || met[1] != Met::no) {
            out_.perhaps = std::min(out_.perhaps, when);
        } else {
            ++out_.passed;
        }
    }

    const GroundFlight& f_;
    double target_;
    double tolerance_;
    double fine_;
    double fastest_;
    GroundMeetings out_;
};

// How near to the target a triangle is at a fraction whose direction counts and is that of the normal (from the surface
// to the body), relative to the tolerance: at most 1 at a hit.
inline double off_target(const GroundFlight& f, double fraction, double target, double tolerance, const Vec3d& normal) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t t = 0; t < f.surface->triangles.size(); ++t) {
        const GroundSight s = look(f, t, fraction);
        if (length(s.direction) == 0 || length(s.direction - normal) > 2e-4) continue;
        if (reference::inadmissibility(*f.surface, t, s.direction) > 1e-4) continue;
        least = std::min(least, std::fabs(s.distance - target) / tolerance);
    }
    return least;
}

}  // namespace lanefold::test
