// SPDX-License-Identifier: MIT
//
// See exact.hpp.
#include "measure/exact.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "measure/quality.hpp"

namespace lanefold::bench {
namespace {

PoseD pose(const Body& body) {
    const double p[3] = {static_cast<double>(body.position[0]), static_cast<double>(body.position[1]),
                         static_cast<double>(body.position[2])};
    return reference::oracle_pose(p, body.orientation);
}

}  // namespace

ExactFrames::ExactFrames(const Scene& scene) : scene_(scene) {}

const reference::OracleHull& ExactFrames::hull(std::uint32_t id) const {
    auto [at, fresh] = hulls_.try_emplace(id);
    if (fresh) at->second = reference::make_oracle_hull(scene_.hulls.vertices(id), scene_.hulls[id].round_radius);
    return at->second;
}

void ExactFrames::set_frame(const Frame& frame, double reach) {
    frame_ = &frame;
    Options options;
    options.margin = static_cast<float>(reach);
    options.face_preference = 0;
    options.threads = 1;
    distances_.resize(frame.pairs.size());
    const BatchResult r = collide(scene_.hulls, BodyView(std::span<const Body>(frame.bodies)), frame.pairs, options,
                                  std::span<PairDistance>(distances_), workspace_);
    if (!r.status) throw std::runtime_error(std::string("the strict call failed: ") + r.status.what);
}

double ExactFrames::check(std::size_t k) const {
    double worst = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
        if (distances_[i].kind == ContactKind::none || seen++ % k != 0) continue;
        const Body& a = frame_->bodies[frame_->pairs[i].a];
        const Body& b = frame_->bodies[frame_->pairs[i].b];
        const reference::OracleHull& ha = hull(a.hull);
        const reference::OracleHull& hb = hull(b.hull);
        const double truth = reference::signed_distance(ha, pose(a), hb, pose(b)).distance;
        const double error = std::fabs(static_cast<double>(distances_[i].distance) - truth);
        worst = std::max(worst, error / std::max(ha.size, hb.size));
    }
    return worst;
}

void ExactFrames::count(const Engine& engine, Wrongs& out) const {
    const double margin = engine.info().margin;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
        const bool known = distances_[i].kind != ContactKind::none;
        const double truth = static_cast<double>(distances_[i].distance);
        const PeerManifold m = engine.result(i);
        ++out.pairs;
        out.touching += known && truth <= margin ? 1U : 0U;
        if (m.count == 0) {
            out.missing += known && truth < margin - kMarginBand ? 1U : 0U;
            continue;
        }
        if (!known || truth > margin + kMarginBand) {
            ++out.extra;
            continue;
        }
        if (truth >= 0) continue;
        ++out.overlapping;
        const double good = std::max(kGoodAbsolute, kGoodRelative * -truth);
        out.wrong_depth += std::fabs(static_cast<double>(m.distance) - truth) > good ? 1U : 0U;
        const Body& a = frame_->bodies[frame_->pairs[i].a];
        const Body& b = frame_->bodies[frame_->pairs[i].b];
        const Vec3d n{static_cast<double>(m.normal[0]), static_cast<double>(m.normal[1]),
                      static_cast<double>(m.normal[2])};
        const double size = length(n);
        const bool right =
            size > 0 &&
            truth - reference::separation_along(hull(a.hull), pose(a), hull(b.hull), pose(b), n * (1.0 / size)) <= good;
        out.wrong_normal += right ? 0U : 1U;
    }
}

}  // namespace lanefold::bench
