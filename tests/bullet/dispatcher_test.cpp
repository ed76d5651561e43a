// SPDX-License-Identifier: MIT
//
// Bullet on lanefold's manifolds (examples/bullet): what Bullet's manifolds hold, that impulses stay with their points,
// what happens to shapes that lanefold does not take, and that stack and pile stand.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>

#include "bullet/demo_world.hpp"
#include "bullet/lanefold_dispatcher.hpp"

namespace {

// Objects at given poses; collide() runs broad phase and narrowphase, nothing moves.
template <class Dispatcher>
struct Scene {
    btDefaultCollisionConfiguration configuration;
    Dispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    Scene() = default;
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;
    ~Scene() {
        for (const auto& object : objects) world.removeCollisionObject(object.get());
    }
    btCollisionObject& add(btCollisionShape& shape, const btVector3& x, const btQuaternion& q = {0, 0, 0, 1}) {
        objects.push_back(std::make_unique<btCollisionObject>());
        objects.back()->setCollisionShape(&shape);
        objects.back()->setWorldTransform(btTransform(q, x));
        objects.back()->setCollisionFlags(0);  // so that the broad phase takes it for a body that moves
        world.addCollisionObject(objects.back().get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
        return *objects.back();
    }
    void collide() { world.performDiscreteCollisionDetection(); }
    std::vector<btManifoldPoint> points() {
        std::vector<btManifoldPoint> all;
        for (int k = 0; k < dispatcher.getNumManifolds(); ++k) {
            const btPersistentManifold& m = *dispatcher.getManifoldByIndexInternal(k);
            for (int i = 0; i < m.getNumContacts(); ++i) all.push_back(m.getContactPoint(i));
        }
        return all;
    }
};
using Ours = Scene<LanefoldDispatcher>;
using Bullets = Scene<btCollisionDispatcher>;

std::unique_ptr<btConvexHullShape> cube(btScalar half, btScalar margin) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (int k = 0; k < 8; ++k)
        shape->addPoint({(k & 1) ? half : -half, (k & 2) ? half : -half, (k & 4) ? half : -half}, false);
    shape->recalcLocalAabb();
    shape->setMargin(margin);
    return shape;
}

double deepest(const std::vector<btManifoldPoint>& points) {
    double lowest = 1e9;
    for (const auto& p : points) lowest = std::min(lowest, double(p.getDistance()));
    return lowest;
}

TEST(BulletDispatcher, ManifoldHasNormalPointsAndDistanceAsBulletMeansThem) {
    const auto shape = cube(1, 0);
    Ours scene;
    scene.add(*shape, {0, 0, 0});
    scene.add(*shape, {btScalar(0.5), btScalar(1.9), 0});
    scene.collide();
    ASSERT_TRUE(scene.dispatcher.result().status) << scene.dispatcher.result().status.what;
    ASSERT_EQ(scene.dispatcher.getNumManifolds(), 1);
    const auto points = scene.points();
    ASSERT_EQ(points.size(), 4U);
    std::set<std::pair<int, int>> corners;
    for (const auto& p : points) {
        EXPECT_NEAR(double(p.getDistance()), -0.1, 1e-6);
        EXPECT_NEAR(double(p.m_normalWorldOnB.y()), -1, 1e-6);  // from B, the upper one, to A
        EXPECT_NEAR(double(p.getPositionWorldOnA().y()), 1, 1e-6);
        EXPECT_NEAR(double(p.getPositionWorldOnB().y()), 0.9, 1e-6);
        EXPECT_NEAR(double(p.m_localPointA.y()), 1, 1e-6);
        EXPECT_NEAR(double(p.m_localPointB.y()), -1, 1e-6);
        corners.insert({int(std::lround(2 * double(p.getPositionWorldOnA().x()))),
                        int(std::lround(double(p.getPositionWorldOnA().z())))});
    }
    EXPECT_EQ(corners, (std::set<std::pair<int, int>>{{-1, -1}, {-1, 1}, {2, -1}, {2, 1}}));
}

// The body of a hull with a margin is larger by it, in Bullet and here, and a box is not.
TEST(BulletDispatcher, MarginsMeanWhatTheyMeanInBullet) {
    const auto hull = cube(btScalar(0.46), btScalar(0.04));
    btBoxShape box(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5)));
    const std::pair<btCollisionShape*, btCollisionShape*> pairs[] = {
        {hull.get(), hull.get()}, {hull.get(), &box}, {&box, &box}};
    for (const auto& [below, above] : pairs) {
        for (const double gap : {0.005, -0.01}) {
            Ours ours;
            Bullets bullets;
            const btVector3 up(btScalar(0.1), btScalar(1 + gap), btScalar(-0.05));
            for (auto* shape : {below, above}) {
                ours.add(*shape, shape == below && ours.objects.empty() ? btVector3(0, 0, 0) : up);
                bullets.add(*shape, shape == below && bullets.objects.empty() ? btVector3(0, 0, 0) : up);
            }
            ours.collide();
            bullets.collide();
            ASSERT_EQ(ours.points().size(), 4U);
            EXPECT_NEAR(deepest(ours.points()), gap, 1e-5);
            if (below == &box && gap > 0) continue;  // Bullet's algorithm for two boxes has points of overlaps only
            ASSERT_GE(bullets.points().size(), 1U);
            EXPECT_NEAR(deepest(bullets.points()), gap, 2e-3);
        }
    }
}

TEST(BulletDispatcher, PointsKeepImpulsesLifeTimeAndUserData) {
    const auto shape = cube(1, 0);
    Ours scene;
    scene.add(*shape, {0, 0, 0});
    btCollisionObject& upper = scene.add(*shape, {btScalar(0.25), btScalar(1.95), btScalar(0.125)});
    scene.collide();
    btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(0);
    ASSERT_EQ(manifold.getNumContacts(), 4);
    int tag[4];
    std::set<int> ids;
    for (int i = 0; i < 4; ++i) {
        btManifoldPoint& p = manifold.getContactPoint(i);
        p.m_appliedImpulse = btScalar(10 + i);
        p.m_appliedImpulseLateral1 = btScalar(20 + i);
        p.m_userPersistentData = &tag[i];
        ids.insert(p.m_partId0);
        EXPECT_EQ(p.getLifeTime(), 1);
    }
    EXPECT_EQ(ids.size(), 4U);
    // Further than Bullet's threshold for the same point, about 3 cm here. The features that meet are the same.
    upper.getWorldTransform().setOrigin({btScalar(0.4), btScalar(1.96), btScalar(0.2)});
    scene.collide();
    ASSERT_EQ(manifold.getNumContacts(), 4);
    for (int i = 0; i < 4; ++i) {
        const btManifoldPoint& p = manifold.getContactPoint(i);
        EXPECT_EQ(p.m_appliedImpulse, btScalar(10 + i));
        EXPECT_EQ(p.m_appliedImpulseLateral1, btScalar(20 + i));
        EXPECT_EQ(p.m_userPersistentData, &tag[i]);
        EXPECT_EQ(ids.count(p.m_partId0), 1U);
        EXPECT_EQ(p.getLifeTime(), 2);
        EXPECT_NEAR(double(p.getDistance()), -0.04, 1e-6);
    }
    EXPECT_EQ(scene.dispatcher.points_kept(), 4U);
    // Turned by a right angle other features meet, and nothing of the old points is left.
    for (int i = 0; i < 4; ++i) manifold.getContactPoint(i).m_userPersistentData = nullptr;
    upper.getWorldTransform().setRotation(btQuaternion({1, 0, 0}, SIMD_HALF_PI));
    scene.collide();
    ASSERT_EQ(manifold.getNumContacts(), 4);
    int kept = 0;
    for (int i = 0; i < 4; ++i) kept += manifold.getContactPoint(i).m_appliedImpulse != 0 ? 1 : 0;
    EXPECT_LT(kept, 4);
    // Apart: no points.
    upper.getWorldTransform().setOrigin({0, btScalar(2.04), 0});
    scene.collide();
    EXPECT_EQ(manifold.getNumContacts(), 0);
}

int started = 0, ended = 0;

TEST(BulletDispatcher, CallbacksComeOnceAsContactsBeginAndEnd) {
    const auto shape = cube(1, 0);
    Ours scene;
    scene.add(*shape, {0, 0, 0});
    btCollisionObject& upper = scene.add(*shape, {0, btScalar(1.95), 0});
    started = ended = 0;
    gContactStartedCallback = [](btPersistentManifold* const&) { ++started; };
    gContactEndedCallback = [](btPersistentManifold* const&) { ++ended; };
    for (int k = 0; k < 3; ++k) {
        upper.getWorldTransform().setRotation(btQuaternion({1, 0, 0}, SIMD_HALF_PI * btScalar(k)));
        scene.collide();
        EXPECT_EQ(started, 1);
        EXPECT_EQ(ended, 0);
    }
    upper.getWorldTransform().setOrigin({0, btScalar(2.04), 0});
    scene.collide();
    EXPECT_EQ(ended, 1);
    gContactStartedCallback = nullptr;
    gContactEndedCallback = nullptr;
}

TEST(BulletDispatcher, OtherShapesKeepBulletsAlgorithmsAndChildrenOfCompoundsAreHulls) {
    const auto shape = cube(1, 0);
    btSphereShape sphere(1);
    auto flat = std::make_unique<btConvexHullShape>();
    for (int k = 0; k < 4; ++k) flat->addPoint({btScalar((k & 1) ? 1 : -1), 0, btScalar((k & 2) ? 1 : -1)});
    btCompoundShape compound;
    compound.addChildShape(btTransform({0, 0, 0, 1}, {-3, 0, 0}), shape.get());
    compound.addChildShape(btTransform({0, 0, 0, 1}, {3, 0, 0}), shape.get());

    Ours scene;
    scene.add(*shape, {0, 0, 0});
    scene.add(sphere, {0, btScalar(1.95), 0});
    scene.add(*shape, {100, 0, 0});
    scene.add(*flat, {100, btScalar(1.0), 0});
    scene.add(compound, {200, 0, 0});
    scene.add(*shape, {203, btScalar(1.9), 0});
    scene.collide();
    EXPECT_EQ(scene.dispatcher.result().pairs, 1U);  // the right child and the cube upon it
    EXPECT_EQ(scene.dispatcher.result().touching, 1U);
    std::set<int> places;
    int of_child = 0;
    for (const auto& p : scene.points()) {
        const int place = int(std::lround(double(p.getPositionWorldOnA().x()) / 100));
        places.insert(place);
        if (place == 2) {
            ++of_child;
            EXPECT_EQ(std::max(p.m_index0, p.m_index1), 1);  // the second child
            EXPECT_NEAR(double(p.getDistance()), -0.1, 1e-6);
            EXPECT_NEAR(std::abs(double(p.m_localPointA.x()) - double(p.m_localPointB.x())), 3, 1e-5);
        }
    }
    EXPECT_EQ(places, (std::set<int>{0, 1, 2}));
    EXPECT_EQ(of_child, 4);
}

// A shape that is scaled, and a new shape at the address of a deleted one.
TEST(BulletDispatcher, ChangedShapesAreNoticed) {
    alignas(16) static std::byte memory[sizeof(btConvexHullShape)];
    Ours scene;
    const auto ground = cube(1, 0);
    scene.add(*ground, {0, 0, 0});
    const auto put = [&](btScalar half) {
        auto* shape = new (memory) btConvexHullShape();
        const auto from = cube(half, 0);
        for (int k = 0; k < from->getNumPoints(); ++k) shape->addPoint(from->getUnscaledPoints()[k]);
        shape->setMargin(0);
        return shape;
    };
    auto* first = put(1);
    scene.add(*first, {0, btScalar(1.9), 0});
    scene.collide();
    EXPECT_NEAR(deepest(scene.points()), -0.1, 1e-6);
    first->setLocalScaling({btScalar(1.05), btScalar(1.05), btScalar(1.05)});
    scene.collide();
    EXPECT_NEAR(deepest(scene.points()), -0.15, 1e-6);
    scene.world.removeCollisionObject(scene.objects.back().get());
    scene.objects.pop_back();
    first->~btConvexHullShape();
    auto* second = put(btScalar(0.95));
    scene.add(*second, {0, btScalar(1.9), 0});
    scene.collide();
    EXPECT_NEAR(deepest(scene.points()), -0.05, 1e-6);
    scene.dispatcher.forget(second);
    scene.collide();
    EXPECT_NEAR(deepest(scene.points()), -0.05, 1e-6);
    scene.world.removeCollisionObject(scene.objects.back().get());
    scene.objects.pop_back();
    second->~btConvexHullShape();
}

TEST(BulletDispatcher, BodyWithoutAPoseHasNoContactsAndTheOthersKeepTheirs) {
    const auto shape = cube(1, 0);
    Ours scene;
    scene.add(*shape, {0, 0, 0});
    btCollisionObject& middle = scene.add(*shape, {0, btScalar(1.95), 0});
    scene.add(*shape, {0, btScalar(3.9), 0});
    scene.add(*shape, {btScalar(1.95), 0, 0});
    scene.collide();
    const auto before = scene.points().size();
    ASSERT_GE(before, 12U);
    middle.getWorldTransform().setOrigin({0, std::numeric_limits<btScalar>::quiet_NaN(), 0});
    scene.dispatcher.dispatchAllCollisionPairs(scene.broadphase.getOverlappingPairCache(),
                                               scene.world.getDispatchInfo(), &scene.dispatcher);
    EXPECT_TRUE(scene.dispatcher.result().status);
    EXPECT_GE(scene.dispatcher.result().by_status[int(lanefold::Status::bad_pose)], 2U);
    EXPECT_GE(scene.points().size(), 4U);
    EXPECT_LT(scene.points().size(), before);
}

// A ghost object has its own pair cache and asks the dispatcher for its pairs alone.
TEST(BulletDispatcher, GhostObjectsAskForTheirPairsAlone) {
    const auto shape = cube(1, 0);
    Ours scene;
    btGhostPairCallback callback;
    scene.broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(&callback);
    scene.add(*shape, {0, 0, 0});
    scene.add(*shape, {50, 0, 0});
    btPairCachingGhostObject ghost;
    ghost.setCollisionShape(shape.get());
    ghost.setWorldTransform(btTransform({0, 0, 0, 1}, {0, btScalar(1.9), 0}));
    scene.world.addCollisionObject(&ghost, btBroadphaseProxy::SensorTrigger, btBroadphaseProxy::AllFilter);
    scene.dispatcher.dispatchAllCollisionPairs(ghost.getOverlappingPairCache(), scene.world.getDispatchInfo(),
                                               &scene.dispatcher);
    ASSERT_EQ(ghost.getOverlappingPairCache()->getNumOverlappingPairs(), 1);
    btManifoldArray manifolds;
    ghost.getOverlappingPairCache()->getOverlappingPairArray()[0].m_algorithm->getAllContactManifolds(manifolds);
    ASSERT_EQ(manifolds.size(), 1);
    EXPECT_EQ(manifolds[0]->getNumContacts(), 4);
    scene.world.removeCollisionObject(&ghost);
}

TEST(BulletDemo, StackStandsByBoth) {
    demo::World bullets(demo::Narrowphase::bullet), ours(demo::Narrowphase::lanefold_one);
    for (demo::World* world : {&bullets, &ours}) {
        world->add_stack(10, true);
        world->run(600);
        EXPECT_LT(world->largest_fall(), 0.05);
        EXPECT_LT(world->largest_drift(), 0.3);
        EXPECT_LT(world->mean_speed(), 1e-3);  // asleep
        EXPECT_GE(world->contacts().manifolds, 10);
        std::printf("drift %.1f mm, sunk %.1f mm, %d points\n", 1e3 * world->largest_drift(),
                    1e3 * world->largest_fall(), world->contacts().points);
    }
    EXPECT_EQ(ours.contacts().points, 40);
    ASSERT_NE(ours.lanefold(), nullptr);
    EXPECT_EQ(bullets.lanefold(), nullptr);
    EXPECT_GT(ours.lanefold()->points_kept(), 10 * ours.lanefold()->points_new());
}

TEST(BulletDemo, PileStaysInTheBinByBothWithContactsOfLanefold) {
    demo::World bullets(demo::Narrowphase::bullet), ours(demo::Narrowphase::lanefold);
    for (demo::World* world : {&bullets, &ours}) {
        world->add_pile(150, 3);
        world->run(180);
        const demo::Contacts contacts = world->contacts();
        std::printf("%d manifolds, %d points, deepest %.2f mm\n", contacts.manifolds, contacts.points,
                    1e3 * contacts.deepest);
        EXPECT_EQ(world->escaped(), 0);
        EXPECT_LT(world->mean_speed(), 0.5);
        EXPECT_GT(contacts.manifolds, 300);
        EXPECT_LT(contacts.deepest, 0.05);
    }
    // Every manifold comes from lanefold, and none is filled that the batch did not call touching.
    const lanefold::BatchResult& last = ours.lanefold()->result();
    ASSERT_TRUE(last.status);
    EXPECT_EQ(last.by_status[int(lanefold::Status::ok)], last.pairs);
    EXPECT_LE(ours.contacts().manifolds, int(last.touching));
    EXPECT_GE(ours.contacts().manifolds, int(0.95 * double(last.touching)));
}

TEST(BulletDemo, NumberOfThreadsChangesNothing) {
    demo::World one(demo::Narrowphase::lanefold_one), all(demo::Narrowphase::lanefold);
    for (demo::World* world : {&one, &all}) {
        world->add_pile(100, 5);
        world->run(90);
    }
    ASSERT_EQ(one.bodies().size(), 100U);
    for (std::size_t k = 0; k < one.bodies().size(); ++k)
        EXPECT_EQ(one.bodies()[k]->getWorldTransform().getOrigin(), all.bodies()[k]->getWorldTransform().getOrigin());
}

}  // namespace
