// SPDX-License-Identifier: MIT
//
// Makes the first frames. Metres and kilograms; y is up.
#include "scenes/everyday.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <span>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/vec.hpp>

#include "generate/random.hpp"
#include "scene/io.hpp"
#include "scenes/recipes.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shatter.hpp"

namespace lanefold::bench {
namespace {

using nlohmann::json;
using tools::Random;
using Points = std::vector<Vec3f>;

constexpr double kDensity = 1000;  // of water

class Builder {
public:
    // Origin in the centre of mass. One point with a radius is a sphere, two are a capsule.
    std::uint32_t add_hull(Points points, float radius = 0) {
        BuildOptions options;
        options.radius = radius;
        const BuildResult built = build_hull(points, options);
        if (!built) throw std::runtime_error(std::string("everyday: ") + built.failures.front().what);
        const Vec3f centre = to_float(built.hulls.info(0).mass.centre_of_mass);
        for (Vec3f& p : points) points_.push_back(p - centre);
        offsets_.push_back(points_.size());
        radii_.push_back(radius);
        kinds_.push_back(static_cast<std::uint8_t>(ShapeKind::hull));
        inverse_masses_.push_back(static_cast<float>(1.0 / (kDensity * built.hulls.info(0).mass.volume)));
        centres_.push_back(to_double(centre));
        return static_cast<std::uint32_t>(centres_.size() - 1);
    }
    std::uint32_t add_box(const Vec3d& half) { return add_hull(box_points(2 * half.x, 2 * half.y, 2 * half.z)); }
    std::uint32_t add_half_space(const Vec3f& normal) {
        half_spaces_.push_back({normal, 0});
        offsets_.push_back(points_.size());
        radii_.push_back(0);
        kinds_.push_back(static_cast<std::uint8_t>(ShapeKind::half_space));
        inverse_masses_.push_back(0);
        centres_.emplace_back();
        return static_cast<std::uint32_t>(centres_.size() - 1);
    }
    const Vec3d& centre(std::uint32_t hull) const { return centres_[hull]; }

    // The body's number. `turn`: about the vertical, radians. Bodies of one group never meet; 0: no group.
    std::uint32_t add_body(std::uint32_t hull, const Vec3d& position, double turn = 0, std::uint32_t group = 0) {
        const Vec3f p = to_float(position);
        position_.insert(position_.end(), {p.x, p.y, p.z});
        orientation_.insert(orientation_.end(),
                            {0, static_cast<float>(std::sin(turn / 2)), 0, static_cast<float>(std::cos(turn / 2))});
        body_hull_.push_back(hull);
        inverse_mass_.push_back(inverse_masses_[hull]);
        group_.push_back(group);
        return static_cast<std::uint32_t>(body_hull_.size() - 1);
    }
    void fix(std::uint32_t body) { inverse_mass_[body] = 0; }
    void move(std::uint32_t body, const Vec3d& velocity) {
        setup_["bodies"].push_back({{"body", body}, {"velocity", {velocity.x, velocity.y, velocity.z}}});
    }
    // Keeps two points, in the bodies' coordinates, within a hand's breadth: a joint without limits.
    void join(std::uint32_t a, const Vec3d& end_a, std::uint32_t b, const Vec3d& end_b) {
        setup_["links"].push_back({{"kind", "cable"},
                                   {"a", a},
                                   {"b", b},
                                   {"end_a", {end_a.x, end_a.y, end_a.z}},
                                   {"end_b", {end_b.x, end_b.y, end_b.z}},
                                   {"length", 0.08}});
    }
    // A floor whose top is at height 0, `side` wide, about the origin.
    void add_floor(double side) { fix(add_body(add_box({side / 2, 0.5, side / 2}), {0, -0.5, 0})); }

    // The same without an end.
    void add_ground() { fix(add_body(add_half_space({0, 1, 0}), {})); }

    void write(const std::filesystem::path& folder) const {
        tools::SceneWriter::Contents contents;
        contents.hull_radius = radii_;
        contents.other_shapes.half_spaces = half_spaces_;
        if (!half_spaces_.empty()) contents.other_shapes.kind = kinds_;
        contents.hull_offsets = offsets_;
        contents.hull_vertices = points_;
        contents.body_hull = body_hull_;
        contents.inverse_mass = inverse_mass_;
        contents.group = group_;
        tools::SceneWriter writer(folder, contents);
        writer.add_frame(std::span<const float>(position_), orientation_);
        writer.commit();
        std::ofstream file(folder / "setup.json");
        if (!(file << setup_.dump() << '\n'))
            throw std::runtime_error("cannot write " + (folder / "setup.json").string());
    }

private:
    Points points_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<float> radii_;
    std::vector<std::uint8_t> kinds_;
    std::vector<HalfSpace> half_spaces_;
    std::vector<float> inverse_masses_;  // of the hulls
    std::vector<Vec3d> centres_;         // of the hulls as they were given
    std::vector<float> position_;
    std::vector<float> orientation_;
    std::vector<std::uint32_t> body_hull_;
    std::vector<float> inverse_mass_;
    std::vector<std::uint32_t> group_;
    json setup_ = json::object();
};

// Stacks of five crates of one of three sizes, each crate a little off and turned.
void crates(Builder& b, Random& random, std::uint32_t bodies) {
    constexpr std::uint32_t kHigh = 5;
    const auto row = static_cast<std::uint32_t>(std::ceil(std::sqrt(bodies / static_cast<double>(kHigh))));
    b.add_floor(1.6 * (row + 2));
    const double halves[] = {0.5, 0.4, 0.6};
    std::uint32_t hulls[3];
    for (int k = 0; k < 3; ++k) hulls[k] = b.add_box({halves[k], halves[k], halves[k]});
    for (std::uint32_t s = 0; s * kHigh < bodies; ++s) {
        const std::uint32_t kind = random.below(3);
        const double x = 1.6 * (s % row - 0.5 * (row - 1.0));
        const std::uint32_t line = s / row;
        const double z = 1.6 * (line - 0.5 * (row - 1.0));
        for (std::uint32_t k = 0; k < kHigh; ++k) {
            b.add_body(hulls[kind],
                       {x + random.range(-0.05, 0.05), halves[kind] * (2 * k + 1), z + random.range(-0.05, 0.05)},
                       random.range(-0.1, 0.1));
        }
    }
}

// Walls of ten courses of bricks of 1 x 0.3 x 0.5, without mortar. A heavy box flies at each.
void bricks(Builder& b, Random& random, std::uint32_t bodies) {
    constexpr std::uint32_t kCourses = 10;
    constexpr std::uint32_t kLong = 25;
    constexpr double kJoint = 0.002;
    const std::uint32_t walls = std::max(1U, bodies / (kCourses * kLong));
    b.add_floor(std::max(40.0, 8.0 * walls));
    const std::uint32_t brick = b.add_box({0.5, 0.15, 0.25});
    const std::uint32_t heavy = b.add_box({0.6, 0.6, 0.6});
    for (std::uint32_t w = 0; w < walls; ++w) {
        const double z = 6.0 * (w - 0.5 * (walls - 1.0));
        for (std::uint32_t course = 0; course < kCourses; ++course) {
            for (std::uint32_t k = 0; k < kLong; ++k) {
                const double x = (k + 0.5 * (course % 2) - 0.5 * kLong) * (1 + kJoint);
                b.add_body(brick, {x, 0.15 + 0.3 * course, z});
            }
        }
        b.move(b.add_body(heavy, {random.range(-6, 6), 1.5, z - 1.2}), {0, 0, 15});
    }
}

// Blocks of 4 m, each cut into cells that share their faces, that fall from a metre.
void shattered(Builder& b, Random& random, std::uint32_t bodies) {
    std::vector<std::pair<std::uint32_t, Vec3d>> cells;  // hull, place
    std::uint32_t blocks = 0;
    for (; cells.size() < bodies; ++blocks) {
        const std::uint32_t line = blocks / 8;
        for (Points& cell : shatter(random, 6)) {
            for (Vec3f& p : cell) p = p * 4.0F;
            const std::uint32_t hull = b.add_hull(std::move(cell));
            cells.emplace_back(hull, b.centre(hull) + Vec3d{6.0 * (blocks % 8), 3.0, 6.0 * line});
        }
    }
    b.add_floor(120);
    for (const auto& [hull, place] : cells) b.add_body(hull, place - Vec3d{21, 0, 21});
}

// A part of a ragdoll: half its box, its middle, the part that holds it and the joint between the two, upright.
struct Part {
    Vec3d half;
    Vec3d middle;
    int holder;
    Vec3d joint;
};

std::vector<Part> ragdoll() {
    std::vector<Part> out{{{0.20, 0.25, 0.12}, {0, 1.25, 0}, -1, {}},
                          {{0.18, 0.10, 0.12}, {0, 0.88, 0}, 0, {0, 0.99, 0}},
                          {{0.10, 0.13, 0.11}, {0, 1.65, 0}, 0, {0, 1.51, 0}}};
    for (const double side : {-1.0, 1.0}) {
        const int arm = static_cast<int>(out.size());
        out.push_back({{0.15, 0.06, 0.06}, {side * 0.37, 1.43, 0}, 0, {side * 0.21, 1.43, 0}});
        out.push_back({{0.15, 0.05, 0.05}, {side * 0.69, 1.43, 0}, arm, {side * 0.53, 1.43, 0}});
        const int leg = static_cast<int>(out.size());
        out.push_back({{0.08, 0.20, 0.08}, {side * 0.10, 0.57, 0}, 1, {side * 0.10, 0.78, 0}});
        out.push_back({{0.07, 0.20, 0.07}, {side * 0.10, 0.16, 0}, leg, {side * 0.10, 0.365, 0}});
    }
    return out;
}

// Ragdolls in layers above each other, close together, so that they land as a heap.
void ragdolls(Builder& b, Random& random, std::uint32_t bodies) {
    const std::vector<Part> parts = ragdoll();
    b.add_floor(60);
    std::vector<std::uint32_t> hulls;
    for (const Part& p : parts) hulls.push_back(b.add_box(p.half));
    const auto count = std::max<std::uint32_t>(1, bodies / static_cast<std::uint32_t>(parts.size()));
    for (std::uint32_t r = 0; r < count; ++r) {
        const std::uint32_t layer = r / 36;
        const Vec3d at{1.8 * (r % 6) - 4.5 + random.range(-0.2, 0.2), 0.1 + 2.0 * layer,
                       0.7 * (r / 6 % 6) - 2.0 + random.range(-0.1, 0.1)};
        std::vector<std::uint32_t> numbers;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const Part& p = parts[k];
            numbers.push_back(b.add_body(hulls[k], at + p.middle, 0, r + 1));
            b.move(numbers.back(), {random.range(-2, 2), 0, random.range(-2, 2)});
            if (p.holder < 0) continue;
            const auto holder = static_cast<std::size_t>(p.holder);
            b.join(numbers[holder], p.joint - parts[holder].middle, numbers[k], p.joint - p.middle);
        }
    }
}

// People of 24 vertices and 1.8 m in two streams that walk through each other.
void crowd(Builder& b, Random& random, std::uint32_t bodies) {
    Points person;
    const double rings[][2] = {{0.0, 0.20}, {1.45, 0.28}, {1.8, 0.12}};  // height, radius
    for (const auto& [height, radius] : rings) {
        for (int k = 0; k < 8; ++k) {
            const double angle = 2 * std::numbers::pi * k / 8;
            person.push_back(to_float(Vec3d{radius * std::cos(angle), height, 0.7 * radius * std::sin(angle)}));
        }
    }
    const auto row = static_cast<std::uint32_t>(std::ceil(std::sqrt(bodies)));
    b.add_floor(0.6 * (row + 8));
    const std::uint32_t hull = b.add_hull(person);
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const double x = 0.6 * (k % row - 0.5 * (row - 1.0)) + random.range(-0.12, 0.12);
        const std::uint32_t line = k / row;
        const double z = 0.5 * (line - 0.5 * (row - 1.0)) + random.range(-0.1, 0.1);
        const std::uint32_t body = b.add_body(hull, {x, b.centre(hull).y, z}, random.range(-0.6, 0.6));
        b.move(body, {random.range(-0.2, 0.2), 0, (k / 2 % 2 == 0 ? 1.4 : -1.4) + random.range(-0.3, 0.3)});
    }
}

// The same streams as capsules on a half-space.
void walkers(Builder& b, Random& random, std::uint32_t bodies) {
    constexpr std::uint32_t kSizes = 8;
    const auto row = static_cast<std::uint32_t>(std::ceil(std::sqrt(bodies)));
    b.add_ground();
    std::vector<std::uint32_t> hulls;
    std::vector<double> high;
    for (std::uint32_t k = 0; k < kSizes; ++k) {
        const auto half = static_cast<float>(random.range(0.45, 0.65));
        const auto radius = static_cast<float>(random.range(0.2, 0.3));
        hulls.push_back(b.add_hull({{0, -half, 0}, {0, half, 0}}, radius));
        high.push_back(static_cast<double>(half) + static_cast<double>(radius));
    }
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const std::uint32_t size = k % kSizes;
        const double x = 0.6 * (k % row - 0.5 * (row - 1.0)) + random.range(-0.12, 0.12);
        const std::uint32_t line = k / row;
        const double z = 0.5 * (line - 0.5 * (row - 1.0)) + random.range(-0.1, 0.1);
        const std::uint32_t body = b.add_body(hulls[size], {x, high[size], z});
        b.move(body, {random.range(-0.2, 0.2), 0, (k / 2 % 2 == 0 ? 1.4 : -1.4) + random.range(-0.3, 0.3)});
    }
}

// Spheres that fall into a bin of half-spaces.
void gravel(Builder& b, Random& random, std::uint32_t bodies) {
    constexpr std::uint32_t kSizes = 16;
    constexpr double kPitch = 0.55;
    const auto row = std::max(3U, static_cast<std::uint32_t>(std::cbrt(static_cast<double>(bodies))));
    const double half = 0.5 * kPitch * (row + 1);
    b.add_ground();
    const std::uint32_t wall = b.add_half_space({1, 0, 0});
    // A turn of t about the vertical takes x to (cos t, 0, -sin t).
    const Vec3d places[] = {{-half, 0, 0}, {0, 0, half}, {half, 0, 0}, {0, 0, -half}};
    for (int k = 0; k < 4; ++k) b.fix(b.add_body(wall, places[k], std::numbers::pi / 2 * k));
    std::vector<std::uint32_t> hulls;
    for (std::uint32_t k = 0; k < kSizes; ++k)
        hulls.push_back(b.add_hull({Vec3f{}}, static_cast<float>(random.range(0.08, 0.25))));
    for (std::uint32_t k = 0; k < bodies; ++k) {
        const std::uint32_t line = k / row;
        const std::uint32_t layer = line / row;
        b.add_body(hulls[random.below(kSizes)],
                   {kPitch * (k % row - 0.5 * (row - 1.0)) + random.range(-0.02, 0.02), 0.3 + kPitch * layer,
                    kPitch * (line % row - 0.5 * (row - 1.0)) + random.range(-0.02, 0.02)});
    }
}

struct Recipe {
    EverydayInfo info;
    std::function<void(Builder&, Random&, std::uint32_t)> make;
};

const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> list{
        {{"crates", "stacks of five crates on a floor"}, crates},
        {{"bricks", "brick walls that heavy boxes hit"}, bricks},
        {{"shattered", "shattered blocks that fall apart"}, shattered},
        {{"ragdolls", "a heap of ragdolls, 11 boxes each"}, ragdolls},
        {{"crowd", "two streams of people of 24 vertices"}, crowd},
        {{"walkers", "the same streams as capsules on a half-space"}, walkers},
        {{"gravel", "spheres that fall into a bin of half-spaces"}, gravel},
    };
    return list;
}

}  // namespace

const std::vector<EverydayInfo>& everyday_scenes() {
    static const std::vector<EverydayInfo> list = infos(recipes());
    return list;
}

void write_everyday(const std::string& name, const std::filesystem::path& folder, std::uint32_t bodies,
                    std::uint64_t seed) {
    const Recipe& r = recipe_of(recipes(), "scene", name);
    Builder builder;
    Random random(seed, 0xE0E7);
    r.make(builder, random, bodies);
    builder.write(folder);
}

}  // namespace lanefold::bench
