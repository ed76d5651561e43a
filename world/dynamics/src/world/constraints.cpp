// SPDX-License-Identifier: MIT
//
// The solver's part of a step: constraints in colours, the stages, and new poses.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::SolverJob;

// Blocks of bodies that a task claims together.
constexpr std::uint32_t kBodyGrain = 16;
// Items of a step for which another thread is worth waking.
constexpr std::uint64_t kItemsPerTask = 64;

// Stiffest springs, as parts of the substeps' rate. A spring that pushes and forgets within a substep is stable while
// its stiffness times the square of the substep stays below twice the mass it moves; contacts stop at 0.55 of that. At
// a twelfth of the rate a tower of 30 boxes buckles under its own weight; at a fifth a pyramid of 20 rows trembles.
constexpr double kContactRate = 1.0 / 6;
constexpr double kLinkRate = 0.25;

// Share of WorldSettings::margin: of two points of a manifold whose depths differ by more, friction asks the deeper
// only.
constexpr float kTouching = 0.25F;

constexpr double kPi = 3.14159265358979323846;

// Implicit spring and damper as a constraint, after the same study.
detail::Softness softness(double hertz, double damping, double h) {
    if (hertz == 0) return {0, 1, 0, 0};
    const double omega = 2 * kPi * hertz;
    const double a1 = 2 * damping + h * omega;
    const double a2 = h * omega * a1;
    const double a3 = 1 / (1 + a2);
    return {static_cast<float>(omega / a1), static_cast<float>(a2 * a3), static_cast<float>(a3),
            static_cast<float>(1 / a2)};
}

// Poses after the step, and who did not move in it.
void finish_bodies(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    World::Impl& w = *static_cast<World::Impl*>(job.host);
    const std::size_t end = std::min<std::size_t>(w.bodies(), std::size_t{last} * detail::kBodyBlock);
    for (std::size_t i = std::size_t{first} * detail::kBodyBlock; i < end; ++i) {
        const detail::MotionRow& m = w.motion[i];
        const bool rests = !(m.inverse_mass > 0) && m.v[0] == 0 && m.v[1] == 0 && m.v[2] == 0 && m.w[0] == 0 &&
                           m.w[1] == 0 && m.w[2] == 0;
        w.unmoved[i] = rests ? 1 : 0;
        if (rests) continue;
        const detail::TurnRow& t = w.turn[i];
        const auto d = [](float x) { return static_cast<double>(x); };
        w.centre[i] = w.centre[i] + Vec3d{d(t.dp[0]), d(t.dp[1]), d(t.dp[2])};
        const Quat a{d(t.dq[0]), d(t.dq[1]), d(t.dq[2]), d(t.dq[3])};
        const Quat b = w.orientation[i];
        const Quat q{
            ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y, ((a.w * b.y + a.y * b.w) + a.z * b.x) - a.x * b.z,
            ((a.w * b.z + a.z * b.w) + a.x * b.y) - a.y * b.x, a.w * b.w - ((a.x * b.x + a.y * b.y) + a.z * b.z)};
        const double n = std::sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
        w.orientation[i] = {q.x / n, q.y / n, q.z / n, q.w / n};
        w.update_pose(i);
    }
}

// Adds stages for the groups of one colour each, in the reversed order if `backwards`. Contacts with immovable bodies
// come last either way.
void add_groups(std::vector<detail::Stage>& stages, const detail::ColouredBlocks& blocks, detail::SolverFn run,
                bool backwards = false) {
    const std::span<const detail::BlockGroup> groups = blocks.groups();
    const std::size_t moving = blocks.moving_groups();
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const detail::BlockGroup& group = groups[backwards && k < moving ? moving - 1 - k : k];
        stages.push_back({run, group.first, group.last, group.grain});
    }
}

}  // namespace

CallStatus World::Impl::make_constraints(Isa isa, StepResult& result) {
    const std::uint32_t width = detail::solver_table(isa).width;
    const auto nobody = static_cast<std::uint32_t>(bodies());
    const auto is_movable = [&](std::uint32_t i) {
        return static_cast<std::uint8_t>(motion[i].inverse_mass > 0 ? 1 : 0);
    };

    ends.resize(records);
    loops.over(records, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Manifold4& r = record[i];
            detail::ConstraintEnds e{r.pair[0], r.pair[1], 0, is_movable(r.pair[0]), is_movable(r.pair[1])};
            if (r.status == Status::ok && (e.movable_a | e.movable_b) != 0)
                e.points = static_cast<std::uint8_t>(r.count);
            ends[i] = e;
        }
    });
    if (!contact_blocks.build(ends, nobody, width, {detail::kContactHead, detail::kPointFields}, loops))
        return detail::refuse("more contacts than 2^32 rows of a block", records);

    link_ends.resize(link.size());
    for (std::size_t i = 0; i < link.size(); ++i) {
        const std::uint32_t b = link[i].b == kWorldAnchor ? nobody : link[i].b;
        detail::ConstraintEnds e{link[i].a, b, 0, is_movable(link[i].a), is_movable(b)};
        if ((e.movable_a | e.movable_b) != 0) e.points = 1;
        link_ends[i] = e;
    }
    if (!link_blocks.build(link_ends, nobody, width, {detail::kLinkFields, 0}, loops))
        return detail::refuse("more links than 2^32 rows of a block", link.size());
    result.contacts = contact_blocks.constraints();
    result.points = contact_blocks.points();
    result.links = link_blocks.constraints();
    result.colours = contact_blocks.colours();
    result.overflow = contact_blocks.overflow() + link_blocks.overflow();
    return {};
}

SolverJob World::Impl::make_job(double dt) {
    SolverJob job;
    job.motion = motion.data();
    job.turn = turn.data();
    job.mass = mass.data();
    job.centre = centre.data();
    job.material = material.data();
    job.records = record.data();
    job.impulses = impulse.data();
    job.links = link_row.data();
    job.link_impulses = link_impulse.data();
    job.contact_blocks = contact_blocks.view();
    job.link_blocks = link_blocks.view();
    job.host = this;

    const double h = dt / settings.substeps;
    const double contact = std::min(static_cast<double>(settings.contact_hertz), kContactRate / h);
    const double linked = std::min(static_cast<double>(settings.link_hertz), kLinkRate / h);
    job.h = static_cast<float>(h);
    job.inverse_h = static_cast<float>(1 / h);
    // A longer step begins with the impulses of the one before: what bodies did in a short one says too little of what
    // they will do in a long one.
    job.impulse_ratio = last_h > 0 ? std::min(job.h / last_h, 1.0F) : 1;
    job.gravity[0] = settings.gravity.x;
    job.gravity[1] = settings.gravity.y;
    job.gravity[2] = settings.gravity.z;
    job.linear_keep = static_cast<float>(1 / (1 + h * static_cast<double>(settings.linear_damping)));
    job.angular_keep = static_cast<float>(1 / (1 + h * static_cast<double>(settings.angular_damping)));
    job.soft = softness(contact, static_cast<double>(settings.contact_damping), h);
    job.soft_link = softness(linked, static_cast<double>(settings.link_damping), h);
    job.push_speed = settings.push_speed * settings.unit;
    job.touching = kTouching * settings.margin * settings.unit;
    job.restitution_threshold = settings.restitution_threshold * settings.unit;
    return job;
}

// Sweeps of one direction only feed the sway of walls, because what the last colour does reaches the first one a sweep
// late; warm started, they go on feeding it. Every two sweeps go there and back, and every substep begins where the one
// before ended, so that no colour is solved twice in a row for nothing.
void World::Impl::make_stages(Isa isa) {
    const detail::SolverTable& table = detail::solver_table(isa);
    const auto body_blocks = static_cast<std::uint32_t>(motion.size() / detail::kBodyBlock);
    stages.clear();
    stages.push_back({table.begin_bodies, 0, body_blocks, kBodyGrain});
    // Colour by colour, though any order would do: a task then finds in its cache what it has prepared.
    add_groups(stages, link_blocks, table.prepare_links);
    add_groups(stages, contact_blocks, table.prepare_contacts);
    for (std::uint32_t s = 0; s < settings.substeps; ++s) {
        stages.push_back({table.accelerate, 0, body_blocks, kBodyGrain});
        add_groups(stages, link_blocks, table.warm_links);
        add_groups(stages, contact_blocks, table.warm_contacts);
        add_groups(stages, link_blocks, table.solve_links);
        add_groups(stages, contact_blocks, table.solve_contacts, s % 2 != 0);
        stages.push_back({table.move, 0, body_blocks, kBodyGrain});
        add_groups(stages, link_blocks, table.relax_links);
        add_groups(stages, contact_blocks, table.relax_contacts, s % 2 == 0);
    }
    add_groups(stages, link_blocks, table.bounce_links);
    add_groups(stages, contact_blocks, table.bounce_contacts);
    add_groups(stages, link_blocks, table.store_links);
    add_groups(stages, contact_blocks, table.store_contacts);
    stages.push_back({finish_bodies, 0, body_blocks, kBodyGrain});
}

void World::Impl::solve(double dt, const StepResult& result) {
    const SolverJob job = make_job(dt);
    const auto work = static_cast<unsigned>((result.contacts + result.links + bodies()) / kItemsPerTask);
    runner.run(stages, job, loops.executor(), std::clamp(work, 1U, loops.tasks()));
    last_h = job.h;
}

CallStatus World::Impl::look_for_infinities() {
    std::atomic<std::uint64_t> lowest = bodies();
    loops.over(bodies(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const detail::MotionRow& m = motion[i];
            const Vec3d& c = centre[i];
            const float sum = ((m.v[0] + m.v[1]) + m.v[2]) + ((m.w[0] + m.w[1]) + m.w[2]);
            if (!std::isfinite(sum) || !is_finite(c)) return detail::keep_lowest(lowest, i);
        }
    });
    const std::uint64_t i = lowest.load(std::memory_order_relaxed);
    if (i == bodies()) return {};
    return {Status::bad_pose, "a body's motion is no longer finite; the body is", i};
}

}  // namespace lanefold
