// SPDX-License-Identifier: MIT
//
// Links that are solved together. A group is all links that movable bodies connect; its impulses are the solution of
// one sparse system with a row for each link, so that what hangs at the end of a chain is carried in one pass, whatever
// it weighs. The pattern of the system stays while the links connect the same movable bodies.
//
// Method: Cholesky's L D L^T in an order of least degree (D. J. Rose, "A graph-theoretic study of the numerical
// solution of sparse positive definite systems of linear equations", 1972). A chain costs as much as its links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "solve/colours.hpp"
#include "solve/solver_job.hpp"

namespace lanefold::detail {

// A link of a group: a row of blocks of the system.
struct LinkSlot {
    std::uint32_t link;
    std::uint32_t a, b;  // of LinkGroups::bodies
    bool cable;
    // From begin_links() on.
    double length;
    double restitution;
    Vec3d arm_a, arm_b;  // when the step began
    Vec3d gap;           // from the end on A to the end on B, when the step began
    double parting;      // the ends' velocity apart when the step began
    double total;        // impulse of the substep; in its first pass that of the substep before
    bool pulled;         // in this step
};

// A body as the links of a group see it.
struct LinkedBody {
    std::uint32_t row;
    bool movable;
};

// Two links share a body, so their impulses change each other's velocity.
struct LinkEdge {
    std::uint32_t entry;
    std::uint32_t row, column;   // slots
    bool row_at_b, column_at_b;  // the body is the B of the link
};

// Numbers of a pass: the velocity of a body, and how it has moved since the step began.
struct LinkedMotion {
    Vec3d v, w;
    Vec3d v_before, w_before;  // the pass
    Vec3d moved;
    Vec3d turn;  // vector part of the rotation
    double turn_scalar;
    double inverse_mass;
    double inverse_inertia[6];  // xx, xy, xz, yy, yz, zz
    double pull[6];             // how the pulls at its arms resist turning, times h squared
};

// How a link lies.
struct LinkPose {
    Vec3d arm_a, arm_b;
    Vec3d direction;  // from A to B; 0 where the ends coincide
    double excess;    // over the length
    double bias;      // velocity by which the ends shall come nearer
    double pull;      // impulse along it that the pass reckons with, 0 or more
    double damping;   // impulse across the link per velocity of its ends across it
    double before;    // impulse at the begin of the pass
    bool active;      // false: a cable that does not hold, or a link without a direction
};

// A link's rows: along it, and two across. Impulses y push by `axis` times y.
struct LinkRow3 {
    Vec3d axis[3];
    Vec3d moment_a[3], moment_b[3];
    Vec3d spin_a[3], spin_b[3];  // inverse inertia times moment
    double own[3];               // added to the diagonal
    double y[3];
};

class LinkGroups {
public:
    struct Group {
        std::uint32_t first, last;              // slots
        std::uint32_t first_body, last_body;    // bodies
        std::uint32_t first_edge, last_edge;    // edges
        std::uint32_t first_entry, last_entry;  // entries below the diagonal
    };

    // Groups the links that can be solved together; `ends` of no points are no constraints. The system of a group with
    // too many loops or hubs is too dense: its links stay out. Throws std::bad_alloc.
    void build(std::span<const ConstraintEnds> ends, std::uint32_t no_body);
    bool grouped(std::size_t link) const { return grouped_[link] != 0; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(groups.size()); }

    std::vector<Group> groups;
    std::vector<LinkSlot> slots;  // group by group, in the order of elimination
    std::vector<LinkedBody> bodies;
    std::vector<LinkEdge> edges;
    std::vector<std::uint32_t> column;  // per slot, and one more: its first entry
    std::vector<std::uint32_t> row;     // per entry: its slot, ascending in a column
    // Eliminating a slot changes the entries of each pair of its rows: per slot, and one more, its first target; a
    // target is an entry, or a slot's diagonal block.
    static constexpr std::uint32_t kDiagonal = 0x80000000U;
    std::vector<std::uint32_t> first_target;
    std::vector<std::uint32_t> target;
    // Numbers of a pass.
    std::vector<LinkedMotion> motions;  // per body
    std::vector<LinkPose> poses;        // per slot
    std::vector<LinkRow3> rows;         // per slot
    std::vector<double> diagonal;       // per slot, a block of 3 x 3 or, where links have one row, a number
    std::vector<double> entry;          // the same per entry

private:
    bool add_group(std::span<const std::uint32_t> links);
    std::uint32_t body_of(std::uint32_t row, bool movable, std::uint32_t first_body);
    void add_edges(const Group& group);
    void add_targets(const Group& group);

    std::vector<ConstraintEnds> ends_;
    std::vector<std::uint8_t> grouped_;
    std::vector<std::uint32_t> parent_;   // per body: union-find
    std::vector<std::uint32_t> body_at_;  // per body: where it is in `bodies`
};

// Stages over groups.
void begin_links(const SolverJob& job, std::uint32_t first, std::uint32_t last);
// Velocities that take errors of length back.
void solve_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last);
// The same without.
void relax_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last);
// Restitution of cables that came taut, once, after the last substep.
void bounce_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last);
void end_links(const SolverJob& job, std::uint32_t first, std::uint32_t last);

}  // namespace lanefold::detail
