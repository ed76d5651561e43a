// SPDX-License-Identifier: MIT
//
// Box3D: its manifold function for two hulls. The margin is its fixed speculative distance of 20 mm. Cold: an empty
// cache for every pair. Warm: the separating-axis cache of the pair's previous call.
#include <cstdlib>

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

constexpr int kCapacity = 8;

class Box3D final : public RecordingEngine {
public:
    explicit Box3D(bool warm) : warm_(warm) {
        // It prints a line for every hull it refuses; prepare() counts them.
        b3SetLogFcn([](const char*) {});
    }
    ~Box3D() override { release(); }

    EngineInfo info() const override {
        const b3Version v = b3GetVersion();
        EngineInfo i;
        i.id = warm_ ? "box3d-warm" : "box3d";
        i.title = warm_ ? "Box3D, warm cache" : "Box3D, cold";
        i.version = std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.revision);
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = std::string("b3CollideHulls, B3_SPECULATIVE_DISTANCE, ") +
                     (warm_ ? "b3SATCache kept per pair from the call before" : "empty b3SATCache");
        i.margin = static_cast<double>(B3_SPECULATIVE_DISTANCE);
        i.coherent = warm_;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        release();
        std::size_t refused = 0;
        for (const PolyHull& h : scene.polyhedra) {
            std::vector<b3Vec3> points;
            for (const Vec3f& v : h.vertices) points.push_back({v.x, v.y, v.z});
            const int count = static_cast<int>(points.size());
            b3HullData* hull = count <= B3_MAX_HULL_VERTICES && h.faces.size() <= B3_MAX_HULL_FACES
                                   ? b3CreateHull(points.data(), count, count)
                                   : nullptr;
            if (hull == nullptr) {
                ++refused;
                continue;
            }
            hulls_.push_back(hull);
        }
        if (refused != 0) {
            release();
            return "refuses " + std::to_string(refused) + " of " + std::to_string(scene.polyhedra.size()) +
                   " hulls (at most 128 vertices, edges and faces)";
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        transforms_.clear();
        body_hull_.clear();
        for (const Body& b : frame.bodies) {
            transforms_.push_back({{b.position[0], b.position[1], b.position[2]},
                                   {{b.orientation[0], b.orientation[1], b.orientation[2]}, b.orientation[3]}});
            body_hull_.push_back(hulls_[b.hull]);
        }
    }

    void reserve(std::size_t pairs) override {
        RecordingEngine::reserve(pairs);
        cache_.assign(pairs, b3SATCache{});
    }
    void forget() override { cache_.assign(cache_.size(), b3SATCache{}); }

    void collide(std::span<const Pair> pairs) override {
        b3LocalManifoldPoint points[kCapacity];
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const b3Transform& ta = transforms_[pairs[i].a];
            const b3Transform relative = b3InvMulTransforms(ta, transforms_[pairs[i].b]);
            b3LocalManifold m;
            m.points = points;
            m.pointCount = 0;
            b3SATCache empty{};
            b3CollideHulls(&m, kCapacity, body_hull_[pairs[i].a], body_hull_[pairs[i].b], relative,
                           warm_ ? &cache_[i] : &empty);
            PeerManifold& out = records_[i];
            out.count = static_cast<std::uint32_t>(m.pointCount);
            if (m.pointCount == 0) continue;
            const b3Vec3 n = b3RotateVector(ta.q, m.normal);
            out.normal[0] = n.x;
            out.normal[1] = n.y;
            out.normal[2] = n.z;
            out.distance = points[0].separation;
            for (int k = 0; k < m.pointCount; ++k) {
                if (points[k].separation < out.distance) out.distance = points[k].separation;
                if (k >= 4) continue;
                const b3Vec3 p = b3RotateVector(ta.q, points[k].point);
                out.points[k] = {{p.x, p.y, p.z}, points[k].separation};
            }
        }
    }

private:
    void release() {
        for (b3HullData* h : hulls_) b3DestroyHull(h);
        hulls_.clear();
    }

    bool warm_;
    std::vector<b3HullData*> hulls_;
    std::vector<b3Transform> transforms_;
    std::vector<const b3HullData*> body_hull_;
    std::vector<b3SATCache> cache_;
};

}  // namespace

void add_box3d(EngineList& list) {
    list.push_back(std::make_unique<Box3D>(false));
    list.push_back(std::make_unique<Box3D>(true));
}

}  // namespace lanefold::bench
