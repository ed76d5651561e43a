// SPDX-License-Identifier: MIT
//
// lanefold_response: how well bodies respond, scene by scene and engine by engine, as one JSON document. bench/response
// runs it and makes docs/response.md of it. --sizes: only bodies of every size (sizes.cpp).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lanefold/broadphase.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>

#include "response/sizes.hpp"
#include "response/world.hpp"

namespace lanefold::bench {
namespace {

using Json = nlohmann::ordered_json;
using test::StandingScene;

constexpr double kStep = 1.0 / 60;
constexpr double kGravity = 9.81;
// The steps in which everything still moves and nothing sleeps: three seconds.
constexpr int kBusySteps = 180;

std::unique_ptr<ResponseWorld> own(const StandingScene& scene, bool sleep, ContactMethod method, float hysteresis) {
    WorldSettings settings;
    settings.threads = 1;
    settings.sleep = sleep;
    settings.method = method;
    settings.hysteresis = hysteresis;
    return make_lanefold_world(scene, settings);
}

std::vector<Engine> engines() {
    std::vector<Engine> out;
    out.push_back({"lanefold", [](const StandingScene& s, bool sleep) {
                       return own(s, sleep, ContactMethod::clip, kDefaultHysteresis);
                   }});
    out.push_back({"lanefold without hysteresis",
                   [](const StandingScene& s, bool sleep) { return own(s, sleep, ContactMethod::clip, 0); }});
    out.push_back({"lanefold with patches",
                   [](const StandingScene& s, bool sleep) { return own(s, sleep, ContactMethod::patch, 0); }});
#ifdef LANEFOLD_PEER_BULLET
    out.push_back({"bullet", [](const StandingScene& s, bool sleep) { return make_bullet_world(s, 1, sleep); }});
    out.push_back({"bullet in 10 steps", [](const StandingScene& s, bool sleep) {
                       return make_bullet_world(s, WorldSettings{}.substeps, sleep);
                   }});
#endif
#ifdef LANEFOLD_PEER_BOX3D
    // 4 substeps are those of its own samples.
    out.push_back({"box3d", [](const StandingScene& s, bool sleep) { return make_box3d_world(s, 4, sleep); }});
    out.push_back({"box3d in 10 substeps", [](const StandingScene& s, bool sleep) {
                       return make_box3d_world(s, WorldSettings{}.substeps, sleep);
                   }});
#endif
#ifdef LANEFOLD_PEER_JOLT
    out.push_back({"jolt", [](const StandingScene& s, bool sleep) { return make_jolt_world(s, 1, sleep); }});
    out.push_back({"jolt in 10 steps", [](const StandingScene& s, bool sleep) {
                       return make_jolt_world(s, WorldSettings{}.substeps, sleep);
                   }});
#endif
    return out;
}

// The engines that bodies of every size are measured in: MuJoCo, whose solver takes minutes for a pile, too.
std::vector<Engine> engines_of_sizes() {
    std::vector<Engine> out = engines();
    std::erase_if(out, [](const Engine& e) { return std::strncmp(e.name, "lanefold ", 9) == 0; });
#ifdef LANEFOLD_PEER_MUJOCO
    // Its default step is 2 ms.
    out.push_back({"mujoco in 8 steps", [](const StandingScene& s, bool) { return make_mujoco_world(s, 8, kStep); }});
    out.push_back({"mujoco", [](const StandingScene& s, bool) { return make_mujoco_world(s, 1, kStep); }});
#endif
    return out;
}

std::vector<std::string> peers() {
    std::vector<std::string> out;
#ifdef LANEFOLD_PEER_MUJOCO
    out.push_back("MuJoCo " + mujoco_version());
#endif
#ifdef LANEFOLD_PEER_BULLET
    out.push_back("Bullet " + bullet_version());
#endif
#ifdef LANEFOLD_PEER_BOX3D
    out.push_back("Box3D " + box3d_version());
#endif
#ifdef LANEFOLD_PEER_JOLT
    out.push_back("Jolt " + jolt_version());
#endif
    return out;
}

// Mechanical energy of all that moves, joules; 0 at the origin.
double energy(const StandingScene& scene, const ResponseWorld& world) {
    double sum = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const RigidBody& body = scene.bodies[i];
        if (body.kind != BodyKind::dynamic) continue;
        const MassProperties& unit = scene.hulls.info(body.hull).mass;
        const auto density = static_cast<double>(body.density);
        const Mat3d r = rotation(world.orientation(i));
        const Vec3d v = world.velocity(i);
        const Vec3d w = transpose_times(r, world.spin(i));
        const double height = (world.position(i) + r * unit.centre_of_mass).y;
        sum += density * (unit.volume * (0.5 * dot(v, v) + kGravity * height) + 0.5 * dot(w, unit.inertia * w));
    }
    return sum;
}

// The deepest overlap of any pair, metres, by lanefold's narrowphase whichever engine placed the bodies.
double deepest_overlap(const StandingScene& scene, const ResponseWorld& world) {
    std::vector<BodyD> bodies;
    std::vector<WorldBox> boxes;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec3d p = world.position(i);
        const Quat q = world.orientation(i);
        BodyD body{};
        body.hull = scene.bodies[i].hull;
        const double position[3] = {p.x, p.y, p.z};
        const double turn[4] = {q.x, q.y, q.z, q.w};
        std::copy_n(position, 3, body.position);
        for (int k = 0; k < 4; ++k) body.orientation[k] = static_cast<float>(turn[k]);
        bodies.push_back(body);
    }
    PairFinder finder;
    const std::span<const Pair> pairs = finder.find(scene.hulls, BodyView(bodies)).pairs;
    std::vector<Manifold4> out(pairs.size());
    Workspace workspace;
    const CompactResult found = collide_compact(scene.hulls, BodyView(bodies), pairs, Options{}, out, workspace);
    double deepest = 0;
    for (std::size_t i = 0; i < found.written; ++i) {
        const Manifold4& m = out[i];
        if (scene.bodies[m.pair[0]].kind == BodyKind::fixed && scene.bodies[m.pair[1]].kind == BodyKind::fixed)
            continue;
        deepest = std::max(deepest, -static_cast<double>(m.distance));
    }
    return deepest;
}

// The thread's own clock: time given to other processes does not count.
double thread_milliseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

struct Spread {
    double across = 0;  // largest horizontal displacement
    double down = 0;
};

Spread spread(const std::vector<Vec3d>& from, const ResponseWorld& world) {
    Spread out;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec3d d = world.position(i) - from[i];
        out.across = std::max(out.across, std::sqrt(d.x * d.x + d.z * d.z));
        out.down = std::max(out.down, -d.y);
    }
    return out;
}

std::vector<Vec3d> positions(const StandingScene& scene, const ResponseWorld& world) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) out.push_back(world.position(i));
    return out;
}

double fastest(const StandingScene& scene, const ResponseWorld& world) {
    double most = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) most = std::max(most, length(world.velocity(i)));
    return most;
}

Json measure(const StandingScene& scene, const Engine& engine, int seconds, bool sleep) {
    const std::unique_ptr<ResponseWorld> world = engine.make(scene, sleep);
    const std::vector<Vec3d> begin = positions(scene, *world);
    std::vector<Vec3d> start;
    Json row{{"engine", engine.name}, {"seconds", seconds}, {"sleep", sleep}};
    std::vector<double> drifts, energies{energy(scene, *world)}, times;
    double drift = 0;
    double at_rest = -1;
    for (int s = 1; s <= seconds; ++s) {
        for (int k = 0; k < 60; ++k) {
            const double before = thread_milliseconds();
            world->step(kStep);
            times.push_back(thread_milliseconds() - before);
            if (s > 1) drift = std::max(drift, spread(start, *world).across);
        }
        if (s == 1) start = positions(scene, *world);
        drifts.push_back(drift);
        energies.push_back(energy(scene, *world));
        if (fastest(scene, *world) >= 1e-3)
            at_rest = -1;
        else if (at_rest < 0)
            at_rest = s;
        if (s == 10) row["drift_10"] = drift;
    }
    row["drift"] = drift;
    row["sag"] = spread(begin, *world).down;
    row["overlap"] = deepest_overlap(scene, *world);
    row["fastest"] = fastest(scene, *world);
    row["at_rest_after"] = at_rest;
    row["busy_ms"] = std::accumulate(times.begin(), times.begin() + kBusySteps, 0.0) / kBusySteps;
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    row["step_ms"] = times[times.size() / 2];
    row["drift_by_second"] = drifts;
    row["energy_by_second"] = energies;
    return row;
}

struct Measured {
    StandingScene scene;
    int seconds;
    bool sleep;
    bool variants;  // the engines' other settings, too
};

std::vector<Measured> scenes(bool quick) {
    std::vector<Measured> out;
    const int minute = quick ? 12 : 60;
    out.push_back({test::tower_scene(10), minute, false, true});
    out.push_back({test::rough_tower_scene(10, 3), minute, false, true});
    out.push_back({test::tower_scene(30), minute, false, true});
    out.push_back({test::rough_tower_scene(30, 3), minute, false, true});
    out.push_back({test::card_house_scene(3, 0.35, 0.6F), minute, false, true});
    out.push_back({test::arch_scene(15, 0.2, 0.6F), minute, false, true});
    out.push_back({test::pyramid_scene(20), quick ? 12 : 20, false, true});
    out.push_back({test::domino_scene(40, 0.4), 20, false, false});
    for (const test::Shape shape : {test::Shape::rock, test::Shape::debris})
        out.push_back({test::pile_scene(7, quick ? 200 : 2000, shape), quick ? 10 : 15, true, false});
    return out;
}

// Another setting of an engine; as many substeps as lanefold takes is none.
bool is_variant(const char* name) {
    return std::strchr(name, ' ') != nullptr && std::strstr(name, "substeps") == nullptr;
}

int run(bool quick, bool only_sizes) {
    Json document{{"program", "lanefold_response"}, {"isa", to_string(choose_isa(Isa::automatic).isa)}};
    document["peers"] = peers();
    document["sizes"] = measure_sizes(engines_of_sizes(), quick);
    if (only_sizes) {
        std::printf("%s\n", document.dump(1).c_str());
        return 0;
    }
    document["scenes"] = Json::array();
    for (const Measured& m : scenes(quick)) {
        Json rows = Json::array();
        for (const Engine& engine : engines()) {
            if (!m.variants && is_variant(engine.name)) continue;
            std::fprintf(stderr, "%s, %s\n", m.scene.name.c_str(), engine.name);
            rows.push_back(measure(m.scene, engine, m.seconds, m.sleep));
        }
        document["scenes"].push_back({{"scene", m.scene.name}, {"bodies", m.scene.bodies.size()}, {"rows", rows}});
    }
    std::printf("%s\n", document.dump(1).c_str());
    return 0;
}

}  // namespace
}  // namespace lanefold::bench

int main(int argc, char** argv) {
    bool quick = false, only_sizes = false;
    for (int i = 1; i < argc; ++i) {
        const bool is_quick = std::strcmp(argv[i], "--quick") == 0, is_sizes = std::strcmp(argv[i], "--sizes") == 0;
        if (!is_quick && !is_sizes) {
            std::fprintf(stderr, "usage: lanefold_response [--quick] [--sizes]\n");
            return 2;
        }
        quick = quick || is_quick;
        only_sizes = only_sizes || is_sizes;
    }
    return lanefold::bench::run(quick, only_sizes);
}
