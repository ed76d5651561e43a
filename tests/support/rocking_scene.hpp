// SPDX-License-Identifier: MIT
//
// Touching pairs whose second bodies rock about a point of their contact: rotation without slip, at which the vertices
// near the contact hardly move. Each pair has bodies of its own. For tests that compare streams with cold calls.
#pragma once

#include "support/cold_call.hpp"
#include "support/pair_motions.hpp"
#include "support/swaying_scene.hpp"

namespace lanefold::test {

class RockingScene {
public:
    // The touching pairs of `scene`. `rock`: radians of the largest step of a body, spread over the decades between.
    RockingScene(const BatchScene& scene, std::uint64_t seed, const Sway& rock) {
        scene_.hulls = scene.hulls;
        scene_.margin = scene.margin;
        CompactResult r;
        const std::vector<Manifold4> contacts = cold_call(scene, scene.options(), std::span<const Manifold4>(), r);
        BatchRandom random(seed);
        for (const Manifold4& m : contacts) {
            const auto first = static_cast<std::uint32_t>(scene_.bodies.size());
            scene_.bodies.push_back(scene.bodies[m.pair[0]]);
            scene_.bodies.push_back(scene.bodies[m.pair[1]]);
            scene_.pairs.push_back({first, first + 1});
            Rocker k;
            k.rest = scene_.bodies.back();
            const double step = rock.draw(random);
            k.frequency = static_cast<double>(random.uniform(0.05F, 0.3F));
            k.swing.body = first + 1;
            k.swing.pivot = to_double(world_point(scene_.bodies[first].position, m.points[0]));
            k.swing.axis = draw_axis(random);
            k.swing.angle = step / k.frequency;
            rockers_.push_back(k);
        }
    }

    BatchScene& scene() { return scene_; }

    void set_step(int step) {
        for (const Rocker& k : rockers_)
            scene_.bodies[k.swing.body] = k.swing.moved(k.rest, std::sin(k.frequency * step));
    }

private:
    struct Rocker {
        Body rest;
        PairMotion swing;
        double frequency;
    };

    BatchScene scene_;
    std::vector<Rocker> rockers_;
};

}  // namespace lanefold::test
