// SPDX-License-Identifier: MIT
//
// PhysX, immediate mode: PxGenerateContacts with persistent contact manifolds (PCM), cold and with the cache of the
// call before, on convex meshes and on box geometry. If its sources are there, too: its contact functions by
// separating axes (SAT). Single precision. Meshes get the faces as they are, without its hull computation.
#include <algorithm>
#include <cstring>

#include <PxImmediateMode.h>
#include <cooking/PxCooking.h>
#include <extensions/PxDefaultAllocator.h>
#include <extensions/PxDefaultErrorCallback.h>
#include <foundation/PxFoundation.h>
#include <foundation/PxPhysicsVersion.h>
#include <geometry/PxBoxGeometry.h>
#include <geometry/PxConvexMeshGeometry.h>
#include <geomutils/PxContactBuffer.h>

#ifdef LANEFOLD_PEER_PHYSX_SAT
#include <GuContactMethodImpl.h>
#endif

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

namespace px = physx;

// PhysX numbers its faces and vertices in bytes.
constexpr std::size_t kMostFeatures = 255;
// Bytes of the largest manifold that PhysX keeps for a pair of convex shapes, with room.
constexpr std::size_t kSlot = 2048;

px::PxCookingParams cooking() {
    static px::PxDefaultAllocator allocator;
    static px::PxDefaultErrorCallback errors;
    static px::PxFoundation* const foundation = PxCreateFoundation(PX_PHYSICS_VERSION, allocator, errors);
    static_cast<void>(foundation);
    return px::PxCookingParams{px::PxTolerancesScale{}};
}

px::PxVec3 vector(const Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// Writes the contacts of a pair to its record. PhysX's normal points from b to a, its points lie on b.
void store(const px::PxContactPoint* contacts, px::PxU32 count, PeerManifold& out) {
    out.count = count;
    if (count == 0) return;
    out.distance = contacts[0].separation;
    std::size_t deepest = 0;
    for (px::PxU32 k = 0; k < count; ++k) {
        if (contacts[k].separation < contacts[deepest].separation) deepest = k;
    }
    const px::PxVec3 n = contacts[deepest].normal;
    out.normal[0] = -n.x;
    out.normal[1] = -n.y;
    out.normal[2] = -n.z;
    out.distance = contacts[deepest].separation;
    // The deepest point first, because a record has four at most.
    for (std::size_t k = 0; k < std::min<std::size_t>(count, 4); ++k) {
        const px::PxContactPoint& c = contacts[k == 0 ? deepest : (k == deepest ? 0 : k)];
        const px::PxVec3 middle = c.point + c.normal * (0.5F * c.separation);
        out.points[k] = {{middle.x, middle.y, middle.z}, c.separation};
    }
}

class Recorder final : public px::immediate::PxContactRecorder {
public:
    void record_into(PeerManifold& out) { out_ = &out; }
    bool recordContacts(const px::PxContactPoint* contacts, px::PxU32 count, px::PxU32 /*index*/) override {
        store(contacts, count, *out_);
        return true;
    }

private:
    PeerManifold* out_ = nullptr;
};

// Memory for the manifold of one pair.
class Slot final : public px::PxCacheAllocator {
public:
    void use(std::byte* memory) { memory_ = memory; }
    px::PxU8* allocateCacheData(px::PxU32 bytes) override {
        return bytes <= kSlot ? reinterpret_cast<px::PxU8*>(memory_) : nullptr;
    }

private:
    std::byte* memory_ = nullptr;
};

enum class Variant { pcm, pcm_warm, sat, box, box_warm, box_sat };

class PhysX final : public RecordingEngine {
public:
    explicit PhysX(Variant variant) : variant_(variant) {}
    ~PhysX() override { release(); }

    EngineInfo info() const override {
        const char* const ids[] = {"physx", "physx-warm", "physx-sat", "physx-box", "physx-box-warm", "physx-box-sat"};
        const char* const titles[] = {"PhysX PCM",       "PhysX PCM, warm cache",       "PhysX SAT",
                                      "PhysX boxes PCM", "PhysX boxes PCM, warm cache", "PhysX boxes SAT"};
        const int v = static_cast<int>(variant_);
        EngineInfo i;
        i.id = ids[v];
        i.title = titles[v];
        i.version = std::to_string(PX_PHYSICS_VERSION_MAJOR) + "." + std::to_string(PX_PHYSICS_VERSION_MINOR) + "." +
                    std::to_string(PX_PHYSICS_VERSION_BUGFIX);
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = std::string(sat() ? (boxes() ? "contactBoxBox" : "contactConvexConvex") : "PxGenerateContacts") +
                     (boxes() ? ", PxBoxGeometry" : ", PxConvexMesh") + ", contact distance 0.02 m, " +
                     (warm() ? "PxCache kept per pair from the call before" : "empty PxCache");
        i.margin = kDefaultMargin;
        i.max_points = sat() ? 64 : 6;
        i.coherent = warm();
        return i;
    }

    std::string prepare(const Scene& scene) override {
        release();
        std::size_t refused = 0;
        for (const PolyHull& h : scene.polyhedra) {
            if (boxes()) {
                if (!h.is_box) return "boxes only";
                boxes_.emplace_back(vector(h.half_extent));
                frames_.push_back({h.axes, h.centre});
                continue;
            }
            px::PxConvexMesh* const mesh = cook(h);
            if (mesh == nullptr) {
                ++refused;
                continue;
            }
            meshes_.push_back(mesh);
            hulls_.emplace_back(mesh);
            frames_.push_back({Mat3d{}, h.centre});
        }
        if (refused != 0) {
            return "refuses " + std::to_string(refused) + " of " + std::to_string(scene.polyhedra.size()) +
                   " hulls (at most 255 vertices and faces)";
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        poses_.clear();
        shapes_.clear();
        for (const Body& b : frame.bodies) {
            const PoseD p = body_pose(b, frames_[b.hull].position);
            const Mat3d r = p.rotation * frames_[b.hull].rotation;
            const px::PxMat33 rotation(vector(column(r, 0)), vector(column(r, 1)), vector(column(r, 2)));
            poses_.emplace_back(vector(p.position), px::PxQuat(rotation).getNormalized());
            shapes_.push_back(boxes() ? static_cast<const px::PxGeometry*>(&boxes_[b.hull]) : &hulls_[b.hull]);
        }
    }

    void reserve(std::size_t pairs) override {
        RecordingEngine::reserve(pairs);
        caches_.assign(warm() ? pairs : 1, px::PxCache{});
        // A manifold is copied from the memory of the call before to that of this one.
        for (auto& memory : slots_) memory.assign(caches_.size() * kSlot / sizeof(Aligned), Aligned{});
    }
    void forget() override { std::fill(caches_.begin(), caches_.end(), px::PxCache{}); }

    void collide(std::span<const Pair> pairs) override {
        if (sat()) {
            collide_sat(pairs);
            return;
        }
        Recorder recorder;
        Slot slot;
        auto* const memory = reinterpret_cast<std::byte*>(slots_[turn_].data());
        turn_ = 1 - turn_;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            records_[i].count = 0;
            recorder.record_into(records_[i]);
            const std::size_t place = warm() ? i : 0;
            px::PxCache& cache = caches_[place];
            if (!warm()) cache = px::PxCache{};
            slot.use(memory + place * kSlot);
            px::immediate::PxGenerateContacts(&shapes_[pairs[i].a], &shapes_[pairs[i].b], &poses_[pairs[i].a],
                                              &poses_[pairs[i].b], &cache, 1, recorder, kMargin, kMeshMargin, kLength,
                                              slot);
        }
    }

private:
    struct alignas(16) Aligned {
        std::byte bytes[16];
    };
    static constexpr float kMargin = static_cast<float>(kDefaultMargin);
    static constexpr float kMeshMargin = 0.01F;  // of triangle meshes; PhysX asks for one above 0
    static constexpr float kLength = 1.0F;       // bodies of a metre

    bool boxes() const {
        return variant_ == Variant::box || variant_ == Variant::box_warm || variant_ == Variant::box_sat;
    }
    bool warm() const { return variant_ == Variant::pcm_warm || variant_ == Variant::box_warm; }
    bool sat() const { return variant_ == Variant::sat || variant_ == Variant::box_sat; }

    void collide_sat(std::span<const Pair> pairs) {
#ifdef LANEFOLD_PEER_PHYSX_SAT
        const px::Gu::NarrowPhaseParams params(kMargin, kMeshMargin, kLength);
        const auto contact = boxes() ? px::Gu::contactBoxBox : px::Gu::contactConvexConvex;
        px::PxContactBuffer buffer;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            px::Gu::Cache cache;
            buffer.reset();
            contact(*shapes_[pairs[i].a], *shapes_[pairs[i].b], poses_[pairs[i].a], poses_[pairs[i].b], params, cache,
                    buffer, nullptr);
            store(buffer.contacts, buffer.count, records_[i]);
        }
#else
        static_cast<void>(pairs);
#endif
    }

    static px::PxConvexMesh* cook(const PolyHull& hull) {
        if (hull.vertices.size() > kMostFeatures || hull.faces.size() > kMostFeatures) return nullptr;
        std::vector<px::PxVec3> points;
        for (const Vec3f& v : hull.vertices) points.push_back(vector(to_double(v) - hull.centre));
        std::vector<px::PxHullPolygon> polygons;
        std::vector<px::PxU32> indices;
        for (std::size_t f = 0; f < hull.faces.size(); ++f) {
            const px::PxVec3 n = vector(hull.normals[f]);
            const double offset = hull.offsets[f] - dot(hull.normals[f], hull.centre);
            px::PxHullPolygon p{};
            p.mPlane[0] = n.x;
            p.mPlane[1] = n.y;
            p.mPlane[2] = n.z;
            p.mPlane[3] = static_cast<float>(-offset);
            p.mNbVerts = static_cast<px::PxU16>(hull.faces[f].size());
            p.mIndexBase = static_cast<px::PxU16>(indices.size());
            polygons.push_back(p);
            indices.insert(indices.end(), hull.faces[f].begin(), hull.faces[f].end());
        }
        px::PxConvexMeshDesc desc;
        desc.points = {};
        desc.points.count = static_cast<px::PxU32>(points.size());
        desc.points.stride = sizeof(px::PxVec3);
        desc.points.data = points.data();
        desc.polygons.count = static_cast<px::PxU32>(polygons.size());
        desc.polygons.stride = sizeof(px::PxHullPolygon);
        desc.polygons.data = polygons.data();
        desc.indices.count = static_cast<px::PxU32>(indices.size());
        desc.indices.stride = sizeof(px::PxU32);
        desc.indices.data = indices.data();
        return PxCreateConvexMesh(cooking(), desc, *PxGetStandaloneInsertionCallback());
    }

    void release() {
        for (px::PxConvexMesh* m : meshes_) m->release();
        meshes_.clear();
        hulls_.clear();
        boxes_.clear();
        frames_.clear();
    }

    Variant variant_;
    std::vector<px::PxConvexMesh*> meshes_;
    std::vector<px::PxConvexMeshGeometry> hulls_;
    std::vector<px::PxBoxGeometry> boxes_;
    std::vector<PoseD> frames_;  // input from shape frame
    std::vector<px::PxTransform> poses_;
    std::vector<const px::PxGeometry*> shapes_;
    std::vector<px::PxCache> caches_;
    std::vector<Aligned> slots_[2];
    std::size_t turn_ = 0;
};

}  // namespace

void add_physx(EngineList& list) {
    for (const Variant v : {Variant::pcm, Variant::pcm_warm, Variant::box, Variant::box_warm}) {
        list.push_back(std::make_unique<PhysX>(v));
    }
#ifdef LANEFOLD_PEER_PHYSX_SAT
    list.push_back(std::make_unique<PhysX>(Variant::sat));
    list.push_back(std::make_unique<PhysX>(Variant::box_sat));
#endif
}

}  // namespace lanefold::bench
