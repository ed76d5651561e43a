// SPDX-License-Identifier: MIT
//
// Bullet: its convex-concave algorithm, with a btBvhTriangleMeshShape or a btHeightfieldTerrainShape, an algorithm and
// an empty manifold of four points per body. Boxes are its boxes, spheres and capsules its own; rocks are hulls with no
// margin.
#include <algorithm>
#include <cmath>

#include <btBulletCollisionCommon.h>

#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include "ground/terrain.hpp"

namespace lanefold::bench {
namespace {

btScalar scalar(double x) { return static_cast<btScalar>(x); }

std::unique_ptr<btConvexShape> shape_of(const GroundShape& s) {
    switch (s.kind) {
        case GroundShape::Kind::box:
            return std::make_unique<btBoxShape>(btVector3(scalar(s.half.x), scalar(s.half.y), scalar(s.half.z)));
        case GroundShape::Kind::sphere:
            return std::make_unique<btSphereShape>(scalar(s.radius));
        case GroundShape::Kind::capsule:
            return std::make_unique<btCapsuleShapeX>(scalar(s.radius), scalar(2 * s.half.x));
        case GroundShape::Kind::rock:
            break;
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3f& p : s.points) hull->addPoint(btVector3(p.x, p.y, p.z), false);
    hull->recalcLocalAabb();
    hull->setMargin(0);
    return hull;
}

class BulletGround final : public GroundEngine {
public:
    BulletGround() : dispatcher_(&configuration_) {}

    std::string name() const override { return "bullet"; }

    void prepare(const GroundScene& scene) override {
        terrain_ = scene.terrain;
        make_ground();
        ground_.setCollisionShape(shape_.get());
        ground_.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, middle_)));
        ground_.setContactProcessingThreshold(scalar(static_cast<double>(scene.margin)));
        bodies_.clear();
        shapes_.clear();
        for (const GroundShape& s : scene.shapes) shapes_.push_back(shape_of(s));
        for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i) {
            const BodyD& b = scene.bodies[i];
            auto object = std::make_unique<btCollisionObject>();
            object->setCollisionShape(shapes_[b.hull].get());
            object->setWorldTransform(
                btTransform(btQuaternion(b.orientation[0], b.orientation[1], b.orientation[2], b.orientation[3]),
                            btVector3(scalar(b.position[0]), scalar(b.position[1]), scalar(b.position[2]))));
            object->setContactProcessingThreshold(scalar(static_cast<double>(scene.margin)));
            bodies_.push_back(std::move(object));
        }
        points_.assign(bodies_.size(), {});
    }

    void run() override {
        const btDispatcherInfo info;
        const btCollisionAlgorithmConstructionInfo construction(&dispatcher_, 0);
        const btCollisionObjectWrapper ground(nullptr, shape_.get(), &ground_, ground_.getWorldTransform(), -1, -1);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            btCollisionObject* const body = bodies_[i].get();
            const btCollisionObjectWrapper wrapper(nullptr, body->getCollisionShape(), body, body->getWorldTransform(),
                                                   -1, -1);
            btManifoldResult result(&wrapper, &ground);
            btConvexConcaveCollisionAlgorithm algorithm(construction, &wrapper, &ground, false);
            algorithm.processCollision(&wrapper, &ground, info, &result);
            btManifoldArray found;
            algorithm.getAllContactManifolds(found);
            points_[i].clear();
            for (int m = 0; m < found.size(); ++m) store(*found[m], body, points_[i]);
        }
    }

    std::vector<GroundPoint> points(std::size_t body) const override { return points_[body]; }

private:
    static void store(const btPersistentManifold& manifold, const btCollisionObject* body,
                      std::vector<GroundPoint>& out) {
        const double sign = manifold.getBody0() == body ? 1 : -1;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btManifoldPoint& p = manifold.getContactPoint(k);
            const btVector3& n = p.m_normalWorldOnB;
            out.push_back(
                {Vec3d{static_cast<double>(n.x()), static_cast<double>(n.y()), static_cast<double>(n.z())} * sign,
                 static_cast<double>(p.getDistance())});
        }
    }

    void make_ground() {
        middle_ = 0;
        if (terrain_->field) {
            const auto [low, high] = std::minmax_element(terrain_->heights.begin(), terrain_->heights.end());
            const auto n = static_cast<int>(terrain_->cells + 1);
            middle_ = (*low + *high) / 2;
            auto field = std::make_unique<btHeightfieldTerrainShape>(n, n, terrain_->heights.data(), 1, *low, *high, 2,
                                                                     PHY_FLOAT, true);
            field->setLocalScaling(btVector3(scalar(terrain_->cell), scalar(terrain_->cell), 1));
            shape_ = std::move(field);
            return;
        }
        mesh_ = std::make_unique<btTriangleIndexVertexArray>(
            static_cast<int>(terrain_->triangles.size()),
            reinterpret_cast<int*>(const_cast<std::uint32_t*>(terrain_->triangles.data()->data())),
            static_cast<int>(sizeof terrain_->triangles[0]), static_cast<int>(terrain_->points.size()),
            const_cast<btScalar*>(reinterpret_cast<const btScalar*>(terrain_->points.data())),
            static_cast<int>(sizeof terrain_->points[0]));
        shape_ = std::make_unique<btBvhTriangleMeshShape>(mesh_.get(), true);
    }

    static_assert(sizeof(btScalar) == sizeof(float));

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    const Terrain* terrain_ = nullptr;
    std::unique_ptr<btTriangleIndexVertexArray> mesh_;
    std::unique_ptr<btConcaveShape> shape_;
    float middle_ = 0;
    btCollisionObject ground_;
    std::vector<std::unique_ptr<btConvexShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> bodies_;
    std::vector<std::vector<GroundPoint>> points_;
};

}  // namespace

std::unique_ptr<GroundEngine> make_bullet_ground() { return std::make_unique<BulletGround>(); }

}  // namespace lanefold::bench
