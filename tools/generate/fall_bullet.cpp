// SPDX-License-Identifier: MIT
//
// One bin in Bullet.

#include "generate/fall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>

#include <btBulletDynamicsCommon.h>

#include <lanefold/detail/hull_block.hpp>

namespace lanefold::tools {

namespace {

// Thickness that Bullet adds around a hull, in metres; below a millimetre its contact search turns unreliable.
constexpr double kHullMargin = 0.002;
// Share of that thickness by which a hull is made smaller first, measured at its inscribed sphere. With 1 all resting
// contacts would overlap a little, with 0 all would show a gap. Between the two there are some of both, as in the
// simulations of users.
constexpr double kHullShrink = 0.8;
constexpr double kBoxMargin = 0.01;  // inside a box shape, so it makes no gap

// Metres that a body may move between two searches for contacts. A body that moves further enters what it hits by as
// much. Whole steps at 7 m/s make overlaps of 10 to 20 cm, and small bodies go through the floor. At 3 cm overlaps are
// one or two centimetres, for 40% more time. More iterations of the solver do not help.
constexpr double kMostMove = 0.03;
// Enough for the fall at 7 m/s. In a large pile some body is always faster; more parts for its sake would double the
// time of the whole simulation.
constexpr int kMostParts = 2;

btVector3 to_bullet(const Vec3d& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

// The radius of the largest sphere inside the hull around the centre of mass, which is the input origin.
double inscribed_radius(const HullRecord& record) {
    const detail::HullView view(record);
    const Vec3d centre = Vec3d{} - view.internal_to_input().position;
    double least = std::numeric_limits<double>::max();
    for (std::uint32_t f = 0; f < record.face_count; ++f) {
        least = std::min(least, static_cast<double>(view.offset(f)) - dot(view.normal(f), centre));
    }
    return std::max(least, 2 * kHullMargin);
}

// All bodies of a hull share one shape.
std::unique_ptr<btCollisionShape> make_shape(const HullSet& hulls, std::uint32_t hull) {
    const HullRecord& record = hulls[hull];
    if (record.is_box() && (record.flags & HullRecord::kRotated) == 0) {
        auto box = std::make_unique<btBoxShape>(
            btVector3(record.half_extent[0], record.half_extent[1], record.half_extent[2]));
        box->setMargin(static_cast<btScalar>(kBoxMargin));
        return box;
    }
    auto shape = std::make_unique<btConvexHullShape>();
    const auto scale = static_cast<btScalar>(1.0 - kHullShrink * kHullMargin / inscribed_radius(record));
    for (const Vec3f& v : hulls.vertices(hull)) shape->addPoint(btVector3(v.x, v.y, v.z) * scale, false);
    shape->recalcLocalAabb();
    shape->setMargin(static_cast<btScalar>(kHullMargin));
    return shape;
}

class BulletWorld : public FallWorld {
public:
    explicit BulletWorld(const FallRequest& request);
    ~BulletWorld() override;
    BulletWorld(const BulletWorld&) = delete;
    BulletWorld& operator=(const BulletWorld&) = delete;

    void step() override;
    double fastest() const override;
    Pose pose(std::size_t body) const override;

private:
    btRigidBody& add(btCollisionShape& shape, double mass, const btVector3& inertia, const btTransform& pose);

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::unordered_map<std::uint32_t, std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionShape>> slab_shapes_;
    std::vector<std::unique_ptr<btRigidBody>> slabs_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

BulletWorld::BulletWorld(const FallRequest& request)
    : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const Bin& bin = request.bin;
    const HullSet& hulls = request.hulls;
    world_.setGravity(btVector3(0, static_cast<btScalar>(-kGravity), 0));
    for (const Slab& slab : bin.slabs) {
        slab_shapes_.push_back(std::make_unique<btBoxShape>(to_bullet(slab.half)));
        btTransform pose(btQuaternion::getIdentity(), to_bullet(slab.centre));
        slabs_.emplace_back(&add(*slab_shapes_.back(), 0, btVector3(0, 0, 0), pose));
    }
    for (std::size_t i = 0; i < bin.start.size(); ++i) {
        const std::uint32_t hull = request.body_hull[i];
        std::unique_ptr<btCollisionShape>& shape = shapes_[hull];
        if (!shape) shape = make_shape(hulls, hull);
        const MassProperties& mass = hulls.info(hull).mass;
        // Bullet takes a diagonal inertia only: the products of inertia are left out.
        const Mat3d& inertia = mass.inertia;
        const btVector3 diagonal = to_bullet(Vec3d{inertia.row[0].x, inertia.row[1].y, inertia.row[2].z} * kDensity);
        const StartPose& start = bin.start[i];
        const Quat& q = start.orientation;
        const btTransform pose(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                            static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                               to_bullet(start.position));
        btRigidBody& body = add(*shape, mass.volume * kDensity, diagonal, pose);
        bodies_.emplace_back(&body);
        body.setLinearVelocity(to_bullet(start.velocity));
        body.setAngularVelocity(to_bullet(start.spin));
        body.setDamping(static_cast<btScalar>(kLinearDamping), static_cast<btScalar>(kAngularDamping));
        body.setSleepingThresholds(btScalar(0.1), btScalar(0.2));
    }
}

btRigidBody& BulletWorld::add(btCollisionShape& shape, double mass, const btVector3& inertia, const btTransform& pose) {
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, &shape, inertia);
    info.m_startWorldTransform = pose;
    info.m_friction = btScalar(kFriction);
    auto body = std::make_unique<btRigidBody>(info);
    world_.addRigidBody(body.get());
    return *body.release();
}

BulletWorld::~BulletWorld() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    for (const auto& slab : slabs_) world_.removeRigidBody(slab.get());
}

void BulletWorld::step() {
    const double parts = std::ceil(fastest() * kStep / kMostMove);
    const int count = static_cast<int>(std::clamp(parts, 1.0, static_cast<double>(kMostParts)));
    for (int i = 0; i < count; ++i) world_.stepSimulation(static_cast<btScalar>(kStep / count), 0);
}

FallWorld::Pose BulletWorld::pose(std::size_t body) const {
    const btTransform& pose = bodies_[body]->getWorldTransform();
    const btVector3& p = pose.getOrigin();
    const btQuaternion q = pose.getRotation().normalized();
    const auto d = [](btScalar x) { return static_cast<double>(x); };
    return {{d(p.x()), d(p.y()), d(p.z())}, {d(q.x()), d(q.y()), d(q.z()), d(q.w())}};
}

double BulletWorld::fastest() const {
    double most = 0;
    for (const auto& body : bodies_) {
        if (body->isActive()) most = std::max(most, static_cast<double>(body->getLinearVelocity().length()));
    }
    return most;
}

}  // namespace

std::unique_ptr<FallWorld> make_bullet_world(const FallRequest& request) {
    return std::make_unique<BulletWorld>(request);
}

}  // namespace lanefold::tools
