// SPDX-License-Identifier: MIT
//
// The oracle of events: all pairs, brute force distances in float64 at small steps of time between the frames, and
// bisection. It follows docs/events.md and shares no code with the engine's events. The distance from a surface is the
// least one, over all of its triangles, in a direction that the triangle admits; so it knows bodies that are in front
// of a surface, and may be somewhat in it, but none behind it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <lanefold/sweep_oracle.hpp>

#include "support/surface_sweep_oracle.hpp"

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
        const HullSet built = scene.build_hulls(1);
        surfaces_.resize(scene.hulls());
        for (std::uint64_t h = 0; h < scene.hulls(); ++h) {
            if (const Surface* const surface = built.surface(h)) {
                const SurfaceArrays arrays = surface_arrays(*surface);
                surfaces_[h] = reference::make_oracle_surface(arrays.vertices, arrays.triangles);
                hulls_.emplace_back();
                continue;
            }
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
        return apart(pair, pair_in(pair, f), time - static_cast<double>(f));
    }

    std::vector<OracleEvent> events() const {
        std::vector<OracleEvent> out;
        for (std::uint32_t a = 0; a < scene_.bodies(); ++a) add_pairs(a, out);
        return sorted(std::move(out));
    }

    // Only of body a with bodies of higher numbers.
    std::vector<OracleEvent> events_of(std::uint32_t a) const {
        std::vector<OracleEvent> out;
        add_pairs(a, out);
        return sorted(std::move(out));
    }

    bool is_surface(std::uint32_t body) const { return !surfaces_[scene_.body_hull()[body]].triangles.empty(); }

private:
    void add_pairs(std::uint32_t a, std::vector<OracleEvent>& out) const {
        for (std::uint32_t b = a + 1; b < scene_.bodies(); ++b) add_pair({a, b}, out);
    }

    static std::vector<OracleEvent> sorted(std::vector<OracleEvent> out) {
        std::sort(out.begin(), out.end(), [](const OracleEvent& x, const OracleEvent& y) {
            return x.begin != y.begin ? x.begin < y.begin : x.pair < y.pair;
        });
        return out;
    }

    // The distance of a pair in its motion.
    double apart(const Pair& pair, const reference::OraclePair& moving, double fraction) const {
        const bool first = is_surface(pair.a);
        if (!first && !is_surface(pair.b)) return reference::distance_at(moving, fraction).distance;
        const GroundFlight flight{&surfaces_[scene_.body_hull()[first ? pair.a : pair.b]], first ? moving.b : moving.a,
                                  first ? moving.motion_a : moving.motion_b, first ? moving.motion_b : moving.motion_a};
        const reference::SurfaceExaminer examiner = flight.at(fraction);
        double reach = flight.hull->round_radius;
        for (const Vec3d& v : flight.hull->vertices) reach = std::max(reach, length(v) + flight.hull->round_radius);
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t t = 0; t < flight.surface->triangles.size(); ++t) {
            // Coordinates are about the body's position. What is far is not looked at.
            const std::array<Vec3d, 3> c = examiner.corners(t);
            const Vec3d middle = (c[0] + c[1] + c[2]) * (1.0 / 3);
            const double spread = std::max({length(c[0] - middle), length(c[1] - middle), length(c[2] - middle)});
            if (length(middle) - spread - reach > std::max(release_, least)) continue;
            const reference::OracleTriangle lies = examiner.lies(t);
            const bool cut = lies.axes <= 0;
            if (!cut && reference::inadmissibility(*flight.surface, t, lies.direction) > kAdmitted) continue;
            least = std::min(least, (cut ? lies.axes : lies.distance) - flight.hull->round_radius);
        }
        return least;
    }

    reference::OracleMotion motion(std::uint32_t body, std::uint64_t f) const {
        const tools::SceneFrame& from = frames_[f];
        const tools::SceneFrame& to = frames_[f + 1];
        return reference::oracle_motion(from.position_double.data() + 3 * body, from.orientation.data() + 4 * body,
                                        to.position_double.data() + 3 * body, to.orientation.data() + 4 * body);
    }

    bool left_out(const Pair& pair) const {
        if (is_surface(pair.a) && is_surface(pair.b)) return true;
        const auto mass = scene_.inverse_mass();
        const auto group = scene_.group();
        if (!mass.empty() && mass[pair.a] == 0 && mass[pair.b] == 0) return true;
        return !group.empty() && group[pair.a] != 0 && group[pair.a] == group[pair.b];
    }

    // Between two fractions the distance passes `level`; the side of `inside` is kept.
    double bisect(const Pair& pair, const reference::OraclePair& moving, double outside, double inside,
                  double level) const {
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (outside + inside);
            (apart(pair, moving, middle) <= level ? inside : outside) = middle;
        }
        return inside;
    }

    // The distance at a fraction of an interval.
    struct Sample {
        double fraction = 0;
        double distance = 0;
    };

    // All steps, and the bottom of each dip between them.
    std::vector<Sample> samples(const Pair& pair, const reference::OraclePair& moving) const {
        std::vector<Sample> steps;
        for (int k = 0; k <= steps_; ++k) steps.push_back({at(k), apart(pair, moving, at(k))});
        std::vector<Sample> out;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const bool inner = k > 0 && k + 1 < steps.size() && std::isfinite(steps[k].distance);
            if (inner && steps[k].distance <= steps[k - 1].distance && steps[k].distance <= steps[k + 1].distance) {
                const Sample dip = bottom(pair, moving, steps[k - 1].fraction, steps[k + 1].fraction);
                if (dip.fraction < steps[k].fraction) out.push_back(dip);
                out.push_back(steps[k]);
                if (dip.fraction > steps[k].fraction) out.push_back(dip);
            } else {
                out.push_back(steps[k]);
            }
        }
        return out;
    }

    Sample bottom(const Pair& pair, const reference::OraclePair& moving, double low, double high) const {
        for (int i = 0; i < 24; ++i) {
            const double third = (high - low) / 3;
            const bool left = apart(pair, moving, low + third) < apart(pair, moving, high - third);
            (left ? high : low) = left ? high - third : low + third;
        }
        const double fraction = 0.5 * (low + high);
        return {fraction, apart(pair, moving, fraction)};
    }

    void add_pair(const Pair& pair, std::vector<OracleEvent>& out) const {
        if (left_out(pair)) return;
        bool open = false;
        OracleEvent event{};
        for (std::uint64_t f = 0; f + 1 < scene_.frames(); ++f) {
            const reference::OraclePair moving = pair_in(pair, f);
            const std::vector<Sample> all = samples(pair, moving);
            const auto start = static_cast<double>(f);
            if (!open) {
                const auto first =
                    std::find_if(all.begin(), all.end(), [&](const Sample& s) { return s.distance <= touch_; });
                if (first == all.end()) continue;
                const bool at_once = first == all.begin();
                const double begin =
                    at_once ? 0.0 : bisect(pair, moving, (first - 1)->fraction, first->fraction, touch_);
                event = {pair, start + begin, 0, at_once, false};
                open = true;
            }
            if (all.back().distance <= release_) continue;
            std::size_t last = all.size() - 1;
            while (last > 0 && all[last].distance > release_) --last;
            event.end = start + bisect(pair, moving, all[last + 1].fraction, all[last].fraction, release_);
            out.push_back(event);
            open = false;
        }
        if (!open) return;
        event.end = static_cast<double>(scene_.frames() - 1);
        event.lasts = true;
        out.push_back(event);
    }

    double at(int k) const { return static_cast<double>(k) / steps_; }

    // About an angle: a direction is a triangle's, but for the rounding of the closest points.
    static constexpr double kAdmitted = 1e-7;

    const tools::Scene& scene_;
    double touch_;
    double release_;
    int steps_;
    std::vector<reference::OracleHull> hulls_;        // empty ones for surfaces
    std::vector<reference::OracleSurface> surfaces_;  // empty ones for hulls
    std::vector<tools::SceneFrame> frames_;
};

}  // namespace lanefold::test
