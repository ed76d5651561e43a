// SPDX-License-Identifier: MIT
//
// A step in stages over blocks: begin, prepare, substeps, restitution, store.
#include "step/solver.hpp"

#include <algorithm>

#include "solve/turns.hpp"

namespace lanefold::detail {
namespace {

// Blocks of bodies that a task claims together.
constexpr std::uint32_t kBodyGrain = 16;
// Blocks of contacts that a task searches for strikes together.
constexpr std::uint32_t kFindGrain = 16;
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

// Closing speeds beyond gravity's gain in so many steps are impacts; slower ones are what a load that shifts makes.
constexpr double kImpact = 2;

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

// Adds stages for the groups of one colour each.
class GroupStages {
public:
    GroupStages(std::vector<SolverStage>& stages, const ColouredBlocks& coloured, ConstraintBlocks SolverJob::*blocks)
        : stages_(stages), coloured_(coloured), blocks_(blocks) {}

    // In the reversed order if `backwards`; contacts with immovable bodies come last either way.
    void add(SolverFn run, bool backwards = false) const {
        const std::span<const BlockGroup> groups = coloured_.groups();
        const std::size_t moving = coloured_.moving_groups();
        for (std::size_t k = 0; k < groups.size(); ++k) {
            const BlockGroup& group = groups[backwards && k < moving ? moving - 1 - k : k];
            stages_.push_back({run, group.first, group.last, group.grain, blocks_});
        }
    }

private:
    std::vector<SolverStage>& stages_;
    const ColouredBlocks& coloured_;
    ConstraintBlocks SolverJob::*blocks_;
};

SolverJob make_job(WorldState& world, Constraints& constraints, double dt) {
    SolverJob job;
    world.bodies.lend_rows(job);
    world.contacts.lend_rows(job);
    world.links.lend_rows(job);
    job.contact_blocks = constraints.contacts().view();
    job.link_blocks = constraints.links().view();
    job.link_groups = &constraints.link_groups();
    job.parts = constraints.parts();

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
    job.load_speed = static_cast<float>(kImpact * h) * length(job.gravity);
    job.arm_spin = kArmTurn / static_cast<float>(dt);
    job.impact_speed = static_cast<float>(kImpact * dt) * length(job.gravity);
    job.restitution_threshold = world.settings.restitution_threshold * world.settings.unit;
    return job;
}

float fastest_point(const Bodies& bodies, std::uint32_t i) {
    return bodies.movable(i) ? bodies.speed(i) + bodies.spin(i) * bodies.radius(i) : -1.0F;
}

// Runs a stage that solves what it reaches together. Adds the body whose fastest point was the fastest, of all that the
// stage leaves unsound and of those that they have contacts with: what threw a body away may itself be sound.
void run_together_and_blame(const SolverStage& stage, const SolverJob& job, const Bodies& bodies, std::uint32_t width,
                            std::vector<std::uint32_t>& found) {
    std::vector<float> before(bodies.size());
    for (std::uint32_t i = 0; i < bodies.size(); ++i) before[i] = fastest_point(bodies, i);
    stage.run(job, stage.first, stage.last);
    std::uint32_t fastest = kNoRow;
    const auto unsound = [&](std::uint32_t i) { return i < bodies.size() && !bodies.sound_after(i); };
    const auto blame = [&](std::uint32_t i) {
        if (i < bodies.size() && (fastest == kNoRow || before[i] > before[fastest])) fastest = i;
    };
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (unsound(i)) blame(i);
    }
    for (std::size_t k = std::size_t{stage.first} * width; k < std::size_t{stage.last} * width; ++k) {
        const std::uint32_t a = job.contact_blocks.a[k], b = job.contact_blocks.b[k];
        if (!unsound(a) && !unsound(b)) continue;
        blame(a);
        blame(b);
    }
    if (fastest != kNoRow) found.push_back(fastest);
}

// Runs a stage of groups of links. Adds the body of each that leaves one unsound whose fastest point was the fastest.
void run_and_blame(const SolverStage& stage, const SolverJob& job, const Bodies& bodies,
                   std::vector<std::uint32_t>& found) {
    for (std::uint32_t g = stage.first; g < stage.last; ++g) {
        const LinkGroups& links = *job.link_groups;
        const auto of =
            std::span(links.bodies)
                .subspan(links.groups[g].first_body, links.groups[g].last_body - links.groups[g].first_body);
        std::uint32_t fastest = kNoRow;
        for (const LinkedBody& body : of) {
            if (!body.movable) continue;
            if (fastest == kNoRow || fastest_point(bodies, body.row) > fastest_point(bodies, fastest))
                fastest = body.row;
        }
        stage.run(job, g, g + 1);
        const auto spoilt = [&](const LinkedBody& body) { return body.movable && !bodies.sound_after(body.row); };
        if (std::any_of(of.begin(), of.end(), spoilt)) found.push_back(fastest);
    }
}

// Runs a stage of one block after the other. Adds the movable body of each constraint that leaves one unsound, of two
// the one whose fastest point was faster before: an impulse spoils both of its bodies, and the slow one is not to
// blame. A constraint that found one unsound is not to blame either.
void run_and_blame(const SolverStage& stage, const SolverJob& job, const Bodies& bodies, std::uint32_t width,
                   std::vector<std::uint32_t>& found) {
    const ConstraintBlocks& blocks = job.*stage.blocks;
    const auto unsound = [&](std::uint32_t i) { return i < bodies.size() && !bodies.sound_after(i); };
    constexpr std::uint32_t kSpoilt = kNoRow;
    std::vector<std::uint32_t> fastest(width);
    for (std::uint32_t block = stage.first; block < stage.last; ++block) {
        const std::size_t at = std::size_t{block} * width;
        for (std::uint32_t l = 0; l < width; ++l) {
            const std::uint32_t a = blocks.a[at + l], b = blocks.b[at + l];
            fastest[l] = fastest_point(bodies, a) > fastest_point(bodies, b) ? a : b;
            if (unsound(a) || unsound(b)) fastest[l] = kSpoilt;
        }
        stage.run(job, block, block + 1);
        for (std::uint32_t l = 0; l < width; ++l) {
            if (fastest[l] == kSpoilt) continue;
            if (unsound(blocks.a[at + l]) || unsound(blocks.b[at + l])) found.push_back(fastest[l]);
        }
    }
}

}  // namespace

// Sweeps of one direction only feed the sway of walls, because an impulse of the last colour reaches the first one a
// sweep late; warm started, they go on feeding it. Every two sweeps go there and back, and every substep
// begins where the one before ended, so that no colour is solved twice in a row for nothing.
void Solver::plan(const WorldState& world, Constraints& constraints, Isa isa) {
    const SolverTable& table = solver_table(isa);
    width_ = table.width;
    const std::uint32_t body_blocks = world.bodies.blocks();
    stages_.clear();
    const GroupStages links(stages_, constraints.links(), &SolverJob::link_blocks);
    const GroupStages contacts(stages_, constraints.contacts(), &SolverJob::contact_blocks);
    const auto add_linked = [&](SolverFn pass) {
        stages_.push_back({pass, 0, constraints.link_groups().size(), 1, nullptr, true});
    };
    stages_.push_back({table.begin_bodies, 0, body_blocks, kBodyGrain});
    add_linked(begin_links);
    // Colour by colour, though any order would do: a task then finds in its cache what it has prepared.
    links.add(table.prepare_links);
    contacts.add(table.prepare_contacts);
    const SolverStage find{table.find_strikes, 0, constraints.contacts().blocks(), kFindGrain};
    // One claim: a strike is solved colour after colour by one task.
    const SolverStage strike{table.strike_contacts,
                             0,
                             constraints.contacts().blocks(),
                             std::max(1U, constraints.contacts().blocks()),
                             nullptr,
                             false,
                             true};
    for (std::uint32_t s = 0; s < world.settings.substeps; ++s) {
        stages_.push_back(find);
        stages_.push_back(strike);
        stages_.push_back({table.accelerate, 0, body_blocks, kBodyGrain});
        links.add(table.warm_links);
        contacts.add(table.warm_contacts);
        add_linked(solve_linked);
        links.add(table.solve_links);
        contacts.add(table.solve_contacts, s % 2 != 0);
        stages_.push_back({table.tighten_contacts, 0, constraints.contacts().blocks(),
                           std::max(1U, constraints.contacts().blocks()), nullptr, false, true});
        stages_.push_back({table.move, 0, body_blocks, kBodyGrain});
        add_linked(relax_linked);
        links.add(table.relax_links);
        contacts.add(table.relax_contacts, s % 2 == 0);
        stages_.push_back({keep_paths, s * body_blocks, (s + 1) * body_blocks, kBodyGrain});
    }
    add_linked(bounce_linked);
    links.add(table.bounce_links);
    add_linked(end_links);
    links.add(table.store_links);
    contacts.add(table.store_contacts);
    substeps_ = world.settings.substeps;
    stride_ = (substeps_ + kMostMoments - 1) / kMostMoments;
    moments_ = substeps_ / stride_;
    const std::size_t rows = std::size_t{body_blocks} * kBodyBlock * moments_;
    if (path_.size() < rows) path_.resize(rows);
}

SolverJob Solver::begin_run(WorldState& world, Constraints& constraints, double dt) {
    SolverJob job = make_job(world, constraints, dt);
    job.path = path_.data();
    job.path_moments = moments_;
    job.path_stride = stride_;
    job.path_run = ++run_;
    job.body_blocks = world.bodies.blocks();
    return job;
}

BodyPaths Solver::paths() const { return {path_, moments_, stride_, substeps_, run_}; }

void Solver::run(WorldState& world, Constraints& constraints, double dt, Loops& loops) {
    const SolverJob job = begin_run(world, constraints, dt);
    const std::uint64_t items = constraints.contacts().constraints() + constraints.links().constraints() +
                                constraints.link_groups().slots.size() + world.bodies.size();
    runner_.run(stages_, job, loops.executor(),
                std::clamp(static_cast<unsigned>(items / kItemsPerTask), 1U, loops.tasks()));
}

void Solver::run_until_unsound(WorldState& world, Constraints& constraints, double dt,
                               std::vector<std::uint32_t>& found) {
    const SolverJob job = begin_run(world, constraints, dt);
    const Bodies& bodies = world.bodies;
    std::vector<std::uint32_t> first;
    for (const SolverStage& stage : stages_) {
        if (stage.together) {
            run_together_and_blame(stage, job, bodies, width_, first);
        } else if (stage.linked) {
            run_and_blame(stage, job, bodies, first);
        } else if (stage.blocks != nullptr) {
            run_and_blame(stage, job, bodies, width_, first);
        } else {
            stage.run(job, stage.first, stage.last);
            for (std::uint32_t i = 0; i < bodies.size(); ++i) {
                if (!bodies.sound_after(i)) first.push_back(i);
            }
        }
        if (first.empty()) continue;
        std::sort(first.begin(), first.end());
        first.erase(std::unique(first.begin(), first.end()), first.end());
        found = first;
        return;
    }
}

}  // namespace lanefold::detail
