// SPDX-License-Identifier: MIT
//
// lanefold as the narrowphase of a Bullet world. Copy this header and lanefold_dispatcher.cpp into a program, and give
// the world a LanefoldDispatcher in place of its btCollisionDispatcher. Nothing else changes: Bullet's broad phase
// finds the pairs, its filters and callbacks apply, and its solver moves the bodies.
//
// Pairs of convex hulls and boxes, also as children of compounds, get their manifolds from lanefold; all other pairs of
// shapes keep Bullet's algorithms. Bullet asks for one pair after the other. The algorithm of a pair only notes it, and
// when Bullet has asked for all of them, one call of lanefold computes them.
//
// A contact point is the same in two steps if its feature id is the same. It keeps Bullet's impulses (warm start), its
// life time and the user's data. The pair's algorithm owns lanefold's memory of the pair. Bullet deletes it
// when the bodies part, so it never meets another pair.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <btBulletCollisionCommon.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>

class LanefoldAlgorithm;

class LanefoldDispatcher : public btCollisionDispatcher {
public:
    // threads: the most that lanefold uses; 0: all of the caller's tbb::task_arena. Results do not depend on it.
    explicit LanefoldDispatcher(btCollisionConfiguration* configuration, std::uint32_t threads = 0);
    ~LanefoldDispatcher() override;
    LanefoldDispatcher(const LanefoldDispatcher&) = delete;
    LanefoldDispatcher& operator=(const LanefoldDispatcher&) = delete;

    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override;

    // The counts of the last batch: pairs, touching pairs, points, pairs with a pose that is no pose. If `status` is
    // not ok the manifolds are those of the step before.
    const lanefold::BatchResult& result() const { return result_; }
    // Contact points since the dispatcher was made: whose impulses were kept, and which began.
    std::uint64_t points_kept() const { return points_kept_; }
    std::uint64_t points_new() const { return points_new_; }

    // Frees the hull of a shape that is deleted. Optional: a new shape at an old address is recognised.
    void forget(const btCollisionShape* shape);

private:
    friend class LanefoldAlgorithm;
    friend struct LanefoldCreate;

    // A pair that waits for the batch. Shapes are those of the children of compounds.
    struct Noted {
        LanefoldAlgorithm* algorithm;  // null: deleted since
        const btCollisionObject *object_a, *object_b;
        const btCollisionShape *shape_a, *shape_b;
        int child_a, child_b;
    };
    struct KnownShape {
        std::uint32_t hull = 0;
        bool refused = false;  // flat: no hull
        std::vector<lanefold::Vec3f> points;
        btVector3 scaling;
    };

    const KnownShape& known(const btCollisionShape& shape, bool compare_points);
    std::uint32_t row(const btCollisionObjectWrapper& side);
    void note(LanefoldAlgorithm& algorithm, const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b,
              btScalar margin);
    void compute();
    void fill(std::size_t place);
    void write_points(btPersistentManifold& manifold, std::size_t place);
    void tell_user(std::size_t place, btManifoldPoint& point) const;

    btCollisionAlgorithmCreateFunc* create_[2][2] = {};
    lanefold::Options options_;
    lanefold::Workspace workspace_;
    lanefold::BatchResult result_;
    lanefold::HullSet hulls_;
    std::unordered_map<const btCollisionShape*, KnownShape> shapes_;
    std::uint64_t points_kept_ = 0, points_new_ = 0;
    // The batch.
    bool collecting_ = false;
    std::uint64_t batch_ = 1;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> rows_;  // by place in the world: batch, row of bodies_
    std::vector<Noted> noted_;
    std::vector<lanefold::BodyD> bodies_;
    std::vector<lanefold::Pair> pairs_;
    std::vector<float> margins_;
    std::vector<lanefold::PairCache> caches_;
    std::vector<lanefold::Manifold4> previous_, records_, last_records_;
};
