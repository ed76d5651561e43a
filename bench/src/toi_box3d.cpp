// SPDX-License-Identifier: MIT
//
// Box3D's time of impact, for lanefold_toi. It holds hulls apart by its linear slop of 5 mm, within a quarter of that.
#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <cmath>

#include "toi_engine.hpp"

namespace lanefold::bench {
namespace {

class Box3DToi final : public ToiEngine {
public:
    std::string title() const override {
        const b3Version v = b3GetVersion();
        return "Box3D " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.revision);
    }
    std::string settings() const override { return "b3TimeOfImpact of the vertices, float32"; }
    Turn turn() const override { return Turn::lerp; }

    std::string prepare(const ToiScene& scene) override {
        scene_ = &scene;
        points_.clear();
        sweeps_.clear();
        for (std::uint32_t h = 0; h < scene.hulls.size(); ++h) {
            std::vector<b3Vec3>& points = points_.emplace_back();
            for (const Vec3f& v : scene.hulls.vertices(h)) points.push_back({v.x, v.y, v.z});
            if (points.size() > B3_MAX_SHAPE_CAST_POINTS) return "a hull has too many vertices";
        }
        for (const LanefoldMotion& m : scene.bodies) sweeps_.push_back(sweep_of(m));
        return {};
    }

    void impacts(std::span<LanefoldImpact> out) override {
        for (std::size_t i = 0; i < out.size(); ++i) {
            const LanefoldAdapterPair pair = scene_->pairs[i];
            b3TOIInput input;
            input.proxyA = proxy_of(pair.a);
            input.proxyB = proxy_of(pair.b);
            input.sweepA = sweeps_[pair.a];
            input.sweepB = sweeps_[pair.b];
            input.maxFraction = 1;
            const b3TOIOutput o = b3TimeOfImpact(&input);
            out[i] = {o.fraction, finding(o.state)};
        }
    }

private:
    static b3Sweep sweep_of(const LanefoldMotion& m) {
        const double w[3] = {m.spin[0], m.spin[1], m.spin[2]};
        const double angle = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        const auto s = static_cast<float>(angle > 0 ? std::sin(angle / 2) / angle : 0);
        const b3Quat turn = {{s * m.spin[0], s * m.spin[1], s * m.spin[2]}, static_cast<float>(std::cos(angle / 2))};
        b3Sweep out{};
        out.c1 = {m.position[0], m.position[1], m.position[2]};
        out.c2 = {m.position[0] + m.shift[0], m.position[1] + m.shift[1], m.position[2] + m.shift[2]};
        out.q1 = b3NormalizeQuat({{m.orientation[0], m.orientation[1], m.orientation[2]}, m.orientation[3]});
        out.q2 = b3NormalizeQuat(b3MulQuat(turn, out.q1));
        return out;
    }
    b3ShapeProxy proxy_of(std::uint32_t body) const {
        const std::vector<b3Vec3>& points = points_[scene_->bodies[body].hull];
        return {points.data(), static_cast<int>(points.size()), 0};
    }
    static int finding(b3TOIState state) {
        switch (state) {
            case b3_toiStateHit:
                return LANEFOLD_TOI_HIT;
            case b3_toiStateSeparated:
                return LANEFOLD_TOI_MISS;
            case b3_toiStateOverlapped:
                return LANEFOLD_TOI_OVERLAPPING;
            default:
                return LANEFOLD_TOI_FAILED;
        }
    }

    const ToiScene* scene_ = nullptr;
    std::vector<std::vector<b3Vec3>> points_;
    std::vector<b3Sweep> sweeps_;
};

}  // namespace

std::unique_ptr<ToiEngine> box3d_toi() { return std::make_unique<Box3DToi>(); }

}  // namespace lanefold::bench
