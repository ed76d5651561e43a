// SPDX-License-Identifier: MIT
//
// Places bins, and bodies in layers above each bin. Every turned body has a box; boxes stand in rows, rows side by side
// in layers, layers above each other.

#include "generate/layout.hpp"

#include <algorithm>
#include <cmath>

#include "generate/random.hpp"
#include "scene/find_pairs.hpp"

namespace lanefold::tools {

namespace {

// Part of a settled pile's volume that is solid; measured between 0.55 (splinters) and 0.7 (boxes).
constexpr double kPacking = 0.6;
// Height of the settled pile over the width of its bin. At 0.4 the heap is several bodies deep and has a wide top.
constexpr double kPileAspect = 0.4;
// Gap between neighbours at the start, and to the walls. All lengths in this file are metres.
constexpr double kGap = 0.03;
constexpr double kWallGap = 0.15;
constexpr double kFirstLayer = 0.3;
constexpr double kWallThickness = 0.5;
// Walls stand this much above the highest body, so that nothing can jump out.
constexpr double kWallOverTop = 1.0;

// Measures of bins are whole numbers of 1/64 m, so that floors and walls are exact in float32 wherever they stand.
double on_grid(double x) { return std::ceil(x * 64) / 64; }

// First stream of random numbers for starting poses. Hulls use the streams from 0.
constexpr std::uint64_t kStartStream = std::uint64_t{1} << 40U;

// Fills rows along x, layers in y, and goes up.
class Shelf {
public:
    explicit Shelf(double half_width) : half_(half_width - kWallGap), x_(-half_), z_(-half_) {}

    // The corner of the next free box of these widths.
    Vec3d place(const Vec3d& extent) {
        if (x_ + extent.x > half_ && x_ > -half_) next_row();
        if (z_ + extent.z > half_ && z_ > -half_) next_layer();
        const Vec3d corner{x_, y_, z_};
        x_ += extent.x + kGap;
        row_depth_ = std::max(row_depth_, extent.z + kGap);
        layer_height_ = std::max(layer_height_, extent.y + kGap);
        return corner;
    }
    double top() const { return y_ + layer_height_; }

private:
    void next_row() {
        x_ = -half_;
        z_ += row_depth_;
        row_depth_ = 0;
    }
    void next_layer() {
        x_ = -half_;
        z_ = -half_;
        row_depth_ = 0;
        y_ += layer_height_;
        layer_height_ = 0;
    }

    double half_;
    double x_;
    double y_ = kFirstLayer;
    double z_;
    double row_depth_ = 0;
    double layer_height_ = 0;
};

void fill(Bin& bin, const HullSet& hulls, std::span<const std::uint32_t> body_hull, std::uint64_t seed) {
    double solid = 0;
    double widest = 0;
    for (const std::uint32_t h : body_hull) {
        solid += hulls.info(h).mass.volume;
        widest = std::max(widest, 2.0 * static_cast<double>(hulls[h].radius + hulls[h].round_radius));
    }
    const double width = std::max(std::cbrt(solid / (kPacking * kPileAspect)), 1.5 * widest + 2 * kWallGap);
    bin.half_width = on_grid(0.5 * width);
    Shelf shelf(bin.half_width);
    for (std::size_t i = 0; i < body_hull.size(); ++i) {
        Random random(seed, kStartStream + bin.first + i);
        StartPose start;
        start.orientation = random.rotation();
        const WorldBox box = world_box(hulls.vertices(body_hull[i]), {rotation(start.orientation), {}},
                                       static_cast<double>(hulls[body_hull[i]].round_radius));
        start.position = shelf.place(box.upper - box.lower) - box.lower;
        start.velocity = random.direction() * 0.5;
        start.spin = random.arrow(0, 3);
        bin.start.push_back(start);
    }
    bin.height = 2 * on_grid(0.5 * (shelf.top() + kWallOverTop));
    const double t = 0.5 * kWallThickness;
    const double side = bin.half_width + t;
    const double up = 0.5 * bin.height;
    bin.slabs = {{{0, -t, 0}, {side + t, t, side + t}},
                 {{-side, up, 0}, {t, up, bin.half_width}},
                 {{side, up, 0}, {t, up, bin.half_width}},
                 {{0, up, -side}, {side + t, up, t}},
                 {{0, up, side}, {side + t, up, t}}};
}

}  // namespace

std::vector<Bin> lay_out(const HullSet& hulls, std::span<const std::uint32_t> body_hull, std::uint64_t seed) {
    const auto bodies = static_cast<std::uint32_t>(body_hull.size());
    const std::uint32_t count = (bodies + kBodiesPerBin - 1) / kBodiesPerBin;
    std::vector<Bin> bins(count);
    double pitch = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
        Bin& bin = bins[b];
        // Equal shares, so that equal threads finish at the same time.
        bin.first = static_cast<std::uint32_t>(std::uint64_t{bodies} * b / count);
        const auto end = static_cast<std::uint32_t>(std::uint64_t{bodies} * (b + 1) / count);
        fill(bin, hulls, body_hull.subspan(bin.first, end - bin.first), seed);
        pitch = std::max(pitch, 2 * bin.half_width + 4 * kWallThickness);
    }
    const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    const std::uint32_t rows = columns == 0 ? 0 : (count + columns - 1) / columns;
    for (std::uint32_t b = 0; b < count; ++b) {
        const double x = static_cast<double>(b % columns) - 0.5 * (columns - 1);
        const std::uint32_t row = b / columns;
        const double z = row - 0.5 * (rows - 1);
        bins[b].position = {x * pitch, 0, z * pitch};
    }
    return bins;
}

}  // namespace lanefold::tools
