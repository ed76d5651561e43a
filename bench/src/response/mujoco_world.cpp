// SPDX-License-Identifier: MIT
//
// A standing scene in MuJoCo. Boxes along their axes are its boxes, everything else its meshes. Bodies that links
// connect become a tree of ball joints, which is how MuJoCo wants chains; the ball is midway in the link.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <mujoco/mujoco.h>

#include "response/world.hpp"

namespace lanefold::bench {
namespace {

void put(std::ofstream& xml, const Vec3d& v) { xml << v.x << ' ' << v.y << ' ' << v.z; }
Vec3d place_of(const RigidBody& body) { return {body.position[0], body.position[1], body.position[2]}; }
Quat turn_of(const RigidBody& body) {
    Quat q;
    normalize(body.orientation, q);
    return q;
}
Vec3d floats(const float* v) { return to_double({v[0], v[1], v[2]}); }

class MujocoWorld : public ResponseWorld {
public:
    MujocoWorld(const test::StandingScene& scene, std::uint32_t substeps, double dt)
        : scene_(scene), substeps_(substeps) {
        // It says on standard output, and in a file of the working folder, when it begins again after infinite numbers.
        mju_user_warning = [](const char*) {};
        const std::filesystem::path file =
            std::filesystem::temp_directory_path() /
            ("lanefold_response_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".xml");
        write(file, dt);
        char error[512] = {};
        model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof(error));
        std::filesystem::remove(file);
        if (model_ == nullptr) {
            std::fprintf(stderr, "MuJoCo refuses %s: %s\n", scene.name.c_str(), error);
            std::exit(1);
        }
        data_ = mj_makeData(model_);
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) start(i);
        refresh();
    }
    ~MujocoWorld() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    MujocoWorld(const MujocoWorld&) = delete;
    MujocoWorld& operator=(const MujocoWorld&) = delete;

    void step(double) override {
        for (std::uint32_t s = 0; s < substeps_; ++s) mj_step(model_, data_);
        refresh();
    }
    Vec3d position(std::size_t body) const override {
        const mjtNum* const p = data_->xpos + 3 * id_of(body);
        return {p[0], p[1], p[2]};
    }
    Quat orientation(std::size_t body) const override {
        const mjtNum* const q = data_->xquat + 4 * id_of(body);
        return {q[1], q[2], q[3], q[0]};
    }
    Vec3d velocity(std::size_t body) const override { return motion(body, 3); }
    Vec3d spin(std::size_t body) const override { return motion(body, 0); }

private:
    // MuJoCo numbers bodies as they stand in the file, which a tree's differ from the scene's.
    int id_of(std::size_t body) const { return id_[body]; }

    Vec3d motion(std::size_t body, int first) const {
        mjtNum v[6];
        mj_objectVelocity(model_, data_, mjOBJ_BODY, id_of(body), v, 0);
        return {v[first], v[first + 1], v[first + 2]};
    }
    // A step leaves these of the place before it.
    void refresh() {
        mj_kinematics(model_, data_);
        mj_comPos(model_, data_);
        mj_comVel(model_, data_);
    }
    void start(std::size_t body) {
        const RigidBody& b = scene_.bodies[body];
        const int joint = model_->body_jntadr[id_of(body)];
        if (b.kind != BodyKind::dynamic || model_->jnt_type[joint] != mjJNT_FREE) return;
        // A free joint moves the body's origin, and its spin is in the body's axes.
        const Mat3d r = rotation(turn_of(b));
        const Vec3d w = floats(b.spin), arm = r * scene_.hulls.info(b.hull).mass.centre_of_mass;
        const Vec3d v = floats(b.velocity) - cross(w, arm), own = transpose_times(r, w);
        const mjtNum motion[] = {v.x, v.y, v.z, own.x, own.y, own.z};
        std::copy_n(motion, 6, data_->qvel + model_->jnt_dofadr[joint]);
    }

    void write(const std::filesystem::path& file, double dt) {
        std::ofstream xml(file);
        xml.precision(17);
        xml << "<mujoco><compiler angle=\"radian\"/><size njmax=\"4000\" nconmax=\"1000\"/><option timestep=\""
            << dt / substeps_ << "\" gravity=\"0 -9.81 0\"><flag multiccd=\"enable\"/></option><asset>\n";
        for (std::size_t h = 0; h < scene_.hulls.size(); ++h) {
            if (is_box(h)) continue;
            xml << "<mesh name=\"m" << h << "\" vertex=\"";
            for (const Vec3f& v : scene_.hulls.vertices(h)) xml << v.x << ' ' << v.y << ' ' << v.z << ' ';
            xml << "\"/>\n";
        }
        xml << "</asset><worldbody>\n";
        id_.assign(scene_.bodies.size(), 0);
        int next = 1;
        for (std::uint32_t i = 0; i < scene_.bodies.size(); ++i) {
            if (is_root(i)) write_body(i, nullptr, xml, next);
        }
        xml << "</worldbody></mujoco>\n";
    }
    bool is_box(std::size_t hull) const {
        const HullRecord& record = scene_.hulls[hull];
        return record.is_box() && (record.flags & HullRecord::kRotated) == 0;
    }
    // Links go from a body to the one before it, or to the world.
    bool is_root(std::uint32_t body) const {
        for (const BodyLink& link : scene_.links) {
            if (link.a == body && link.b != kWorldAnchor) return false;
        }
        return true;
    }
    const BodyLink* own_link(std::uint32_t body) const {
        for (const BodyLink& link : scene_.links) {
            if (link.a == body) return &link;
        }
        return nullptr;
    }
    void write_body(std::uint32_t i, const RigidBody* parent, std::ofstream& xml, int& next) {
        const RigidBody& body = scene_.bodies[i];
        id_[i] = next++;
        const Vec3d place = place_of(body) - (parent == nullptr ? Vec3d{0, 0, 0} : place_of(*parent));
        const Quat q = turn_of(body);
        xml << "<body pos=\"";
        put(xml, place);
        xml << "\" quat=\"" << q.w << ' ' << q.x << ' ' << q.y << ' ' << q.z << "\">\n";
        if (const BodyLink* const link = own_link(i); link != nullptr) {
            const Vec3d other = link->b == kWorldAnchor ? link->end_b : place_of(scene_.bodies[link->b]) + link->end_b;
            xml << "<joint type=\"ball\" pos=\"";
            put(xml, (link->end_a + (other - place_of(body))) * 0.5);
            xml << "\"/>\n";
        } else if (body.kind == BodyKind::dynamic) {
            xml << "<freejoint/>\n";
        }
        write_geom(body, xml);
        for (const BodyLink& link : scene_.links) {
            if (link.b == i) write_body(link.a, &body, xml, next);
        }
        xml << "</body>\n";
    }
    void write_geom(const RigidBody& body, std::ofstream& xml) const {
        const HullRecord& record = scene_.hulls[body.hull];
        const MassProperties& unit = scene_.hulls.info(body.hull).mass;
        const double mass = body.mass > 0 ? double{body.mass} : double{body.density} * unit.volume;
        xml << "<geom mass=\"" << mass << "\" friction=\"" << body.friction << " 0 0\" ";
        if (body.collides_with == 0) xml << "contype=\"0\" conaffinity=\"0\" ";
        if (is_box(body.hull)) {
            xml << "type=\"box\" size=\"" << record.half_extent[0] << ' ' << record.half_extent[1] << ' '
                << record.half_extent[2] << "\" pos=\"";
            put(xml, unit.centre_of_mass);
            xml << "\"/>\n";
        } else {
            xml << "type=\"mesh\" mesh=\"m" << body.hull << "\"/>\n";
        }
    }

    test::StandingScene scene_;
    std::uint32_t substeps_;
    std::vector<int> id_;
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<ResponseWorld> make_mujoco_world(const test::StandingScene& scene, std::uint32_t substeps, double dt) {
    return std::make_unique<MujocoWorld>(scene, substeps, dt);
}

std::string mujoco_version() { return mj_versionString(); }

}  // namespace lanefold::bench
