// SPDX-License-Identifier: MIT
//
// Makes scenes from seeds.
#include "scenes/synthetic.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "generate/random.hpp"
#include "generate/shapes.hpp"
#include "scenes/shapes.hpp"

namespace lanefold::bench {
namespace {

using tools::Random;
using tools::ShapeKind;

// A number from a scene's name, so that scenes of one seed differ. It is the same on every machine.
std::uint64_t name_number(const std::string& name) {
    std::uint64_t n = 0;
    for (const char c : name) n = n * 1000003 + static_cast<unsigned char>(c);
    return n;
}

// Shapes as the generator of scene folders makes them.
void add_hulls(Scene& scene, ShapeKind kind, std::uint32_t count, std::uint64_t seed) {
    set_scene_hulls(scene, tools::generate_shapes(kind, count, seed).hulls);
}

// Rocks of exactly so many vertices, from `low` to `high`.
void add_rocks(Scene& scene, Random& random, std::size_t count, std::uint32_t low, std::uint32_t high) {
    std::vector<std::vector<Vec3f>> hulls;
    for (std::size_t h = 0; h < count; ++h) hulls.push_back(rock_points(random, random.between(low, high)));
    build_scene_hulls(scene, hulls);
}

// Debris in two sizes: even hulls scaled by `large`, odd ones by `small`.
void add_two_sizes(Scene& scene, std::uint64_t seed, float large, float small) {
    const tools::Shapes shapes = tools::generate_shapes(ShapeKind::debris, 64, seed);
    std::vector<Vec3f> points = shapes.vertices;
    for (std::size_t h = 0; h + 1 < shapes.offsets.size(); ++h) {
        const float factor = h % 2 == 0 ? large : small;
        for (std::uint64_t v = shapes.offsets[h]; v < shapes.offsets[h + 1]; ++v) points[v] = points[v] * factor;
    }
    build_scene_hulls(scene, points, shapes.offsets);
}

Body make_body(Random& random, std::uint32_t hull, const Vec3d& position) {
    return body_at(hull, position, random.rotation());
}

std::uint32_t any_hull(Random& random, const Scene& scene) {
    return random.below(static_cast<std::uint32_t>(scene.hulls.size()));
}

// Bodies spread evenly through a cube. Its density gives about twelve candidates a body, a third to a half of them
// touching, as in a pile.
void add_cloud(Scene& scene, Random& random, std::size_t pairs) {
    const std::size_t count = std::max<std::size_t>(pairs / 10, 8);
    const double side = std::cbrt(static_cast<double>(count)) * 0.86;
    Frame frame;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d p{random.range(0, side), random.range(0, side), random.range(0, side)};
        frame.bodies.push_back(make_body(random, any_hull(random, scene), p));
    }
    frame.pairs = find_candidates(scene, frame.bodies);
    scene.frames.push_back(std::move(frame));
}

// Separate pairs on a grid: bodies 2 i and 2 i + 1 are a pair, which `place` arranges.
void add_couples(Scene& scene, Random& random, std::size_t pairs,
                 const std::function<void(Random&, Body& a, Body& b)>& place) {
    Frame frame;
    const std::size_t row = static_cast<std::size_t>(std::cbrt(static_cast<double>(pairs))) + 1;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t line = i / row % row;
        const std::size_t layer = i / row / row;
        const Vec3d p{4.0 * static_cast<double>(i % row), 4.0 * static_cast<double>(line),
                      4.0 * static_cast<double>(layer)};
        Body a = make_body(random, any_hull(random, scene), p);
        Body b = make_body(random, any_hull(random, scene), p);
        place(random, a, b);
        add_couple(frame, a, b);
    }
    scene.frames.push_back(std::move(frame));
}

// Keeps the pairs whose boxes overlap, as a broad phase does.
void keep_candidates(Scene& scene) {
    Frame& frame = scene.frames.back();
    const std::vector<Pair> near = find_candidates(scene, frame.bodies);
    std::erase_if(frame.pairs, [&near](const Pair& p) { return !std::binary_search(near.begin(), near.end(), p); });
}

// The small body sits on the large one's surface.
void add_huge_and_tiny(Scene& scene, Random& random, std::uint64_t seed, std::size_t pairs, double ratio) {
    add_two_sizes(scene, seed, static_cast<float>(std::sqrt(ratio)), static_cast<float>(1.0 / std::sqrt(ratio)));
    add_couples(scene, random, pairs, [&scene](Random& r, Body& a, Body& b) {
        a.hull &= ~1U;
        b.hull |= 1U;
        // A point of one of the large body's faces, and from there a little up or down.
        const PolyHull& large = scene.polyhedra[a.hull];
        const std::size_t f = r.below(static_cast<std::uint32_t>(large.faces.size()));
        Vec3d at{};
        double weight = 0;
        for (const std::uint32_t v : large.faces[f]) {
            const double w = r.range(0.05, 1);
            at = at + to_double(large.vertices[v]) * w;
            weight += w;
        }
        const double lift = scene.polyhedra[b.hull].size * r.range(0.2, 1.0);
        Quat q;
        normalize(a.orientation, q);
        shift(b, rotation(q) * (at * (1.0 / weight) + large.normals[f] * lift));
    });
}

// The cloud's bodies drift and turn. Candidates are found again in every frame.
void add_motion(Scene& scene, Random& random, std::size_t frames) {
    std::vector<Vec3d> velocity;
    std::vector<Vec3d> spin;
    for (std::size_t i = 0; i < scene.frames[0].bodies.size(); ++i) {
        velocity.push_back(random.direction() * 0.002);  // 2 mm a frame: 0.12 m/s at 60 frames a second
        spin.push_back(random.direction() * 0.002);      // half the angle of a turn of 0.23 degrees
    }
    for (std::size_t t = 1; t < frames; ++t) {
        Frame next;
        next.bodies = scene.frames.back().bodies;
        for (std::size_t i = 0; i < next.bodies.size(); ++i) {
            Body& b = next.bodies[i];
            shift(b, velocity[i]);
            const float* o = b.orientation;
            const Quat q{o[0], o[1], o[2], o[3]};
            const Vec3d s = spin[i];
            const double x = q.x + s.x * q.w + s.y * q.z - s.z * q.y;
            const double y = q.y + s.y * q.w + s.z * q.x - s.x * q.z;
            const double z = q.z + s.z * q.w + s.x * q.y - s.y * q.x;
            const double w = q.w - s.x * q.x - s.y * q.y - s.z * q.z;
            const double l = std::sqrt(x * x + y * y + z * z + w * w);
            b.orientation[0] = static_cast<float>(x / l);
            b.orientation[1] = static_cast<float>(y / l);
            b.orientation[2] = static_cast<float>(z / l);
            b.orientation[3] = static_cast<float>(w / l);
        }
        next.pairs = find_candidates(scene, next.bodies);
        scene.frames.push_back(std::move(next));
    }
}

// N of "vertices-N", if the name is of that form and N in its range.
std::optional<std::uint32_t> rock_vertices(const std::string& name) {
    constexpr std::string_view kKind = "vertices-";
    if (!name.starts_with(kKind)) return std::nullopt;
    std::uint32_t n = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + kKind.size(), end, n);
    if (error != std::errc{} || stop != end || n < kFewestRockVertices || n > kMostRockVertices) return std::nullopt;
    return n;
}

bool make_cloud(Scene& scene, Random& random, std::uint64_t seed, std::size_t pairs, const std::string& name) {
    if (name == "rocks42") {
        add_rocks(scene, random, 64, 32, 42);
    } else if (name == "distinct") {
        add_rocks(scene, random, 20000, 32, 32);
        pairs = std::max<std::size_t>(pairs, 120000);  // every hull in use
    } else if (const auto v = rock_vertices(name)) {
        add_rocks(scene, random, 64, *v, *v);
    } else if (const auto kind = tools::parse_shape_kind(name)) {
        add_hulls(scene, *kind, *kind == ShapeKind::mixed ? 128 : 64, seed);
    } else {
        return false;
    }
    add_cloud(scene, random, pairs);
    return true;
}

}  // namespace

const std::vector<SyntheticInfo>& synthetic_scenes() {
    static const std::vector<SyntheticInfo> list{
        {"boxes", "cloud of boxes", true},
        {"debris", "cloud of cut blocks, 8-32 vertices", true},
        {"rocks42", "cloud of triangulated rocks, 32-42 vertices", true},
        {"rocks", "cloud of pebbles and faceted stones, 32-64 vertices", true},
        {"big", "cloud of large pebbles and faceted stones, 128-250 vertices", true},
        {"mixed", "cloud of boxes, debris, rocks and big hulls together", true},
        {"apart", "pairs of debris side by side, most of them separated", false},
        {"pressed", "pairs of debris, all touching", false},
        {"deep", "pairs of debris, centres within half a body", false},
        {"containment", "small debris inside large debris", false},
        {"ratio20", "debris 20 times larger against debris on its surface", false},
        {"ratio200", "debris 200 times larger against debris on its surface", false},
        {"distinct", "cloud over 20,000 distinct hulls of 32 vertices", false},
        {"coherent", "eight frames of drifting debris", false},
    };
    return list;
}

bool is_synthetic(const std::string& name) {
    const auto& all = synthetic_scenes();
    return std::any_of(all.begin(), all.end(), [&](const SyntheticInfo& s) { return s.name == name; }) ||
           rock_vertices(name);
}

std::string synthetic_names() {
    std::string out;
    for (const SyntheticInfo& s : synthetic_scenes()) out += s.name + ", ";
    return out + fmt::format("vertices-N with N from {} to {}", kFewestRockVertices, kMostRockVertices);
}

Scene make_synthetic(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin) {
    Scene scene;
    scene.name = name;
    scene.margin = margin;
    for (const SyntheticInfo& i : synthetic_scenes()) {
        if (i.name == name) scene.description = i.description;
    }
    Random random(seed + name_number(name));
    if (make_cloud(scene, random, seed, pairs, name)) {
        if (scene.description.empty()) scene.description = "cloud of triangulated rocks of so many vertices";
    } else if (name == "apart") {
        add_hulls(scene, ShapeKind::debris, 64, seed);
        // The boxes of the pairs overlap, but the hulls seldom do.
        add_couples(scene, random, pairs, [](Random& r, Body&, Body& b) { shift(b, r.arrow(1.05, 1.5)); });
        keep_candidates(scene);
    } else if (name == "pressed") {
        add_hulls(scene, ShapeKind::debris, 64, seed);
        add_couples(scene, random, pairs, [](Random& r, Body&, Body& b) { shift(b, r.arrow(0.35, 0.5)); });
    } else if (name == "deep") {
        add_hulls(scene, ShapeKind::debris, 64, seed);
        add_couples(scene, random, pairs, [](Random& r, Body&, Body& b) { shift(b, r.arrow(0.0, 0.25)); });
    } else if (name == "containment") {
        add_two_sizes(scene, seed, 2.0F, 0.5F);
        add_couples(scene, random, pairs, [](Random& r, Body& a, Body& b) {
            a.hull &= ~1U;
            b.hull |= 1U;
            shift(b, r.arrow(0.0, 0.3));
        });
    } else if (name == "ratio20") {
        add_huge_and_tiny(scene, random, seed, pairs, 20);
    } else if (name == "ratio200") {
        add_huge_and_tiny(scene, random, seed, pairs, 200);
    } else if (name == "coherent") {
        add_hulls(scene, ShapeKind::debris, 64, seed);
        add_cloud(scene, random, pairs);
        add_motion(scene, random, 8);
    } else {
        throw std::runtime_error("no synthetic scene is called " + name + "; there are " + synthetic_names());
    }
    return scene;
}

}  // namespace lanefold::bench
