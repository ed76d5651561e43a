// SPDX-License-Identifier: MIT
//
// The oracle of events: all pairs, brute force distances in float64 at small steps of time between the frames, and
// bisection. It follows docs/events.md and shares no code with the engine's events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <lanefold/sweep_oracle.hpp>

#include "scene/io.hpp"

namespace lanefold::test {

struct OracleEvent {
    Pair pair;
    double begin;  // frames
    double end;
    bool touched_before;
    bool lasts;
};

class EventOracle {
public:
    EventOracle(const tools::Scene& scene, double touch, double release, int steps)
        : scene_(scene), touch_(touch), release_(release), steps_(steps) {
        for (std::uint64_t h = 0; h < scene.hulls(); ++h) {
            const std::uint64_t first = scene.hull_offsets()[h];
            const float radius = scene.hull_radius().empty() ? 0 : scene.hull_radius()[h];
            hulls_.push_back(reference::make_oracle_hull(
                scene.hull_vertices().subspan(first, scene.hull_offsets()[h + 1] - first), radius));
        }
        frames_.resize(scene.frames());
        for (std::uint64_t f = 0; f < scene.frames(); ++f) scene.read_frame(f, frames_[f]);
    }

    // Two bodies from frame f to f + 1.
    reference::OraclePair pair_in(const Pair& pair, std::uint64_t f) const {
        return {&hulls_[scene_.body_hull()[pair.a]], &hulls_[scene_.body_hull()[pair.b]], motion(pair.a, f),
                motion(pair.b, f)};
    }

    double distance(const Pair& pair, double time) const {
        const auto f = std::min(static_cast<std::uint64_t>(time), scene_.frames() - 2);
        return reference::distance_at(pair_in(pair, f), time - static_cast<double>(f)).distance;
    }

    std::vector<OracleEvent> events() const {
        std::vector<OracleEvent> out;
        for (std::uint32_t a = 0; a < scene_.bodies(); ++a) {
            for (std::uint32_t b = a + 1; b < scene_.bodies(); ++b) add_pair({a, b}, out);
        }
        std::sort(out.begin(), out.end(), [](const OracleEvent& x, const OracleEvent& y) {
            return x.begin != y.begin ? x.begin < y.begin : x.pair < y.pair;
        });
        return out;
    }

private:
    reference::OracleMotion motion(std::uint32_t body, std::uint64_t f) const {
        const tools::SceneFrame& from = frames_[f];
        const tools::SceneFrame& to = frames_[f + 1];
        return reference::oracle_motion(from.position_double.data() + 3 * body, from.orientation.data() + 4 * body,
                                        to.position_double.data() + 3 * body, to.orientation.data() + 4 * body);
    }

    bool left_out(const Pair& pair) const {
        const auto mass = scene_.inverse_mass();
        const auto group = scene_.group();
        if (!mass.empty() && mass[pair.a] == 0 && mass[pair.b] == 0) return true;
        return !group.empty() && group[pair.a] != 0 && group[pair.a] == group[pair.b];
    }

    // Between two fractions the distance passes `level`; the side of `inside` is kept.
    static double bisect(const reference::OraclePair& pair, double outside, double inside, double level) {
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (outside + inside);
            (reference::distance_at(pair, middle).distance <= level ? inside : outside) = middle;
        }
        return inside;
    }

    void add_pair(const Pair& pair, std::vector<OracleEvent>& out) const {
        if (left_out(pair)) return;
        bool open = false;
        OracleEvent event{};
        for (std::uint64_t f = 0; f + 1 < scene_.frames(); ++f) {
            const reference::OraclePair moving = pair_in(pair, f);
            std::vector<double> distances;
            for (int k = 0; k <= steps_; ++k) distances.push_back(reference::distance_at(moving, at(k)).distance);
            const auto start = static_cast<double>(f);
            if (!open) {
                const auto first =
                    std::find_if(distances.begin(), distances.end(), [&](double d) { return d <= touch_; });
                if (first == distances.end()) continue;
                const auto k = static_cast<int>(first - distances.begin());
                event = {pair, start + (k == 0 ? 0.0 : bisect(moving, at(k - 1), at(k), touch_)), 0, k == 0, false};
                open = true;
            }
            if (distances.back() <= release_) continue;
            int last = steps_;
            while (last > 0 && distances[static_cast<std::size_t>(last)] > release_) --last;
            event.end = start + bisect(moving, at(last + 1), at(last), release_);
            out.push_back(event);
            open = false;
        }
        if (!open) return;
        event.end = static_cast<double>(scene_.frames() - 1);
        event.lasts = true;
        out.push_back(event);
    }

    double at(int k) const { return static_cast<double>(k) / steps_; }

    const tools::Scene& scene_;
    double touch_;
    double release_;
    int steps_;
    std::vector<reference::OracleHull> hulls_;
    std::vector<tools::SceneFrame> frames_;
};

}  // namespace lanefold::test
