// SPDX-License-Identifier: MIT
//
// Bullet: its convex-convex algorithm in three settings (GJK + EPA alone, one contact; GJK + EPA for the normal and
// clipping of polyhedral features for the points; separating axes with clipping), and its box-box algorithm. Shape
// margin 0, contact breaking threshold 20 mm, an empty manifold per pair. Spheres, capsules and planes are Bullet's own
// shapes with its algorithms for them; a rounded hull has its radius as shape margin.
#include <algorithm>
#include <cmath>

#include <btBulletCollisionCommon.h>

#include <BulletCollision/CollisionDispatch/btBoxBoxCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

enum class Variant { gjk, clip, sat, boxes };

// All pairs of edges are tested with full projections, so a pair of 64 vertices takes milliseconds.
constexpr std::size_t kMaxSatVertices = 48;
// Polyhedral features need a hull computation per shape.
constexpr std::size_t kMaxFeatureHulls = 4000;

class Bullet final : public RecordingEngine {
public:
    explicit Bullet(Variant variant) : variant_(variant), dispatcher_(&configuration_) {}

    EngineInfo info() const override {
        const char* const ids[] = {"bullet-gjk", "bullet", "bullet-sat", "bullet-box"};
        const char* const titles[] = {"Bullet GJK+EPA, one contact", "Bullet GJK+EPA + clipping",
                                      "Bullet SAT + clipping", "Bullet box-box"};
        const char* const settings[] = {"btConvexConvexAlgorithm, GJK + EPA, no perturbation",
                                        "btConvexConvexAlgorithm, polyhedral features, GJK + EPA",
                                        "btConvexConvexAlgorithm, polyhedral features, m_enableSatConvex",
                                        "btBoxBoxCollisionAlgorithm"};
        const int v = static_cast<int>(variant_);
        EngineInfo i;
        i.id = ids[v];
        i.title = titles[v];
        i.version = std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = std::string(settings[v]) + ", shape margin 0, contact breaking threshold 0.02 m";
        i.margin = variant_ == Variant::boxes ? 0.0 : kDefaultMargin;
        i.precision = sizeof(btScalar) == 8 ? "float64" : "float32";
        i.max_points = variant_ == Variant::gjk ? 1 : 4;
        return i;
    }

    bool takes_rounded() const override { return variant_ == Variant::clip || variant_ == Variant::gjk; }

    std::string prepare(const Scene& scene) override {
        rounded_ = !scene.is_sharp();
        shapes_.clear();
        frames_.clear();
        objects_.clear();
        const bool features = variant_ == Variant::clip || variant_ == Variant::sat;
        if (features && scene.polyhedra.size() > kMaxFeatureHulls) return "not tried: more than 4000 hulls";
        for (const PolyHull& h : scene.polyhedra) {
            if (variant_ == Variant::boxes && !h.is_box) return "boxes only";
            if (variant_ == Variant::sat && h.vertices.size() > kMaxSatVertices) {
                return "not tried: hulls of more than 48 vertices";
            }
            // Beside round shapes a box is Bullet's box: it has a support of its own.
            const bool as_box = variant_ == Variant::boxes || (rounded_ && h.is_box && h.radius == 0);
            frames_.push_back({as_box ? h.axes : frame_of(h), h.centre});
            shapes_.push_back(as_box ? make_box(h) : make_shape(h, features));
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        objects_.clear();
        for (const Body& b : frame.bodies) {
            const PoseD p = body_pose(b, frames_[b.hull].position);
            const Mat3d r = p.rotation * frames_[b.hull].rotation;
            auto object = std::make_unique<btCollisionObject>();
            object->setCollisionShape(shapes_[b.hull].get());
            object->setWorldTransform(
                btTransform(btMatrix3x3(scalar(r.row[0].x), scalar(r.row[0].y), scalar(r.row[0].z), scalar(r.row[1].x),
                                        scalar(r.row[1].y), scalar(r.row[1].z), scalar(r.row[2].x), scalar(r.row[2].y),
                                        scalar(r.row[2].z)),
                            btVector3(scalar(p.position.x), scalar(p.position.y), scalar(p.position.z))));
            object->setContactProcessingThreshold(scalar(kDefaultMargin));
            objects_.push_back(std::move(object));
        }
    }

    void collide(std::span<const Pair> pairs) override {
        btDispatcherInfo info;
        info.m_enableSatConvex = variant_ == Variant::sat;
        btPersistentManifold manifold;
        manifold.setContactBreakingThreshold(scalar(kDefaultMargin));
        manifold.setContactProcessingThreshold(scalar(kDefaultMargin));
        btCollisionAlgorithmConstructionInfo construction(&dispatcher_, 0);
        construction.m_manifold = &manifold;
        btGjkEpaPenetrationDepthSolver solver;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const btCollisionObject* a = objects_[pairs[i].a].get();
            const btCollisionObject* b = objects_[pairs[i].b].get();
            const btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a, a->getWorldTransform(), -1, -1);
            const btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b, b->getWorldTransform(), -1, -1);
            manifold.clearManifold();
            // The plane is the second body of Bullet's manifolds.
            const bool plane_is_a = is_of(a, STATIC_PLANE_PROXYTYPE);
            manifold.setBodies(plane_is_a ? b : a, plane_is_a ? a : b);
            btManifoldResult result(&wa, &wb);
            result.setPersistentManifold(&manifold);
            result.m_closestPointDistanceThreshold = scalar(kDefaultMargin);
            if (variant_ == Variant::boxes) {
                btBoxBoxCollisionAlgorithm algorithm(&manifold, construction, &wa, &wb);
                algorithm.processCollision(&wa, &wb, info, &result);
            } else if (is_of(a, SPHERE_SHAPE_PROXYTYPE) && is_of(b, SPHERE_SHAPE_PROXYTYPE)) {
                btSphereSphereCollisionAlgorithm algorithm(&manifold, construction, &wa, &wb);
                algorithm.processCollision(&wa, &wb, info, &result);
            } else if (plane_is_a || is_of(b, STATIC_PLANE_PROXYTYPE)) {
                btConvexPlaneCollisionAlgorithm algorithm(&manifold, construction, &wa, &wb, plane_is_a, 0, 0);
                algorithm.processCollision(&wa, &wb, info, &result);
            } else {
                btConvexConvexAlgorithm algorithm(&manifold, construction, &wa, &wb, &solver, 0, 0);
                algorithm.processCollision(&wa, &wb, info, &result);
            }
            store(manifold, plane_is_a, records_[i]);
        }
    }

private:
    static btScalar scalar(double x) { return static_cast<btScalar>(x); }

    static bool is_of(const btCollisionObject* object, int type) {
        return object->getCollisionShape()->getShapeType() == type;
    }

    // Bullet's capsules are along y.
    static Mat3d frame_of(const PolyHull& h) {
        if (!h.is_capsule()) return {};
        const Vec3d y = normalized(to_double(h.vertices[1]) - to_double(h.vertices[0]));
        const Vec3d x = normalized(std::fabs(y.x) < 0.7 ? cross(y, Vec3d{1, 0, 0}) : cross(y, Vec3d{0, 1, 0}));
        return transpose(Mat3d{{x, y, cross(x, y)}});
    }

    static std::unique_ptr<btCollisionShape> make_shape(const PolyHull& h, bool features) {
        if (h.half_space) {
            const Vec3d n = h.normals[0];
            return std::make_unique<btStaticPlaneShape>(btVector3(scalar(n.x), scalar(n.y), scalar(n.z)),
                                                        scalar(h.offsets[0]));
        }
        if (h.is_sphere()) return std::make_unique<btSphereShape>(scalar(h.radius));
        if (h.is_capsule()) {
            const double along = length(to_double(h.vertices[1]) - to_double(h.vertices[0]));
            return std::make_unique<btCapsuleShape>(scalar(h.radius), scalar(along));
        }
        return make_hull(h, features);
    }

    static std::unique_ptr<btConvexShape> make_hull(const PolyHull& h, bool features) {
        auto shape = std::make_unique<btConvexHullShape>();
        for (const Vec3f& v : h.vertices) {
            const Vec3d p = to_double(v) - h.centre;
            shape->addPoint(btVector3(scalar(p.x), scalar(p.y), scalar(p.z)), false);
        }
        shape->recalcLocalAabb();
        shape->setMargin(scalar(h.radius));
        if (features) shape->initializePolyhedralFeatures();
        return shape;
    }

    static std::unique_ptr<btConvexShape> make_box(const PolyHull& h) {
        const Vec3d e = h.half_extent;
        return std::make_unique<btBoxShape>(btVector3(scalar(e.x), scalar(e.y), scalar(e.z)));
    }

    // `swapped`: the manifold's first body is b.
    static void store(const btPersistentManifold& manifold, bool swapped, PeerManifold& out) {
        const int count = manifold.getNumContacts();
        out.count = static_cast<std::uint32_t>(count);
        if (count == 0) return;
        int deepest = 0;
        for (int k = 0; k < count; ++k) {
            const btManifoldPoint& p = manifold.getContactPoint(k);
            if (p.getDistance() < manifold.getContactPoint(deepest).getDistance()) deepest = k;
            const btVector3 middle = btScalar(0.5) * (p.getPositionWorldOnA() + p.getPositionWorldOnB());
            for (int c = 0; c < 3; ++c) out.points[k].position[c] = static_cast<float>(middle[c]);
            out.points[k].separation = static_cast<float>(p.getDistance());
        }
        const btManifoldPoint& p = manifold.getContactPoint(deepest);
        out.distance = static_cast<float>(p.getDistance());
        // Bullet's normal is on the second body, towards the first.
        for (int c = 0; c < 3; ++c)
            out.normal[c] = static_cast<float>(swapped ? p.m_normalWorldOnB[c] : -p.m_normalWorldOnB[c]);
    }

    Variant variant_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    bool rounded_ = false;  // the scene is
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<PoseD> frames_;  // input from shape frame
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

void add_bullet(EngineList& list) {
    list.push_back(std::make_unique<Bullet>(Variant::clip));
    list.push_back(std::make_unique<Bullet>(Variant::sat));
    list.push_back(std::make_unique<Bullet>(Variant::gjk));
    list.push_back(std::make_unique<Bullet>(Variant::boxes));
}

}  // namespace lanefold::bench
