// SPDX-License-Identifier: MIT
//
// Makes flush stacks and lets scenes tremble.
#include "scenes/stacks.hpp"

#include <algorithm>

#include "generate/random.hpp"
#include "scenes/placements.hpp"
#include "scenes/recipes.hpp"
#include "scenes/shapes.hpp"

namespace lanefold::bench {
namespace {

using tools::Random;

constexpr std::size_t kLevels = 8;     // bodies of a stack
constexpr double kSetTurn = 3;         // radians, of a body about the upright
constexpr double kSetShift = 0.1;      // metres, of a body beside the middle of its stack
constexpr double kLean = 0.0035;       // radians, of leaning stacks: 0.2 degrees
constexpr double kTrembleShift = 0.2;  // of the angle, as a part of the size
constexpr double kStillSize = 4;       // bodies above so many sizes of the smallest one stand still

struct Recipe {
    StackInfo info;
    std::vector<Vec3f> points;
    double height;
    double sunk;  // of a body in the one below it, metres
    double lean;  // of the whole stack, radians
    bool turned;  // each stack as a whole, by any rotation
};

const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> list = [] {
        std::vector<Recipe> out;
        const auto add = [&out](const std::string& what, const std::vector<Vec3f>& points, double height) {
            const std::string text = "flush stacks of " + what;
            const std::string name = "stack-" + what;
            out.push_back({{name, text}, points, height, 0, 0, false});
            out.push_back({{name + "-turned", text + ", each turned as a whole"}, points, height, 0, 0, true});
            out.push_back({{name + "-leaning", text + " that lean by 0.2 degrees, sunk by 1 mm"},
                           points,
                           height,
                           0.001,
                           kLean,
                           false});
        };
        add("boxes", box_points(1, 1, 0.5), 0.5);
        add("bricks", box_points(1, 0.5, 0.3), 0.3);
        for (const int sides : {6, 8, 16}) add("prisms" + std::to_string(sides), prism_points(sides, 0.6, 0.5), 0.5);
        return out;
    }();
    return list;
}

// A whole turn of a body's own, and a shift along any direction.
Body trembled(const Body& at, double angle, double size, Random& random) {
    const Quat q{static_cast<double>(at.orientation[0]), static_cast<double>(at.orientation[1]),
                 static_cast<double>(at.orientation[2]), static_cast<double>(at.orientation[3])};
    const Vec3d axis = random.direction();
    const double turn = random.range(-angle, angle);
    const Vec3d shift = random.arrow(0, kTrembleShift * angle * size);
    const Vec3d p{static_cast<double>(at.position[0]), static_cast<double>(at.position[1]),
                  static_cast<double>(at.position[2])};
    return body_at(at.hull, p + shift, times(about(axis, turn), q));
}

}  // namespace

const std::vector<StackInfo>& stacks() {
    static const std::vector<StackInfo> list = infos(recipes());
    return list;
}

Scene make_stacks(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin) {
    const Recipe& r = recipe_of(recipes(), "stacks", name);
    Scene scene = empty_scene(r.info, margin);
    build_scene_hulls(scene, r.points, {0, r.points.size()});
    Random random(seed, 0x57AC);
    Frame frame;
    for (std::size_t stack = 0; stack * (kLevels - 1) < pairs; ++stack) {
        const Quat leaning = about({0.6, 0.8, 0}, r.lean);
        const Quat whole = r.turned ? times(random.rotation(), leaning) : leaning;
        const Vec3d origin{12.0 * static_cast<double>(stack % 16), 12.0 * static_cast<double>(stack / 16 % 16),
                           12.0 * static_cast<double>(stack / 256)};
        for (std::size_t level = 0; level < kLevels; ++level) {
            const double x = random.range(-kSetShift, kSetShift);
            const double y = random.range(-kSetShift, kSetShift);
            const Quat set = about({0, 0, 1}, random.range(0, kSetTurn));
            const Vec3d at{x, y, static_cast<double>(level) * (r.height - r.sunk)};
            frame.bodies.push_back(body_at(0, origin + rotation(whole) * at, times(whole, set)));
        }
    }
    for (std::uint32_t i = 0; i + 1 < frame.bodies.size(); ++i)
        if (i % kLevels + 1 < kLevels) frame.pairs.push_back({i, i + 1});
    scene.frames.push_back(std::move(frame));
    return scene;
}

std::vector<std::string> trembling_names() {
    std::vector<std::string> out;
    for (const StackInfo& s : stacks()) out.push_back(s.name);
    for (const Placement& p : placements()) out.push_back(p.name);
    return out;
}

Scene make_trembling(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin) {
    const auto& all = stacks();
    const bool stack = std::any_of(all.begin(), all.end(), [&](const StackInfo& s) { return s.name == name; });
    return stack ? make_stacks(name, seed, pairs, margin) : make_placement(name, seed, pairs, margin);
}

std::vector<Frame> tremble(const Scene& scene, double angle, std::size_t count, std::uint64_t seed) {
    const Frame& start = scene.frames.back();
    double smallest = scene.polyhedra[start.bodies[0].hull].size;
    for (const Body& b : start.bodies) {
        const PolyHull& hull = scene.polyhedra[b.hull];
        if (!hull.half_space) smallest = std::min(smallest, hull.size + hull.radius);
    }
    std::vector<Frame> out(count, start);
    Random random(seed, 0x7E3B);
    for (Frame& f : out) {
        for (Body& b : f.bodies) {
            const PolyHull& hull = scene.polyhedra[b.hull];
            const double size = hull.size + hull.radius;
            if (hull.half_space || size > kStillSize * smallest) continue;
            b = trembled(b, angle, size, random);
        }
    }
    return out;
}

}  // namespace lanefold::bench
