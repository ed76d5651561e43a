// SPDX-License-Identifier: MIT
//
// Scenes that move a little from frame to frame: the bodies of a batch scene with constant small velocities, and their
// reported records frame by frame. For tests that compare two frames.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/batch_scene.hpp"

namespace lanefold::test {

// Every body drifts by at most `speed` and turns by at most `spin` radians about its own axis per frame.
class CoherentScene {
public:
    CoherentScene(BatchScene scene, std::uint64_t seed, float speed, float spin)
        : scene_(std::move(scene)), start_(scene_.bodies), motions_(scene_.bodies.size()) {
        BatchRandom random(seed);
        for (Motion& m : motions_) {
            random.axis(m.axis);
            for (float& v : m.velocity) v = random.uniform(-speed, speed);
            m.spin = random.uniform(-spin, spin);
        }
        // Candidate pairs in ascending order and once each, as a broad phase would give them.
        std::sort(scene_.pairs.begin(), scene_.pairs.end());
        scene_.pairs.erase(std::unique(scene_.pairs.begin(), scene_.pairs.end()), scene_.pairs.end());
    }

    BatchScene& scene() { return scene_; }

    void set_frame(int frame) {
        const float t = static_cast<float>(frame);
        for (std::size_t i = 0; i < motions_.size(); ++i) {
            const Motion& m = motions_[i];
            Body& body = scene_.bodies[i];
            body = start_[i];
            for (int k = 0; k < 3; ++k) body.position[k] += m.velocity[k] * t;
            turn(m.axis, m.spin * t, start_[i].orientation, body.orientation);
        }
    }

    // out = rotation about `axis` by `angle`, after q.
    static void turn(const float axis[3], float angle, const float q[4], float out[4]) {
        const double s = std::sin(0.5 * static_cast<double>(angle));
        const double x = static_cast<double>(axis[0]) * s;
        const double y = static_cast<double>(axis[1]) * s;
        const double z = static_cast<double>(axis[2]) * s;
        const double w = std::cos(0.5 * static_cast<double>(angle));
        const double p[4] = {static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
                             static_cast<double>(q[3])};
        out[0] = static_cast<float>(w * p[0] + x * p[3] + y * p[2] - z * p[1]);
        out[1] = static_cast<float>(w * p[1] + y * p[3] + z * p[0] - x * p[2]);
        out[2] = static_cast<float>(w * p[2] + z * p[3] + x * p[1] - y * p[0]);
        out[3] = static_cast<float>(w * p[3] - x * p[0] - y * p[1] - z * p[2]);
    }

private:
    struct Motion {
        float velocity[3];
        float axis[3];
        float spin;
    };

    BatchScene scene_;
    std::vector<Body> start_;
    std::vector<Motion> motions_;
};

}  // namespace lanefold::test
