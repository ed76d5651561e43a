// SPDX-License-Identifier: MIT
//
// Scenes of bodies with scales, and the same scenes of bodies without, whose hulls were baked at these scales.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/scaled_hulls.hpp>

#include "support/compound_scene.hpp"

namespace lanefold::test {

struct ScaledScene {
    BatchScene scene;
    std::vector<float> scales;
    // The same without scales.
    HullSet baked;
    std::vector<Body> baked_bodies;
    std::size_t scaled = 0;  // bodies whose scale is not 1
    std::size_t bad = 0;     // bodies whose scale is none, or none that their hull can have

    BodyView view() const { return scene.view().with_scale(scales.data()); }
    BodyView baked_view() const { return BodyView(baked_bodies); }

    // Bakes the scales at hand.
    void bake() {
        ScaledHulls hulls(scene.hulls);
        baked_bodies = scene.bodies;
        scaled = bad = 0;
        take_plausible(hulls);
        for (std::size_t i = 0; i < scales.size(); ++i) {
            Body& body = baked_bodies[i];
            // An id beyond the set must not become that of a scaled hull.
            if (body.hull >= scene.hulls.size()) body.hull = 0xFFFFFFFFU;
            if (scales[i] == 1.0F || body.hull == 0xFFFFFFFFU) continue;
            ++scaled;
            const ScaledIds id = hulls.take(body.hull, {scales[i], scales[i], scales[i]});
            if (id && scales[i] > 0) {
                body.hull = id.ids[0];
                continue;
            }
            ++bad;
            std::fill(std::begin(body.orientation), std::end(body.orientation), 0.0F);
        }
        baked = hulls.hulls();
    }

private:
    // At once, what no hull refuses.
    void take_plausible(ScaledHulls& hulls) const {
        std::vector<HullScale> wanted;
        for (std::size_t i = 0; i < scales.size(); ++i) {
            const std::uint32_t hull = scene.bodies[i].hull;
            const float s = scales[i];
            if (hull < scene.hulls.size() && s > 0.1F && s < 10.0F) wanted.push_back({hull, {s, s, s}});
        }
        EXPECT_TRUE(hulls.take(wanted));
    }
};

// Boxes, rocks, thin and tiny hulls, spheres, capsules, rounded boxes, half-spaces and compounds.
inline HullSet scaled_scene_hulls() {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    const auto add = [&](std::initializer_list<Vec3f> own) {
        points.insert(points.end(), own);
        offsets.push_back(points.size());
    };
    add({{0.1F, 0.2F, 0}});
    add({{-0.5F, 0, 0}, {0.5F, 0.1F, 0}});
    add({{-0.4F, -0.3F, -0.5F},
         {0.4F, -0.3F, -0.5F},
         {-0.4F, 0.3F, -0.5F},
         {0.4F, 0.3F, -0.5F},
         {-0.4F, -0.3F, 0.5F},
         {0.4F, -0.3F, 0.5F},
         {-0.4F, 0.3F, 0.5F},
         {0.4F, 0.3F, 0.5F}});
    const float radii[] = {0.4F, 0.25F, 0.1F};
    BuildOptions options;
    options.radii = radii;
    const HalfSpace plane{{0.1F, 0.2F, 1}, -0.4F};
    const HullSet hulls = batch_hulls()
                              .append(build_hulls(points, offsets, options).hulls)
                              .append(build_half_spaces(std::span(&plane, 1)).hulls);
    // Children of compounds are no half-spaces, which are last.
    const std::uint32_t last = static_cast<std::uint32_t>(hulls.size()) - 1;
    BatchRandom random(33);
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> ends{0};
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::uint32_t k = 0; k < 1 + i; ++k) {
            CompoundChild child;
            child.hull = random.below(last);
            for (double& x : child.position) x = static_cast<double>(random.uniform(-0.8F, 0.8F));
            random.rotation(child.orientation);
            children.push_back(child);
        }
        ends.push_back(children.size());
    }
    CompoundResult built = build_compounds(hulls, children, ends);
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

// A third of the bodies has no scale but 1, a third one of four, the others one of their own; some have none.
inline void draw_scales(ScaledScene& s, BatchRandom& random) {
    const float often[] = {0.5F, 2.0F, 0.7F, 1.3F};
    const float inf = std::numeric_limits<float>::infinity();
    const float wrong[] = {0.0F, -0.0F, -1.0F, inf, std::nanf(""), 1e-40F, 1e30F, 1e-30F};
    s.scales.resize(s.scene.bodies.size());
    for (float& x : s.scales) {
        const std::uint32_t kind = random.below(48);
        x = kind < 16 ? 1.0F : kind < 32 ? often[random.below(4)] : random.uniform(0.3F, 3.0F);
        if (kind >= 45) x = wrong[random.below(8)];
    }
}

inline ScaledScene make_scaled_scene(std::uint64_t seed, std::uint32_t bodies, std::uint32_t pairs,
                                     bool with_bad = true) {
    ScaledScene s;
    s.scene = with_bad ? make_bad_batch_scene(seed, bodies, pairs) : make_batch_scene(seed, bodies, pairs);
    s.scene.hulls = scaled_scene_hulls();
    BatchRandom random(seed + 9);
    for (Body& body : s.scene.bodies) {
        if (body.hull != 0xFFFFFFFFU) body.hull = random.below(static_cast<std::uint32_t>(s.scene.hulls.size()));
        if (with_bad && random.below(40) == 0) body.hull = static_cast<std::uint32_t>(s.scene.hulls.size());
    }
    draw_scales(s, random);
    for (float& x : s.scales) {
        if (!with_bad && !(x > 0.1F && x < 10.0F)) x = 1.5F;
    }
    s.bake();
    return s;
}

}  // namespace lanefold::test
