// SPDX-License-Identifier: MIT
//
// The bodies of the scenes, the clock at the dispatcher, and what is measured at the end.
#include "demo_world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace demo {
namespace {

constexpr btScalar kStep = btScalar(1.0 / 60);

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A dispatcher that adds up its time.
template <class Dispatcher>
class Timed : public Dispatcher {
public:
    template <class... Arguments>
    explicit Timed(double& sum, Arguments&&... arguments)
        : Dispatcher(std::forward<Arguments>(arguments)...), sum_(sum) {}
    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override {
        const double begin = seconds();
        Dispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
        sum_ += seconds() - begin;
    }

private:
    double& sum_;
};

std::unique_ptr<btCollisionDispatcher> make_dispatcher(Narrowphase narrowphase, btCollisionConfiguration& configuration,
                                                       double& sum) {
    if (narrowphase == Narrowphase::lanefold_one)
        return std::make_unique<Timed<LanefoldDispatcher>>(sum, &configuration, 1U);
    if (narrowphase == Narrowphase::lanefold) return std::make_unique<Timed<LanefoldDispatcher>>(sum, &configuration);
    return std::make_unique<Timed<btCollisionDispatcher>>(sum, &configuration);
}

// Numbers that are the same on every machine: a linear congruential generator, upper bits.
class Random {
public:
    explicit Random(std::uint32_t seed) : state_(seed) {}
    btScalar operator()(double low, double high) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return btScalar(low + (high - low) * double(state_ >> 40) / double(1 << 24));
    }

private:
    std::uint64_t state_;
};

}  // namespace

World::World(Narrowphase narrowphase)
    : narrowphase_(narrowphase),
      dispatcher_(make_dispatcher(narrowphase, configuration_, narrowphase_s_)),
      world_(dispatcher_.get(), &broadphase_, &solver_, &configuration_) {
    world_.setGravity({0, btScalar(-9.81), 0});
    add(keep(std::make_unique<btBoxShape>(btVector3(50, 1, 50))), 0, {0, -1, 0});
}

World::~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    for (const auto& body : fixed_) world_.removeRigidBody(body.get());
}

btCollisionShape& World::keep(std::unique_ptr<btCollisionShape> shape) {
    shapes_.push_back(std::move(shape));
    return *shapes_.back();
}

btCollisionShape& World::hull(const std::vector<btVector3>& points) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const btVector3& p : points) shape->addPoint(p, false);
    shape->recalcLocalAabb();
    if (narrowphase_ == Narrowphase::bullet_clipping) shape->initializePolyhedralFeatures();
    return keep(std::move(shape));
}

void World::add(btCollisionShape& shape, btScalar mass, const btVector3& position, bool sleep) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform.setOrigin(position);
    info.m_friction = btScalar(0.7);
    auto body = std::make_unique<btRigidBody>(info);
    if (!sleep) body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());
    if (mass > 0) start_.push_back(position);
    (mass > 0 ? bodies_ : fixed_).push_back(std::move(body));
}

void World::add_stack(int cubes, bool sleep) {
    // Bullet's margin of 4 cm about the points makes it 1 m.
    const btScalar h = btScalar(0.46);
    std::vector<btVector3> corners;
    for (int k = 0; k < 8; ++k) corners.emplace_back((k & 1) ? h : -h, (k & 2) ? h : -h, (k & 4) ? h : -h);
    btCollisionShape& cube = hull(corners);
    for (int k = 0; k < cubes; ++k) add(cube, 1000, {0, btScalar(0.5 + k), 0}, sleep);
}

void World::add_pile(int rocks, std::uint32_t seed) {
    Random random(seed);
    const int side = std::max(3, int(std::cbrt(double(rocks) / 2)));
    bin_ = 0.45 * side;
    for (int k = 0; k < 4; ++k) {
        const btScalar sign = k % 2 == 0 ? btScalar(-1) : btScalar(1), at = sign * btScalar(bin_ + 1);
        const btScalar width = btScalar(bin_ + 2);
        btCollisionShape& wall =
            keep(std::make_unique<btBoxShape>(k < 2 ? btVector3(1, 10, width) : btVector3(width, 10, 1)));
        add(wall, 0, k < 2 ? btVector3(at, 10, 0) : btVector3(0, 10, at));
    }
    for (int k = 0; k < rocks; ++k) {
        std::vector<btVector3> points(std::size_t(random(12, 25)));
        const btVector3 stretch(random(0.2, 0.32), random(0.2, 0.32), random(0.2, 0.32));
        for (btVector3& p : points) {
            do p = {random(-1, 1), random(-1, 1), random(-1, 1)};
            while (p.length2() > 1 || p.length2() < btScalar(0.04));
            p = p.normalized() * stretch;
        }
        const int layer = k / (side * side), in_layer = k % (side * side);
        const auto place = [&](int i) { return btScalar(0.9 * (i + 0.5 - 0.5 * side) + random(-0.05, 0.05)); };
        const btScalar x = place(in_layer % side), z = place(in_layer / side);
        add(hull(points), 100, {x, btScalar(0.5 + 0.8 * layer), z});
    }
}

Measured World::run(int steps) {
    std::vector<double> narrowphase, whole;
    for (int k = 0; k < steps; ++k) {
        const double narrowphase_before = narrowphase_s_, begin = seconds();
        world_.stepSimulation(kStep, 0);
        whole.push_back(1e3 * (seconds() - begin));
        narrowphase.push_back(1e3 * (narrowphase_s_ - narrowphase_before));
    }
    const auto median = [](std::vector<double>& times) {
        const auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        return times.empty() ? 0 : *middle;
    };
    return {median(narrowphase), median(whole)};
}

Contacts World::contacts() const {
    Contacts sum;
    for (int k = 0; k < dispatcher_->getNumManifolds(); ++k) {
        const btPersistentManifold& manifold = *dispatcher_->getManifoldByIndexInternal(k);
        sum.manifolds += manifold.getNumContacts() > 0 ? 1 : 0;
        sum.points += manifold.getNumContacts();
        for (int i = 0; i < manifold.getNumContacts(); ++i)
            sum.deepest = std::max(sum.deepest, -double(manifold.getContactPoint(i).getDistance()));
    }
    return sum;
}

double World::largest_drift() const {
    double largest = 0;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        btVector3 way = bodies_[k]->getWorldTransform().getOrigin() - start_[k];
        way.setY(0);
        largest = std::max(largest, double(way.length()));
    }
    return largest;
}

double World::largest_fall() const {
    double largest = 0;
    for (std::size_t k = 0; k < bodies_.size(); ++k)
        largest = std::max(largest, double(start_[k].y() - bodies_[k]->getWorldTransform().getOrigin().y()));
    return largest;
}

double World::mean_speed() const {
    double sum = 0;
    for (const auto& body : bodies_) sum += double(body->getLinearVelocity().length());
    return sum / double(std::max<std::size_t>(1, bodies_.size()));
}

int World::escaped() const {
    return int(std::count_if(bodies_.begin(), bodies_.end(), [&](const auto& body) {
        const btVector3& x = body->getWorldTransform().getOrigin();
        const double side = std::max(std::abs(double(x.x())), std::abs(double(x.z())));
        return double(x.y()) < 0 || (bin_ > 0 && side > bin_);
    }));
}

}  // namespace demo
