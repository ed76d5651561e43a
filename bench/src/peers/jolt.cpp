// SPDX-License-Identifier: MIT
//
// Jolt Physics: convex hull shapes through its dispatch for two shapes, then the manifold between the two supporting
// faces, pruned to four points, as in its physics system. One setting has convex radius 0, the other the default
// radius, which rounds the hulls.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollector.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ManifoldBetweenTwoFaces.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/RegisterTypes.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

void start_jolt() {
    static const bool started = [] {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        JPH::RegisterTypes();
        return true;
    }();
    static_cast<void>(started);
}

// Keeps the deepest hit; two convex shapes give at most one.
class Hit final : public JPH::CollideShapeCollector {
public:
    void AddHit(const JPH::CollideShapeResult& result) override {
        result_ = &slot_;
        slot_ = result;
    }
    void Reset() override {
        result_ = nullptr;
        JPH::CollideShapeCollector::Reset();
    }
    const JPH::CollideShapeResult* result() const { return result_; }

private:
    JPH::CollideShapeResult slot_;
    const JPH::CollideShapeResult* result_ = nullptr;
};

class Jolt final : public RecordingEngine {
public:
    explicit Jolt(bool rounded) : radius_(rounded ? JPH::cDefaultConvexRadius : 0.0F) { start_jolt(); }

    EngineInfo info() const override {
        EngineInfo i;
        i.id = radius_ > 0 ? "jolt-rounded" : "jolt";
        i.title = radius_ > 0 ? "Jolt, default radius" : "Jolt, radius 0";
        i.version = std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
                    std::to_string(JPH_VERSION_PATCH);
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
        std::size_t refused = 0;
        for (const PolyHull& h : scene.polyhedra) {
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
            const JPH::Shape* shape = shapes_[b.hull];
            const JPH::Quat q(b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]);
            const JPH::Vec3 p(b.position[0], b.position[1], b.position[2]);
            transforms_.push_back(JPH::Mat44::sRotationTranslation(q.Normalized(), p) *
                                  JPH::Mat44::sTranslation(shape->GetCenterOfMass()));
            body_shape_.push_back(shape);
        }
    }

    void collide(std::span<const Pair> pairs) override {
        JPH::CollideShapeSettings settings;
        settings.mMaxSeparationDistance = static_cast<float>(kDefaultMargin);
        settings.mCollectFacesMode = JPH::ECollectFacesMode::CollectFaces;
        const JPH::PhysicsSettings physics;
        const float reach = static_cast<float>(kDefaultMargin) + physics.mManifoldTolerance;
        Hit hit;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            PeerManifold& out = records_[i];
            out.count = 0;
            // Relative to body a's centre, as its physics system does it.
            const JPH::Mat44& ta = transforms_[pairs[i].a];
            const JPH::Vec3 base = ta.GetTranslation();
            const JPH::Mat44 local_a = ta.PostTranslated(-base);
            const JPH::Mat44 local_b = transforms_[pairs[i].b].PostTranslated(-base);
            hit.Reset();
            JPH::CollisionDispatch::sCollideShapeVsShape(body_shape_[pairs[i].a], body_shape_[pairs[i].b],
                                                         JPH::Vec3::sOne(), JPH::Vec3::sOne(), local_a, local_b, {}, {},
                                                         settings, hit);
            if (hit.result() != nullptr) store(*hit.result(), reach, out);
        }
    }

private:
    static void store(const JPH::CollideShapeResult& r, float reach, PeerManifold& out) {
        JPH::ContactPoints on1;
        JPH::ContactPoints on2;
        JPH::ManifoldBetweenTwoFaces(r.mContactPointOn1, r.mContactPointOn2, r.mPenetrationAxis, reach, r.mShape1Face,
                                     r.mShape2Face, on1, on2 JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
        const JPH::Vec3 n = r.mPenetrationAxis.NormalizedOr(JPH::Vec3::sAxisY());
        if (on1.size() > 4) JPH::PruneContactPoints(n, on1, on2 JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
        out.normal[0] = n.GetX();
        out.normal[1] = n.GetY();
        out.normal[2] = n.GetZ();
        out.distance = -r.mPenetrationDepth;
        out.count = static_cast<std::uint32_t>(on1.size());
        for (JPH::uint k = 0; k < on1.size() && k < 4; ++k) {
            const JPH::Vec3 middle = 0.5F * (on1[k] + on2[k]);
            out.points[k] = {{middle.GetX(), middle.GetY(), middle.GetZ()}, (on2[k] - on1[k]).Dot(n)};
        }
    }

    float radius_;
    std::vector<JPH::Ref<JPH::Shape>> shapes_;
    std::vector<const JPH::Shape*> body_shape_;
    std::vector<JPH::Mat44> transforms_;
};

}  // namespace

void add_jolt(EngineList& list) {
    list.push_back(std::make_unique<Jolt>(false));
    list.push_back(std::make_unique<Jolt>(true));
}

}  // namespace lanefold::bench
