// SPDX-License-Identifier: MIT
//
// lanefold on one thread: the compact call on all pairs of a body and the terrain.
#include <algorithm>
#include <stdexcept>

#include <lanefold/narrowphase.hpp>

#include "ground/terrain.hpp"

namespace lanefold::bench {
namespace {

class LanefoldGround final : public GroundEngine {
public:
    std::string name() const override { return "lanefold"; }

    void prepare(const GroundScene& scene) override {
        scene_ = &scene;
        pairs_.clear();
        const auto ground = static_cast<std::uint32_t>(scene.bodies.size() - 1);
        for (std::uint32_t i = 0; i < ground; ++i) pairs_.push_back({i, ground});
        out_.resize(64);
    }

    void run() override {
        Options options;
        options.margin = scene_->margin;
        options.threads = 1;
        for (;;) {
            result_ = collide_compact(scene_->hulls, BodyView(scene_->bodies), pairs_, options,
                                      std::span<Manifold4>(out_), workspace_);
            if (result_.status) return;
            if (result_.status.code != Status::truncated) throw std::runtime_error(result_.status.what);
            out_.resize(result_.required);
        }
    }

    std::vector<GroundPoint> points(std::size_t body) const override {
        std::vector<GroundPoint> points;
        const auto end = out_.begin() + static_cast<std::ptrdiff_t>(result_.written);
        auto at = std::lower_bound(out_.begin(), end, body,
                                   [](const Manifold4& m, std::size_t wanted) { return m.pair[0] < wanted; });
        for (; at != end && at->pair[0] == body; ++at) {
            const Manifold4& m = *at;
            for (std::uint32_t k = 0; k < m.count; ++k) {
                const Vec3f n{m.normal[0], m.normal[1], m.normal[2]};
                points.push_back({to_double(n) * -1.0, static_cast<double>(m.points[k].separation)});
            }
        }
        return points;
    }

private:
    const GroundScene* scene_ = nullptr;
    std::vector<Pair> pairs_;
    std::vector<Manifold4> out_;
    CompactResult result_;
    Workspace workspace_;
};

}  // namespace

std::unique_ptr<GroundEngine> make_lanefold_ground() { return std::make_unique<LanefoldGround>(); }

}  // namespace lanefold::bench
