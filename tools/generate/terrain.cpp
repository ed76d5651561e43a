// SPDX-License-Identifier: MIT
//
// See the header. Only + - * / sqrt, so that the bytes are the same everywhere.
#include "generate/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "console/failure.hpp"
#include "files/staged_folder.hpp"
#include "generate/random.hpp"
#include "generate/shapes.hpp"
#include "generate/stage.hpp"

namespace lanefold::tools {
namespace {

// Different bodies of each kind.
constexpr std::uint32_t kSizes = 16;
// Metres: between the places of neighbours and of layers, and from the ground's border. No body is as wide as a place.
constexpr double kPitch = 2.2;
constexpr double kLayer = 3;
constexpr double kBorder = 1.5;
constexpr double kGap = 0.05;
// Hills of a wavelength are as high as this part of it. The longest one in cells.
constexpr double kSteepness = 0.06;
constexpr std::uint32_t kLongest = 64;
// Streams of random numbers; bodies have their own from this one on.
constexpr std::uint64_t kHeightStream = std::uint64_t{1} << 41U;
constexpr std::uint64_t kBodyStream = std::uint64_t{1} << 42U;

// Heights of a grid of samples: sums of waves between random numbers on ever finer grids.
class Ground {
public:
    Ground(std::uint32_t cells, double cell, std::uint64_t seed)
        : side_(cells + 1), cell_(cell), half_(0.5 * cells * cell), height_(std::size_t{side_} * side_) {
        for (std::uint32_t wave = kLongest; wave >= 1; wave /= 2) {
            if (wave <= cells) add_wave(wave, seed);
        }
    }

    std::vector<float> take() { return std::move(height_); }
    double half() const { return half_; }
    FieldGrid grid() const {
        FieldGrid out;
        out.rows = out.columns = side_;
        out.x0 = out.y0 = -half_;
        out.dx = out.dy = cell_;
        return out;
    }

    // The highest sample within `reach` of a place, the cells around it included.
    double highest(double x, double y, double reach) const {
        const auto number = [&](double at) {
            return static_cast<std::uint32_t>(std::clamp(at / cell_, 0.0, static_cast<double>(side_ - 1)));
        };
        double high = -1e30;
        for (std::uint32_t r = number(y + half_ - reach); r <= number(y + half_ + reach + cell_); ++r) {
            for (std::uint32_t c = number(x + half_ - reach); c <= number(x + half_ + reach + cell_); ++c)
                high = std::max(high, static_cast<double>(height_[std::size_t{r} * side_ + c]));
        }
        return high;
    }

private:
    void add_wave(std::uint32_t wave, std::uint64_t seed) {
        const std::uint32_t knots = (side_ - 1) / wave + 2;
        const double high = kSteepness * wave * cell_;
        Random random(seed, kHeightStream + wave);
        std::vector<double> value(std::size_t{knots} * knots);
        for (double& v : value) v = random.range(-high, high);
        for (std::uint32_t r = 0; r < side_; ++r) {
            const double v = ease(static_cast<double>(r % wave) / wave);
            for (std::uint32_t c = 0; c < side_; ++c) {
                const double u = ease(static_cast<double>(c % wave) / wave);
                const double* const low = &value[std::size_t{r / wave} * knots + c / wave];
                const double* const next = low + knots;
                const double near = low[0] + (low[1] - low[0]) * u;
                const double far = next[0] + (next[1] - next[0]) * u;
                float& to = height_[std::size_t{r} * side_ + c];
                to = static_cast<float>(static_cast<double>(to) + (near + (far - near) * v));
            }
        }
    }

    // From 0 to 1 without a kink at either end.
    static double ease(double t) { return t * t * (3 - 2 * t); }

    std::uint32_t side_;
    double cell_;
    double half_;
    std::vector<float> height_;
};

// The shapes of the bodies, and the distance of each one's farthest point from its origin.
class Shelf {
public:
    Shelf(Stage& stage, std::uint64_t seed) : stage_(stage) {
        Random random(seed);
        for (std::uint32_t k = 0; k < kSizes; ++k) {
            const auto radius = static_cast<float>(random.range(0.2, 0.3));
            const auto reach = static_cast<float>(random.range(0.3, 0.6));
            const Vec3f ends[] = {{0, 0, -reach}, {0, 0, reach}};
            add(ends, radius);
        }
        for (const ShapeKind kind : {ShapeKind::rocks, ShapeKind::boxes}) {
            const Shapes shapes = generate_shapes(kind, kSizes, seed);
            for (std::uint32_t k = 0; k < kSizes; ++k) {
                const std::uint64_t first = shapes.offsets[k];
                add(std::span(shapes.vertices).subspan(first, shapes.offsets[k + 1] - first), 0);
            }
        }
    }

    // kind: 0 a capsule, 1 a rock, 2 a box.
    std::uint32_t hull(std::uint32_t kind, std::uint32_t size) const { return 1 + kind * kSizes + size; }
    double reach(std::uint32_t hull) const { return reach_[hull - 1]; }

private:
    void add(std::span<const Vec3f> points, float radius) {
        stage_.add_hull(points, radius);
        double most = 0;
        for (const Vec3f& p : points) most = std::max(most, length(to_double(p)));
        reach_.push_back(most + static_cast<double>(radius));
    }

    Stage& stage_;
    std::vector<double> reach_;
};

// Places in a square, layer over layer.
struct Places {
    std::uint32_t side = 1;
    double pitch = 0;

    Places(std::uint32_t bodies, double room) {
        const auto most = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(room / kPitch));
        while (side < most && side * side < bodies) ++side;
        pitch = room / side;
    }
    Vec3d at(std::uint32_t i) const {
        const std::uint32_t in_layer = i % (side * side);
        return {pitch * (in_layer % side + 0.5 - 0.5 * side), pitch * (in_layer / side + 0.5 - 0.5 * side),
                kLayer * (i / (side * side))};
    }
};

void check(const TerrainRequest& request) {
    if (request.bodies == 0) throw bad_input("--bodies must be 1 or more");
    if (request.cells == 0 || request.cells > kMostTerrainCells)
        throw bad_input("--cells {}: must be 1 to {}", request.cells, kMostTerrainCells);
    if (!(request.cell > 0) || !std::isfinite(request.cell) || request.cell > 1000)
        throw bad_input("--cell {}: expected metres above 0, up to 1000", request.cell);
    if (request.cells * request.cell < 2 * kBorder + kPitch)
        throw bad_input("--cells {} of --cell {} m: the ground must be at least {:.3g} m wide", request.cells,
                        request.cell, 2 * kBorder + kPitch);
}

}  // namespace

void write_terrain(const TerrainRequest& request) {
    check(request);
    StagedFolder folder(request.folder, request.replace);
    Ground ground(request.cells, request.cell, request.seed);
    Stage stage;
    stage.info.up = 2;
    stage.first_kind = kHeightFieldKind;
    stage.other_shapes.surfaces.fields = {ground.grid()};
    stage.body_hull.push_back(stage.add_hull({}, 0));
    const Shelf shelf(stage, request.seed);
    const Places places(request.bodies, 2 * (ground.half() - kBorder));
    std::vector<float> position{0, 0, 0};
    std::vector<float> orientation{0, 0, 0, 1};
    for (std::uint32_t i = 0; i < request.bodies; ++i) {
        Random random(request.seed, kBodyStream + i);
        constexpr std::uint32_t kKinds[] = {0, 1, 2, 0, 1};
        const std::uint32_t kind = kKinds[i % 5];
        const std::uint32_t hull = shelf.hull(kind, random.below(kSizes));
        const double room = 0.5 * std::max(places.pitch - kPitch, 0.0);
        Vec3d p = places.at(i);
        p.x += random.range(-room, room);
        p.y += random.range(-room, room);
        const double reach = shelf.reach(hull);
        p.z += ground.highest(p.x, p.y, reach) + reach + kGap;
        const Quat turned = random.rotation();
        const Quat q = kind == 0 ? Quat{} : turned;
        const Vec3f at = to_float(p);
        position.insert(position.end(), {at.x, at.y, at.z});
        orientation.insert(orientation.end(), {static_cast<float>(q.x), static_cast<float>(q.y),
                                               static_cast<float>(q.z), static_cast<float>(q.w)});
        stage.body_hull.push_back(hull);
    }
    stage.set_masses();
    stage.other_shapes.surfaces.samples = ground.take();
    SceneWriter writer(folder.path(), stage.contents());
    writer.add_frame(std::span<const float>(position), orientation);
    writer.commit();
    folder.commit();
}

}  // namespace lanefold::tools
