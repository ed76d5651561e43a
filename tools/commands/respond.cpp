// SPDX-License-Identifier: MIT
//
// `lanefold respond`: the contact response of the reference for one pair, step by step beside the published one, or for
// all contacts of a frame.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/contact_response.hpp>
#include <lanefold/contact_response_literal.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/narrowphase.hpp>

#include "commands/commands.hpp"
#include "commands/pair_option.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/whole_output.hpp"
#include "picture/pair_story.hpp"
#include "picture/pair_text.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "scene/unit.hpp"

namespace lanefold::tools {
namespace {

namespace literal = published::literal;

struct Arguments {
    std::string scene;
    std::string pair;
    std::int64_t frame = 0;
    double restitution = 0.5;
    double rate = 60;
    float margin = 0;
    std::vector<double> gravity;
    std::vector<double> velocity_a;
    std::vector<double> velocity_b;
    std::optional<double> mass_a;
    std::optional<double> mass_b;
    bool per_contact = false;
};

// Every body of a frame as a particle.
struct Particles {
    std::vector<Vec3d> position;
    std::vector<Vec3d> velocity;
    std::vector<Vec3d> acceleration;
    std::vector<double> inverse_mass;

    ResponseBodies view() { return {position, velocity, inverse_mass, acceleration}; }
};

Vec3d vector_of(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

double inverse_of(const char* option, double mass) {
    if (!(mass >= 0) || !std::isfinite(mass)) throw bad_input("{} {}: expected a number >= 0", option, mass);
    return mass == 0 ? 0 : 1 / mass;
}

void check(const Arguments& a) {
    if (!(a.restitution >= 0 && a.restitution <= 1)) {
        throw bad_input("--restitution {}: expected 0 to 1", a.restitution);
    }
    if (!(a.rate > 0) || !std::isfinite(a.rate)) throw bad_input("--rate {}: expected a number above 0", a.rate);
    if (!(a.margin >= 0) || !std::isfinite(a.margin)) {
        throw bad_input("--margin {}: expected a number >= 0", a.margin);
    }
    const bool of_pair = !a.velocity_a.empty() || !a.velocity_b.empty() || a.mass_a || a.mass_b;
    if (a.pair.empty() && of_pair) throw bad_input("velocities and masses of a and b: only with --pair");
    for (const auto* v : {&a.gravity, &a.velocity_a, &a.velocity_b}) {
        if (!std::all_of(v->begin(), v->end(), [](double x) { return std::isfinite(x); })) {
            throw bad_input("velocities and gravity must be finite");
        }
    }
}

Vec3d gravity_of(const Arguments& a, const Scene& scene) {
    if (!a.gravity.empty()) return vector_of(a.gravity);
    const int up = scene.info().up_axis();
    const std::optional<double> metre = metres_of(scene.info().unit);
    if (!metre) {
        throw bad_input("{}: its unit '{}' is not known: say with --gravity X Y Z how things fall in it",
                        scene.folder().string(), scene.info().unit);
    }
    const double g = kEarthGravity / *metre;
    return {up == 0 ? -g : 0, up == 1 ? -g : 0, up == 2 ? -g : 0};
}

// Velocities are those since the frame before; the first frame has none.
Particles particles_of(const Arguments& a, const Scene& scene, const SceneFrame& frame) {
    Particles out;
    const Vec3d gravity = gravity_of(a, scene);
    const BodyView now = scene.view(frame);
    SceneFrame before;
    if (frame.index > 0) scene.read_frame(frame.index - 1, before);
    const double rate = scene.info().frames_per_second.value_or(a.rate);
    for (std::size_t i = 0; i < scene.bodies(); ++i) {
        const Vec3d at = detail::position_of(detail::read_body(now, i));
        out.position.push_back(at);
        Vec3d velocity;
        if (frame.index > 0 && frame.is_there(i) && before.is_there(i)) {
            velocity = (at - detail::position_of(detail::read_body(scene.view(before), i))) * rate;
        }
        out.velocity.push_back(velocity);
        out.inverse_mass.push_back(scene.inverse_mass().empty() ? 1 : static_cast<double>(scene.inverse_mass()[i]));
        out.acceleration.push_back(out.inverse_mass.back() == 0 ? Vec3d{} : gravity);
    }
    return out;
}

// A contact for each record: a pair with a compound or a surface may have several.
std::vector<ResponseContact> contacts_of(const HullSet& hulls, const Scene& scene, const SceneFrame& frame,
                                         std::span<const Pair> pairs, const Arguments& a) {
    Options options;
    options.margin = a.margin;
    Workspace workspace;
    std::vector<Manifold4> manifolds(pairs.size());
    const CompactResult done = whole_output(manifolds, [&](std::span<Manifold4> records) {
        return collide_compact(hulls, scene.view(frame), pairs, options, records, workspace);
    });
    if (!done.status) throw bad_input("{} ({})", done.status.what, to_string(done.status.code));
    std::vector<ResponseContact> out;
    append_contacts(std::span<const Manifold4>(manifolds), a.restitution, out);
    return out;
}

ResponseSettings settings_of(const Arguments& a) {
    ResponseSettings out;
    out.step = 1 / a.rate;
    if (a.per_contact) out.order = ResolutionOrder::per_contact;
    return out;
}

void require(const ResponseResult& result) {
    if (!result.status) throw bad_input("{} ({})", result.status.what, to_string(result.status.code));
}

void row(const char* name, const std::string& ours, const std::string& text) {
    fmt::print("  {:<38} {:<34} {}\n", name, ours, text);
}

void row(const char* name, double ours, double text) {
    row(name, fmt::format("{:.9g}", ours), fmt::format("{:.9g}", text));
}

void row(const char* name, const Vec3d& ours, const Vec3d& text) { row(name, vector_text(ours), vector_text(text)); }

literal::Particle particle(const Particles& p, std::uint32_t i) {
    return {p.position[i], p.velocity[i], p.acceleration[i], p.inverse_mass[i]};
}

void print_particle(char name, const Particles& p, std::uint32_t i) {
    const double m = p.inverse_mass[i];
    fmt::print("  {}: body {}, {}, velocity {}, acceleration {}\n", name, i,
               m == 0 ? "immovable" : fmt::format("mass {:.6g}", 1 / m), vector_text(p.velocity[i]),
               vector_text(p.acceleration[i]));
}

// Ours and the published one, from the same contact and velocities.
void print_pair(const Pair& pair, const ResponseContact& contact, Particles& p, const Arguments& a) {
    fmt::print("\nContact: normal {} from a to b, overlap {:.9g}, restitution {:.6g}, step {:.6g} s\n",
               vector_text(contact.normal), contact.penetration, contact.restitution, 1 / a.rate);
    ResponseSettings settings = settings_of(a);
    settings.position_tolerance = settings.velocity_tolerance = 0;  // one contact is resolved exactly
    const ResponseImpulse impulse = contact_impulse(p.view(), contact, settings.step);
    const bool acts = impulse.closing > 0 && contact.penetration >= 0;

    literal::ParticleContact text{particle(p, pair.a), particle(p, pair.b), contact.restitution, -contact.normal,
                                  contact.penetration};
    // The source knows no contact that is apart.
    literal::VelocitySteps steps;
    if (contact.penetration >= 0) steps = literal::resolve_velocity(text, settings.step);
    const auto moves = literal::resolve_interpenetration(text);

    const Particles before = p;
    ResponseContact contacts[] = {contact};
    ResponseWorkspace workspace;
    require(resolve_contacts(contacts, p.view(), settings, workspace));

    row("", "lanefold", "published, to the letter");
    row("closing velocity", impulse.closing, -steps.separating_velocity);
    row("of it built up by one step", impulse.built_up, std::max(0.0, -steps.acceleration_caused));
    // 0 less it, because -0 would be printed as such.
    row("separating velocity after", acts ? impulse.separating_after : 0.0 - impulse.closing,
        steps.new_separating_velocity);
    row("impulse on b along the normal", acts ? impulse.impulse : 0, steps.impulse);
    row("velocity of a after", p.velocity[pair.a], text.first.velocity);
    row("velocity of b after", p.velocity[pair.b], text.second->velocity);
    row("a moves by", p.position[pair.a] - before.position[pair.a], moves[0]);
    row("b moves by", p.position[pair.b] - before.position[pair.b], moves[1]);
    if (contact.penetration < 0) {
        fmt::print("  apart within the margin: nothing happens before they touch\n");
    } else if (impulse.closing <= 0) {
        fmt::print("  they do not close: no impulse\n");
    } else if (impulse.built_up > 0) {
        fmt::print(
            "  resting rule: what one step's acceleration built up does not come back. lanefold counts each "
            "body's as if the\n  other were held, the source takes their relative acceleration\n");
    }
}

double energy(const Particles& p) {
    double out = 0;
    for (std::size_t i = 0; i < p.velocity.size(); ++i) {
        if (p.inverse_mass[i] > 0) out += 0.5 * length_squared(p.velocity[i]) / p.inverse_mass[i];
    }
    return out;
}

Vec3d momentum(const Particles& p) {
    Vec3d out;
    for (std::size_t i = 0; i < p.velocity.size(); ++i) {
        if (p.inverse_mass[i] > 0) out = out + p.velocity[i] * (1 / p.inverse_mass[i]);
    }
    return out;
}

void print_frame(const std::string& title, std::vector<ResponseContact>& contacts, Particles& p, const Arguments& a) {
    double closing = 0;
    double penetration = 0;
    for (const ResponseContact& c : contacts) {
        penetration = std::max(penetration, c.penetration);
        if (p.inverse_mass[c.a] + p.inverse_mass[c.b] > 0) closing = std::max(closing, closing_velocity(p.view(), c));
    }
    const Particles before = p;
    ResponseWorkspace workspace;
    const ResponseResult done = resolve_contacts(contacts, p.view(), settings_of(a), workspace);
    require(done);
    double moved = 0;
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        moved = std::max(moved, length(p.position[i] - before.position[i]));
    }
    Table table(title, {"", "before", "after"});
    const auto add = [&](const char* name, double x, double y) {
        table.add({name, fmt::format("{:.6g}", x), fmt::format("{:.6g}", y)});
    };
    table.add({"contacts", with_commas(contacts.size()), ""});
    add("largest closing velocity", closing, done.worst_closing);
    add("largest overlap", penetration, done.worst_penetration);
    add("kinetic energy", energy(before), energy(p));
    table.add({"momentum", vector_text(momentum(before)), vector_text(momentum(p))});
    table.add({"largest displacement", "", fmt::format("{:.6g}", moved)});
    table.add({"resolutions of positions", "", with_commas(done.position_iterations)});
    table.add({"resolutions of velocities", "", with_commas(done.velocity_iterations)});
    table.print();
    if (done.limit_reached) fmt::print("the limit of resolutions ended the work before all contacts were resolved\n");
}

void run(const Arguments& a) {
    check(a);
    const Scene scene(a.scene);
    const std::uint64_t number = one_frame(a.scene, a.frame, scene.frames());
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(number, frame);
    Particles particles = particles_of(a, scene, frame);
    if (a.pair.empty()) {
        if (!scene.has_pairs()) {
            PairFinder finder;
            find_pairs(finder, scene, hulls, a.margin, frame);
        }
        std::vector<ResponseContact> contacts = contacts_of(hulls, scene, frame, frame.pairs, a);
        print_frame(fmt::format("response of frame {}", number), contacts, particles, a);
        return;
    }
    const Pair pair = parse_pair(a.pair);
    require_pair(scene, frame, pair);
    if (!a.velocity_a.empty()) particles.velocity[pair.a] = vector_of(a.velocity_a);
    if (!a.velocity_b.empty()) particles.velocity[pair.b] = vector_of(a.velocity_b);
    if (a.mass_a) particles.inverse_mass[pair.a] = inverse_of("--mass-a", *a.mass_a);
    if (a.mass_b) particles.inverse_mass[pair.b] = inverse_of("--mass-b", *a.mass_b);
    for (const std::uint32_t i : {pair.a, pair.b}) {
        particles.acceleration[i] = particles.inverse_mass[i] == 0 ? Vec3d{} : gravity_of(a, scene);
    }
    const std::vector<ResponseContact> contacts = contacts_of(hulls, scene, frame, std::span(&pair, 1), a);
    fmt::print("{}, frame {}: bodies {} and {}\n", printable(a.scene), number, pair.a, pair.b);
    print_particle('a', particles, pair.a);
    print_particle('b', particles, pair.b);
    if (contacts.empty()) {
        fmt::print("\nno contact: nothing to respond to\n");
        return;
    }
    const auto deepest = std::max_element(
        contacts.begin(), contacts.end(),
        [](const ResponseContact& x, const ResponseContact& y) { return x.penetration < y.penetration; });
    if (contacts.size() > 1) fmt::print("\n{} contacts, of which this is the deepest\n", contacts.size());
    print_pair(pair, *deepest, particles, a);
}

}  // namespace

void add_respond(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("respond", "Resolve contacts by impulses: one pair step by step, or a whole frame");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("--pair", a.pair, "Two bodies, as in 12,57; without it all contacts of the frame")
        ->type_name("A,B");
    command->add_option("--frame", a.frame, "Frame of the contacts; negative: from the end")->capture_default_str();
    command->add_option("--margin", a.margin, "As for collide")->capture_default_str();
    command->add_option("--restitution", a.restitution, "Share of the closing velocity that comes back, 0 to 1")
        ->capture_default_str();
    command->add_option("--rate", a.rate, "Steps a second; the resting rule looks at one step")->capture_default_str();
    const auto three = [&](const char* name, std::vector<double>& to, const char* what) {
        command->add_option(name, to, what)->expected(3)->type_name("X Y Z");
    };
    three("--gravity", a.gravity,
          "In the scene's unit; unless given, 9.81 m/s2 against the scene's up axis (y if it has none)");
    three("--velocity-a", a.velocity_a, "Of the pair's first body; unless given, since the frame before");
    three("--velocity-b", a.velocity_b, "Of the second");
    command->add_option("--mass-a", a.mass_a, "0: immovable; unless given, the scene's, or 1")->type_name("M");
    command->add_option("--mass-b", a.mass_b, "Of the second")->type_name("M");
    command->add_flag("--per-contact", a.per_contact, "Velocity and position of each contact in turn, as published");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
