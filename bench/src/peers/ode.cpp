// SPDX-License-Identifier: MIT
//
// Open Dynamics Engine: dCollide on two convex geoms (libccd in Debian's build, one contact), and on two box geoms.
// Overlap only (no margin), float64 as Debian builds it.
#include <algorithm>

#include <ode/ode.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

constexpr int kMaxContacts = 8;

class Ode final : public RecordingEngine {
public:
    explicit Ode(bool boxes) : boxes_(boxes) { dInitODE2(0); }
    ~Ode() override { release(); }

    EngineInfo info() const override {
        EngineInfo i;
        i.id = boxes_ ? "ode-box" : "ode";
        i.title = boxes_ ? "ODE box-box" : "ODE convex-convex";
        i.version = LANEFOLD_PEER_ODE_VERSION;
        i.build = LANEFOLD_PEER_BUILD;
        i.settings =
            boxes_ ? "dCollide on box geoms, at most 8 contacts" : "dCollide on convex geoms, at most 8 contacts";
        i.margin = 0;
        i.precision = sizeof(dReal) == 8 ? "float64" : "float32";
        i.max_points = kMaxContacts;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        release();
        data_.clear();
        data_.reserve(scene.polyhedra.size());
        for (const PolyHull& h : scene.polyhedra) {
            if (boxes_ && !h.is_box) return "boxes only";
            Data d;
            for (const Vec3f& v : h.vertices) {
                const Vec3d p = to_double(v) - h.centre;
                d.points.insert(d.points.end(), {p.x, p.y, p.z});
            }
            for (std::size_t f = 0; f < h.faces.size(); ++f) {
                const Vec3d n = h.normals[f];
                d.planes.insert(d.planes.end(), {n.x, n.y, n.z, h.offsets[f] - dot(n, h.centre)});
                d.polygons.push_back(static_cast<unsigned>(h.faces[f].size()));
                d.polygons.insert(d.polygons.end(), h.faces[f].begin(), h.faces[f].end());
            }
            d.faces = static_cast<unsigned>(h.faces.size());
            d.hull = &h;
            data_.push_back(std::move(d));
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        // Every body has its own geom, as in a simulation, and stands at its place before the clock starts.
        for (dGeomID g : geoms_) dGeomDestroy(g);
        geoms_.clear();
        for (const Body& b : frame.bodies) {
            const PolyHull& h = *data_[b.hull].hull;
            const PoseD p = body_pose(b, h.centre);
            const Mat3d r = boxes_ ? p.rotation * h.axes : p.rotation;
            const dMatrix3 rotation = {r.row[0].x, r.row[0].y, r.row[0].z, 0,          r.row[1].x, r.row[1].y,
                                       r.row[1].z, 0,          r.row[2].x, r.row[2].y, r.row[2].z, 0};
            dGeomID geom = make_geom(data_[b.hull]);
            dGeomSetPosition(geom, p.position.x, p.position.y, p.position.z);
            dGeomSetRotation(geom, rotation);
            geoms_.push_back(geom);
        }
    }

    void collide(std::span<const Pair> pairs) override {
        dContactGeom contacts[kMaxContacts];
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const int count =
                dCollide(geoms_[pairs[i].a], geoms_[pairs[i].b], kMaxContacts, contacts, sizeof(dContactGeom));
            PeerManifold& out = records_[i];
            out.count = static_cast<std::uint32_t>(count);
            if (count == 0) continue;
            int deepest = 0;
            for (int k = 0; k < count; ++k) {
                if (contacts[k].depth > contacts[deepest].depth) deepest = k;
                if (k >= 4) continue;
                for (int c = 0; c < 3; ++c) out.points[k].position[c] = static_cast<float>(contacts[k].pos[c]);
                out.points[k].separation = static_cast<float>(-contacts[k].depth);
            }
            out.distance = static_cast<float>(-contacts[deepest].depth);
            // ODE's normal points into the first geom.
            for (int c = 0; c < 3; ++c) out.normal[c] = static_cast<float>(-contacts[deepest].normal[c]);
        }
    }

private:
    struct Data {
        std::vector<dReal> planes;
        std::vector<dReal> points;
        std::vector<unsigned> polygons;
        unsigned faces = 0;
        const PolyHull* hull = nullptr;
    };

    dGeomID make_geom(const Data& d) const {
        if (boxes_) {
            const Vec3d e = d.hull->half_extent;
            return dCreateBox(nullptr, 2 * e.x, 2 * e.y, 2 * e.z);
        }
        return dCreateConvex(nullptr, d.planes.data(), d.faces, d.points.data(),
                             static_cast<unsigned>(d.points.size() / 3), d.polygons.data());
    }

    void release() {
        for (dGeomID g : geoms_) dGeomDestroy(g);
        geoms_.clear();
    }

    bool boxes_;
    std::vector<Data> data_;
    std::vector<dGeomID> geoms_;  // one per body
};

}  // namespace

void add_ode(EngineList& list) {
    list.push_back(std::make_unique<Ode>(false));
    list.push_back(std::make_unique<Ode>(true));
}

}  // namespace lanefold::bench
