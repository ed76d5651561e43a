// SPDX-License-Identifier: MIT
//
// Reads the setup file and places the bodies of a scene's frame.
#include "simulate/setup.hpp"

#include <cmath>
#include <limits>

#include "console/failure.hpp"
#include "files/json.hpp"

namespace lanefold::tools {
namespace {

// Reads the keys that are there; values of missing keys stay. A key of another type or name is refused with its place.
class Reader {
public:
    Reader(std::string file, std::string place, const Json& json)
        : file_(std::move(file)), place_(std::move(place)), json_(json) {
        if (!json.is_object()) fail("is not an object");
    }

    template <class T>
    void number(const char* key, T& to) {
        if (const Json* value = find(key)) {
            if (!value->is_number()) fail(std::string(key) + " is not a number");
            to = value->template get<T>();
        }
    }

    // A whole number from 0 to `most`, written as one: no conversion would tell 0.9 or 2^32 from 0.
    template <class T>
    void count(const char* key, T& to, std::uint64_t most = std::numeric_limits<T>::max()) {
        const Json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_number_unsigned() || value->template get<std::uint64_t>() > most)
            fail(std::string(key) + " is not a whole number from 0 to " + std::to_string(most));
        to = value->template get<T>();
    }

    template <class T>
    void vector(const char* key, T* to) {
        const Json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_array() || value->size() != 3) fail(std::string(key) + " is not a list of three numbers");
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(*value)[k].is_number()) fail(std::string(key) + " is not a list of three numbers");
            to[k] = (*value)[k].template get<T>();
        }
    }

    std::string text(const char* key) {
        const Json* value = find(key);
        if (value == nullptr) return {};
        if (!value->is_string()) fail(std::string(key) + " is not a text");
        return value->get<std::string>();
    }

    const Json* find(const char* key) {
        known_.emplace_back(key);
        const auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }

    bool has(const char* key) const { return json_.contains(key); }

    // Call it after all keys have been read.
    void refuse_unknown() const {
        for (const auto& [key, value] : json_.items()) {
            bool found = false;
            for (const std::string& k : known_) found = found || k == key;
            if (!found) fail("there is no key '" + key + "'");
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw bad_input("{}: {}{}{}", file_, place_, place_.empty() ? "" : ": ", what);
    }

private:
    std::string file_;
    std::string place_;
    const Json& json_;
    std::vector<std::string> known_;
};

void read_body(Reader& in, std::vector<RigidBody>& bodies, std::vector<bool>& listed) {
    std::uint64_t index = bodies.size();
    if (!in.has("body")) in.fail("names no body");
    in.count("body", index);
    if (index >= bodies.size()) in.fail("there is no body " + std::to_string(index));
    if (listed[index]) in.fail("body " + std::to_string(index) + " is listed before");
    listed[index] = true;
    RigidBody& body = bodies[index];
    const std::string kind = in.text("kind");
    if (kind == "dynamic") body.kind = BodyKind::dynamic;
    if (kind == "fixed") body.kind = BodyKind::fixed;
    if (kind == "kinematic") body.kind = BodyKind::kinematic;
    if (!kind.empty() && kind != "dynamic" && kind != "fixed" && kind != "kinematic")
        in.fail("kind '" + kind + "' is none of dynamic, fixed, kinematic");
    if (in.has("density")) body.mass = 0;
    in.number("density", body.density);
    in.number("mass", body.mass);
    if (in.has("mass") && body.mass == 0) in.fail("mass is 0; without one the density counts");
    in.number("friction", body.friction);
    in.number("restitution", body.restitution);
    in.vector("velocity", body.velocity);
    in.vector("spin", body.spin);
    in.count("category", body.category);
    in.count("collides_with", body.collides_with);
    in.refuse_unknown();
}

BodyLink read_link(Reader& in) {
    BodyLink link;
    const std::string kind = in.text("kind");
    if (kind != "rod" && kind != "cable") in.fail("kind '" + kind + "' is none of rod, cable");
    link.kind = kind == "rod" ? LinkKind::rod : LinkKind::cable;
    in.count("a", link.a);
    in.count("b", link.b, kWorldAnchor - 1);
    double a[3] = {};
    double b[3] = {};
    in.vector("end_a", a);
    in.vector("end_b", b);
    link.end_a = {a[0], a[1], a[2]};
    link.end_b = {b[0], b[1], b[2]};
    in.number("length", link.length);
    in.number("restitution", link.restitution);
    in.refuse_unknown();
    return link;
}

void read_file_into(const std::filesystem::path& path, SimulationSetup& setup, WorldSettings& settings) {
    const std::string file = path.string();
    const Json json = read_json_object(path);
    Reader in(file, "", json);
    float gravity[3] = {settings.gravity.x, settings.gravity.y, settings.gravity.z};
    in.vector("gravity", gravity);
    settings.gravity = {gravity[0], gravity[1], gravity[2]};
    in.number("linear_damping", settings.linear_damping);
    in.number("angular_damping", settings.angular_damping);
    const auto list = [&](const char* key, auto&& each) {
        const Json* values = in.find(key);
        if (values == nullptr) return;
        if (!values->is_array()) in.fail(std::string(key) + " is not a list");
        for (std::size_t i = 0; i < values->size(); ++i) {
            Reader entry(file, std::string(key) + "[" + std::to_string(i) + "]", (*values)[i]);
            each(entry);
        }
    };
    std::vector<bool> listed(setup.bodies.size());
    list("bodies", [&](Reader& entry) { read_body(entry, setup.bodies, listed); });
    // The other numbers are in the scene's unit.
    list("links", [&](Reader& entry) { setup.links.push_back(read_link(entry)); });
    in.refuse_unknown();
}

}  // namespace

SimulationSetup read_setup(const Scene& scene, const SceneFrame& frame, const std::filesystem::path& setup,
                           const BodyDefaults& defaults, WorldSettings& settings) {
    SimulationSetup out;
    out.bodies.resize(scene.bodies());
    for (std::size_t i = 0; i < out.bodies.size(); ++i) {
        RigidBody& body = out.bodies[i];
        body.hull = scene.body_hull()[i];
        for (std::size_t k = 0; k < 3; ++k) {
            body.position[k] = scene.positions_are_double() ? frame.position_double[3 * i + k]
                                                            : static_cast<double>(frame.position[3 * i + k]);
        }
        for (std::size_t k = 0; k < 4; ++k) body.orientation[k] = frame.orientation[4 * i + k];
        body.density = defaults.density;
        body.friction = defaults.friction;
        body.restitution = defaults.restitution;
        if (!scene.inverse_mass().empty()) {
            const float inverse = scene.inverse_mass()[i];
            if (inverse == 0) body.kind = BodyKind::fixed;
            if (inverse != 0) body.mass = 1 / inverse;
        } else if (const lanefold::ShapeKind kind = scene.other_shapes().kind_of(body.hull);
                   kind == lanefold::ShapeKind::half_space || kind == lanefold::ShapeKind::surface) {
            body.kind = BodyKind::fixed;  // it has no mass; the setup may make a surface kinematic
        }
        if (!scene.group().empty()) body.group = scene.group()[i];
    }
    if (!setup.empty()) read_file_into(setup, out, settings);
    const double unit = static_cast<double>(settings.unit);
    for (RigidBody& body : out.bodies) {
        body.density = static_cast<float>(static_cast<double>(body.density) / (unit * unit * unit));
    }
    return out;
}

}  // namespace lanefold::tools
