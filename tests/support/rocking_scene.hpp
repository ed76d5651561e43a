// SPDX-License-Identifier: MIT
//
// Touching pairs whose second bodies rock about a point of their contact: rotation without slip, at which the vertices
// near the contact hardly move. Each pair has bodies of its own. For tests that compare streams with cold calls.
#pragma once

#include "support/cold_call.hpp"
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
            // Points are relative to the first body.
            for (int c = 0; c < 3; ++c) {
                k.pivot[c] = static_cast<double>(scene.bodies[m.pair[0]].position[c]) +
                             static_cast<double>(m.points[0].position[c]);
            }
            k.step = rock.draw(random);
            k.frequency = static_cast<double>(random.uniform(0.05F, 0.3F));
            random.axis(k.axis);
            rockers_.push_back(k);
        }
    }

    BatchScene& scene() { return scene_; }

    void set_step(int step) {
        for (std::size_t i = 0; i < rockers_.size(); ++i) {
            const Rocker& k = rockers_[i];
            const double angle = k.step / k.frequency * std::sin(k.frequency * step);
            Body& body = scene_.bodies[2 * i + 1];
            double arm[3];
            for (int c = 0; c < 3; ++c) arm[c] = static_cast<double>(k.rest.position[c]) - k.pivot[c];
            const double u[3] = {static_cast<double>(k.axis[0]), static_cast<double>(k.axis[1]),
                                 static_cast<double>(k.axis[2])};
            const double along = (u[0] * arm[0] + u[1] * arm[1] + u[2] * arm[2]) * (1 - std::cos(angle));
            for (int c = 0; c < 3; ++c) {
                const int y = (c + 1) % 3;
                const int z = (c + 2) % 3;
                const double across = u[y] * arm[z] - u[z] * arm[y];
                body.position[c] =
                    static_cast<float>(k.pivot[c] + arm[c] * std::cos(angle) + across * std::sin(angle) + u[c] * along);
            }
            CoherentScene::turn(k.axis, static_cast<float>(angle), k.rest.orientation, body.orientation);
        }
    }

private:
    struct Rocker {
        Body rest;
        double pivot[3];
        double step;
        double frequency;
        float axis[3];
    };

    BatchScene scene_;
    std::vector<Rocker> rockers_;
};

}  // namespace lanefold::test
