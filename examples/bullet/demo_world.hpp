// SPDX-License-Identifier: MIT
//
// The demo's scenes in a Bullet world, by Bullet's own narrowphase or by lanefold's. Everything else is the same: the
// bodies, broad phase, solver and settings are Bullet's defaults. Metres, kilograms, seconds; y is up.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "lanefold_dispatcher.hpp"

namespace demo {

enum class Narrowphase : std::uint8_t {
    bullet,           // GJK and EPA: a point a step, gathered over steps
    bullet_clipping,  // shapes with initializePolyhedralFeatures(): Bullet clips faces
    lanefold_one,     // one thread
    lanefold,         // all cores
};

// Medians over the steps.
struct Measured {
    double narrowphase_ms = 0;
    double step_ms = 0;
};
struct Contacts {
    int manifolds = 0;  // with points
    int points = 0;
    double deepest = 0;  // overlap, metres
};

class World {
public:
    explicit World(Narrowphase narrowphase);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // Cubes of 1 m upon each other on a floor, as convex hulls. sleep: Bullet's default; bodies at rest are left alone.
    void add_stack(int cubes, bool sleep);
    // Rocks of 12 to 24 points and about 0.6 m, in layers above a bin of four walls. Each rock is a shape of its own.
    // They never sleep, so that every step has all contacts.
    void add_pile(int rocks, std::uint32_t seed);

    // So many steps of 1/60 s.
    Measured run(int steps);

    Contacts contacts() const;
    const std::vector<std::unique_ptr<btRigidBody>>& bodies() const { return bodies_; }
    btVector3 start(std::size_t body) const { return start_[body]; }
    // The largest ways of all moving bodies from the start: to the side, and down.
    double largest_drift() const;
    double largest_fall() const;
    double mean_speed() const;
    // Bodies below the floor or outside the bin.
    int escaped() const;
    // Null with Bullet's narrowphase.
    const LanefoldDispatcher* lanefold() const { return dynamic_cast<const LanefoldDispatcher*>(dispatcher_.get()); }

private:
    void add(btCollisionShape& shape, btScalar mass, const btVector3& position, bool sleep = false);
    btCollisionShape& keep(std::unique_ptr<btCollisionShape> shape);
    btCollisionShape& hull(const std::vector<btVector3>& points);

    Narrowphase narrowphase_;
    double narrowphase_s_ = 0;
    double bin_ = 0;  // half its width; 0: none
    btDefaultCollisionConfiguration configuration_;
    std::unique_ptr<btCollisionDispatcher> dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;  // those that move
    std::vector<std::unique_ptr<btRigidBody>> fixed_;
    std::vector<btVector3> start_;
};

}  // namespace demo
