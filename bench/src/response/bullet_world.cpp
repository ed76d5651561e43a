// SPDX-License-Identifier: MIT
//
// A standing scene in Bullet. A body's origin is moved to its centre of mass, about which Bullet wants it; boxes along
// their axes are Bullet's boxes, everything else its convex hulls.
#include <algorithm>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "response/world.hpp"

namespace lanefold::bench {
namespace {

btVector3 to_bullet(const Vec3d& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
Vec3d from_bullet(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}
// Hulls thinner than twice this, in metres, have Bullet's safe margin instead of its 4 cm.
constexpr float kSmall = 0.02F;

btVector3 vector_of(const float* v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }

class BulletWorld : public ResponseWorld {
public:
    BulletWorld(const test::StandingScene& scene, std::uint32_t substeps, bool sleep)
        : substeps_(substeps),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        world_.setGravity({0, btScalar(-9.81), 0});
        for (std::size_t h = 0; h < scene.hulls.size(); ++h) shapes_.push_back(make_shape(scene.hulls, h));
        for (const RigidBody& body : scene.bodies) add(scene.hulls, body, sleep);
        for (const BodyLink& link : scene.links) add(scene, link);
    }
    ~BulletWorld() override {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    BulletWorld(const BulletWorld&) = delete;
    BulletWorld& operator=(const BulletWorld&) = delete;

    void step(double dt) override {
        for (std::uint32_t s = 0; s < substeps_; ++s) world_.stepSimulation(static_cast<btScalar>(dt / substeps_), 0);
    }
    Vec3d position(std::size_t body) const override {
        return from_bullet(bodies_[body]->getWorldTransform() * to_bullet(centre_[body] * -1.0));
    }
    Quat orientation(std::size_t body) const override {
        const btQuaternion q = bodies_[body]->getWorldTransform().getRotation().normalized();
        return {static_cast<double>(q.x()), static_cast<double>(q.y()), static_cast<double>(q.z()),
                static_cast<double>(q.w())};
    }
    Vec3d velocity(std::size_t body) const override { return from_bullet(bodies_[body]->getLinearVelocity()); }
    Vec3d spin(std::size_t body) const override { return from_bullet(bodies_[body]->getAngularVelocity()); }

private:
    static std::unique_ptr<btCollisionShape> make_shape(const HullSet& hulls, std::size_t hull) {
        const HullRecord& record = hulls[hull];
        if (record.is_box() && (record.flags & HullRecord::kRotated) == 0) {
            return std::make_unique<btBoxShape>(
                btVector3(record.half_extent[0], record.half_extent[1], record.half_extent[2]));
        }
        auto shape = std::make_unique<btConvexHullShape>();
        const Vec3f centre = to_float(hulls.info(hull).mass.centre_of_mass);
        for (const Vec3f& v : hulls.vertices(hull))
            shape->addPoint(btVector3(v.x - centre.x, v.y - centre.y, v.z - centre.z), false);
        shape->recalcLocalAabb();
        // The default margin would make a coin a ball; the safe one is a tenth of the smallest half extent.
        if (smallest(record) < kSmall) shape->setSafeMargin(static_cast<btScalar>(smallest(record)));
        return shape;
    }
    static float smallest(const HullRecord& record) {
        return std::min({record.half_extent[0], record.half_extent[1], record.half_extent[2]});
    }

    void add(const HullSet& hulls, const RigidBody& body, bool sleep) {
        const MassProperties& unit = hulls.info(body.hull).mass;
        const bool moves = body.kind == BodyKind::dynamic;
        const double given =
            body.mass > 0 ? static_cast<double>(body.mass) : static_cast<double>(body.density) * unit.volume;
        const double mass = moves ? given : 0;
        // Bullet wants principal axes along the body's: the products of inertia are left out.
        const Vec3d inertia =
            Vec3d{unit.inertia.row[0].x, unit.inertia.row[1].y, unit.inertia.row[2].z} * (mass / unit.volume);
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shapes_[body.hull].get(),
                                                      to_bullet(inertia));
        const float* q = body.orientation;
        info.m_startWorldTransform = btTransform(btQuaternion(q[0], q[1], q[2], q[3]),
                                                 to_bullet({body.position[0], body.position[1], body.position[2]})) *
                                     btTransform(btQuaternion::getIdentity(), to_bullet(unit.centre_of_mass));
        // Bullet multiplies the coefficients of a pair, lanefold takes their geometric mean.
        info.m_friction = btSqrt(btScalar(body.friction));
        info.m_restitution = btScalar(body.restitution);
        auto made = std::make_unique<btRigidBody>(info);
        made->setLinearVelocity(vector_of(body.velocity));
        made->setAngularVelocity(vector_of(body.spin));
        if (!sleep) made->setActivationState(DISABLE_DEACTIVATION);
        if (body.collides_with == 0) {
            world_.addRigidBody(made.get(), 0, 0);
        } else {
            world_.addRigidBody(made.get());
        }
        bodies_.push_back(std::move(made));
        centre_.push_back(unit.centre_of_mass);
    }

    // Bullet has no rods: a ball joint midway in the link.
    void add(const test::StandingScene& scene, const BodyLink& link) {
        const auto place = [&](std::uint32_t body) {
            const double* p = scene.bodies[body].position;
            return Vec3d{p[0], p[1], p[2]};
        };
        const Vec3d from = place(link.a) + link.end_a;
        const Vec3d to = link.b == kWorldAnchor ? link.end_b : place(link.b) + link.end_b;
        const Vec3d middle = (from + to) * 0.5;
        const auto pivot = [&](std::uint32_t body) { return to_bullet(middle - place(body) - centre_[body]); };
        if (link.b == kWorldAnchor) {
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(*bodies_[link.a], pivot(link.a)));
        } else {
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(*bodies_[link.a], *bodies_[link.b],
                                                                        pivot(link.a), pivot(link.b)));
        }
        world_.addConstraint(joints_.back().get());
    }

    std::uint32_t substeps_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> joints_;
    std::vector<Vec3d> centre_;
};

}  // namespace

std::unique_ptr<ResponseWorld> make_bullet_world(const test::StandingScene& scene, std::uint32_t substeps, bool sleep) {
    return std::make_unique<BulletWorld>(scene, substeps, sleep);
}

std::string bullet_version() {
    const int v = btGetVersion();
    return std::to_string(v / 100) + "." + std::to_string(v % 100);
}

}  // namespace lanefold::bench
