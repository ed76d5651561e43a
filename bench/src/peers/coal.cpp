// SPDX-License-Identifier: MIT
//
// coal, the successor of FCL: its functions for two convex meshes and for two boxes (float64), with one contact, and
// with its contact patch, the polygon in which the two surfaces meet. Contacts up to the margin. The solvers are kept
// from pair to pair, so that nothing is allocated, but not their guesses.
#include <algorithm>
#include <exception>

#include <coal/collision_func_matrix.h>
#include <coal/contact_patch/contact_patch_solver.h>
#include <coal/contact_patch_func_matrix.h>
#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <coal/config.hh>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

enum class Variant { single, patch, boxes };

class Coal final : public RecordingEngine {
public:
    explicit Coal(Variant variant) : variant_(variant), solver_(collision_), patch_solver_(patch_) {
        collision_.security_margin = kDefaultMargin;
        solver_.set(collision_);
    }

    EngineInfo info() const override {
        const char* const ids[] = {"coal-single", "coal", "coal-box"};
        const char* const titles[] = {"coal, one contact", "coal, contact patch", "coal box-box, contact patch"};
        EngineInfo i;
        i.id = ids[static_cast<int>(variant_)];
        i.title = titles[static_cast<int>(variant_)];
        i.version = COAL_VERSION;
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = std::string("collision_matrix") +
                     (variant_ == Variant::single ? "" : " + contact_patch_matrix, patch tolerance 1e-3") +
                     (variant_ == Variant::boxes ? ", Box" : ", Convex<Triangle>") + ", security margin 0.02 m";
        i.margin = kDefaultMargin;
        i.precision = "float64";
        i.max_points = variant_ == Variant::single ? 1 : 16;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        shapes_.clear();
        frames_.clear();
        for (const PolyHull& h : scene.polyhedra) {
            if (variant_ == Variant::boxes) {
                if (!h.is_box) return "boxes only";
                const Vec3d e = h.half_extent;
                shapes_.push_back(std::make_unique<coal::Box>(2 * e.x, 2 * e.y, 2 * e.z));
                frames_.push_back({h.axes, h.centre});
            } else {
                shapes_.push_back(convex(h));
                frames_.push_back({Mat3d{}, h.centre});
            }
            shapes_.back()->computeLocalAABB();
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        transforms_.clear();
        body_shape_.clear();
        for (const Body& b : frame.bodies) {
            const PoseD p = body_pose(b, frames_[b.hull].position);
            const Mat3d r = p.rotation * frames_[b.hull].rotation;
            coal::Matrix3s rotation;
            for (int k = 0; k < 3; ++k) rotation.row(k) << r.row[k].x, r.row[k].y, r.row[k].z;
            transforms_.emplace_back(rotation, vector(p.position));
            body_shape_.push_back(shapes_[b.hull].get());
        }
    }

    void collide(std::span<const Pair> pairs) override {
        const auto type = variant_ == Variant::boxes ? coal::GEOM_BOX : coal::GEOM_CONVEX;
        const auto contact = collisions_.collision_matrix[type][type];
        const auto patch = patches_.contact_patch_matrix[type][type];
        coal::CollisionResult found;
        coal::ContactPatchResult polygon(patch_);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            PeerManifold& out = records_[i];
            out.count = 0;
            const coal::CollisionGeometry* const a = body_shape_[pairs[i].a];
            const coal::CollisionGeometry* const b = body_shape_[pairs[i].b];
            const coal::Transform3s& ta = transforms_[pairs[i].a];
            const coal::Transform3s& tb = transforms_[pairs[i].b];
            found.clear();
            try {
                contact(a, ta, b, tb, &solver_, collision_, found);
                if (found.numContacts() == 0) continue;
                if (variant_ != Variant::single) {
                    polygon.clear();
                    patch(a, ta, b, tb, found, &patch_solver_, patch_, polygon);
                }
            } catch (const std::exception&) {
                continue;
            }
            store(found.getContact(0), polygon, out);
        }
    }

private:
    static coal::Vec3s vector(const Vec3d& v) { return {v.x, v.y, v.z}; }

    // Faces as fans of triangles. coal's supports climb along the edges.
    static std::unique_ptr<coal::CollisionGeometry> convex(const PolyHull& hull) {
        auto points = std::make_shared<std::vector<coal::Vec3s>>();
        for (const Vec3f& v : hull.vertices) points->push_back(vector(to_double(v) - hull.centre));
        auto triangles = std::make_shared<std::vector<coal::Triangle>>();
        for (const auto& face : hull.faces) {
            for (std::size_t k = 2; k < face.size(); ++k) triangles->emplace_back(face[0], face[k - 1], face[k]);
        }
        const auto point_count = static_cast<unsigned>(points->size());
        const auto triangle_count = static_cast<unsigned>(triangles->size());
        return std::make_unique<coal::Convex<coal::Triangle>>(points, point_count, triangles, triangle_count);
    }

    void store(const coal::Contact& c, const coal::ContactPatchResult& polygon, PeerManifold& out) const {
        for (int k = 0; k < 3; ++k) out.normal[k] = static_cast<float>(c.normal[k]);
        out.distance = static_cast<float>(c.penetration_depth);
        const bool one = variant_ == Variant::single || polygon.numContactPatches() == 0;
        out.count = one ? 1 : static_cast<std::uint32_t>(polygon.getContactPatch(0).size());
        for (std::size_t n = 0; n < std::min<std::size_t>(out.count, 4); ++n) {
            const coal::Vec3s p = one ? c.pos : polygon.getContactPatch(0).getPoint(n);
            for (int k = 0; k < 3; ++k) out.points[n].position[k] = static_cast<float>(p[k]);
            out.points[n].separation = out.distance;
        }
    }

    Variant variant_;
    coal::CollisionRequest collision_{coal::CONTACT, 1};
    coal::ContactPatchRequest patch_{1};
    coal::CollisionFunctionMatrix collisions_;
    coal::ContactPatchFunctionMatrix patches_;
    coal::GJKSolver solver_;
    coal::ContactPatchSolver patch_solver_;
    std::vector<std::unique_ptr<coal::CollisionGeometry>> shapes_;
    std::vector<PoseD> frames_;  // input from shape frame
    std::vector<coal::Transform3s> transforms_;
    std::vector<const coal::CollisionGeometry*> body_shape_;
};

}  // namespace

void add_coal(EngineList& list) {
    list.push_back(std::make_unique<Coal>(Variant::patch));
    list.push_back(std::make_unique<Coal>(Variant::single));
    list.push_back(std::make_unique<Coal>(Variant::boxes));
}

}  // namespace lanefold::bench
