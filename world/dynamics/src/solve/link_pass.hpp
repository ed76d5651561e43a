// SPDX-License-Identifier: MIT
//
// A pass of a substep over a group of links, in float64, with the same operations on every instruction set. Impulses
// act along the links. Where a link pulls so hard that its bodies would swing faster than substeps can follow, the pass
// is implicit: the bodies resist as if they were heavier, by what the pull does to them within the substep.
//
// Method: direct solution of the velocities' constraints; geometric stiffness where it is needed (S. Andrews, M.
// Teichmann, P. G. Kry, "Geometric stiffness for real-time constrained multibody dynamics", 2017).
#pragma once

#include <cstdint>

#include "solve/link_groups.hpp"
#include "solve/link_system.hpp"

namespace lanefold::detail {

class LinkPass {
public:
    LinkPass(const SolverJob& job, const LinkGroups::Group& group)
        : job_(job), links_(*job.link_groups), group_(group) {}

    // Arms and the vectors between the ends when the step begins.
    void begin();
    // Velocities before the bodies move.
    void solve();
    // Lengths and velocities after it.
    void relax();
    // Restitution of cables that came taut.
    void bounce();
    // Impulses to keep.
    void end() const;

private:
    // link_pass.cpp
    void load();
    void load_motions();
    void lie();
    Vec3d velocity(std::uint32_t slot) const;
    void apply(std::uint32_t slot, const Vec3d& impulse);
    void set_bias();
    void add_curvature();
    void take_back_errors();
    void straighten();
    double farthest_end() const;
    void keep_totals();
    void store(bool places);
    // link_hold.cpp
    void choose_active();
    void hold(bool damped);
    template <std::uint32_t N>
    void hold_rows();
    template <std::uint32_t N>
    void solve_active();
    template <std::uint32_t N>
    void solve_rows();
    bool change_active();
    void set_rows(std::uint32_t slot, std::uint32_t count);
    // link_stiffness.cpp
    struct Stiffness {
        bool bodies, across;
        bool any() const { return bodies || across; }
    };
    Stiffness stiffen();
    void add_pull(LinkedMotion& body, const Vec3d& arm, const Vec3d& towards, double pull) const;
    bool steady(LinkedMotion& body) const;
    double damping(std::uint32_t slot, double pull) const;
    bool swings(std::uint32_t slot, double pull) const;
    bool take_pulls();

    const SolverJob& job_;
    LinkGroups& links_;
    const LinkGroups::Group& group_;
    bool slow_down_ = false;  // velocities across links and turning, where the pass is implicit
    double yield_ = kYield;
};

// The product of a symmetric matrix (xx, xy, xz, yy, yz, zz) and a vector.
inline Vec3d times(const double* s, const Vec3d& v) {
    return {(s[0] * v.x + s[1] * v.y) + s[2] * v.z, (s[1] * v.x + s[3] * v.y) + s[4] * v.z,
            (s[2] * v.x + s[4] * v.y) + s[5] * v.z};
}

}  // namespace lanefold::detail
