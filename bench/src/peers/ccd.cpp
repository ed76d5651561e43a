// SPDX-License-Identifier: MIT
//
// libccd: penetration by GJK + EPA and by Minkowski portal refinement. The support function here scans all vertices.
// One contact a pair, overlap only (no margin), float64.
#include <cmath>
#include <exception>

#include <ccd/ccd.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

struct PlacedHull {
    const std::vector<Vec3d>* vertices = nullptr;  // about the centre
    PoseD pose;                                    // of the centre
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& h = *static_cast<const PlacedHull*>(object);
    const Vec3d d = transpose_times(h.pose.rotation, {direction->v[0], direction->v[1], direction->v[2]});
    const Vec3d* best = h.vertices->data();
    double best_value = dot(d, *best);
    for (const Vec3d& v : *h.vertices) {
        const double value = dot(d, v);
        if (value > best_value) {
            best_value = value;
            best = &v;
        }
    }
    const Vec3d p = transform(h.pose, *best);
    ccdVec3Set(out, p.x, p.y, p.z);
}

void centre(const void* object, ccd_vec3_t* out) {
    const auto& h = *static_cast<const PlacedHull*>(object);
    ccdVec3Set(out, h.pose.position.x, h.pose.position.y, h.pose.position.z);
}

class Ccd final : public RecordingEngine {
public:
    explicit Ccd(bool mpr) : mpr_(mpr) {}

    EngineInfo info() const override {
        EngineInfo i;
        i.id = mpr_ ? "libccd-mpr" : "libccd-epa";
        i.title = mpr_ ? "libccd MPR" : "libccd GJK+EPA";
        i.version = LANEFOLD_PEER_CCD_VERSION;
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = std::string(mpr_ ? "ccdMPRPenetration, mpr_tolerance" : "ccdGJKPenetration, epa_tolerance") +
                     " 1e-4, at most 100 iterations, supports by scan";
        i.margin = 0;
        i.precision = "float64";
        i.max_points = 1;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        vertices_.clear();
        centres_.clear();
        for (const PolyHull& h : scene.polyhedra) {
            std::vector<Vec3d> v;
            for (const Vec3f& p : h.vertices) v.push_back(to_double(p) - h.centre);
            vertices_.push_back(std::move(v));
            centres_.push_back(h.centre);
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        bodies_.clear();
        for (const Body& b : frame.bodies) bodies_.push_back({&vertices_[b.hull], body_pose(b, centres_[b.hull])});
    }

    void collide(std::span<const Pair> pairs) override {
        ccd_t ccd;
        CCD_INIT(&ccd);
        ccd.support1 = support;
        ccd.support2 = support;
        ccd.center1 = centre;
        ccd.center2 = centre;
        ccd.max_iterations = 100;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            ccd_real_t depth = 0;
            ccd_vec3_t direction;
            ccd_vec3_t position;
            const PlacedHull& a = bodies_[pairs[i].a];
            const PlacedHull& b = bodies_[pairs[i].b];
            const int failed = mpr_ ? ccdMPRPenetration(&a, &b, &ccd, &depth, &direction, &position)
                                    : ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position);
            PeerManifold& out = records_[i];
            out.count = failed == 0 ? 1U : 0U;
            if (failed != 0) continue;
            out.distance = static_cast<float>(-depth);
            for (int c = 0; c < 3; ++c) {
                out.normal[c] = static_cast<float>(direction.v[c]);
                out.points[0].position[c] = static_cast<float>(position.v[c]);
            }
            out.points[0].separation = out.distance;
        }
    }

private:
    bool mpr_;
    std::vector<std::vector<Vec3d>> vertices_;
    std::vector<Vec3d> centres_;
    std::vector<PlacedHull> bodies_;
};

}  // namespace

void add_ccd(EngineList& list) {
    list.push_back(std::make_unique<Ccd>(true));
    list.push_back(std::make_unique<Ccd>(false));
}

}  // namespace lanefold::bench
