// SPDX-License-Identifier: MIT
//
// The solver's part of a step: impulses of the step before, constraints in colours, the stages, and new poses.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tbb_executor.hpp"
#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::SolverJob;

// Items that a task claims together: enough work to be worth a claim, few enough to share a colour out.
constexpr std::uint32_t kBodyGrain = 16;
constexpr std::uint32_t kConstraintsPerClaim = 64;

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

// Normal impulses by feature ids. Where the same corner is made by other features than before, as those of aligned
// boxes are at every tremor, a new point takes over from the nearest old one that broke: what held the body up goes on.
void carry_points(const Manifold4& old, const ContactImpulse& from, const Manifold4& now,
                  const RecordMatch<Manifold4>& match, ContactImpulse& to) {
    std::uint32_t left = (1U << old.count) - 1U;  // old points that nobody has taken over
    for (std::uint32_t k = 0; k < now.count; ++k) {
        const std::uint8_t previous = match.previous[k];
        if (previous == kNewPoint) continue;
        to.normal[k] = from.normal[previous];
        left &= ~(1U << previous);
    }
    for (std::uint32_t k = 0; k < now.count && left != 0; ++k) {
        if (match.previous[k] != kNewPoint) continue;
        std::uint32_t nearest = 0;
        float least = std::numeric_limits<float>::infinity();
        for (std::uint32_t j = 0; j < old.count; ++j) {
            if ((left >> j & 1U) == 0) continue;
            const float* p = old.points[j].position;
            const float* q = now.points[k].position;
            const Vec3f d{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            if (dot(d, d) < least) {
                least = dot(d, d);
                nearest = j;
            }
        }
        to.normal[k] = from.normal[nearest];
        left &= ~(1U << nearest);
    }
}

// Adds stages for the groups of one colour each, in the reversed order if `backwards`. Contacts with immovable bodies
// come last either way.
void add_groups(std::vector<detail::Stage>& stages, const detail::ColouredBlocks& blocks, detail::SolverFn run,
                std::uint32_t grain, bool backwards = false) {
    const std::span<const detail::BlockGroup> groups = blocks.groups();
    const std::size_t moving = blocks.moving_groups();
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const detail::BlockGroup& group = groups[backwards && k < moving ? moving - 1 - k : k];
        stages.push_back({run, group.first, group.last, group.serial ? group.last - group.first : grain});
    }
}

}  // namespace

// Each new record's impulses from the old one of the same pair, point by point.
CallStatus World::Impl::carry_impulses() {
    next_impulse.reserve(next_records);
    match.resize(next_records);
    const std::span<const Manifold4> now(next_record.data(), next_records);
    const MatchResult matched = match_contacts(contacts(), now, std::span<RecordMatch<Manifold4>>(match));
    if (!matched.status) return matched.status;
    for (std::size_t i = 0; i < next_records; ++i) {
        next_impulse[i] = {};
        const std::uint32_t old = match[i].record;
        if (old == kNoRecord) continue;
        const ContactImpulse& from = impulse[old];
        std::copy_n(from.tangent, 3, next_impulse[i].tangent);
        next_impulse[i].twist = from.twist;
        carry_points(record[old], from, now[i], match[i], next_impulse[i]);
    }
    std::swap(record, next_record);
    std::swap(impulse, next_impulse);
    std::swap(records, next_records);
    return {};
}

void World::Impl::make_constraints(Isa isa, StepResult& result) {
    const std::uint32_t width = detail::solver_table(isa).width;
    const auto nobody = static_cast<std::uint32_t>(bodies());
    movable.assign(motion.size(), 0);
    for (std::size_t i = 0; i < bodies(); ++i) movable[i] = motion[i].inverse_mass > 0 ? 1 : 0;

    ends.clear();
    for (std::size_t i = 0; i < records; ++i) {
        const Manifold4& r = record[i];
        if (r.status != Status::ok || r.count == 0) continue;
        if (movable[r.pair[0]] == 0 && movable[r.pair[1]] == 0) continue;
        ends.push_back({r.pair[0], r.pair[1], static_cast<std::uint32_t>(i), r.count});
        result.points += r.count;
    }
    result.contacts = ends.size();
    contact_blocks.build(ends, movable, nobody, width, {detail::kContactHead, detail::kPointFields});

    ends.clear();
    for (std::size_t i = 0; i < link.size(); ++i) {
        const std::uint32_t b = link[i].b == kWorldAnchor ? nobody : link[i].b;
        if (movable[link[i].a] == 0 && movable[b] == 0) continue;
        ends.push_back({link[i].a, b, static_cast<std::uint32_t>(i), 1});
    }
    result.links = ends.size();
    link_blocks.build(ends, movable, nobody, width, {detail::kLinkFields, 0});
    result.colours = contact_blocks.colours();
    result.overflow = contact_blocks.overflow() + link_blocks.overflow();
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
    const std::uint32_t grain = std::max(1U, kConstraintsPerClaim / table.width);
    stages.clear();
    stages.push_back({table.begin_bodies, 0, body_blocks, kBodyGrain});
    stages.push_back({table.prepare_links, 0, link_blocks.blocks(), grain});
    stages.push_back({table.prepare_contacts, 0, contact_blocks.blocks(), grain});
    for (std::uint32_t s = 0; s < settings.substeps; ++s) {
        stages.push_back({table.accelerate, 0, body_blocks, kBodyGrain});
        add_groups(stages, link_blocks, table.warm_links, grain);
        add_groups(stages, contact_blocks, table.warm_contacts, grain);
        add_groups(stages, link_blocks, table.solve_links, grain);
        add_groups(stages, contact_blocks, table.solve_contacts, grain, s % 2 != 0);
        stages.push_back({table.move, 0, body_blocks, kBodyGrain});
        add_groups(stages, link_blocks, table.relax_links, grain);
        add_groups(stages, contact_blocks, table.relax_contacts, grain, s % 2 == 0);
    }
    add_groups(stages, link_blocks, table.bounce_links, grain);
    add_groups(stages, contact_blocks, table.bounce_contacts, grain);
    stages.push_back({table.store_links, 0, link_blocks.blocks(), grain});
    stages.push_back({table.store_contacts, 0, contact_blocks.blocks(), grain});
    stages.push_back({finish_bodies, 0, body_blocks, kBodyGrain});
}

void World::Impl::solve(double dt, Isa isa, StepResult& result) {
    make_constraints(isa, result);
    const SolverJob job = make_job(dt);
    make_stages(isa);
    detail::TbbExecutor executor;
    unsigned slots = executor.concurrency();
    if (settings.threads != 0) slots = std::min(slots, settings.threads);
    // One claim a task at least in the stages that matter.
    const auto work = static_cast<unsigned>((result.contacts + result.links + bodies()) / kConstraintsPerClaim);
    slots = std::clamp(work, 1U, slots);
    runner.run(stages, job, executor, slots);
    last_h = job.h;
}

// Of contacts and links: one that is not finite would spoil bodies that the caller has put right.
void World::Impl::forget_impulses() {
    std::fill_n(impulse.data(), records, ContactImpulse{});
    std::fill(link_impulse.begin(), link_impulse.end(), detail::LinkImpulse{0});
}

CallStatus World::Impl::look_for_infinities() const {
    for (std::size_t i = 0; i < bodies(); ++i) {
        const detail::MotionRow& m = motion[i];
        const Vec3d& c = centre[i];
        const float sum = ((m.v[0] + m.v[1]) + m.v[2]) + ((m.w[0] + m.w[1]) + m.w[2]);
        if (!std::isfinite(sum) || !is_finite(c))
            return {Status::bad_pose, "a body's motion is no longer finite; the body is", i};
    }
    return {};
}

}  // namespace lanefold
