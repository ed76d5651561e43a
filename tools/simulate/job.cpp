// SPDX-License-Identifier: MIT
//
// Runs a simulation step by step and writes frames and checkpoints.
#include "simulate/job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <tbb/task_arena.h>

#include <lanefold/limits.hpp>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "files/content_hash.hpp"
#include "files/staged_folder.hpp"
#include "scene/unit.hpp"
#include "simulate/events_output.hpp"
#include "simulate/push_events.hpp"
#include "simulate/work_folder.hpp"

namespace lanefold::tools {
namespace {

// Margin of the stored pairs, metres, unless given.
constexpr double kPairsMargin = 0.02;

using Clock = std::chrono::steady_clock;

std::uint64_t hash_request(const SimulateRequest& r, const Scene& scene, const SceneFrame& frame, const HullSet& hulls,
                           const SimulationSetup& setup) {
    ContentHash hash;
    const auto add = [&](const auto& x) { hash.add(bytes_of(x)); };
    hash.add(std::as_bytes(scene.hull_vertices()));
    hash.add(std::as_bytes(scene.hull_offsets()));
    hash.add(std::as_bytes(scene.hull_radius()));
    const OtherShapes& shapes = scene.other_shapes();
    hash.add(std::as_bytes(std::span(shapes.kind)));
    hash.add(std::as_bytes(std::span(shapes.half_spaces)));
    hash.add(std::as_bytes(std::span(shapes.offsets)));
    for (const CompoundChild& child : shapes.children) {
        add(child.hull);
        add(child.position);
        add(child.orientation);
    }
    if (hulls.has_surfaces()) add(hulls.fingerprint());
    add(Scene::frame_hash(frame, false));
    add(r.rate);
    add(r.every);
    const WorldSettings& s = r.settings;
    const float numbers[] = {s.unit,           s.gravity.x,
                             s.gravity.y,      s.gravity.z,
                             s.contact_hertz,  s.contact_damping,
                             s.link_hertz,     s.link_damping,
                             s.push_speed,     s.restitution_threshold,
                             s.linear_damping, s.angular_damping,
                             s.margin,         s.face_preference,
                             s.hysteresis,     s.reuse,
                             s.sleep_speed,    s.sleep_time};
    add(numbers);
    if (!r.events.empty()) {
        const float release = r.asked.release.value_or(-1);
        add(release);
    }
    const std::uint32_t choices[] = {s.substeps, static_cast<std::uint32_t>(s.method), s.sleep ? 1U : 0U};
    add(choices);
    // Field by field, because padding bytes are undefined.
    for (const RigidBody& b : setup.bodies) {
        const float fields[] = {b.velocity[0], b.velocity[1], b.velocity[2], b.spin[0],  b.spin[1],
                                b.spin[2],     b.density,     b.mass,        b.friction, b.restitution};
        const std::uint32_t numbers_of[] = {b.hull, static_cast<std::uint32_t>(b.kind), b.category, b.collides_with,
                                            b.group};
        add(fields);
        add(numbers_of);
    }
    for (const BodyLink& l : setup.links) {
        const double fields[] = {l.end_a.x, l.end_a.y, l.end_a.z, l.end_b.x,
                                 l.end_b.y, l.end_b.z, l.length,  static_cast<double>(l.restitution)};
        const std::uint32_t numbers_of[] = {static_cast<std::uint32_t>(l.kind), l.a, l.b};
        add(fields);
        add(numbers_of);
    }
    return hash.value();
}

void require(const CallStatus& status, const char* list) {
    if (status) return;
    throw bad_input("{}{}", status.what, list == nullptr ? "" : fmt::format(": {} {}", list, status.where));
}

void require_range(const char* option, float value, float most, const char* range, float usual) {
    if (!(value >= 0 && value <= most)) throw bad_input("{} must be {}; {:g} would do", option, range, usual);
}

// The most that is stable is a sixth of the substeps' rate: a weaker spring is as the user asks for, a stiffer one is
// not. The damping of contacts must outweigh their spring.
void check_contacts(const WorldSettings& s, double rate) {
    const double most = rate * s.substeps / 6;
    const auto hertz = static_cast<double>(s.contact_hertz), usual = static_cast<double>(WorldSettings{}.contact_hertz);
    if (!(hertz > 0) || !std::isfinite(hertz) || (hertz > usual && hertz > most))
        throw bad_input("--contact-hertz {}: not stable; with {} steps a second of {} substeps {:g} would do", hertz,
                        rate, s.substeps, std::max(1.0, std::floor(most)));
    if (!(s.contact_damping >= 1) || !std::isfinite(s.contact_damping))
        throw bad_input("--contact-damping {}: must be 1 or more, and finite; {:g} would do", s.contact_damping,
                        WorldSettings{}.contact_damping);
    if (!(s.push_speed > 0) || !std::isfinite(s.push_speed))
        throw bad_input("--push-speed {}: must be above 0, and finite; {:g} would do", s.push_speed,
                        WorldSettings{}.push_speed);
    if (!(s.restitution_threshold >= 0) || !std::isfinite(s.restitution_threshold))
        throw bad_input("--restitution-threshold {}: must be 0 or more, and finite; {:g} would do",
                        s.restitution_threshold, WorldSettings{}.restitution_threshold);
}

// Refuses what bodies and world would refuse in words of their own.
void check_physics(const SimulateRequest& request) {
    const WorldSettings& s = request.settings;
    constexpr float kMost = std::numeric_limits<float>::max();
    if (s.substeps < 1 || s.substeps > 1000)
        throw bad_input("--substeps must be 1 to 1000; {} would do", WorldSettings{}.substeps);
    for (const float g : {s.gravity.x, s.gravity.y, s.gravity.z})
        if (!(std::abs(g) <= 1e12F)) throw bad_input("--gravity must be three numbers up to 1e12; 0 -9.81 0 would do");
    const RigidBody body;
    const WorldSettings usual;
    require_range("--friction", request.defaults.friction, 1e6F, "0 to 1e6", body.friction);
    require_range("--restitution", request.defaults.restitution, 1, "0 to 1", body.restitution);
    require_range("--linear-damping", s.linear_damping, kMost, "0 or more, and finite", usual.linear_damping);
    require_range("--angular-damping", s.angular_damping, kMost, "0 or more, and finite", usual.angular_damping);
    check_contacts(s, request.rate);
    require_range("--hysteresis", s.hysteresis, kMost, "0 or more, and finite", usual.hysteresis);
    require_range("--reuse", s.reuse, kMaxReuse, "0 to 0.1", usual.reuse);
}

void check(const SimulateRequest& request) {
    if (request.steps == 0) throw bad_input("--steps must be 1 or more");
    if (!(request.rate >= 0.1 && request.rate <= 1e9))
        throw bad_input("--rate {}: a step must take 1e-9 to 10 seconds; 60 would do", request.rate);
    if (request.every == 0) throw bad_input("--every must be 1 or more");
    // Also where all bodies have masses.
    const double density = static_cast<double>(request.defaults.density);
    if (!(density > 0) || !std::isfinite(density))
        throw bad_input("--density must be above 0, and finite; {:g} would do", RigidBody{}.density);
    if (const float margin = request.pairs_margin.value_or(0); !(margin >= 0) || !std::isfinite(margin))
        throw bad_input("--pairs-margin must be 0 or more");
    if (!(request.checkpoint_seconds > 0)) throw bad_input("--checkpoint must be above 0");
    check_physics(request);
    // Refuses an output that cannot be written before minutes of simulation.
    const StagedFolder probe(request.output, request.replace);
    if (!request.events.empty()) check_events_folder(request);
}

std::uint64_t first_frame(const SimulateRequest& request, const Scene& scene) {
    const auto frames = static_cast<std::int64_t>(scene.frames());
    const std::int64_t frame = request.frame < 0 ? frames + request.frame : request.frame;
    if (frame < 0 || frame >= frames)
        throw bad_input("--frame {}: {} has {} frames", request.frame, scene.folder().string(), frames);
    return static_cast<std::uint64_t>(frame);
}

// A world has its bodies from the first step to the last.
void check_all_there(const Scene& scene, const SceneFrame& frame) {
    const auto absent = std::find(frame.active.begin(), frame.active.end(), 0);
    if (absent == frame.active.end()) return;
    throw bad_input("{}: {} is not there in frame {}; a simulation begins with all bodies: choose another --frame",
                    scene.folder().string(), scene.describe(static_cast<std::uint64_t>(absent - frame.active.begin())),
                    frame.index);
}

// Downwards where the scene says what is up, in the scene's unit.
Vec3f earth_gravity(int up, double unit) {
    const auto earth = static_cast<float>(kEarthGravity * unit);
    return {up == 0 ? -earth : 0.0F, up == 1 ? -earth : 0.0F, up == 2 ? -earth : 0.0F};
}

// How many of the scene's unit a metre is. Says so where the command line and the scene differ.
double choose_unit(const SimulateRequest& request, const Scene& scene, SimulateReport& report) {
    const std::string& name = scene.info().unit;
    const std::optional<double> metre = metres_of(name);
    if (!request.unit && !metre) {
        throw bad_input("{}: its unit '{}' is not known: say with --unit how many of it a metre is",
                        scene.folder().string(), name);
    }
    const double unit = request.unit ? *request.unit : 1 / *metre;
    // A count of the command line may be rounded: 39.37 inches.
    const std::string chosen = unit_of(unit);
    const bool same = metre && chosen == unit_of(1 / *metre);
    report.unit = same ? name : chosen;
    if (metre && !same) {
        report.warnings.push_back(fmt::format("{}: its unit is '{}', but --unit says that a metre is {:g} of it: {}",
                                              scene.folder().string(), name, unit,
                                              "taken for '" + chosen + "', which the written scene says"));
    }
    return unit;
}

// The request with every default in the scene's unit.
SimulateRequest in_unit(const SimulateRequest& request, const Scene& scene, double unit) {
    SimulateRequest out = request;
    out.settings.unit = static_cast<float>(unit);
    if (!request.gravity_given) out.settings.gravity = earth_gravity(scene.info().up_axis(), unit);
    if (!request.pairs_margin) out.pairs_margin = static_cast<float>(kPairsMargin * unit);
    return out;
}

class Run {
public:
    Run(const SimulateRequest& request, World& world, PushEvents& events, WorkFolder& work, SimulateReport& report)
        : request_(request), world_(world), events_(events), work_(work), report_(report) {}

    void begin(bool resumed, const Checkpoint& from) {
        step_ = from.step;
        frames_ = from.frames;
        if (resumed) {
            report_.resumed_at = step_;
            return;
        }
        work_.add_frame(world_);
        frames_ = 1;
    }

    void steps() {
        Progress progress(request_.progress, "simulate", "steps", request_.steps);
        Clock::time_point saved = Clock::now();
        while (step_ < request_.steps) {
            one();
            progress.update(step_, {{"awake", "awake", static_cast<double>(report_.awake)}});
            const bool stop = request_.stop.stop_requested();
            const std::chrono::duration<double> since = Clock::now() - saved;
            if (stop || since.count() > request_.checkpoint_seconds || step_ == request_.steps) {
                work_.save(world_, events_, step_, frames_);
                saved = Clock::now();
            }
            if (stop && step_ < request_.steps)
                throw Failure(ExitCode::interrupted,
                              fmt::format("interrupted after step {}; --resume goes on from there", step_));
        }
    }

    std::uint64_t frames() const { return frames_; }

private:
    void one() {
        const bool events = !request_.events.empty();
        if (events) events_.before_step(world_);
        const StepResult r = world_.step(1 / request_.rate);
        if (!r.status) throw io_failure("step {}: {} {}", step_, r.status.what, r.status.where);
        if (events) events_.after_step(world_, step_, 1 / request_.rate);
        ++step_;
        ++report_.steps_run;
        if (step_ % request_.every == 0) {
            work_.add_frame(world_);
            ++frames_;
        }
        report_.contacts = r.contacts;
        report_.pairs += r.pairs;
        report_.carried += r.carried;
        report_.awake = r.awake;
        if (r.link_error > report_.link_error) {
            report_.link_error = r.link_error;
            report_.worst_link = r.worst_link;
            report_.link_error_at = step_;
        }
        report_.isa = r.isa;
        report_.seconds_pairs += r.seconds_pairs;
        report_.seconds_collide += r.seconds_collide;
        report_.seconds_solve += r.seconds_solve;
    }

    const SimulateRequest& request_;
    World& world_;
    PushEvents& events_;
    WorkFolder& work_;
    SimulateReport& report_;
    std::uint64_t step_ = 0;
    std::uint64_t frames_ = 0;
};

void describe(const World& world, SimulateReport& report) {
    for (std::size_t i = 0; i < world.size(); ++i) {
        report.dynamic += world.mass(i) > 0 ? 1U : 0U;
        report.mass += world.mass(i);
        report.fastest_at_end = std::max(report.fastest_at_end, length(to_double(world.velocity(i))));
    }
    for (const Manifold4& m : world.contacts())
        report.deepest = std::max(report.deepest, -static_cast<double>(m.distance));
    report.kinetic_energy = world.motion().kinetic_energy;
    report.lost.assign(world.lost().begin(), world.lost().end());
    std::vector<std::byte> state;
    if (world.save(state)) {
        report.state_hash = ContentHash::of(state);
    }
}

void describe_sizes(const Scene& scene, const HullSet& hulls, SimulateReport& report) {
    report.smallest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t hull : scene.body_hull()) {
        if (hulls[hull].shape != lanefold::ShapeKind::hull) continue;  // what never moves has no size that counts
        const auto size = static_cast<double>(hulls[hull].size);
        report.smallest = std::min(report.smallest, size);
        report.largest = std::max(report.largest, size);
    }
}

}  // namespace

SimulateReport run_simulation(const SimulateRequest& request) {
    check(request);
    const Clock::time_point start = Clock::now();
    SimulateReport report;
    const Scene scene(request.scene);
    SceneFrame frame;
    scene.read_frame(first_frame(request, scene), frame);
    check_all_there(scene, frame);
    if (scene.bodies() == 0) throw bad_input("{}: has no bodies to simulate", request.scene.string());
    SimulateRequest shaped = in_unit(request, scene, choose_unit(request, scene, report));
    WorldSettings& settings = shaped.settings;
    const SimulationSetup setup = read_setup(scene, frame, request.setup, request.defaults, settings);
    const HullSet hulls = scene.build_hulls(settings.threads);
    World world(hulls);
    require(world.set_settings(settings), nullptr);
    require(world.add_bodies(setup.bodies), "body");
    require(world.add_links(setup.links), "link");

    const EventSettings event_settings = simulated_events(shaped);
    PushEvents events(event_settings.release, request.every);
    WorkFolder work(request, hash_request(shaped, scene, frame, hulls, setup));
    Checkpoint from;
    const bool resumed = work.load(world, events, from);
    if (from.step > request.steps)
        throw bad_input("--steps {}: the unfinished run is at step {}", request.steps, from.step);
    Run run(request, world, events, work, report);
    run.begin(resumed, from);
    tbb::task_arena arena(arena_size(settings.threads));
    arena.execute([&] { run.steps(); });
    work.write_scene(shaped, report.unit, scene, hulls, world, frame.index, run.frames(),
                     [&](const std::filesystem::path& written) {
                         if (!request.events.empty())
                             write_events(request, written, hulls, event_settings, events, report);
                     });

    report.bodies = world.size();
    report.links = setup.links.size();
    report.frames = run.frames();
    describe(world, report);
    describe_sizes(scene, hulls, report);
    report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return report;
}

}  // namespace lanefold::tools
