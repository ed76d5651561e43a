// SPDX-License-Identifier: MIT
//
// Scenes whose bodies sway about the places that they have in a scene at rest, each at its own speed, so that the same
// pairs touch for many steps while features, supports and edges come and go. For tests that compare streams with cold
// calls.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/coherent_scene.hpp"
#include "support/stored_scene.hpp"

namespace lanefold::test {

// Largest steps of a body, in metres and radians; each body has its own, spread evenly over the decades between.
struct Sway {
    double least;
    double most;

    double draw(BatchRandom& random) const {
        return least * std::pow(most / least, static_cast<double>(random.uniform(0, 1)));
    }
};

class SwayingScene {
public:
    SwayingScene(BatchScene scene, std::uint64_t seed, const Sway& sway)
        : scene_(std::move(scene)), rest_(scene_.bodies), motions_(scene_.bodies.size()) {
        BatchRandom random(seed);
        for (Motion& m : motions_) {
            m.step = sway.draw(random);
            m.frequency = static_cast<double>(random.uniform(0.05F, 0.6F));
            for (int k = 0; k < 3; ++k) {
                m.direction[k] = static_cast<double>(random.uniform(-1, 1));
                m.phase[k] = static_cast<double>(random.uniform(0, 6.28F));
            }
            random.axis(m.axis);
        }
        std::sort(scene_.pairs.begin(), scene_.pairs.end());
        scene_.pairs.erase(std::unique(scene_.pairs.begin(), scene_.pairs.end()), scene_.pairs.end());
    }

    BatchScene& scene() { return scene_; }

    void set_step(int step) {
        for (std::size_t i = 0; i < motions_.size(); ++i) {
            const Motion& m = motions_[i];
            Body& body = scene_.bodies[i];
            // A swing of amplitude a and frequency f moves by at most a f in a step.
            const double a = m.step / m.frequency;
            double swing[3];
            for (int k = 0; k < 3; ++k) {
                swing[k] = a * m.direction[k] * std::sin(m.frequency * step + m.phase[k]);
                body.position[k] = static_cast<float>(static_cast<double>(rest_[i].position[k]) + swing[k]);
            }
            CoherentScene::turn(m.axis, static_cast<float>(swing[0] + swing[1]), rest_[i].orientation,
                                body.orientation);
        }
    }

private:
    struct Motion {
        double step;
        double frequency;
        double direction[3];
        double phase[3];
        float axis[3];
    };

    BatchScene scene_;
    std::vector<Body> rest_;
    std::vector<Motion> motions_;
};

// A stored pile.
inline BatchScene pile_scene(const char* name) {
    StoredScene stored = read_stored_scene(std::string(LANEFOLD_TEST_DATA) + "/scenes/" + name);
    BatchScene scene;
    scene.hulls = stored.library.hulls;
    scene.bodies = std::move(stored.bodies);
    scene.pairs = std::move(stored.pairs);
    scene.margin = 0.02F;
    return scene;
}

// Prisms of 3, 5, 6 and 8 sides in a grid, face on face and side by side: faces, sides and edges coincide to the last
// bit, so that many axes are level.
inline BatchScene stacked_prisms(std::uint64_t seed, int across) {
    BatchScene scene;
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const int sides : {3, 5, 6, 8}) {
        for (int k = 0; k < 2 * sides; ++k) {
            const int corner = k / 2;  // at both ends
            const float angle = 6.2831853F * static_cast<float>(corner) / static_cast<float>(sides);
            points.push_back({0.5F * std::cos(angle), 0.5F * std::sin(angle), k % 2 == 0 ? 0.5F : -0.5F});
        }
        offsets.push_back(points.size());
    }
    scene.hulls = build_hulls(points, offsets).hulls;
    BatchRandom random(seed);
    const auto at = [across](int x, int y, int z) { return static_cast<std::uint32_t>((z * across + y) * across + x); };
    for (int z = 0; z < across; ++z) {
        for (int y = 0; y < across; ++y) {
            for (int x = 0; x < across; ++x) {
                Body body{};
                body.position[0] = 0.75F * static_cast<float>(x);
                body.position[1] = 0.75F * static_cast<float>(y);
                body.position[2] = static_cast<float>(z);
                body.orientation[3] = 1;
                body.hull = random.below(4);
                scene.bodies.push_back(body);
                for (const auto& [dx, dy, dz] :
                     {std::array<int, 3>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}) {
                    if (x + dx < across && y + dy < across && z + dz < across)
                        scene.pairs.push_back({at(x, y, z), at(x + dx, y + dy, z + dz)});
                }
            }
        }
    }
    scene.margin = 0.02F;
    return scene;
}

}  // namespace lanefold::test
