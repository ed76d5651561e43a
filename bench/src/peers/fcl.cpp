// SPDX-License-Identifier: MIT
//
// FCL: collide() on two Convex<double> shapes, with its libccd-based and its own GJK solver. One contact a pair,
// overlap only (no margin). It throws on some pairs; those count as not found. The own solver of 0.7 gives the normal
// in the first shape's frame and the depth with the other sign; both are converted here.
#include <exception>

#include <fcl/config.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

class Fcl final : public RecordingEngine {
public:
    explicit Fcl(fcl::GJKSolverType solver) : solver_(solver) {}

    EngineInfo info() const override {
        const bool ccd = solver_ == fcl::GST_LIBCCD;
        EngineInfo i;
        i.id = ccd ? "fcl-libccd" : "fcl-indep";
        i.title = ccd ? "FCL, libccd solver" : "FCL, own solver";
        i.version = FCL_VERSION;
        i.settings = "fcl::collide, Convex<double>, 1 contact, gjk_tolerance 1e-6";
        i.margin = 0;
        i.precision = "float64";
        i.max_points = 1;
        return i;
    }

    std::string prepare(const Scene& scene) override {
        shapes_.clear();
        centres_.clear();
        for (const PolyHull& h : scene.polyhedra) {
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
            centres_.push_back(h.centre);
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        transforms_.clear();
        body_shape_.clear();
        for (const Body& b : frame.bodies) {
            const PoseD p = body_pose(b, centres_[b.hull]);
            fcl::Transform3d t = fcl::Transform3d::Identity();
            for (int r = 0; r < 3; ++r) {
                t.linear()(r, 0) = p.rotation.row[r].x;
                t.linear()(r, 1) = p.rotation.row[r].y;
                t.linear()(r, 2) = p.rotation.row[r].z;
            }
            t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
            transforms_.push_back(t);
            body_shape_.push_back(shapes_[b.hull].get());
        }
    }

    void collide(std::span<const Pair> pairs) override {
        const fcl::CollisionRequestd request(1, true, 1, false, true, solver_);
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
            if (result.numContacts() == 0) continue;
            const fcl::Contactd& c = result.getContact(0);
            out.count = 1;
            const bool own = solver_ == fcl::GST_INDEP;
            const fcl::Vector3d normal = own ? transforms_[pairs[i].a].linear() * c.normal : c.normal;
            out.distance = static_cast<float>(own ? c.penetration_depth : -c.penetration_depth);
            for (int k = 0; k < 3; ++k) {
                out.normal[k] = static_cast<float>(normal[k]);
                out.points[0].position[k] = static_cast<float>(c.pos[k]);
            }
            out.points[0].separation = out.distance;
        }
    }

private:
    fcl::GJKSolverType solver_;
    std::vector<std::shared_ptr<fcl::Convexd>> shapes_;
    std::vector<Vec3d> centres_;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> transforms_;
    std::vector<const fcl::Convexd*> body_shape_;
};

}  // namespace

void add_fcl(EngineList& list) {
    list.push_back(std::make_unique<Fcl>(fcl::GST_LIBCCD));
    list.push_back(std::make_unique<Fcl>(fcl::GST_INDEP));
}

}  // namespace lanefold::bench
