// SPDX-License-Identifier: MIT
//
// MuJoCo: its collision function for two meshes (float64; Minkowski portal refinement in version 2, an own GJK and EPA
// in version 4), with one contact and with its multi-contact option, and its function for two boxes. The functions are
// called through MuJoCo's table, as those of spheres, capsules and planes with one another, boxes and meshes are. The
// model has one geom per body, and the poses of a frame are in MuJoCo's data before
// the clock starts.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <mujoco/mujoco.h>

#include "peers/engine.hpp"
#include "peers/pose.hpp"

namespace lanefold::bench {
namespace {

// MuJoCo needs milliseconds to compile a mesh. Scenes with more hulls than this are left out.
constexpr std::size_t kMaxHulls = 2000;

enum class Variant { single, multi, boxes };

// Since 3.0 MuJoCo has its own convex collision instead of libccd's; version 4 has other types and flags.
#if mjVERSION_HEADER >= 4000000
using Found = mjPreContact;
const char* const kMeshes = "mjCOLLISIONFUNC[mesh][mesh], native convex collision, tolerance and iterations default";
const mjtNum* normal_of(const Found& c) { return c.normal; }
void choose_contacts(mjModel& model, bool multi) {
    if (!multi) model.opt.disableflags |= mjDSBL_MULTICCD;
}
#else
using Found = mjContact;
const char* const kMeshes = "mjCOLLISIONFUNC[mesh][mesh], mpr_tolerance and iterations default";
const mjtNum* normal_of(const Found& c) { return c.frame; }
void choose_contacts(mjModel& model, bool multi) {
    if (multi) model.opt.enableflags |= mjENBL_MULTICCD;
}
#endif

class MuJoCo final : public RecordingEngine {
public:
    MuJoCo(Variant variant, double margin) : variant_(variant), margin_(margin) {}
    ~MuJoCo() override { release(); }

    EngineInfo info() const override {
        EngineInfo i;
        const char* const ids[] = {"mujoco-single", "mujoco", "mujoco-box"};
        const char* const titles[] = {"MuJoCo, one contact", "MuJoCo, multi-contact", "MuJoCo box-box"};
        i.id = ids[static_cast<int>(variant_)];
        i.title = titles[static_cast<int>(variant_)];
        if (margin_ > 0 && variant_ == Variant::multi) {
            i.id += "-margin";
            i.title += ", margin";
        }
        i.version = mj_versionString();
        i.build = LANEFOLD_PEER_BUILD;
        i.settings = variant_ == Variant::boxes ? "mjCOLLISIONFUNC[box][box]" : kMeshes;
        if (variant_ == Variant::multi) i.settings += ", multiccd";
        i.margin = margin_;
        i.precision = "float64";
        i.max_points = variant_ == Variant::single ? 1 : 8;
        return i;
    }

    bool takes_rounded() const override { return variant_ == Variant::multi && margin_ > 0; }

    std::string prepare(const Scene& scene) override {
        release();
        rounded_ = !scene.is_sharp();
        for (const PolyHull& h : scene.polyhedra) {
            if (h.radius > 0 && h.vertices.size() > 2) return "no rounded boxes and meshes";
        }
        if (scene.polyhedra.size() > kMaxHulls) return "not tried: more than 2000 meshes to compile";
        const bool boxes =
            std::all_of(scene.polyhedra.begin(), scene.polyhedra.end(), [](const PolyHull& h) { return h.is_box; });
        if (variant_ == Variant::boxes && !boxes) return "boxes only";
        const std::filesystem::path file =
            std::filesystem::temp_directory_path() /
            ("lanefold_bench_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".xml");
        write_model(scene, file);
        char error[512] = {};
        model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof(error));
        std::filesystem::remove(file);
        if (model_ == nullptr) return std::string("refuses: ") + error;
        choose_contacts(*model_, variant_ == Variant::multi);
        data_ = mj_makeData(model_);
        mj_forward(model_, data_);
        // The compiler moves a mesh to its inertial frame; local_ records that frame in the hull's own frame.
        local_.clear();
        for (std::size_t b = 0; b < scene.frames.front().bodies.size(); ++b) {
            const mjtNum* const p = model_->geom_pos + 3 * b;
            const mjtNum* const q = model_->geom_quat + 4 * b;
            local_.push_back({rotation({q[1], q[2], q[3], q[0]}), {p[0], p[1], p[2]}});
        }
        return {};
    }

    void set_frame(const Frame& frame) override {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const PoseD world = body_pose(frame.bodies[i], local_[i].position);
            const Mat3d r = world.rotation * local_[i].rotation;
            const mjtNum position[] = {world.position.x, world.position.y, world.position.z};
            const mjtNum matrix[] = {r.row[0].x, r.row[0].y, r.row[0].z, r.row[1].x, r.row[1].y,
                                     r.row[1].z, r.row[2].x, r.row[2].y, r.row[2].z};
            std::copy_n(position, 3, data_->geom_xpos + 3 * i);
            std::copy_n(matrix, 9, data_->geom_xmat + 9 * i);
        }
    }

    void collide(std::span<const Pair> pairs) override {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            // MuJoCo has a function for each pair of types in ascending order.
            int a = static_cast<int>(pairs[i].a);
            int b = static_cast<int>(pairs[i].b);
            const bool swapped = model_->geom_type[a] > model_->geom_type[b];
            if (swapped) std::swap(a, b);
            const mjfCollision function = mjCOLLISIONFUNC[model_->geom_type[a]][model_->geom_type[b]];
            const int count = function == nullptr ? 0 : function(model_, data_, contacts_, a, b, margin_);
            PeerManifold& out = records_[i];
            out.count = static_cast<std::uint32_t>(count);
            if (count == 0) continue;
            int deepest = 0;
            for (int k = 0; k < count; ++k) {
                if (contacts_[k].dist < contacts_[deepest].dist) deepest = k;
                if (k >= 4) continue;
                for (int c = 0; c < 3; ++c) out.points[k].position[c] = static_cast<float>(contacts_[k].pos[c]);
                out.points[k].separation = static_cast<float>(contacts_[k].dist);
            }
            out.distance = static_cast<float>(contacts_[deepest].dist);
            const mjtNum* const normal = normal_of(contacts_[deepest]);
            for (int c = 0; c < 3; ++c) out.normal[c] = static_cast<float>(swapped ? -normal[c] : normal[c]);
        }
    }

private:
    void write_model(const Scene& scene, const std::filesystem::path& file) const {
        std::ofstream xml(file);
        xml.precision(9);
        xml << "<mujoco><compiler angle=\"radian\"/><size njmax=\"10\" nconmax=\"10\"/><asset>\n";
        if (variant_ != Variant::boxes) {
            for (std::size_t h = 0; h < scene.polyhedra.size(); ++h) {
                if (!is_mesh(scene.polyhedra[h])) continue;
                xml << "<mesh name=\"m" << h << "\" vertex=\"";
                for (const Vec3f& v : scene.polyhedra[h].vertices) xml << v.x << ' ' << v.y << ' ' << v.z << ' ';
                xml << "\"/>\n";
            }
        }
        xml << "</asset><worldbody>\n";
        for (const Body& b : scene.frames.front().bodies) write_geom(scene.polyhedra[b.hull], b.hull, xml);
        xml << "</worldbody></mujoco>\n";
    }

    bool is_mesh(const PolyHull& h) const {
        const bool as_box = h.is_box && (rounded_ || variant_ == Variant::boxes);
        return !h.half_space && !h.is_sphere() && !h.is_capsule() && !as_box;
    }

    static void write_vector(const Vec3d& v, std::ofstream& xml) { xml << v.x << ' ' << v.y << ' ' << v.z; }

    void write_geom(const PolyHull& hull, std::size_t h, std::ofstream& xml) const {
        if (hull.half_space) {
            xml << "<geom type=\"plane\" size=\"0 0 1\" zaxis=\"";
            write_vector(hull.normals[0], xml);
            xml << "\" pos=\"";
            write_vector(hull.normals[0] * hull.offsets[0], xml);
            xml << "\"/>\n";
            return;
        }
        if (hull.is_sphere()) {
            xml << "<geom type=\"sphere\" size=\"" << hull.radius << "\" pos=\"";
            write_vector(hull.centre, xml);
            xml << "\"/>\n";
            return;
        }
        if (hull.is_capsule()) {
            xml << "<geom type=\"capsule\" size=\"" << hull.radius << "\" fromto=\"";
            write_vector(to_double(hull.vertices[0]), xml);
            xml << ' ';
            write_vector(to_double(hull.vertices[1]), xml);
            xml << "\"/>\n";
            return;
        }
        if (is_mesh(hull)) {
            xml << "<geom type=\"mesh\" mesh=\"m" << h << "\"/>\n";
            return;
        }
        const Vec3d x = column(hull.axes, 0);
        const Vec3d y = column(hull.axes, 1);
        xml << "<geom type=\"box\" size=\"" << hull.half_extent.x << ' ' << hull.half_extent.y << ' '
            << hull.half_extent.z << "\" pos=\"" << hull.centre.x << ' ' << hull.centre.y << ' ' << hull.centre.z
            << "\" xyaxes=\"" << x.x << ' ' << x.y << ' ' << x.z << ' ' << y.x << ' ' << y.y << ' ' << y.z << "\"/>\n";
    }

    void release() {
        if (data_ != nullptr) mj_deleteData(data_);
        if (model_ != nullptr) mj_deleteModel(model_);
        data_ = nullptr;
        model_ = nullptr;
    }

    Variant variant_;
    double margin_;
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
    bool rounded_ = false;      // the scene is: boxes are MuJoCo's own
    std::vector<PoseD> local_;  // of each body's geom in its hull's frame
    Found contacts_[mjMAXCONPAIR];
};

}  // namespace

void add_mujoco(EngineList& list) {
    list.push_back(std::make_unique<MuJoCo>(Variant::multi, 0.0));
    list.push_back(std::make_unique<MuJoCo>(Variant::multi, kDefaultMargin));
    list.push_back(std::make_unique<MuJoCo>(Variant::single, 0.0));
    list.push_back(std::make_unique<MuJoCo>(Variant::boxes, kDefaultMargin));
}

}  // namespace lanefold::bench
