// SPDX-License-Identifier: MIT
//
// The two engines correspond like this:
//
//   Bullet                                               lanefold
//   btConvexHullShape, btBoxShape                        a hull of a HullSet
//   world transform of an object, or of a child          the pose of a body
//   contact breaking threshold + margins of the shapes   the margin of the pair
//   m_normalWorldOnB, from B to A                        minus the normal, which points from A to B
//   m_positionWorldOnA, m_positionWorldOnB               the witness points, offsets from the position of A
//   m_partId0, which Bullet uses for triangles only      the feature id of the point
//
// The margin of a btConvexHullShape is a radius about its points: the body is larger than its points by it. This body
// is kept. The distance of two bodies with radii is the distance of the hulls minus the radii, along the same normal.
// (The margin of a btBoxShape is inside the box.) lanefold needs no margin: setMargin(0) makes hulls sharp.
#include "lanefold_dispatcher.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

using lanefold::BodyD;
using lanefold::Manifold4;
using lanefold::Vec3f;

namespace {

// Pairs with a body of this hull have the status bad_hull and no contacts.
constexpr std::uint32_t kNoHull = 0xFFFFFFFF;
constexpr int kShapeTypes[2] = {BOX_SHAPE_PROXYTYPE, CONVEX_HULL_SHAPE_PROXYTYPE};

btScalar radius(const btCollisionShape& shape) {
    return shape.getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE ? shape.getMargin() : btScalar(0);
}
Vec3f point_of(const btPolyhedralConvexShape& shape, int index) {
    btVector3 v;
    shape.getVertex(index, v);
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
btVector3 offset(const Vec3f& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
bool flagged(const btCollisionObject& a, const btCollisionObject& b, int flag) {
    return ((a.getCollisionFlags() | b.getCollisionFlags()) & flag) != 0;
}

// The material that all points of a pair share, as btManifoldResult::addContactPoint sets it.
btManifoldPoint material(const btCollisionObject& a, const btCollisionObject& b, const btVector3& normal_on_b) {
    const btVector3 nowhere(0, 0, 0);
    btManifoldPoint p(nowhere, nowhere, normal_on_b, 0);
    p.m_combinedFriction = gCalculateCombinedFrictionCallback(&a, &b);
    p.m_combinedRestitution = gCalculateCombinedRestitutionCallback(&a, &b);
    p.m_combinedRollingFriction = gCalculateCombinedRollingFrictionCallback(&a, &b);
    p.m_combinedSpinningFriction = gCalculateCombinedSpinningFrictionCallback(&a, &b);
    if (flagged(a, b, btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING)) {
        p.m_combinedContactDamping1 = gCalculateCombinedContactDampingCallback(&a, &b);
        p.m_combinedContactStiffness1 = gCalculateCombinedContactStiffnessCallback(&a, &b);
        p.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
    }
    if (flagged(a, b, btCollisionObject::CF_HAS_FRICTION_ANCHOR))
        p.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
    btPlaneSpace1(normal_on_b, p.m_lateralFrictionDir1, p.m_lateralFrictionDir2);
    return p;
}

}  // namespace

// The algorithm of one pair. Most pairs of the broad phase do not touch: this is small, and their manifolds, which are
// large, stay out of the caches.
class LanefoldAlgorithm : public btCollisionAlgorithm {
public:
    LanefoldAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper& a,
                      const btCollisionObjectWrapper& b)
        : btCollisionAlgorithm(info),
          manifold(m_dispatcher->getNewManifold(a.getCollisionObject(), b.getCollisionObject())),
          threshold(manifold->getContactBreakingThreshold()) {}
    LanefoldAlgorithm(const LanefoldAlgorithm&) = delete;
    LanefoldAlgorithm& operator=(const LanefoldAlgorithm&) = delete;
    ~LanefoldAlgorithm() override {
        if (noted_in == owner().batch_) owner().noted_[place].algorithm = nullptr;
        m_dispatcher->releaseManifold(manifold);
    }

    void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, const btDispatcherInfo&,
                          btManifoldResult* result) override {
        result->setPersistentManifold(manifold);
        owner().note(*this, *a, *b, threshold + result->m_closestPointDistanceThreshold);
        if (!owner().collecting_) owner().compute();  // somebody asks for this pair alone
    }
    // For DISPATCH_CONTINUOUS, which no world uses unless told to. Bullet's sweeps of fast bodies do not come here.
    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                   btManifoldResult*) override {
        return 1;
    }
    void getAllContactManifolds(btManifoldArray& all) override { all.push_back(manifold); }

    LanefoldDispatcher& owner() { return static_cast<LanefoldDispatcher&>(*m_dispatcher); }

    btPersistentManifold* manifold;
    btScalar threshold;
    std::uint32_t hulls[2] = {};
    lanefold::PairCache cache;
    std::uint64_t noted_in = 0;  // batch
    std::size_t place = 0;       // in that batch: of its record, too
    bool has_points = false;     // the manifold
};

// Makes the algorithms. For shapes that are no hulls (flat ones), and where several pairs shall share one manifold,
// Bullet's own.
struct LanefoldCreate : btCollisionAlgorithmCreateFunc {
    explicit LanefoldCreate(btCollisionAlgorithmCreateFunc* own) : bullets_own(own) {}
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* a,
                                                   const btCollisionObjectWrapper* b) override {
        auto& dispatcher = static_cast<LanefoldDispatcher&>(*info.m_dispatcher1);
        const bool refused = dispatcher.known(*a->getCollisionShape(), true).refused ||
                             dispatcher.known(*b->getCollisionShape(), true).refused;
        if (refused || info.m_manifold != nullptr) return bullets_own->CreateCollisionAlgorithm(info, a, b);
        // Not from Bullet's pool, whose elements are smaller. freeCollisionAlgorithm() knows the difference.
        void* memory = btAlignedAlloc(sizeof(LanefoldAlgorithm), 16);
        return new (memory) LanefoldAlgorithm(info, *a, *b);
    }
    btCollisionAlgorithmCreateFunc* bullets_own;
};

LanefoldDispatcher::LanefoldDispatcher(btCollisionConfiguration* configuration, std::uint32_t threads)
    : btCollisionDispatcher(configuration) {
    options_.threads = threads;
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            const int a = kShapeTypes[i], b = kShapeTypes[k];
            create_[i][k] = new LanefoldCreate(configuration->getCollisionAlgorithmCreateFunc(a, b));
            registerCollisionCreateFunc(a, b, create_[i][k]);
        }
    }
}

LanefoldDispatcher::~LanefoldDispatcher() {
    for (auto& row : create_) {
        for (auto* create : row) delete create;
    }
}

// The hull of a shape. Its points are compared where a pair begins, because the shape may be a new one at the address
// of a deleted one; otherwise their number and the scaling.
const LanefoldDispatcher::KnownShape& LanefoldDispatcher::known(const btCollisionShape& shape, bool compare_points) {
    const auto& polyhedron = static_cast<const btPolyhedralConvexShape&>(shape);
    const int count = polyhedron.getNumVertices();
    const auto [entry, is_new] = shapes_.try_emplace(&shape);
    KnownShape& known = entry->second;
    if (!is_new) {
        bool same = known.points.size() == static_cast<std::size_t>(count) && known.scaling == shape.getLocalScaling();
        for (int i = 0; compare_points && same && i < count; ++i)
            same = known.points[static_cast<std::size_t>(i)] == point_of(polyhedron, i);
        if (same) return known;
        if (!known.refused) hulls_ = hulls_.remove({&known.hull, 1});
        known.points.clear();
    }
    known.scaling = shape.getLocalScaling();
    for (int i = 0; i < count; ++i) known.points.push_back(point_of(polyhedron, i));
    const lanefold::BuildResult built = lanefold::build_hull(known.points);
    known.refused = !built;
    known.hull = built ? static_cast<std::uint32_t>(hulls_.size()) : kNoHull;
    if (built) hulls_ = hulls_.append(built.hulls);
    return known;
}

void LanefoldDispatcher::forget(const btCollisionShape* shape) {
    const auto entry = shapes_.find(shape);
    if (entry == shapes_.end()) return;
    if (!entry->second.refused) hulls_ = hulls_.remove({&entry->second.hull, 1});
    shapes_.erase(entry);
}

// The row of a body in the batch. An object of the world has one row for all its pairs, a child of a compound one for
// each.
std::uint32_t LanefoldDispatcher::row(const btCollisionObjectWrapper& side) {
    const auto next = static_cast<std::uint32_t>(bodies_.size());
    const int place = side.m_parent == nullptr ? side.getCollisionObject()->getWorldArrayIndex() : -1;
    if (place >= 0) {
        const auto at = static_cast<std::size_t>(place);
        if (at >= rows_.size()) rows_.resize(at + 1);
        if (rows_[at].first == batch_) return rows_[at].second;
        rows_[at] = {batch_, next};
    }
    const btVector3& x = side.getWorldTransform().getOrigin();
    const btQuaternion q = side.getWorldTransform().getRotation();
    bodies_.push_back({{double(x.x()), double(x.y()), double(x.z())},
                       {float(q.x()), float(q.y()), float(q.z()), float(q.w())},
                       known(*side.getCollisionShape(), false).hull,
                       0});
    return next;
}

void LanefoldDispatcher::note(LanefoldAlgorithm& algorithm, const btCollisionObjectWrapper& a,
                              const btCollisionObjectWrapper& b, btScalar margin) {
    const lanefold::Pair pair = {row(a), row(b)};
    const std::uint32_t hulls[2] = {bodies_[pair.a].hull, bodies_[pair.b].hull};
    const bool same = std::equal(hulls, hulls + 2, algorithm.hulls);  // features of another shape mean nothing
    std::copy_n(hulls, 2, algorithm.hulls);

    previous_.emplace_back();
    if (same && algorithm.has_points && algorithm.noted_in + 1 == batch_) {
        previous_.back() = last_records_[algorithm.place];
        previous_.back().pair[0] = pair.a;
        previous_.back().pair[1] = pair.b;
    }
    caches_.push_back(same ? algorithm.cache : lanefold::PairCache{});
    algorithm.noted_in = batch_;
    algorithm.place = noted_.size();
    const auto *shape_a = a.getCollisionShape(), *shape_b = b.getCollisionShape();
    noted_.push_back(
        {&algorithm, a.getCollisionObject(), b.getCollisionObject(), shape_a, shape_b, a.m_index, b.m_index});
    pairs_.push_back(pair);
    margins_.push_back(static_cast<float>(margin + radius(*shape_a) + radius(*shape_b)));
}

void LanefoldDispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                                   btDispatcher* dispatcher) {
    collecting_ = true;
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
    collecting_ = false;
    compute();
}

void LanefoldDispatcher::compute() {
    records_.resize(pairs_.size());
    lanefold::CallInputs inputs;
    inputs.pair_margins = margins_;
    inputs.previous = lanefold::PreviousContacts::dense(previous_);
    inputs.cache = caches_;
    result_ = lanefold::collide(hulls_, bodies_, pairs_, options_, std::span<Manifold4>(records_), workspace_, inputs);
    for (std::size_t i = 0; result_.status && i < noted_.size(); ++i) {
        if (noted_[i].algorithm != nullptr) fill(i);
    }
    ++batch_;
    std::swap(records_, last_records_);
    noted_.clear();
    bodies_.clear();
    pairs_.clear();
    margins_.clear();
    caches_.clear();
    previous_.clear();
}

void LanefoldDispatcher::fill(std::size_t place) {
    const Noted& pair = noted_[place];
    LanefoldAlgorithm& algorithm = *pair.algorithm;
    algorithm.cache = caches_[place];
    if (records_[place].count == 0 && !algorithm.has_points) return;

    btPersistentManifold& manifold = *algorithm.manifold;
    const bool begins = manifold.getNumContacts() == 0;
    write_points(manifold, place);
    if (begins && manifold.getNumContacts() > 0 && gContactStartedCallback != nullptr) {
        btPersistentManifold* started = &manifold;
        gContactStartedCallback(started);
    }
    // Life times and gContactProcessedCallback; points with a friction anchor move with their bodies.
    manifold.refreshContactPoints(pair.object_a->getWorldTransform(), pair.object_b->getWorldTransform());
    algorithm.has_points = manifold.getNumContacts() > 0;
}

// Replaces the points of a manifold by those of the record. A point with the id of an old one takes its place.
void LanefoldDispatcher::write_points(btPersistentManifold& manifold, std::size_t place) {
    const Noted& pair = noted_[place];
    const Manifold4& record = records_[place];
    const double* x = bodies_[pairs_[place].a].position;
    const btVector3 position{btScalar(x[0]), btScalar(x[1]), btScalar(x[2])};
    const btVector3 normal = offset({record.normal[0], record.normal[1], record.normal[2]});
    const btScalar radius_a = radius(*pair.shape_a), radius_b = radius(*pair.shape_b);
    const btManifoldPoint common = material(*pair.object_a, *pair.object_b, -normal);
    const int before = manifold.getNumContacts();

    int old_of[4] = {-1, -1, -1, -1};
    bool taken[4] = {};
    const auto separation = [&](int k) { return btScalar(record.points[k].separation) - radius_a - radius_b; };
    for (int k = 0; k < record.count; ++k) {
        for (int old = 0; old < before && separation(k) <= manifold.getContactBreakingThreshold(); ++old) {
            if (taken[old] || manifold.getContactPoint(old).m_partId0 != int(record.points[k].feature)) continue;
            old_of[k] = old;
            taken[old] = true;
            break;
        }
    }
    for (int k = 0; k < record.count; ++k) {
        const lanefold::ContactPoint& from = record.points[k];
        btManifoldPoint p = common;
        p.m_distance1 = separation(k);
        if (p.m_distance1 > manifold.getContactBreakingThreshold()) continue;
        p.m_positionWorldOnA = position + offset(lanefold::witness_on_a(record.normal, from)) + normal * radius_a;
        p.m_positionWorldOnB = position + offset(lanefold::witness_on_b(record.normal, from)) - normal * radius_b;
        p.m_localPointA = pair.object_a->getWorldTransform().invXform(p.m_positionWorldOnA);
        p.m_localPointB = pair.object_b->getWorldTransform().invXform(p.m_positionWorldOnB);
        p.m_partId0 = int(from.feature);
        p.m_index0 = pair.child_a;
        p.m_index1 = pair.child_b;
        int at = old_of[k];
        if (at >= 0) {
            manifold.replaceContactPoint(p, at);  // keeps impulses, life time and user's data
            ++points_kept_;
        } else {
            at = int(std::find(taken, taken + before, false) - taken);
            if (at < before) {
                manifold.clearUserCache(manifold.getContactPoint(at));
                manifold.getContactPoint(at) = p;
                taken[at] = true;
            } else {
                at = manifold.addManifoldPoint(p);
            }
            ++points_new_;
        }
        tell_user(place, manifold.getContactPoint(at));
    }
    for (int old = before; old-- > 0;) {
        if (!taken[old]) manifold.removeContactPoint(old);
    }
}

// Bullet's callback for materials, where an object asks for it.
void LanefoldDispatcher::tell_user(std::size_t place, btManifoldPoint& point) const {
    const Noted& pair = noted_[place];
    if (gContactAddedCallback == nullptr ||
        !flagged(*pair.object_a, *pair.object_b, btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK))
        return;
    const auto pose = [&](std::uint32_t body) {
        const BodyD& b = bodies_[body];
        const float* q = b.orientation;
        return btTransform(btQuaternion(q[0], q[1], q[2], q[3]),
                           btVector3(btScalar(b.position[0]), btScalar(b.position[1]), btScalar(b.position[2])));
    };
    const btTransform pose_a = pose(pairs_[place].a), pose_b = pose(pairs_[place].b);
    const btCollisionObjectWrapper a(nullptr, pair.shape_a, pair.object_a, pose_a, -1, pair.child_a);
    const btCollisionObjectWrapper b(nullptr, pair.shape_b, pair.object_b, pose_b, -1, pair.child_b);
    gContactAddedCallback(point, &a, -1, pair.child_a, &b, -1, pair.child_b);
}
