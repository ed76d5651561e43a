// SPDX-License-Identifier: MIT
//
// Makes the families of placements. Gaps are a quarter of the margin, so that all pairs that lie flat are in contact.
#include "scenes/placements.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "generate/random.hpp"
#include "scenes/recipes.hpp"
#include "scenes/round.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shatter.hpp"

namespace lanefold::bench {
namespace {

using tools::Random;

constexpr double kFull = 2 * std::numbers::pi;

Quat yaw(double angle) { return about({0, 0, 1}, angle); }
Quat any_yaw(Random& r) { return yaw(r.range(0, kFull)); }
Quat level() { return {}; }

using Points = std::vector<Vec3f>;

// --- couples: hull 1 somewhere about hull 0

struct Place {
    Vec3d at;  // of hull 1, in the frame of hull 0
    Quat turn;
};
using Placer = std::function<Place(Random&)>;

// With `tilted` every pair is turned as a whole.
void add_couples(Scene& scene, Random& random, std::size_t pairs, bool tilted, const Placer& place) {
    Frame frame;
    const double step = 4 * (scene.polyhedra[0].size + scene.polyhedra[1].size);
    for (std::size_t i = 0; i < pairs; ++i) {
        const Place p = place(random);
        const Quat world = tilted ? random.rotation() : level();
        const Vec3d origin{step * static_cast<double>(i % 16), step * static_cast<double>(i / 16 % 16), 0};
        add_couple(frame, body_at(0, origin, world), body_at(1, origin + rotation(world) * p.at, times(world, p.turn)));
    }
    scene.frames.push_back(std::move(frame));
}

// --- whole scenes: pairs as a broad phase finds them

void find_all(Scene& scene, Frame frame) {
    frame.pairs = find_candidates(scene, frame.bodies);
    scene.frames.push_back(std::move(frame));
}

// n^3 boxes of side 1 with joints; `world` turns the whole grid.
void add_grid(Scene& scene, std::size_t pairs, double joint, const Quat& world) {
    const int n = std::max(4, static_cast<int>(std::cbrt(static_cast<double>(pairs) / 13)) + 1);
    Frame frame;
    for (int i = 0; i < n * n * n; ++i) {
        const int row = i / n;
        const int layer = row / n;
        const Vec3d p{i % n * (1 + joint), row % n * (1 + joint), layer * (1 + joint)};
        frame.bodies.push_back(body_at(0, rotation(world) * p, world));
    }
    find_all(scene, std::move(frame));
}

// Bricks of 1 x 0.5 x 0.3 in courses that are shifted by half a brick.
void add_wall(Scene& scene, std::size_t pairs, double joint, const Quat& world) {
    const int n = std::max(6, static_cast<int>(std::sqrt(static_cast<double>(pairs) / 6)));
    Frame frame;
    for (int row = 0; row < n; ++row) {
        for (int k = 0; k < n; ++k) {
            const Vec3d p{(k + 0.5 * (row % 2)) * (1 + joint), 0, row * (0.3 + joint)};
            frame.bodies.push_back(body_at(0, rotation(world) * p, world));
        }
    }
    find_all(scene, std::move(frame));
}

// Shattered blocks side by side, every cell at its block's pose. `apart`: cells move away from the middle by this
// share.
void add_shattered(Scene& scene, Random& random, std::size_t pairs, double apart) {
    std::vector<Points> hulls;
    Frame frame;
    for (std::size_t block = 0; block * 100 < pairs; ++block) {
        const std::size_t row = block / 32;
        const Vec3d origin{3.0 * static_cast<double>(block % 32), 3.0 * static_cast<double>(row), 0};
        const Quat q = random.rotation();
        for (Points& cell : shatter(random, 5)) {
            Vec3d middle{};
            for (const Vec3f& x : cell) middle = middle + to_double(x) * (1.0 / static_cast<double>(cell.size()));
            const auto hull = static_cast<std::uint32_t>(hulls.size());
            frame.bodies.push_back(body_at(hull, origin + rotation(q) * (middle * apart), q));
            hulls.push_back(std::move(cell));
        }
    }
    build_scene_hulls(scene, hulls);
    find_all(scene, std::move(frame));
}

// Pebbles that overlap their plate or are above it by up to the margin. `side`: that of the plates.
void add_pebbles(Scene& scene, Random& random, std::size_t pairs, double side) {
    std::vector<Points> hulls{box_points(side, side, 1)};
    for (int k = 0; k < 64; ++k) hulls.push_back(rock_points(random, random.between(32, 64)));
    build_scene_hulls(scene, hulls);
    Frame frame;
    frame.bodies.push_back(body_at(0, {0, 0, -0.5}, level()));
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::uint32_t hull = 1 + random.below(64);
        const Quat q = random.rotation();
        double low = 1e9;
        for (const Vec3f& v : scene.polyhedra[hull].vertices) low = std::min(low, (rotation(q) * to_double(v)).z);
        const Vec3d at{random.range(-0.45, 0.45) * side, random.range(-0.45, 0.45) * side,
                       random.range(-0.02, 1.5 * scene.margin) - low};
        frame.bodies.push_back(body_at(hull, at, q));
        frame.pairs.push_back({0, static_cast<std::uint32_t>(i + 1)});
    }
    scene.frames.push_back(std::move(frame));
}

struct Recipe {
    Placement info;
    std::function<void(Scene&, Random&, std::size_t)> make;
};

// Two hulls; `tilted` turns the pair as a whole.
Recipe couples(Placement info, const Points& a, const Points& b, bool tilted, const Placer& place) {
    return {std::move(info), [=](Scene& s, Random& r, std::size_t n) {
                build_scene_hulls(s, {a, b});
                add_couples(s, r, n, tilted, place);
            }};
}

// Hull 1 on top of hull 0, whose heights add up to 2 `half`, at most `reach` beside its middle.
Placer on_top(double half, double gap, double reach, Quat (*turn)(Random&)) {
    return [=](Random& r) { return Place{{r.range(-reach, reach), r.range(-reach, reach), half + gap}, turn(r)}; };
}

Quat no_yaw(Random& r) {
    (void)r;
    return level();
}
Quat eighths(Random& r) { return yaw(kFull / 8 * r.below(8)); }

void list_flat(std::vector<Recipe>& out, double gap) {
    const Points cube = box_points(1, 1, 1);
    const auto add = [&](const char* name, const char* what, bool tilted, const Placer& place) {
        out.push_back(couples({name, what, "boxes"}, cube, cube, tilted, place));
    };
    add("flat-deep", "box in box by 5 mm, any yaw", false, on_top(1, -gap, 0.6, any_yaw));
    add("flat-gap", "box above box, any yaw", false, on_top(1, gap, 0.6, any_yaw));
    add("flat-gap-tilted", "the same, each pair turned as a whole", true, on_top(1, gap, 0.6, any_yaw));
    add("flat-gap-aligned", "box above box, not turned", false, on_top(1, gap, 0.6, no_yaw));
    add("flush", "box on box, gap 0, any yaw", false, on_top(1, 0, 0.6, any_yaw));
    add("symmetric", "box above the middle of a box, by eighths of a turn", false, on_top(1, gap, 0, eighths));
    const Points tile = prism_points(6, 0.6);
    out.push_back(couples({"tiles-deep", "hexagonal tile in tile by 5 mm, any yaw", "debris"}, tile, tile, false,
                          on_top(1, -gap, 0.5, any_yaw)));
    out.push_back(couples({"tiles-gap", "hexagonal tile above tile, any yaw", "debris"}, tile, tile, false,
                          on_top(1, gap, 0.5, any_yaw)));
    out.push_back(couples({"tiles-gap-tilted", "the same, each pair turned as a whole", "debris"}, tile, tile, true,
                          on_top(1, gap, 0.5, any_yaw)));
    out.push_back(couples({"tile-on-box", "hexagonal tile above a box of 3 m, any yaw", "debris"}, box_points(3, 3, 1),
                          tile, false, on_top(1, gap, 1.2, any_yaw)));
    const Points drum = prism_points(16, 0.6);
    out.push_back(couples({"drums-gap", "drum of 16 sides above drum, any yaw", "debris"}, drum, drum, false,
                          on_top(1, gap, 0.5, any_yaw)));
}

void list_sizes(std::vector<Recipe>& out, double gap) {
    const Points cube = box_points(1, 1, 1);
    for (const int side : {4, 20, 80, 100, 300, 1000}) {
        const std::string n = std::to_string(side);
        const Points floor = box_points(side, side, 1);
        const double reach = 0.45 * side;
        out.push_back(couples({"floor-" + n, "box above a floor of " + n + " m, any yaw", "boxes"}, floor, cube, false,
                              on_top(1, gap, reach, any_yaw)));
        if (side == 20) {
            out.push_back(couples({"floor-20-deep", "box in a floor of 20 m by 5 mm, any yaw", "boxes"}, floor, cube,
                                  false, on_top(1, -gap, reach, any_yaw)));
        }
    }
}

void list_level(std::vector<Recipe>& out, double gap) {
    const Points cube = box_points(1, 1, 1);
    const auto add = [&](const char* name, const char* what, bool tilted, const Placer& place) {
        out.push_back(couples({name, what, "boxes"}, cube, cube, tilted, place));
    };
    const auto side = [gap](Random& r) { return 1 + r.range(0.2, 1.8) * gap; };
    const auto edge_edge = [side](Random& r) { return Place{{side(r), r.range(-0.9, 0.9), side(r)}, level()}; };
    add("edge-parallel", "edges side by side, faces apart in two directions", false, edge_edge);
    add("edge-parallel-tilted", "the same, each pair turned as a whole", true, edge_edge);
    const auto corners = [side](Random& r) { return Place{{side(r), side(r), side(r)}, level()}; };
    add("corner-corner", "corners side by side, not turned", false, corners);
    add("corner-corner-tilted", "the same, each pair turned as a whole", true, corners);
    const auto edge_over_face = [gap](Random& r) {
        const double lean = r.range(0.2, 0.6);
        const double reach = (std::cos(lean) + std::sin(lean)) / 2;
        return Place{{r.range(-0.6, 0.6), r.range(-0.6, 0.6), 0.5 + gap + reach}, about({0, 1, 0}, lean)};
    };
    add("edge-over-face", "an edge parallel to a face and to its sides", false, edge_over_face);
    add("edge-over-face-tilted", "the same, each pair turned as a whole", true, edge_over_face);
    const auto vertex_over_face = [gap](Random& r) {
        const Quat q = times(about({0, 1, 0}, r.range(0.2, 0.6)), about({1, 0, 0}, r.range(0.2, 0.6)));
        double low = 0;
        for (const Vec3f& v : box_points(1, 1, 1)) low = std::min(low, (rotation(q) * to_double(v)).z);
        return Place{{r.range(-0.4, 0.4), r.range(-0.4, 0.4), 0.5 + gap - low}, q};
    };
    add("vertex-over-face", "a corner above a face", false, vertex_over_face);
    add("coplanar-sides", "side by side, tops and sides in one plane", false, [side](Random& r) {
        return Place{{side(r), 0.0, r.below(2) == 0 ? 0.0 : r.range(-0.9, 0.9)}, level()};
    });
    const Points half = box_points(0.5, 0.5, 0.5);
    out.push_back(couples({"nested", "a box of 0.5 m inside, not turned", "boxes"}, cube, half, false, [](Random& r) {
        return Place{{r.range(-0.2, 0.2), r.range(-0.2, 0.2), r.range(-0.2, 0.2)}, level()};
    }));
    out.push_back(
        couples({"nested-middle", "the same, centres coincide, any yaw", "boxes"}, cube, half, false, [](Random& r) {
            return Place{{0, 0, 0}, any_yaw(r)};
        }));
}

void list_scenes(std::vector<Recipe>& out, double gap) {
    const Quat ramp = times(about({0.6, 0.8, 0}, 0.4), yaw(0.3));
    const auto grid = [&](const char* name, const char* what, double joint, const Quat& q) {
        out.push_back({{name, what, "boxes"}, [=](Scene& s, Random&, std::size_t n) {
                           build_scene_hulls(s, {box_points(1, 1, 1)});
                           add_grid(s, n, joint, q);
                       }});
    };
    grid("grid", "identical boxes side by side, joints of 5 mm, all neighbours", gap, level());
    grid("grid-closed", "the same without joints", 0, level());
    grid("grid-tilted", "the same with joints, turned as a whole", gap, ramp);
    const auto wall = [&](const char* name, const char* what, double joint, const Quat& q) {
        out.push_back({{name, what, "boxes"}, [=](Scene& s, Random&, std::size_t n) {
                           build_scene_hulls(s, {box_points(1, 0.5, 0.3)});
                           add_wall(s, n, joint, q);
                       }});
    };
    wall("wall", "a wall of bricks, joints of 5 mm", gap, level());
    wall("wall-closed", "the same without joints", 0, level());
    wall("wall-tilted", "the same with joints, turned as a whole", gap, ramp);
    const auto shattered = [&](const char* name, const char* what, double apart) {
        out.push_back(
            {{name, what, "debris"}, [=](Scene& s, Random& r, std::size_t n) { add_shattered(s, r, n, apart); }});
    };
    shattered("shattered", "blocks cut into cells that share faces exactly", 0);
    shattered("shattered-apart", "the same, cells moved apart by a hundredth", 0.01);
    const auto pebbles = [&](const char* name, const char* what, const char* against, double side) {
        out.push_back({{name, what, against}, [=](Scene& s, Random& r, std::size_t n) { add_pebbles(s, r, n, side); }});
    };
    pebbles("pebbles-plate-20", "pebbles of 32 to 64 vertices on a plate of 20 m", "rocks", 20);
    pebbles("pebbles-plate-200", "the same on a plate of 200 m", "pebbles-plate-20", 200);
}

// Kinds of pairs of rounded bodies. A pair of compounds is several pairs, so it has no neighbour.
void list_round(std::vector<Recipe>& out) {
    for (const RoundKind& kind : round_kinds()) {
        if (kind.name == "compound") continue;
        out.push_back({{kind.name, kind.description, kind.against},
                       [=](Scene& s, Random& r, std::size_t n) { s = make_round(kind.name, r.bits(), n, s.margin); }});
    }
}

const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> list = [] {
        constexpr double kGap = kDefaultMargin / 4;
        std::vector<Recipe> out;
        list_flat(out, kGap);
        list_sizes(out, kGap);
        list_level(out, kGap);
        list_scenes(out, kGap);
        list_round(out);
        return out;
    }();
    return list;
}

}  // namespace

const std::vector<Placement>& placements() {
    static const std::vector<Placement> list = infos(recipes());
    return list;
}

Scene make_placement(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin) {
    const Recipe& r = recipe_of(recipes(), "placement", name);
    Scene scene = empty_scene(r.info, margin);
    Random random(seed, 0x70A2);
    r.make(scene, random, pairs);
    return scene;
}

}  // namespace lanefold::bench
