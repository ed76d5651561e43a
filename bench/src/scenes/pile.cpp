// SPDX-License-Identifier: MIT
//
// Makes the pile of rocks with the layout, simulation and files of the generator of scenes.
#include "scenes/pile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanefold/hull_builder.hpp>

#include "generate/fall.hpp"
#include "generate/layout.hpp"
#include "generate/random.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "scenes/shapes.hpp"

namespace lanefold::bench {
namespace {

struct Library {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};

    void add(const std::vector<Vec3f>& hull) {
        points.insert(points.end(), hull.begin(), hull.end());
        offsets.push_back(points.size());
    }

    HullSet build() const {
        BuildResult built = build_hulls(points, offsets);
        if (!built) throw std::runtime_error(std::string("pile: ") + built.failures.front().what);
        return std::move(built.hulls);
    }
};

std::vector<Vec3f> box_of(const Vec3d& half) {
    const Vec3f h = to_float(half);
    std::vector<Vec3f> out;
    for (unsigned c = 0; c < 8; ++c) {
        out.push_back({(c & 1U) != 0 ? h.x : -h.x, (c & 2U) != 0 ? h.y : -h.y, (c & 4U) != 0 ? h.z : -h.z});
    }
    return out;
}

// Simulated bodies need their centre of mass at the origin.
std::vector<Vec3f> centred_rock(tools::Random& random) {
    std::vector<Vec3f> points = rock_points(random, random.between(32, 42));
    const BuildResult built = build_hull(points);
    if (!built) throw std::runtime_error(std::string("pile: ") + built.failures.front().what);
    const Vec3f c = to_float(built.hulls.info(0).mass.centre_of_mass);
    for (Vec3f& p : points) p = p - c;
    return points;
}

}  // namespace

void write_rock_pile(const std::filesystem::path& folder, std::uint32_t bodies, std::uint32_t hulls, std::uint64_t seed,
                     float margin) {
    tools::Random random(seed);
    Library library;
    for (std::uint32_t h = 0; h < hulls; ++h) library.add(centred_rock(random));
    std::vector<std::uint32_t> body_hull;
    for (std::uint32_t b = 0; b < bodies; ++b) body_hull.push_back(b < hulls ? b : random.below(hulls));
    const HullSet rocks = library.build();
    const std::vector<tools::Bin> bins = tools::lay_out(rocks, body_hull, seed);
    if (bins.size() != 1) throw std::runtime_error("pile: more bodies than one bin holds");
    const tools::Bin& bin = bins.front();
    const auto steps = static_cast<std::uint64_t>(std::ceil(tools::settling_time(bin.height) / tools::kStep));
    const std::function<bool(std::uint64_t)> go_on = [](std::uint64_t) { return true; };
    // Bullet: the piles that lanefold is measured on are not of its own making.
    const tools::FallRequest request{bin, rocks, body_hull, {1, steps}, 1, Isa::automatic, go_on};
    const tools::Fall fall = tools::fall(tools::FallEngine::bullet, request);

    std::vector<float> inverse_mass;
    for (const std::uint32_t h : body_hull) {
        inverse_mass.push_back(static_cast<float>(1.0 / (tools::kDensity * rocks.info(h).mass.volume)));
    }
    std::vector<float> position = fall.position;
    std::vector<float> orientation = fall.orientation;
    for (const tools::Slab& slab : bin.slabs) {
        body_hull.push_back(static_cast<std::uint32_t>(library.offsets.size() - 1));
        library.add(box_of(slab.half));
        inverse_mass.push_back(0);
        const Vec3f p = to_float(bin.position + slab.centre);
        position.insert(position.end(), {p.x, p.y, p.z});
        orientation.insert(orientation.end(), {0, 0, 0, 1});
    }
    const HullSet all = library.build();
    const BodyView view =
        BodyView::from_arrays(position.data(), orientation.data(), body_hull.data(), body_hull.size());
    tools::SceneWriter::Contents contents;
    contents.info.pairs_margin = static_cast<double>(margin);
    contents.hull_offsets = library.offsets;
    contents.hull_vertices = library.points;
    contents.body_hull = body_hull;
    contents.inverse_mass = inverse_mass;
    contents.with_pairs = true;
    tools::SceneWriter writer(folder, contents);
    const std::vector<Pair> pairs = tools::find_pairs(all, view, inverse_mass, {}, margin);
    writer.add_frame(std::span<const float>(position), orientation, pairs);
    writer.commit();
}

}  // namespace lanefold::bench
