// SPDX-License-Identifier: MIT
//
// A step of two bodies by the contact response of the reference.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <lanefold/contact_response.hpp>
#include <lanefold/serial.hpp>

#include "console/failure.hpp"
#include "engine/pair.hpp"

namespace lanefold::web {
namespace {

// How near bodies are looked at, in what they move in a step and of the smaller hull's size (contact_response.hpp).
constexpr double kMarginSteps = 2;
constexpr double kMarginSize = 0.01;

Vec3d vector_of(const Json& from, const char* name) {
    const auto v = numbers_of<3>(from, name);
    return {v[0], v[1], v[2]};
}

struct Motion {
    std::array<Vec3d, 2> position;
    std::array<Vec3d, 2> velocity;
    std::array<double, 2> inverse_mass{};
    std::array<Vec3d, 2> acceleration;
};

Motion read_motion(const Json& request, PairRequest& pair, double step) {
    Motion out;
    const Vec3d gravity = vector_of(request, "gravity");
    const char* const names[] = {"a", "b"};
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& body = request[names[i]];
        out.inverse_mass[i] = number_of(body, "inverse_mass", 1);
        out.acceleration[i] = out.inverse_mass[i] == 0 ? Vec3d{} : gravity;
        out.velocity[i] = vector_of(body, "velocity") + out.acceleration[i] * step;
        double* const p = pair.bodies[i].position;
        out.position[i] = Vec3d{p[0], p[1], p[2]} + out.velocity[i] * step;
        p[0] = out.position[i].x;
        p[1] = out.position[i].y;
        p[2] = out.position[i].z;
    }
    return out;
}

}  // namespace

Json answer_react(const Json& request, Hulls& hulls) {
    PairRequest pair = read_pair(request);
    Json out;
    if (!hulls.build(pair)) {
        out["error"] = "a hull cannot be built";
        return out;
    }
    const double step = number_of(request, "step", 1.0 / 60);
    const double restitution = number_of(request, "restitution", 0);
    if (!(step > 0) || !(restitution >= 0 && restitution <= 1)) {
        throw tools::bad_input("step must be above 0, restitution between 0 and 1");
    }
    Motion motion = read_motion(request, pair, step);

    const auto small = static_cast<double>(std::min(hulls.set()[0].size, hulls.set()[1].size));
    Options options;
    options.face_preference = pair.story.face_preference;
    const double moved = length(motion.velocity[0] - motion.velocity[1]) * step;
    options.margin = static_cast<float>(kMarginSteps * moved + kMarginSize * small);
    Manifold4 manifold{};
    Workspace workspace;
    const BatchResult done = collide_pair(hulls.set(), pair.bodies[0], pair.bodies[1], options, manifold, workspace);
    if (!done.status) throw tools::bad_input("{}", done.status.what);

    std::vector<ResponseContact> contacts;
    append_contacts(std::span<const Manifold4>(&manifold, 1), restitution, contacts);
    ResponseSettings settings;
    settings.step = step;
    settings.position_tolerance = 1e-4 * small;
    ResponseWorkspace scratch;
    const ResponseBodies bodies{motion.position, motion.velocity, motion.inverse_mass, motion.acceleration};
    const ResponseResult result = resolve_contacts(contacts, bodies, settings, scratch);
    if (!result.status) throw tools::bad_input("{}", result.status.what);

    const char* const names[] = {"a", "b"};
    for (std::size_t i = 0; i < 2; ++i) {
        out[names[i]] = {{"position", to_json(motion.position[i])}, {"velocity", to_json(motion.velocity[i])}};
    }
    out["penetration"] = manifold.kind == ContactKind::none ? 0.0 : -static_cast<double>(manifold.distance);
    out["touching"] = !contacts.empty();
    return out;
}

}  // namespace lanefold::web
