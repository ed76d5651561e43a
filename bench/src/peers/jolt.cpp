// SPDX-License-Identifier: MIT
//
// Jolt Physics: convex hull shapes through its dispatch for two shapes, then the manifold between the two supporting
// faces, pruned to four points, as in its physics system. One setting has convex radius 0, another the default radius,
// which rounds the hulls, and the third has box shapes of radius 0.
#include <Jolt/Jolt.h>

#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollector.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ManifoldBetweenTwoFaces.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/PhysicsSettings.h>

#include "peers/engine.hpp"
#include "peers/jolt_start.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

// Makes the manifold of a hit where it is reported, as Jolt's physics system does: a result is a kilobyte large, and a
// copy of it would count. Two convex shapes give at most one hit.
class Hit final : public JPH::CollideShapeCollector {
public:
    explicit Hit(float reach) : reach_(reach) {}
    void record_into(PeerManifold& out) {
        out_ = &out;
        Reset();
    }
    void AddHit(const JPH::CollideShapeResult& r) override {
        JPH::ContactPoints on1;
        JPH::ContactPoints on2;
        JPH::ManifoldBetweenTwoFaces(r.mContactPointOn1, r.mContactPointOn2, r.mPenetrationAxis, reach_, r.mShape1Face,
                                     r.mShape2Face, on1, on2 JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
        const JPH::Vec3 n = r.mPenetrationAxis.NormalizedOr(JPH::Vec3::sAxisY());
        if (on1.size() > 4) JPH::PruneContactPoints(n, on1, on2 JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
        out_->normal[0] = n.GetX();
        out_->normal[1] = n.GetY();
        out_->normal[2] = n.GetZ();
        out_->distance = -r.mPenetrationDepth;
        out_->count = static_cast<std::uint32_t>(on1.size());
        for (JPH::uint k = 0; k < on1.size() && k < 4; ++k) {
            const JPH::Vec3 middle = 0.5F * (on1[k] + on2[k]);
            out_->points[k] = {{middle.GetX(), middle.GetY(), middle.GetZ()}, (on2[k] - on1[k]).Dot(n)};
        }
    }

private:
    float reach_;
    PeerManifold* out_ = nullptr;
};

enum class Variant { hulls, rounded, boxes };

class Jolt final : public RecordingEngine {
public:
    explicit Jolt(Variant variant)
        : variant_(variant), radius_(variant == Variant::rounded ? JPH::cDefaultConvexRadius : 0.0F) {
        start_jolt();
    }

    EngineInfo info() const override {
        EngineInfo i;
        const char* const ids[] = {"jolt", "jolt-rounded", "jolt-box"};
        const char* const titles[] = {"Jolt, radius 0", "Jolt, default radius", "Jolt box shapes"};
        i.id = ids[static_cast<int>(variant_)];
        i.title = titles[static_cast<int>(variant_)];
        i.version = jolt_version_text();
        i.build = LANEFOLD_PEER_BUILD;
        i.settings =
            "CollisionDispatch + ManifoldBetweenTwoFaces + PruneContactPoints, max separation 0.02 m, "
            "manifold tolerance 0.001 m, convex radius at most " +
            std::to_string(radius_) + " m";
        i.margin = kDefaultMargin;
        i.rounded = radius_ > 0;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        shapes_.clear();
        frames_.clear();
        std::size_t refused = 0;
        for (const PolyHull& h : scene.polyhedra) {
            if (variant_ == Variant::boxes) {
                if (!h.is_box) return "boxes only";
                shapes_.push_back(new JPH::BoxShape(
                    JPH::Vec3(static_cast<float>(h.half_extent.x), static_cast<float>(h.half_extent.y),
                              static_cast<float>(h.half_extent.z)),
                    0.0F));
                frames_.push_back({h.axes, h.centre});
                continue;
            }
            JPH::Array<JPH::Vec3> points;
            for (const Vec3f& v : h.vertices) points.push_back(JPH::Vec3(v.x, v.y, v.z));
            JPH::ConvexHullShapeSettings settings(points, radius_);
            settings.mHullTolerance = 1e-6F;  // its default drops vertices within 1 mm of a face
            const JPH::ShapeSettings::ShapeResult result = settings.Create();
            if (result.HasError()) {
                ++refused;
                continue;
            }
            shapes_.push_back(result.Get());
            const JPH::Vec3 c = shapes_.back()->GetCenterOfMass();
            frames_.push_back({Mat3d{}, {c.GetX(), c.GetY(), c.GetZ()}});
        }
        if (refused != 0) {
            return "refuses " + std::to_string(refused) + " of " + std::to_string(scene.polyhedra.size()) + " hulls";
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        transforms_.clear();
        body_shape_.clear();
        for (const Body& b : frame.bodies) {
            // The pose of the shape's centre of mass.
            const PoseD p = body_pose(b, frames_[b.hull].position);
            const Mat3d r = p.rotation * frames_[b.hull].rotation;
            JPH::Mat44 transform = JPH::Mat44::sTranslation(vector(p.position));
            for (int c = 0; c < 3; ++c) transform.SetColumn3(static_cast<JPH::uint>(c), vector(column(r, c)));
            transforms_.push_back(transform);
            body_shape_.push_back(shapes_[b.hull].GetPtr());
        }
    }

    void collide(std::span<const Pair> pairs) override {
        JPH::CollideShapeSettings settings;
        settings.mMaxSeparationDistance = static_cast<float>(kDefaultMargin);
        settings.mCollectFacesMode = JPH::ECollectFacesMode::CollectFaces;
        const JPH::PhysicsSettings physics;
        Hit hit(static_cast<float>(kDefaultMargin) + physics.mManifoldTolerance);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            PeerManifold& out = records_[i];
            out.count = 0;
            // Relative to body a's centre, as its physics system does it.
            const JPH::Mat44& ta = transforms_[pairs[i].a];
            const JPH::Vec3 base = ta.GetTranslation();
            const JPH::Mat44 local_a = ta.PostTranslated(-base);
            const JPH::Mat44 local_b = transforms_[pairs[i].b].PostTranslated(-base);
            hit.record_into(out);
            JPH::CollisionDispatch::sCollideShapeVsShape(body_shape_[pairs[i].a], body_shape_[pairs[i].b],
                                                         JPH::Vec3::sOne(), JPH::Vec3::sOne(), local_a, local_b, {}, {},
                                                         settings, hit);
        }
    }

private:
    static JPH::Vec3 vector(const Vec3d& v) {
        return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    }

    Variant variant_;
    float radius_;
    std::vector<JPH::Ref<JPH::Shape>> shapes_;
    std::vector<PoseD> frames_;  // input from shape frame
    std::vector<const JPH::Shape*> body_shape_;
    std::vector<JPH::Mat44> transforms_;
};

}  // namespace

void add_jolt(EngineList& list) {
    list.push_back(std::make_unique<Jolt>(Variant::hulls));
    list.push_back(std::make_unique<Jolt>(Variant::rounded));
    list.push_back(std::make_unique<Jolt>(Variant::boxes));
}

}  // namespace lanefold::bench
