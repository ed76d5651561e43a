// SPDX-License-Identifier: MIT
//
// FCL: collide() on two Convex<double> shapes, with its libccd-based and its own GJK solver, one contact a pair; and on
// two Box<double> shapes, up to four contacts. Overlap only (no margin). It throws on some pairs; those count as not
// found. The own solver of 0.7 gives the normal in the first shape's frame and the depth with the other sign; both are
// converted here.
#include <algorithm>
#include <exception>

#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

enum class Variant { libccd, own, boxes };

class Fcl final : public RecordingEngine {
public:
    explicit Fcl(Variant variant)
        : variant_(variant), solver_(variant == Variant::own ? fcl::GST_INDEP : fcl::GST_LIBCCD) {}

    EngineInfo info() const override {
        const char* const ids[] = {"fcl-libccd", "fcl-indep", "fcl-box"};
        const char* const titles[] = {"FCL, libccd solver", "FCL, own solver", "FCL box-box"};
        const int v = static_cast<int>(variant_);
        EngineInfo i;
        i.id = ids[v];
        i.title = titles[v];
        i.version = FCL_VERSION;
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = variant_ == Variant::boxes ? "fcl::collide, Box<double>, up to 4 contacts"
                                                : "fcl::collide, Convex<double>, 1 contact, gjk_tolerance 1e-6";
        i.margin = 0;
        i.precision = "float64";
        i.max_points = most_contacts();
        return i;
    }

    std::string prepare(const Scene& scene) override {
        shapes_.clear();
        frames_.clear();
        for (const PolyHull& h : scene.polyhedra) {
            if (variant_ == Variant::boxes) {
                if (!h.is_box) return "boxes only";
                shapes_.push_back(
                    std::make_shared<fcl::Boxd>(2 * h.half_extent.x, 2 * h.half_extent.y, 2 * h.half_extent.z));
                shapes_.back()->computeLocalAABB();
                frames_.push_back({h.axes, h.centre});
                continue;
            }
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
            for (const Vec3f& v : h.vertices) {
                vertices->emplace_back(v.x - h.centre.x, v.y - h.centre.y, v.z - h.centre.z);
            }
            auto faces = std::make_shared<std::vector<int>>();
            for (const auto& loop : h.faces) {
                faces->push_back(static_cast<int>(loop.size()));
                for (const std::uint32_t v : loop) faces->push_back(static_cast<int>(v));
            }
            auto shape = std::make_shared<fcl::Convexd>(vertices, static_cast<int>(h.faces.size()), faces);
            shape->computeLocalAABB();
            shapes_.push_back(std::move(shape));
            frames_.push_back({Mat3d{}, h.centre});
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        transforms_.clear();
        body_shape_.clear();
        for (const Body& b : frame.bodies) {
            const PoseD p = body_pose(b, frames_[b.hull].position);
            const Mat3d rotation = p.rotation * frames_[b.hull].rotation;
            fcl::Transform3d t = fcl::Transform3d::Identity();
            for (int r = 0; r < 3; ++r) {
                t.linear()(r, 0) = rotation.row[r].x;
                t.linear()(r, 1) = rotation.row[r].y;
                t.linear()(r, 2) = rotation.row[r].z;
            }
            t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
            transforms_.push_back(t);
            body_shape_.push_back(shapes_[b.hull].get());
        }
    }

    void collide(std::span<const Pair> pairs) override {
        const fcl::CollisionRequestd request(static_cast<std::size_t>(most_contacts()), true, 1, false, true, solver_);
        fcl::CollisionResultd result;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            PeerManifold& out = records_[i];
            out.count = 0;
            result.clear();
            try {
                fcl::collide(body_shape_[pairs[i].a], transforms_[pairs[i].a], body_shape_[pairs[i].b],
                             transforms_[pairs[i].b], request, result);
            } catch (const std::exception&) {
                continue;
            }
            if (result.numContacts() != 0) store(result, transforms_[pairs[i].a], out);
        }
    }

private:
    int most_contacts() const { return variant_ == Variant::boxes ? 4 : 1; }

    void store(const fcl::CollisionResultd& result, const fcl::Transform3d& pose_a, PeerManifold& out) const {
        const bool own = variant_ == Variant::own;
        out.count = static_cast<std::uint32_t>(result.numContacts());
        std::size_t deepest = 0;
        for (std::size_t n = 0; n < std::min<std::size_t>(out.count, 4); ++n) {
            const fcl::Contactd& c = result.getContact(n);
            out.points[n].separation = static_cast<float>(own ? c.penetration_depth : -c.penetration_depth);
            for (int k = 0; k < 3; ++k) out.points[n].position[k] = static_cast<float>(c.pos[k]);
            if (out.points[n].separation < out.points[deepest].separation) deepest = n;
        }
        const fcl::Vector3d& n = result.getContact(deepest).normal;
        const fcl::Vector3d normal = own ? pose_a.linear() * n : n;
        for (int k = 0; k < 3; ++k) out.normal[k] = static_cast<float>(normal[k]);
        out.distance = out.points[deepest].separation;
    }

    Variant variant_;
    fcl::GJKSolverType solver_;
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> shapes_;
    std::vector<PoseD> frames_;  // input from shape frame
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> transforms_;
    std::vector<const fcl::CollisionGeometryd*> body_shape_;
};

}  // namespace

void add_fcl(EngineList& list) {
    list.push_back(std::make_unique<Fcl>(Variant::libccd));
    list.push_back(std::make_unique<Fcl>(Variant::own));
    list.push_back(std::make_unique<Fcl>(Variant::boxes));
}

}  // namespace lanefold::bench
