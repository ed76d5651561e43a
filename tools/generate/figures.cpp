// SPDX-License-Identifier: MIT
//
// See the header. Only + - * / sqrt, so that the bytes are the same everywhere.
#include "generate/figures.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/json.hpp"
#include "files/staged_folder.hpp"
#include "generate/random.hpp"
#include "generate/stage.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

constexpr double kFloorBeyond = 3;  // metres of floor beyond the outermost start
// The crowd: metres a person, metres a second, capsules of different size, frames a second.
constexpr double kSpace = 1.1;
constexpr double kWalk = 1.4;
constexpr std::uint32_t kSizes = 16;
constexpr double kFrameRate = 30;
// The figures: metres between their places, and figures of a layer in a row.
constexpr double kPitch = 1.3;
constexpr double kLayer = 2.2;
constexpr std::uint32_t kRow = 6;

// The place of a walker who turns back at +-half.
double to_and_fro(double x, double half) {
    const double period = 4 * half;
    const double t = x + half - period * std::floor((x + half) / period);
    return (t < 2 * half ? t : period - t) - half;
}

struct Walker {
    double x, y, z;
    double vx, vz;          // metres a second
    double turn_s, turn_c;  // sine and cosine of half the angle about y
};

void write_crowd(const FiguresRequest& request, StagedFolder& folder) {
    const double half = 0.5 * kSpace * std::sqrt(static_cast<double>(request.bodies)) + 0.5;
    Stage stage;
    stage.info.frames_per_second = kFrameRate;
    stage.add_floor(half + kFloorBeyond, request.plane);
    Random random(request.seed);
    std::vector<double> height;
    for (std::uint32_t k = 0; k < std::min(kSizes, request.bodies); ++k) {
        const auto radius = static_cast<float>(random.range(0.2, 0.3));
        const auto reach = static_cast<float>(random.range(0.45, 0.65));
        const Vec3f points[] = {{0, -reach, 0}, {0, reach, 0}};
        stage.add_hull(points, radius);
        height.push_back(static_cast<double>(reach) + static_cast<double>(radius));
    }
    std::vector<Walker> walkers;
    for (std::uint32_t i = 0; i < request.bodies; ++i) {
        const std::uint32_t size = i % static_cast<std::uint32_t>(height.size());
        stage.body_hull.push_back(1 + size);
        const double speed = kWalk * random.range(0.4, 1.3), t = random.range(-1, 1);
        const double side = random.below(2) == 0 ? 1 : -1;
        const double c = side * (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
        const double x = random.range(-half, half), z = random.range(-half, half), w = std::sqrt(1 + t * t);
        walkers.push_back({x, height[size], z, speed * c, speed * s, t / w, 1 / w});
    }
    stage.set_masses();
    SceneWriter writer(folder.path(), stage.contents());
    for (std::uint32_t frame = 0; frame < request.frames; ++frame) {
        std::vector<float> position{0, -1, 0}, orientation{0, 0, 0, 1};
        const double time = frame / kFrameRate;
        for (const Walker& w : walkers) {
            const Vec3f p =
                to_float(Vec3d{to_and_fro(w.x + w.vx * time, half), w.y, to_and_fro(w.z + w.vz * time, half)});
            position.insert(position.end(), {p.x, p.y, p.z});
            orientation.insert(orientation.end(), {0, static_cast<float>(w.turn_s), 0, static_cast<float>(w.turn_c)});
        }
        writer.add_frame(std::span<const float>(position), orientation);
    }
    writer.commit();
}

// A part about its centre, which is at (x, y) of the figure: a capsule between (+-ax, +-ay), or a ball. Metres.
struct Part {
    double x, y, ax, ay, radius;
};
constexpr Part kParts[kPartsOfAFigure] = {
    {0, 0.30, 0, 0.14, 0.14},                                       // torso
    {0, 0, 0.08, 0, 0.10},                                          // pelvis
    {0, 0.74, 0, 0, 0.12},                                          // head
    {0.26, 0.40, 0, 0.11, 0.05},                                    // upper arms
    {-0.26, 0.40, 0, 0.11, 0.05},   {0.26, 0.10, 0, 0.11, 0.045},   // lower arms
    {-0.26, 0.10, 0, 0.11, 0.045},  {0.09, -0.28, 0, 0.14, 0.07},   // thighs
    {-0.09, -0.28, 0, 0.14, 0.07},  {0.09, -0.68, 0, 0.15, 0.055},  // shins
    {-0.09, -0.68, 0, 0.15, 0.055},
};

// A rod between points of two parts, relative to their centres.
struct Joint {
    std::uint32_t a, b;
    double ax, ay, bx, by;
};
constexpr Joint kJoints[] = {
    {1, 0, 0, 0.08, 0, -0.16}, {0, 2, 0, 0.28, 0, -0.12},  {0, 3, 0.16, 0.20, 0, 0.11},  {0, 4, -0.16, 0.20, 0, 0.11},
    {3, 5, 0, -0.13, 0, 0.13}, {4, 6, 0, -0.13, 0, 0.13},  {1, 7, 0.09, -0.08, 0, 0.16}, {1, 8, -0.09, -0.08, 0, 0.16},
    {7, 9, 0, -0.17, 0, 0.19}, {8, 10, 0, -0.17, 0, 0.19},
};

std::string setup_text(std::uint32_t figures) {
    Json links = Json::array();
    for (std::uint32_t f = 0; f < figures; ++f) {
        for (const Joint& j : kJoints) {
            const double x = kParts[j.b].x + j.bx - (kParts[j.a].x + j.ax);
            const double y = kParts[j.b].y + j.by - (kParts[j.a].y + j.ay);
            const std::uint32_t first = 1 + f * kPartsOfAFigure;
            links.push_back(Json{{"kind", "rod"},
                                 {"a", first + j.a},
                                 {"b", first + j.b},
                                 {"end_a", {j.ax, j.ay, 0.0}},
                                 {"end_b", {j.bx, j.by, 0.0}},
                                 {"length", std::sqrt(x * x + y * y)}});
        }
    }
    return Json{{"links", std::move(links)}}.dump(1) + "\n";
}

// The place and the turn of a figure.
PoseD place_of(std::uint32_t figure, Random& random, Quat& turn) {
    turn = random.rotation();
    const std::uint32_t in_layer = figure % (kRow * kRow);
    PoseD out;
    out.rotation = rotation(turn);
    out.position.x = kPitch * (in_layer % kRow - 0.5 * (kRow - 1)) + random.range(-0.1, 0.1);
    out.position.y = 1.2 + kLayer * (figure / (kRow * kRow));
    out.position.z = kPitch * (in_layer / kRow - 0.5 * (kRow - 1)) + random.range(-0.1, 0.1);
    return out;
}

std::uint32_t add_figure(Stage& stage) {
    std::vector<CompoundChild> children(kPartsOfAFigure);
    for (std::uint32_t k = 0; k < kPartsOfAFigure; ++k) {
        children[k].hull = 1 + k;
        children[k].position[0] = kParts[k].x;
        children[k].position[1] = kParts[k].y;
    }
    return stage.add_compound(children);
}

void write_ragdolls(const FiguresRequest& request, StagedFolder& folder) {
    if (!request.rigid && request.bodies % kPartsOfAFigure != 0)
        throw bad_input("--bodies {}: a figure has {} bodies, so a multiple of that is needed", request.bodies,
                        kPartsOfAFigure);
    const std::uint32_t figures = request.rigid ? request.bodies : request.bodies / kPartsOfAFigure;
    Stage stage;
    stage.add_floor(0.5 * kPitch * kRow + kFloorBeyond, request.plane);
    for (const Part& p : kParts) {
        const Vec3f end = to_float(Vec3d{p.ax, p.ay, 0});
        const std::vector<Vec3f> ends{-end, end};
        const bool ball = p.ax == 0 && p.ay == 0;
        stage.add_hull(std::span(ends).first(ball ? 1 : 2), static_cast<float>(p.radius));
    }
    const std::uint32_t whole = request.rigid ? add_figure(stage) : 0;
    std::vector<double> position{0, -1, 0};
    std::vector<float> orientation{0, 0, 0, 1};
    const auto add_body = [&](std::uint32_t hull, const Vec3d& p, const Quat& q) {
        position.insert(position.end(), {p.x, p.y, p.z});
        orientation.insert(orientation.end(), {static_cast<float>(q.x), static_cast<float>(q.y),
                                               static_cast<float>(q.z), static_cast<float>(q.w)});
        stage.body_hull.push_back(hull);
    };
    Random random(request.seed);
    if (!request.rigid) stage.group.push_back(0);
    for (std::uint32_t f = 0; f < figures; ++f) {
        Quat q;
        const PoseD pose = place_of(f, random, q);
        if (request.rigid) add_body(whole, pose.position, q);
        for (std::uint32_t k = 0; !request.rigid && k < kPartsOfAFigure; ++k) {
            add_body(1 + k, transform(pose, {kParts[k].x, kParts[k].y, 0}), q);
            stage.group.push_back(1 + f);  // parts of a figure do not touch each other
        }
    }
    stage.set_masses();
    SceneWriter::Contents contents = stage.contents();
    contents.positions_are_double = true;
    SceneWriter writer(folder.path(), contents);
    writer.add_frame(std::span<const double>(position), orientation);
    writer.commit();
    if (!request.rigid) write_file(folder.path() / kSetupFile, setup_text(figures));
}

}  // namespace

std::optional<FigureKind> parse_figure_kind(std::string_view name) {
    if (name == "crowd") return FigureKind::crowd;
    if (name == "ragdolls") return FigureKind::ragdolls;
    return std::nullopt;
}

void write_figures(const FiguresRequest& request) {
    if (request.bodies == 0) throw bad_input("--bodies must be 1 or more");
    if (request.frames == 0) throw bad_input("--frames must be 1 or more");
    StagedFolder folder(request.folder, request.replace);
    if (request.kind == FigureKind::crowd) {
        write_crowd(request, folder);
    } else {
        write_ragdolls(request, folder);
    }
    folder.commit();
}

}  // namespace lanefold::tools
