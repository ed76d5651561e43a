// SPDX-License-Identifier: MIT
//
// Each kind of scene and what is measured of it. Metres, kilograms, 60 steps a second.
#include "response/sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include <lanefold/hull_builder.hpp>
#include <lanefold/pose.hpp>

#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::bench {
namespace {

using Json = nlohmann::ordered_json;
using test::box_points;
using test::Points;
using test::Random;
using test::StandingScene;

constexpr double kStep = 1.0 / 60;
constexpr double kSpeedAfterTwoMetres = 6.264;

// One figure or two of a scene in an engine.
using Values = std::vector<double>;

struct Column {
    std::string name;
    std::vector<StandingScene> scenes;  // the worst of them counts
    double scale = 1;                   // a length, a speed or a share that the kind measures against
};

struct Kind {
    const char* id;
    const char* title;
    std::vector<Column> columns;
    double seconds;
    bool bounces;  // engines without restitution cannot
    // Takes in a step, numbered from 0; first the state before all steps, -1.
    std::function<void(const StandingScene&, const ResponseWorld&, int step, double scale, Values&)> look;
};

StandingScene scene_of(const char* name, const std::vector<Points>& shapes) {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p : shapes) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    return {name, build_hulls(points, offsets).hulls, {}};
}

// Hull 0, a floor that is large beside bodies of this size; its top is y = 0.
Points floor_points(double size) {
    const double half = std::max(2.0, 20 * size);
    return box_points(half, half, half);
}
RigidBody floor_body(double size) {
    RigidBody body = test::body_at(0, -std::max(2.0, 20 * size), 0, 0);
    body.kind = BodyKind::fixed;
    return body;
}

std::string length_name(double metres) {
    char text[32];
    const bool small = metres<0.0099, large = metres> 0.99;
    std::snprintf(text, sizeof text, "%g %s",
                  metres * (small   ? 1e3
                            : large ? 1
                                    : 1e2),
                  small   ? "mm"
                  : large ? "m"
                          : "cm");
    return text;
}

const std::array<double, 5> kSizes{1e-3, 1e-2, 0.1, 1, 10};

// Cubes turned at random fall 2 m: the highest rise after the lowest place, as a share of the drop.
Kind drops(bool quick) {
    Kind kind{"drops", "A dead cube falls 2 m", {}, 3, false, {}};
    for (const double size : kSizes) {
        Column column{length_name(size), {}, 2};
        for (std::uint64_t i = 0; i < (quick ? 4U : 20U); ++i) {
            Random random(91, i);
            StandingScene scene = scene_of("drop", {floor_points(size), box_points(size / 2, size / 2, size / 2)});
            RigidBody body = test::body_at(0, 2 + 0.87 * size, 0, 1);
            test::set_rotation(body, random.rotation());
            scene.bodies = {floor_body(size), body};
            column.scenes.push_back(std::move(scene));
        }
        kind.columns.push_back(std::move(column));
    }
    kind.look = [lowest = 0.0](const StandingScene&, const ResponseWorld& world, int step, double scale,
                               Values& worst) mutable {
        const double y = world.position(1).y;
        lowest = step < 0 ? y : std::min(lowest, y);
        worst[0] = std::max(worst[0], (y - lowest) / scale);
    };
    return kind;
}

// A cube falls 2 m flat on a smaller post off its middle, e = 0.9, no friction: height and spin.
Kind bounces() {
    Kind kind{"bounces", "A cube falls 2 m flat on a post off its middle, restitution 0.9", {}, 1.2, true, {}};
    for (const double size : kSizes) {
        StandingScene scene = scene_of("bounce", {floor_points(size), box_points(size / 2, size / 2, size / 2),
                                                  box_points(0.3 * size, 0.5 * size, 0.2 * size)});
        RigidBody post = test::body_at(0.2 * size, 0.5 * size, 0.1 * size, 2);
        post.kind = BodyKind::fixed;
        scene.bodies = {floor_body(size), test::body_at(0, 2 + 1.5 * size, 0, 1), post};
        for (RigidBody& body : scene.bodies) {
            body.friction = 0;
            body.restitution = 0.9F;
        }
        kind.columns.push_back({length_name(size), {std::move(scene)}, size});
    }
    kind.look = [rises = false](const StandingScene&, const ResponseWorld& world, int step, double size,
                                Values& most) mutable {
        if (step < 0) rises = false;
        rises = rises || world.velocity(1).y > 0.1;
        if (rises) most[0] = std::max(most[0], (world.position(1).y - 1.5 * size) / 2);
        most[1] = std::max(most[1], length(world.spin(1)) * size / kSpeedAfterTwoMetres);
    };
    return kind;
}

// A stack of like bodies, the lowest on the floor: the height that it has lost at the end, as a share of all.
StandingScene stack(const Points& points, double half, std::size_t count, float mass, float top = 0) {
    double reach = 0;
    for (const Vec3f& p : points) reach = std::max(reach, length(to_double(p)));
    StandingScene scene = scene_of("stack", {floor_points(reach), points});
    scene.bodies.push_back(floor_body(reach));
    for (std::size_t i = 0; i < count; ++i) {
        scene.bodies.push_back(test::body_at(0, half * (2 * static_cast<double>(i) + 1), 0, 1));
        scene.bodies.back().mass = top > 0 && i + 1 == count ? top : mass;
    }
    return scene;
}

void look_at_height(const StandingScene& scene, const ResponseWorld& world, int, double height, Values& lost) {
    const std::size_t top = scene.bodies.size() - 1;
    lost[0] = (scene.bodies[top].position[1] - world.position(top).y) / height;
}

Kind stacks() {
    Kind kind{"stacks", "A stack stands for 5 s", {}, 5, false, look_at_height};
    Points coin = test::prism_points(24, 0.012, 0.001);
    for (Vec3f& p : coin) p = {p.x, p.z, p.y};
    const auto add = [&](const char* name, StandingScene scene, double height) {
        kind.columns.push_back({name, {std::move(scene)}, height});
    };
    add("5 cubes of 1 mm", stack(box_points(0.0005, 0.0005, 0.0005), 0.0005, 5, 1e-6F), 0.005);
    add("10 plates of 1 mm", stack(box_points(0.05, 0.0005, 0.05), 0.0005, 10, 0.02F), 0.01);
    add("20 coins of 2 mm", stack(coin, 0.001, 20, 0.007F), 0.04);
    add("10 dice of 16 mm", stack(box_points(0.008, 0.008, 0.008), 0.008, 10, 0.005F), 0.16);
    add("20 books of 3 cm", stack(box_points(0.1, 0.015, 0.075), 0.015, 20, 0.5F), 0.6);
    add("5 cubes of 10 m", stack(box_points(5, 5, 5), 5, 5, 1e6F), 50);
    return kind;
}

// A cube stands on one of 1 / ratio of its mass.
Kind loads() {
    Kind kind{"loads",       "A cube on one of the same size and 1 / 300 or 1 / 1,000 of its mass, 4 s", {}, 4, false,
              look_at_height};
    const std::array<std::pair<double, float>, 4> cubes{{{0.02, 300.0F}, {0.1, 1000.0F}, {1, 1000.0F}, {10, 1000.0F}}};
    for (const auto& [size, ratio] : cubes) {
        const auto mass = static_cast<float>(1000 * size * size * size);
        const double half = size / 2;
        kind.columns.push_back({length_name(size) + (ratio < 500 ? ", 1:300" : ", 1:1,000"),
                                {stack(box_points(half, half, half), half, 2, mass, mass * ratio)},
                                2 * size});
    }
    return kind;
}

// Shards of 10 x 1 x 4 cm, turning at up to 100 rad/s, fly down on a fixed plate of 2 cm: how many are below it.
Kind shards(bool quick) {
    Kind kind{"shards", "Shards of 1 cm against a fixed plate of 2 cm, 100 flights", {}, 0.5, false, {}};
    for (const double speed : {5.0, 20.0, 100.0, 500.0}) {
        char name[32];
        std::snprintf(name, sizeof name, "%.0f m/s", speed);
        Column column{name, {}, 1};
        for (std::uint64_t i = 0; i < (quick ? 20U : 100U); ++i) {
            Random random(93, i);
            StandingScene scene = scene_of("shard", {box_points(5, 0.01, 5), box_points(0.05, 0.005, 0.02)});
            RigidBody plate = test::body_at(0, 0, 0, 0);
            plate.kind = BodyKind::fixed;
            RigidBody shard = test::body_at(0, 0.08 + random.uniform(0.2, 2) * speed * kStep, 0, 1);
            test::set_rotation(shard, random.rotation());
            shard.velocity[1] = static_cast<float>(-speed);
            const Vec3f spin = to_float(random.in_ball() * 100.0);
            std::memcpy(shard.spin, &spin, sizeof shard.spin);
            scene.bodies = {plate, shard};
            column.scenes.push_back(std::move(scene));
        }
        kind.columns.push_back(std::move(column));
    }
    kind.look = [passed = false](const StandingScene&, const ResponseWorld& world, int step, double,
                                 Values& count) mutable {
        if (step < 0) passed = false;
        const Vec3d p = world.position(1);
        const bool below = p.y < -0.02 && std::fabs(p.x) < 5 && std::fabs(p.z) < 5;
        if (below && !passed) count[0] += 1;
        passed = passed || below;
    };
    return kind;
}

// Ten bars of 0.2 kg and a weight at the end, let go level: the farthest that the weight is, beyond the whole length.
Kind chains() {
    Kind kind{"chains", "Ten bars and a weight, let go level, 8 s", {}, 8, false, {}};
    for (const double ratio : {1.0, 100.0, 1000.0}) {
        StandingScene scene = scene_of("chain", {box_points(0.09, 0.01, 0.01), box_points(0.1, 0.1, 0.1)});
        for (std::uint32_t i = 0; i <= 10; ++i) {
            RigidBody body = test::body_at(i == 10 ? 2.1 : 0.2 * (i + 0.5), 0, 0, i == 10 ? 1 : 0);
            body.mass = static_cast<float>(i == 10 ? 0.2 * ratio : 0.2);
            body.collides_with = 0;
            scene.bodies.push_back(body);
            const Vec3d left{i == 10 ? -0.1 : -0.09, 0, 0};
            BodyLink link{LinkKind::rod, i, kWorldAnchor, left, {0, 0, 0}, 0.01};
            if (i > 0) {
                link.b = i - 1;
                link.end_b = {0.09, 0, 0};
                link.length = i == 10 ? 0.01 : 0.02;
            }
            scene.links.push_back(link);
        }
        char name[32];
        std::snprintf(name, sizeof name, "1:%.0f", ratio);
        kind.columns.push_back({name, {std::move(scene)}, 2.1});
    }
    kind.look = [](const StandingScene&, const ResponseWorld& world, int, double length_of_all, Values& most) {
        most[0] = std::max(most[0], length(world.position(10)) / length_of_all - 1);
    };
    return kind;
}

// A box slides without friction over the seam of two level tiles: speed lost, and the highest lift in its size.
Kind seams() {
    Kind kind{"seams", "A box slides at 3 m/s over the seam of two tiles, no friction", {}, 0, false, {}};
    for (const double size : {0.01, 0.1, 0.5, 5.0}) {
        const double tile = std::max(2.0, 4 * size);
        StandingScene scene =
            scene_of("seam", {box_points(tile, tile, tile), box_points(size / 2, size / 2, size / 2)});
        for (const double side : {-1.0, 1.0}) {
            RigidBody body = test::body_at(side * tile, -tile, 0, 0);
            body.kind = BodyKind::fixed;
            scene.bodies.push_back(body);
        }
        RigidBody box = test::body_at(-size / 2 - 0.5, size / 2, 0, 1);
        box.velocity[0] = 3;
        scene.bodies.push_back(box);
        for (RigidBody& body : scene.bodies) body.friction = 0;
        kind.columns.push_back({length_name(size), {std::move(scene)}, size});
    }
    kind.seconds = 0.8;
    kind.look = [](const StandingScene&, const ResponseWorld& world, int, double size, Values& most) {
        most[0] = std::max(most[0], std::fabs(world.velocity(2).x - 3) / 3);
        most[1] = std::max(most[1], (world.position(2).y - size / 2) / size);
    };
    return kind;
}

Values measure(Kind& kind, const Column& column, const Engine& engine) {
    Values values{0, 0};
    for (const StandingScene& scene : column.scenes) {
        const std::unique_ptr<ResponseWorld> world = engine.make(scene, false);
        kind.look(scene, *world, -1, column.scale, values);
        for (int k = 0; k < kind.seconds / kStep; ++k) {
            world->step(kStep);
            kind.look(scene, *world, k, column.scale, values);
        }
    }
    return values;
}

}  // namespace

Json measure_sizes(const std::vector<Engine>& engines, bool quick) {
    Json out = Json::array();
    for (Kind& kind : std::vector<Kind>{drops(quick), bounces(), stacks(), loads(), shards(quick), chains(), seams()}) {
        Json table{{"kind", kind.id}, {"title", kind.title}, {"columns", Json::array()}, {"rows", Json::array()}};
        for (const Column& column : kind.columns) table["columns"].push_back(column.name);
        for (const Engine& engine : engines) {
            Json row{{"engine", engine.name}, {"values", Json::array()}};
            const bool cannot = kind.bounces && std::strncmp(engine.name, "mujoco", 6) == 0;
            for (const Column& column : kind.columns) {
                std::fprintf(stderr, "%s, %s, %s\n", kind.id, column.name.c_str(), engine.name);
                row["values"].push_back(cannot ? Json() : Json(measure(kind, column, engine)));
            }
            table["rows"].push_back(std::move(row));
        }
        out.push_back(std::move(table));
    }
    return out;
}

}  // namespace lanefold::bench
