// SPDX-License-Identifier: MIT
//
// The same two scenes in the same Bullet world, side by side: with Bullet's own narrowphase in two settings, and with
// lanefold's on one thread and on all cores. A column is a world.
//
//   example_bullet [ROCKS [SECONDS]]     1000 rocks, 10 seconds
//
// Times are medians of the steps. With initializePolyhedralFeatures() Bullet leaves the margin of 4 cm about hulls out
// wherever it clips, so bodies are smaller in that column and sink by it first.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "demo_world.hpp"

namespace {

using demo::Narrowphase;

constexpr std::pair<Narrowphase, const char*> kColumns[] = {{Narrowphase::bullet, "Bullet"},
                                                            {Narrowphase::bullet_clipping, "Bullet, clipping"},
                                                            {Narrowphase::lanefold_one, "lanefold, 1 thread"},
                                                            {Narrowphase::lanefold, "lanefold"}};

struct Row {
    const char* name;
    const char* format;
    double value[4];
};

void print(const char* title, const Row* rows, std::size_t count) {
    std::printf("%-38s", title);
    for (const auto& column : kColumns) std::printf("%20s", column.second);
    std::printf("\n");
    for (std::size_t r = 0; r < count; ++r) {
        std::printf("  %-36s", rows[r].name);
        for (const double value : rows[r].value) {
            std::printf(rows[r].format, value);
        }
        std::printf("\n");
    }
    std::printf("\n");
}

void stack(int cubes) {
    Row rows[] = {{"drift to the side after 1 s, mm", "%20.2f", {}},
                  {"after 5 s", "%20.2f", {}},
                  {"after 10 s", "%20.2f", {}},
                  {"sunk after 10 s, mm", "%20.2f", {}},
                  {"mean speed after 10 s, mm/s", "%20.2f", {}},
                  {"contact points after 10 s", "%20.0f", {}},
                  {"narrowphase, ms a step", "%20.4f", {}},
                  {"whole step, ms", "%20.4f", {}},
                  {"drift where bodies may sleep, mm", "%20.2f", {}},
                  {"mean speed there after 10 s, mm/s", "%20.2f", {}}};
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
        demo::World world(kColumns[c].first), sleeping(kColumns[c].first);
        world.add_stack(cubes, false);
        sleeping.add_stack(cubes, true);
        sleeping.run(600);
        std::vector<double> values;
        demo::Measured time;
        for (const int steps : {60, 240, 300}) {
            time = world.run(steps);
            values.push_back(1e3 * world.largest_drift());
        }
        values.insert(values.end(),
                      {1e3 * world.largest_fall(), 1e3 * world.mean_speed(), double(world.contacts().points),
                       time.narrowphase_ms, time.step_ms, 1e3 * sleeping.largest_drift(), 1e3 * sleeping.mean_speed()});
        for (std::size_t r = 0; r < std::size(rows); ++r) rows[r].value[c] = values[r];
    }
    const std::string title = "stack of " + std::to_string(cubes) + " cubes, 10 s";
    print(title.c_str(), rows, std::size(rows));
}

void pile(int rocks, int steps) {
    Row rows[] = {{"narrowphase while they fall, ms", "%20.3f", {}},
                  {"whole step, ms", "%20.3f", {}},
                  {"narrowphase when they lie, ms", "%20.3f", {}},
                  {"whole step, ms", "%20.3f", {}},
                  {"pairs in contact at the end", "%20.0f", {}},
                  {"contact points at the end", "%20.0f", {}},
                  {"deepest overlap at the end, mm", "%20.2f", {}},
                  {"mean speed at the end, mm/s", "%20.2f", {}},
                  {"escaped from the bin", "%20.0f", {}},
                  {"points that kept impulses, %", "%20.2f", {}}};
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
        demo::World world(kColumns[c].first);
        world.add_pile(rocks, 1);
        const demo::Measured fall = world.run(steps / 2), rest = world.run(steps - steps / 2);
        const demo::Contacts contacts = world.contacts();
        double kept = 0;
        if (const LanefoldDispatcher* own = world.lanefold())
            kept = 100.0 * double(own->points_kept()) / double(own->points_kept() + own->points_new());
        const double values[] = {fall.narrowphase_ms,        fall.step_ms,
                                 rest.narrowphase_ms,        rest.step_ms,
                                 double(contacts.manifolds), double(contacts.points),
                                 1e3 * contacts.deepest,     1e3 * world.mean_speed(),
                                 double(world.escaped()),    kept};
        for (std::size_t r = 0; r < std::size(rows); ++r) rows[r].value[c] = values[r];
    }
    const std::string title = "pile of " + std::to_string(rocks) + " rocks, " + std::to_string(steps) + " steps";
    print(title.c_str(), rows, std::size(rows));
}

}  // namespace

int main(int argc, char** argv) {
    const int rocks = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int steps = argc > 2 ? int(60 * std::atof(argv[2])) : 600;
    if (argc > 3 || rocks < 1 || steps < 2) {
        std::fprintf(stderr, "usage: example_bullet [ROCKS [SECONDS]]\n");
        return 2;
    }
    std::printf("Bullet %d.%d, float%d, one thread for the rest of the step\n\n", btGetVersion() / 100,
                btGetVersion() % 100, int(8 * sizeof(btScalar)));
    stack(10);
    pile(rocks, steps);
    return 0;
}
