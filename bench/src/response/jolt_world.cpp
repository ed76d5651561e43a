// SPDX-License-Identifier: MIT
//
// A standing scene in Jolt Physics: box shapes for boxes along their axes, convex hull shapes for everything else, both
// with the convex radius that is its default, or the largest that fits into a box.
#include "peers/jolt_start.hpp"

#include <algorithm>
#include <vector>

#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include "response/world.hpp"

namespace lanefold::bench {
namespace {

JPH::Vec3 vector_of(const float* v) { return {v[0], v[1], v[2]}; }
JPH::Vec3 to_jolt(const Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
template <class V>
Vec3d from_jolt(const V& v) {
    return {static_cast<double>(v.GetX()), static_cast<double>(v.GetY()), static_cast<double>(v.GetZ())};
}

// Layers of still and of moving bodies. Pairs of still ones are not looked for.
constexpr JPH::ObjectLayer kStill = 0, kMoving = 1;
constexpr JPH::uint kLayers = 2;

struct Layers {
    JPH::BroadPhaseLayerInterfaceTable broad{kLayers, kLayers};
    JPH::ObjectLayerPairFilterTable pairs{kLayers};

    Layers() {
        broad.MapObjectToBroadPhaseLayer(kStill, JPH::BroadPhaseLayer(0));
        broad.MapObjectToBroadPhaseLayer(kMoving, JPH::BroadPhaseLayer(1));
        pairs.EnableCollision(kStill, kMoving);
        pairs.EnableCollision(kMoving, kMoving);
    }
};

// Its memory comes from the allocator that start_jolt() sets, so that comes first.
struct Started {
    Started() { start_jolt(); }
};

class JoltWorld final : public ResponseWorld {
public:
    JoltWorld(const test::StandingScene& scene, std::uint32_t steps, bool sleep)
        : steps_(static_cast<int>(steps)), against_(layers_.broad, kLayers, layers_.pairs, kLayers) {
        // A pile has a few neighbours a body; more than this is told by Update().
        const auto most = static_cast<JPH::uint>(scene.bodies.size() * 32 + 1024);
        system_.Init(static_cast<JPH::uint>(scene.bodies.size()), 0, most, most, layers_.broad, against_,
                     layers_.pairs);
        system_.SetGravity({0, -9.81F, 0});
        for (std::size_t h = 0; h < scene.hulls.size(); ++h) shapes_.push_back(make_shape(scene.hulls, h));
        for (const RigidBody& body : scene.bodies) add(body, sleep);
        system_.OptimizeBroadPhase();
    }

    void step(double dt) override { system_.Update(static_cast<float>(dt), steps_, &memory_, &jobs_); }
    Vec3d position(std::size_t body) const override { return from_jolt(bodies().GetPosition(bodies_[body])); }
    Quat orientation(std::size_t body) const override {
        const JPH::Quat q = bodies().GetRotation(bodies_[body]);
        return {static_cast<double>(q.GetX()), static_cast<double>(q.GetY()), static_cast<double>(q.GetZ()),
                static_cast<double>(q.GetW())};
    }
    Vec3d velocity(std::size_t body) const override { return from_jolt(bodies().GetLinearVelocity(bodies_[body])); }
    Vec3d spin(std::size_t body) const override { return from_jolt(bodies().GetAngularVelocity(bodies_[body])); }

private:
    const JPH::BodyInterface& bodies() const { return system_.GetBodyInterfaceNoLock(); }

    static JPH::ShapeRefC make_shape(const HullSet& hulls, std::size_t hull) {
        const HullRecord& record = hulls[hull];
        if (record.is_box() && (record.flags & HullRecord::kRotated) == 0) {
            const JPH::Vec3 half = vector_of(record.half_extent);
            const JPH::ShapeRefC box = new JPH::BoxShape(half, std::min(JPH::cDefaultConvexRadius, half.ReduceMin()));
            const JPH::Vec3 centre = to_jolt(hulls.info(hull).mass.centre_of_mass);
            if (centre == JPH::Vec3::sZero()) return box;
            return new JPH::RotatedTranslatedShape(centre, JPH::Quat::sIdentity(), box);
        }
        JPH::Array<JPH::Vec3> points;
        for (const Vec3f& v : hulls.vertices(hull)) points.emplace_back(v.x, v.y, v.z);
        return JPH::ConvexHullShapeSettings(points).Create().Get();
    }

    void add(const RigidBody& body, bool sleep) {
        const bool moves = body.kind == BodyKind::dynamic;
        const JPH::RVec3 at(static_cast<JPH::Real>(body.position[0]), static_cast<JPH::Real>(body.position[1]),
                            static_cast<JPH::Real>(body.position[2]));
        const float* q = body.orientation;
        JPH::BodyCreationSettings settings(shapes_[body.hull], at, JPH::Quat(q[0], q[1], q[2], q[3]),
                                           moves ? JPH::EMotionType::Dynamic : JPH::EMotionType::Static,
                                           moves ? kMoving : kStill);
        settings.mFriction = body.friction;
        settings.mRestitution = body.restitution;
        settings.mAllowSleeping = sleep;
        if (moves) {
            settings.mLinearVelocity = vector_of(body.velocity);
            settings.mAngularVelocity = vector_of(body.spin);
            // Shapes have Jolt's own density; the mass is the scene's, and the inertia goes with it.
            settings.mOverrideMassProperties = JPH::EOverrideMassProperties::CalculateInertia;
            settings.mMassPropertiesOverride.mMass =
                settings.GetShape()->GetMassProperties().mMass * body.density / JPH::ConvexHullShapeSettings().mDensity;
        }
        bodies_.push_back(system_.GetBodyInterfaceNoLock().CreateAndAddBody(settings, JPH::EActivation::Activate));
    }

    int steps_;
    Started started_;
    Layers layers_;
    JPH::ObjectVsBroadPhaseLayerFilterTable against_;
    JPH::TempAllocatorImpl memory_{64 << 20};
    JPH::JobSystemSingleThreaded jobs_{JPH::cMaxPhysicsJobs};
    JPH::PhysicsSystem system_;
    std::vector<JPH::ShapeRefC> shapes_;
    std::vector<JPH::BodyID> bodies_;
};

}  // namespace

std::unique_ptr<ResponseWorld> make_jolt_world(const test::StandingScene& scene, std::uint32_t steps, bool sleep) {
    return std::make_unique<JoltWorld>(scene, steps, sleep);
}

std::string jolt_version() { return jolt_version_text(); }

}  // namespace lanefold::bench
