// SPDX-License-Identifier: MIT
//
// lanefold_ground: bodies on terrain beside other engines, a thread each, in turns; with --crowd, very many on one
// large height field. For each terrain it prints the time of a body, and what the engines found: bodies without a
// contact that the surface touches by the oracle-checked records of lanefold, points off the normal of a flat surface,
// and points a body.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "ground/terrain.hpp"
#include "measure/harness.hpp"

namespace lanefold::bench {
namespace {

// Radians by which a normal may be off that of a flat surface, and metres that a contact must be deep to count as
// missing where an engine has none.
constexpr double kOffNormal = 1e-3;
constexpr double kMissing = 1e-3;

struct Plan {
    std::uint32_t bodies = 0;  // 0: 400, of the crowd 70,000
    int rounds = 5;
    bool crowd = false;
    std::string only;
    std::string adapter;
};

struct Row {
    double microseconds = 0;  // a body, median of the rounds
    std::size_t touching = 0;
    std::size_t points = 0;
    std::size_t missing = 0;
    std::size_t off = 0;
};

double deepest(const std::vector<GroundPoint>& points) {
    double d = std::numeric_limits<double>::infinity();
    for (const GroundPoint& p : points) d = std::min(d, p.separation);
    return d;
}

void count(const GroundScene& scene, const GroundEngine& engine, const GroundEngine& first, Row& row) {
    for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i) {
        const std::vector<GroundPoint> points = engine.points(i);
        row.touching += points.empty() ? 0U : 1U;
        row.points += points.size();
        row.missing += points.empty() && deepest(first.points(i)) < -kMissing ? 1U : 0U;
        if (!scene.terrain->flat) continue;
        for (const GroundPoint& p : points) row.off += std::hypot(p.normal.x, p.normal.y) > kOffNormal ? 1U : 0U;
    }
}

void measure(const char* what, const GroundScene& scene, const std::vector<std::unique_ptr<GroundEngine>>& engines,
             const Plan& plan) {
    const auto bodies = static_cast<double>(scene.bodies.size() - 1);
    std::vector<Timing> times(engines.size());
    for (std::size_t k = 0; k < engines.size(); ++k) {
        times[k].scene = what;
        times[k].subset = "ground";
        times[k].engine = engines[k]->name();
        times[k].pairs = scene.bodies.size() - 1;
        engines[k]->prepare(scene);
        engines[k]->run();
    }
    for (int round = 0; round < plan.rounds; ++round) {
        for (std::size_t k = 0; k < engines.size(); ++k)
            times[k].add_sample(1, times[k].pairs, Counting::on, [&](benchmark::State&) { engines[k]->run(); });
    }
    for (std::size_t k = 0; k < engines.size(); ++k) {
        Row row;
        row.microseconds = 1e-3 * times[k].median();
        count(scene, *engines[k], *engines.front(), row);
        std::printf("%-24s %-12s %10.2f %9zu %8.2f %8zu %8zu\n", what, engines[k]->name().c_str(), row.microseconds,
                    row.touching, static_cast<double>(row.points) / bodies, row.missing, row.off);
        std::fflush(stdout);
    }
}

void run(Plan plan) {
    if (plan.bodies == 0) plan.bodies = plan.crowd ? 70000 : 400;
    std::vector<std::unique_ptr<GroundEngine>> engines;
    engines.push_back(make_lanefold_ground());
#ifdef LANEFOLD_PEER_BULLET
    engines.push_back(make_bullet_ground());
#endif
    if (!plan.adapter.empty()) engines.push_back(make_adapter_ground(plan.adapter));
    std::printf(
        "%u bodies about a metre across; us a body on one thread, bodies that touch, points a body, bodies\n"
        "without a contact that are deeper than %g m, points off the normal of a flat surface\n\n",
        plan.bodies, kMissing);
    std::printf("%-24s %-12s %10s %9s %8s %8s %8s\n", "terrain, cell, depth", "engine", "us", "touching", "points",
                "missing", "off");
    if (plan.crowd) {
        const Terrain hills = make_hills(1);
        measure("crowd, 1024 x 1024 cells", make_crowd(hills, plan.bodies, 2), engines, plan);
        return;
    }
    for (const char* const kind : {"flat", "rough", "field"}) {
        for (const double cell : {0.1, 1.0, 10.0}) {
            const bool flat = std::strcmp(kind, "flat") == 0;
            const bool field = std::strcmp(kind, "field") == 0;
            Terrain terrain;
            for (const double depth : {0.005, 0.2}) {
                char what[64];
                std::snprintf(what, sizeof what, "%s %g m %g m", kind, cell, depth);
                if (std::string(what).find(plan.only) == std::string::npos) continue;
                if (terrain.cells == 0) terrain = make_terrain(cell, flat ? 0 : 0.2, field, 1);
                measure(what, make_scene(terrain, plan.bodies, depth, 2), engines, plan);
            }
        }
    }
}

bool read(int argc, char** argv, Plan& plan) {
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--crowd") {
            plan.crowd = true;
            continue;
        }
        if (++i == argc) return false;
        if (name == "--only" || name == "--adapter") {
            (name == "--only" ? plan.only : plan.adapter) = argv[i];
            continue;
        }
        char* end = nullptr;
        const long value = std::strtol(argv[i], &end, 10);
        if (*end != 0 || value < 1 || value > 1000000) return false;
        if (name == "--bodies") {
            plan.bodies = static_cast<std::uint32_t>(value);
        } else if (name == "--rounds") {
            plan.rounds = static_cast<int>(value);
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace lanefold::bench

int main(int argc, char** argv) {
    lanefold::bench::Plan plan;
    if (!lanefold::bench::read(argc, argv, plan)) {
        std::fprintf(stderr,
                     "usage: lanefold_ground [--crowd] [--bodies N] [--rounds N] [--only TEXT] [--adapter FILE]\n");
        return 2;
    }
    try {
        lanefold::bench::run(plan);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanefold_ground: %s\n", error.what());
        return 2;
    }
    return 0;
}
