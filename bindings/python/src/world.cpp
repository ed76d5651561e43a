// SPDX-License-Identifier: MIT
//
// Rigid bodies that move. Bodies, links, records and impulses cross as bytes of structured arrays, whose types are in
// bindings/python/lanefold/_world.py.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <lanefold/isa.hpp>
#include <lanefold/world.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// The layout that _world.py gives these structures.
static_assert(sizeof(RigidBody) == 104 && offsetof(RigidBody, kind) == 4 && offsetof(RigidBody, position) == 8);
static_assert(offsetof(RigidBody, orientation) == 32 && offsetof(RigidBody, velocity) == 48);
static_assert(offsetof(RigidBody, spin) == 60 && offsetof(RigidBody, density) == 72);
static_assert(offsetof(RigidBody, mass) == 76 && offsetof(RigidBody, friction) == 80);
static_assert(offsetof(RigidBody, restitution) == 84 && offsetof(RigidBody, category) == 88);
static_assert(offsetof(RigidBody, collides_with) == 92 && offsetof(RigidBody, group) == 96);
static_assert(offsetof(RigidBody, scale) == 100);
static_assert(sizeof(BodyLink) == 80 && offsetof(BodyLink, a) == 4 && offsetof(BodyLink, b) == 8);
static_assert(offsetof(BodyLink, end_a) == 16 && offsetof(BodyLink, end_b) == 40);
static_assert(offsetof(BodyLink, length) == 64 && offsetof(BodyLink, restitution) == 72);
static_assert(sizeof(ContactPush) == 12);
static_assert(sizeof(ContactImpulse) == 32 && offsetof(ContactImpulse, tangent) == 16);
static_assert(sizeof(BodyD) == 48);

// A world, and whether a call on some thread works on it: calls release the interpreter lock.
struct SharedWorld {
    explicit SharedWorld(const Hulls& hulls) : world(hulls) {}

    World world;
    bool busy = false;  // read and written with the interpreter lock held
};

// Holds the world for one call. Throws RuntimeError where another thread has it.
class Use {
public:
    explicit Use(SharedWorld& shared)
        : busy_(shared.busy, "the world is in use by a call on another thread"), world_(shared.world) {}

    World* operator->() const { return &world_; }

private:
    Busy busy_;
    World& world_;
};

// New bytes for Python, a copy.
template <class T>
nb::object copy_bytes(std::span<const T> from) {
    auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(from.size_bytes());
    if (!from.empty()) std::memcpy(bytes.get(), from.data(), from.size_bytes());
    std::uint8_t* data = bytes.get();
    const nb::capsule owner(bytes.release(), [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
    return nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {from.size_bytes()}, owner).cast();
}

template <class T>
std::vector<T> elements(const ConstBytes& bytes) {
    if (bytes.shape(0) % sizeof(T) != 0) throw nb::value_error("not a whole number of elements");
    std::vector<T> out(bytes.shape(0) / sizeof(T));
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), bytes.data(), bytes.shape(0));
    return out;
}

}  // namespace

// A value of another kind than those of the enumeration would reach a switch of the library.
std::vector<RigidBody> bodies_of(const ConstBytes& bytes) {
    std::vector<RigidBody> bodies = elements<RigidBody>(bytes);
    for (const RigidBody& b : bodies) {
        if (static_cast<std::uint8_t>(b.kind) > 2) throw nb::value_error("kind must be 0, 1 or 2");
    }
    return bodies;
}

std::vector<BodyLink> links_of(const ConstBytes& bytes) {
    std::vector<BodyLink> links = elements<BodyLink>(bytes);
    for (const BodyLink& l : links) {
        if (static_cast<std::uint8_t>(l.kind) > 1) throw nb::value_error("kind must be 0 or 1");
    }
    return links;
}

WorldSettings with_settings(WorldSettings s, const nb::dict& named) {
    const std::pair<const char*, float*> numbers[] = {
        {"unit", &s.unit},
        {"contact_hertz", &s.contact_hertz},
        {"contact_damping", &s.contact_damping},
        {"link_hertz", &s.link_hertz},
        {"link_damping", &s.link_damping},
        {"push_speed", &s.push_speed},
        {"restitution_threshold", &s.restitution_threshold},
        {"linear_damping", &s.linear_damping},
        {"angular_damping", &s.angular_damping},
        {"margin", &s.margin},
        {"face_preference", &s.face_preference},
        {"hysteresis", &s.hysteresis},
        {"reuse", &s.reuse},
        {"sleep_speed", &s.sleep_speed},
        {"sleep_time", &s.sleep_time},
    };
    for (const auto& [key, value] : named) {
        const std::string name = nb::cast<std::string>(key);
        const auto* number = std::find_if(std::begin(numbers), std::end(numbers),
                                          [&](const auto& known) { return name == known.first; });
        if (number != std::end(numbers)) {
            *number->second = float_of(value, name);
        } else if (name == "gravity") {
            const auto xyz = value_of<nb::sequence>(value, name, "three numbers");
            if (nb::len(xyz) != 3) throw nb::value_error("gravity must have three numbers");
            const auto number_at = [&](std::size_t k) { return value_of<float>(xyz[k], name, "three numbers"); };
            s.gravity = {number_at(0), number_at(1), number_at(2)};
        } else if (name == "substeps") {
            s.substeps = count_of(value, name);
        } else if (name == "threads") {
            s.threads = count_of(value, name);
        } else if (name == "sleep") {
            const int truth = PyObject_IsTrue(value.ptr());
            if (truth < 0) throw nb::python_error();
            s.sleep = truth != 0;
        } else if (name == "method") {
            const auto method = value_of<std::string>(value, name, "a name");
            if (method != "clip" && method != "patch") throw nb::value_error("method must be 'clip' or 'patch'");
            s.method = method == "patch" ? ContactMethod::patch : ContactMethod::clip;
        } else if (name == "isa") {
            const auto isa = value_of<std::string>(value, name, "a name");
            const std::optional<Isa> found = parse_isa(isa);
            if (!found) throw nb::value_error(("there is no instruction set '" + isa + "'").c_str());
            s.isa = *found;
        } else {
            throw nb::type_error(("a world has no setting '" + name + "'").c_str());
        }
    }
    return s;
}

namespace {

// The named settings; the others stay.
nb::dict set_settings(SharedWorld& shared, const nb::dict& named) {
    const Use world(shared);
    return status_dict(world->set_settings(with_settings(world->settings(), named)));
}

// Takes pairs (P, 2), or finds them where that is None.
nb::dict step(SharedWorld& shared, double dt, const nb::object& pairs) {
    PairRows rows;
    const bool given = !pairs.is_none();
    if (given && !nb::try_cast(pairs, rows)) throw nb::value_error("pairs must be (P, 2) of uint32");
    const Use world(shared);
    StepResult r;
    {
        const nb::gil_scoped_release release;
        r = given ? world->step(dt, view_pairs(rows)) : world->step(dt);
    }
    nb::dict d = status_dict(r.status);
    d["pairs"] = r.pairs;
    d["contacts"] = r.contacts;
    d["points"] = r.points;
    d["links"] = r.links;
    d["awake"] = r.awake;
    d["asleep"] = r.asleep;
    d["lost"] = r.lost;
    d["carried"] = r.carried;
    d["link_error"] = r.link_error;
    d["worst_link"] = r.worst_link;
    d["isa"] = to_string(r.isa);
    return d;
}

// State of all bodies as (N, 17) of float64: position 3, orientation 4, velocity 3, spin 3, centre 3, mass.
// float32 numbers widen exactly.
nb::object state(SharedWorld& shared) {
    const Use world(shared);
    const std::span<const BodyD> bodies = world->bodies();
    constexpr std::size_t kColumns = 17;
    auto rows = std::make_unique_for_overwrite<double[]>(kColumns * bodies.size());
    double* to = rows.get();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3f velocity = world->velocity(i), spin = world->spin(i);
        const Vec3d centre = world->centre(i);
        to = std::copy_n(bodies[i].position, 3, to);
        to = std::copy_n(bodies[i].orientation, 4, to);
        for (const double x : {double{velocity.x}, double{velocity.y}, double{velocity.z}, double{spin.x},
                               double{spin.y}, double{spin.z}, centre.x, centre.y, centre.z, world->mass(i)}) {
            *to++ = x;
        }
    }
    double* data = rows.get();
    const nb::capsule owner(rows.release(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return nb::ndarray<nb::numpy, double, nb::ndim<2>>(data, {bodies.size(), kColumns}, owner).cast();
}

nb::list asleep(SharedWorld& shared) {
    const Use world(shared);
    nb::list out;
    for (std::size_t i = 0; i < world->size(); ++i) out.append(world->asleep(i));
    return out;
}

nb::list removed(SharedWorld& shared) {
    const Use world(shared);
    nb::list out;
    for (std::size_t i = 0; i < world->size(); ++i) out.append(world->removed(i));
    return out;
}

// (body, step) of each lost body.
nb::list lost(SharedWorld& shared) {
    const Use world(shared);
    nb::list out;
    for (const LostBody& body : world->lost()) out.append(nb::make_tuple(body.body, body.step));
    return out;
}

nb::dict motion(SharedWorld& shared) {
    const WorldMotion m = Use(shared)->motion();
    nb::dict d;
    d["momentum"] = nb::make_tuple(m.momentum.x, m.momentum.y, m.momentum.z);
    d["angular_momentum"] = nb::make_tuple(m.angular_momentum.x, m.angular_momentum.y, m.angular_momentum.z);
    d["kinetic_energy"] = m.kinetic_energy;
    d["potential_energy"] = m.potential_energy;
    d["mass"] = m.mass;
    return d;
}

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Vec3f three(const Numbers& n) {
    if (n.shape(0) != 3) throw nb::value_error("expected three numbers");
    return {static_cast<float>(n.data()[0]), static_cast<float>(n.data()[1]), static_cast<float>(n.data()[2])};
}

nb::dict set_velocity(SharedWorld& shared, std::size_t body, const Numbers& velocity, const Numbers& spin) {
    return status_dict(Use(shared)->set_velocity(body, three(velocity), three(spin)));
}

nb::dict apply_impulse(SharedWorld& shared, std::size_t body, const Numbers& impulse, const Numbers& point) {
    if (point.shape(0) != 3) throw nb::value_error("expected three numbers");
    const Vec3d at{point.data()[0], point.data()[1], point.data()[2]};
    return status_dict(Use(shared)->apply_impulse(body, three(impulse), at));
}

nb::dict set_pose(SharedWorld& shared, std::size_t body, const Numbers& position, const Numbers& orientation) {
    if (position.shape(0) != 3 || orientation.shape(0) != 4) throw nb::value_error("expected three and four numbers");
    float q[4];
    std::transform(orientation.data(), orientation.data() + 4, q, [](double x) { return static_cast<float>(x); });
    return status_dict(Use(shared)->set_pose(body, position.data(), q));
}

nb::dict set_target(SharedWorld& shared, std::size_t body, const Numbers& position, const Numbers& orientation,
                    double dt) {
    if (position.shape(0) != 3 || orientation.shape(0) != 4) throw nb::value_error("expected three and four numbers");
    float q[4];
    std::transform(orientation.data(), orientation.data() + 4, q, [](double x) { return static_cast<float>(x); });
    return status_dict(Use(shared)->set_target(body, position.data(), q, dt));
}

nb::dict apply_angular_impulse(SharedWorld& shared, std::size_t body, const Numbers& impulse) {
    return status_dict(Use(shared)->apply_angular_impulse(body, three(impulse)));
}

nb::tuple save(SharedWorld& shared) {
    std::vector<std::byte> bytes;
    const CallStatus status = Use(shared)->save(bytes);
    return nb::make_tuple(status_dict(status), nb::bytes(bytes.data(), bytes.size()));
}

nb::dict restore(SharedWorld& shared, const nb::bytes& bytes) {
    return status_dict(Use(shared)->restore({static_cast<const std::byte*>(bytes.data()), bytes.size()}));
}

}  // namespace

void bind_world(nb::module_& m) {
    nb::class_<SharedWorld>(m, "NativeWorld")
        .def(nb::init<const Hulls&>(), nb::arg("hulls"))
        .def("__len__", [](SharedWorld& shared) { return Use(shared)->size(); })
        .def(
            "add_bodies",
            [](SharedWorld& shared, const ConstBytes& bytes) {
                return status_dict(Use(shared)->add_bodies(bodies_of(bytes)));
            },
            nb::arg("bodies"))
        .def(
            "add_links",
            [](SharedWorld& shared, const ConstBytes& bytes) {
                return status_dict(Use(shared)->add_links(links_of(bytes)));
            },
            nb::arg("links"))
        .def(
            "set_hulls",
            [](SharedWorld& shared, const Hulls& hulls) { return status_dict(Use(shared)->set_hulls(hulls)); },
            nb::arg("hulls"))
        .def("set_settings", &set_settings, nb::arg("settings"))
        .def("step", &step, nb::arg("dt"), nb::arg("pairs").none())
        .def("state", &state)
        .def("asleep", &asleep)
        .def("lost", &lost)
        .def("removed", &removed)
        .def("motion", &motion)
        .def("contacts", [](SharedWorld& shared) { return copy_bytes(Use(shared)->contacts()); })
        .def("impulses", [](SharedWorld& shared) { return copy_bytes(Use(shared)->impulses()); })
        .def("pushes", [](SharedWorld& shared) { return copy_bytes(Use(shared)->pushes()); })
        .def(
            "link_force", [](SharedWorld& shared, std::size_t link) { return Use(shared)->link_force(link); },
            nb::arg("link"))
        .def(
            "link_error", [](SharedWorld& shared, std::size_t link) { return Use(shared)->link_error(link); },
            nb::arg("link"))
        .def("set_velocity", &set_velocity, nb::arg("body"), nb::arg("velocity"), nb::arg("spin"))
        .def("apply_impulse", &apply_impulse, nb::arg("body"), nb::arg("impulse"), nb::arg("point"))
        .def("apply_angular_impulse", &apply_angular_impulse, nb::arg("body"), nb::arg("impulse"))
        .def("set_pose", &set_pose, nb::arg("body"), nb::arg("position"), nb::arg("orientation"))
        .def("set_target", &set_target, nb::arg("body"), nb::arg("position"), nb::arg("orientation"), nb::arg("dt"))
        .def(
            "remove", [](SharedWorld& shared, std::size_t body) { return status_dict(Use(shared)->remove(body)); },
            nb::arg("body"))
        .def(
            "wake", [](SharedWorld& shared, std::size_t body) { return status_dict(Use(shared)->wake(body)); },
            nb::arg("body"))
        .def("save", &save)
        .def("restore", &restore, nb::arg("bytes"));
}

}  // namespace lanefold::python
