// SPDX-License-Identifier: MIT
//
// A standing scene in Box3D. Every hull is Box3D's hull, boxes too: it has no other shape for them.
#include <vector>

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include "response/world.hpp"

namespace lanefold::bench {
namespace {

Vec3d from_box3d(const b3Vec3& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
b3Vec3 vector_of(const float* v) { return {v[0], v[1], v[2]}; }

// A hull of this many vertices has at most the edges that Box3D allows, whatever its faces. Larger ones are simplified.
constexpr int kMostVertices = (B3_MAX_HULL_EDGES + 6) / 3;

class Box3DWorld final : public ResponseWorld {
public:
    Box3DWorld(const test::StandingScene& scene, std::uint32_t substeps, bool sleep)
        : substeps_(static_cast<int>(substeps)) {
        b3SetLogFcn([](const char*) {});  // it prints a line for each hull that is too large
        b3WorldDef definition = b3DefaultWorldDef();
        definition.gravity = {0, -9.81F, 0};
        definition.enableSleep = sleep;
        definition.workerCount = 1;
        world_ = b3CreateWorld(&definition);
        for (std::size_t h = 0; h < scene.hulls.size(); ++h) hulls_.push_back(make_hull(scene.hulls, h));
        for (const RigidBody& body : scene.bodies) add(body);
    }
    ~Box3DWorld() override {
        b3DestroyWorld(world_);
        for (b3HullData* hull : hulls_) b3DestroyHull(hull);
    }
    Box3DWorld(const Box3DWorld&) = delete;
    Box3DWorld& operator=(const Box3DWorld&) = delete;

    void step(double dt) override { b3World_Step(world_, static_cast<float>(dt), substeps_); }
    Vec3d position(std::size_t body) const override {
        const b3Pos p = b3Body_GetPosition(bodies_[body]);
        return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    }
    Quat orientation(std::size_t body) const override {
        const b3Quat q = b3Body_GetRotation(bodies_[body]);
        return {static_cast<double>(q.v.x), static_cast<double>(q.v.y), static_cast<double>(q.v.z),
                static_cast<double>(q.s)};
    }
    Vec3d velocity(std::size_t body) const override { return from_box3d(b3Body_GetLinearVelocity(bodies_[body])); }
    Vec3d spin(std::size_t body) const override { return from_box3d(b3Body_GetAngularVelocity(bodies_[body])); }

private:
    static b3HullData* make_hull(const HullSet& hulls, std::size_t hull) {
        std::vector<b3Vec3> points;
        for (const Vec3f& v : hulls.vertices(hull)) points.push_back({v.x, v.y, v.z});
        const int count = static_cast<int>(points.size());
        b3HullData* made = b3CreateHull(points.data(), count, count);
        return made != nullptr ? made : b3CreateHull(points.data(), count, kMostVertices);
    }

    void add(const RigidBody& body) {
        b3BodyDef definition = b3DefaultBodyDef();
        definition.type = body.kind == BodyKind::dynamic ? b3_dynamicBody : b3_staticBody;
        definition.position.x = static_cast<decltype(definition.position.x)>(body.position[0]);
        definition.position.y = static_cast<decltype(definition.position.y)>(body.position[1]);
        definition.position.z = static_cast<decltype(definition.position.z)>(body.position[2]);
        definition.rotation = {vector_of(body.orientation), body.orientation[3]};
        definition.linearVelocity = vector_of(body.velocity);
        definition.angularVelocity = vector_of(body.spin);
        const b3BodyId made = b3CreateBody(world_, &definition);
        b3ShapeDef shape = b3DefaultShapeDef();
        shape.density = body.density;
        shape.baseMaterial.friction = body.friction;
        shape.baseMaterial.restitution = body.restitution;
        b3CreateHullShape(made, &shape, hulls_[body.hull]);
        bodies_.push_back(made);
    }

    int substeps_;
    b3WorldId world_{};
    std::vector<b3HullData*> hulls_;
    std::vector<b3BodyId> bodies_;
};

}  // namespace

std::unique_ptr<ResponseWorld> make_box3d_world(const test::StandingScene& scene, std::uint32_t substeps, bool sleep) {
    return std::make_unique<Box3DWorld>(scene, substeps, sleep);
}

std::string box3d_version() {
    const b3Version v = b3GetVersion();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.revision);
}

}  // namespace lanefold::bench
