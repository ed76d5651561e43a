// SPDX-License-Identifier: MIT
//
// A step in stages over blocks: begin, prepare, substeps, restitution, store, new poses.
#include "step/solver.hpp"

#include <algorithm>

namespace lanefold::detail {
namespace {

// Blocks of bodies that a task claims together.
constexpr std::uint32_t kBodyGrain = 16;
// A step with so many more items is worth another task.
constexpr std::uint64_t kItemsPerTask = 64;

// Stiffest springs, as parts of the substeps' rate. A spring that pushes and forgets within a substep is stable while
// its stiffness times the square of the substep stays below twice the mass it moves; contacts stop at 0.55 of that. At
// a twelfth of the rate a tower of 30 boxes buckles under its own weight; at a fifth a pyramid of 20 rows trembles.
constexpr double kContactRate = 1.0 / 6;
constexpr double kLinkRate = 0.25;

// Share of WorldSettings::margin: where the depths of two points of a manifold differ by more, friction acts at the
// deeper one only.
constexpr float kTouching = 0.25F;

constexpr double kPi = 3.14159265358979323846;

// Implicit spring and damper as a constraint, after the same study.
Softness softness(double hertz, double damping, double h) {
    if (hertz == 0) return {0, 1, 0, 0};
    const double omega = 2 * kPi * hertz;
    const double a1 = 2 * damping + h * omega;
    const double a2 = h * omega * a1;
    const double a3 = 1 / (1 + a2);
    return {static_cast<float>(omega / a1), static_cast<float>(a2 * a3), static_cast<float>(a3),
            static_cast<float>(1 / a2)};
}

// The last stage: poses after the step.
void end_bodies(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    Bodies& bodies = *static_cast<Bodies*>(job.host);
    const std::size_t end = std::min<std::size_t>(bodies.size(), std::size_t{last} * kBodyBlock);
    for (std::size_t i = std::size_t{first} * kBodyBlock; i < end; ++i) bodies.end_step(i);
}

// Adds stages for the groups of one colour each, in the reversed order if `backwards`. Contacts with immovable bodies
// come last either way.
void add_groups(std::vector<Stage>& stages, const ColouredBlocks& blocks, SolverFn run, bool backwards = false) {
    const std::span<const BlockGroup> groups = blocks.groups();
    const std::size_t moving = blocks.moving_groups();
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const BlockGroup& group = groups[backwards && k < moving ? moving - 1 - k : k];
        stages.push_back({run, group.first, group.last, group.grain});
    }
}

SolverJob make_job(WorldState& world, Constraints& constraints, double dt) {
    SolverJob job;
    world.bodies.lend_rows(job);
    world.contacts.lend_rows(job);
    world.links.lend_rows(job);
    job.contact_blocks = constraints.contacts().view();
    job.link_blocks = constraints.links().view();
    job.host = &world.bodies;

    const double h = dt / world.settings.substeps;
    const double contact = std::min(static_cast<double>(world.settings.contact_hertz), kContactRate / h);
    const double linked = std::min(static_cast<double>(world.settings.link_hertz), kLinkRate / h);
    job.h = static_cast<float>(h);
    job.inverse_h = static_cast<float>(1 / h);
    // Impulses are not scaled up for a longer step: a short step says too little about a long one.
    job.impulse_ratio = world.substep > 0 ? std::min(job.h / world.substep, 1.0F) : 1;
    job.gravity[0] = world.settings.gravity.x;
    job.gravity[1] = world.settings.gravity.y;
    job.gravity[2] = world.settings.gravity.z;
    job.linear_decay = static_cast<float>(1 / (1 + h * static_cast<double>(world.settings.linear_damping)));
    job.angular_decay = static_cast<float>(1 / (1 + h * static_cast<double>(world.settings.angular_damping)));
    job.soft = softness(contact, static_cast<double>(world.settings.contact_damping), h);
    job.soft_link = softness(linked, static_cast<double>(world.settings.link_damping), h);
    job.push_speed = world.settings.push_speed * world.settings.unit;
    job.touching = kTouching * world.settings.margin * world.settings.unit;
    job.restitution_threshold = world.settings.restitution_threshold * world.settings.unit;
    return job;
}

}  // namespace

// Sweeps of one direction only feed the sway of walls, because an impulse of the last colour reaches the first one a
// sweep late; warm started, they go on feeding it. Every two sweeps go there and back, and every substep
// begins where the one before ended, so that no colour is solved twice in a row for nothing.
void Solver::plan(const WorldState& world, Constraints& constraints, Isa isa) {
    const SolverTable& table = solver_table(isa);
    const std::uint32_t body_blocks = world.bodies.blocks();
    const ColouredBlocks& links = constraints.links();
    const ColouredBlocks& contacts = constraints.contacts();
    stages_.clear();
    stages_.push_back({table.begin_bodies, 0, body_blocks, kBodyGrain});
    // Colour by colour, though any order would do: a task then finds in its cache what it has prepared.
    add_groups(stages_, links, table.prepare_links);
    add_groups(stages_, contacts, table.prepare_contacts);
    // One claim: a strike is solved colour after colour by one task.
    const Stage strike{table.strike_contacts, 0, contacts.blocks(), std::max(1U, contacts.blocks())};
    for (std::uint32_t s = 0; s < world.settings.substeps; ++s) {
        if (world.bodies.bounce()) stages_.push_back(strike);
        stages_.push_back({table.accelerate, 0, body_blocks, kBodyGrain});
        add_groups(stages_, links, table.warm_links);
        add_groups(stages_, contacts, table.warm_contacts);
        add_groups(stages_, links, table.solve_links);
        add_groups(stages_, contacts, table.solve_contacts, s % 2 != 0);
        stages_.push_back({table.move, 0, body_blocks, kBodyGrain});
        add_groups(stages_, links, table.relax_links);
        add_groups(stages_, contacts, table.relax_contacts, s % 2 == 0);
    }
    add_groups(stages_, links, table.bounce_links);
    add_groups(stages_, links, table.store_links);
    add_groups(stages_, contacts, table.store_contacts);
    stages_.push_back({end_bodies, 0, body_blocks, kBodyGrain});
}

void Solver::run(WorldState& world, Constraints& constraints, double dt, Loops& loops) {
    const SolverJob job = make_job(world, constraints, dt);
    const std::uint64_t items =
        constraints.contacts().constraints() + constraints.links().constraints() + world.bodies.size();
    runner_.run(stages_, job, loops.executor(),
                std::clamp(static_cast<unsigned>(items / kItemsPerTask), 1U, loops.tasks()));
    world.substep = job.h;
}

}  // namespace lanefold::detail
