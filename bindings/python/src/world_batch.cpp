// SPDX-License-Identifier: MIT
//
// Many worlds, whose arrays Python sees in place. An array keeps its batch alive; no bodies can be added any more once
// one was handed out, because that would move them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <lanefold/world_batch.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// A batch, and whether a call on some thread works on it: calls release the interpreter lock.
struct SharedBatch {
    SharedBatch(const Hulls& hulls, std::size_t worlds) : batch(hulls, worlds), results(worlds) {}

    WorldBatch batch;
    std::vector<StepResult> results;
    bool busy = false;     // read and written with the interpreter lock held
    bool pointed = false;  // arrays were handed out
};

// Holds the batch for one call. Throws RuntimeError where another thread has it.
class Use {
public:
    explicit Use(SharedBatch& shared)
        : busy_(shared.busy, "the batch is in use by a call on another thread"), batch_(shared.batch) {}

    WorldBatch* operator->() const { return &batch_; }

private:
    Busy busy_;
    WorldBatch& batch_;
};

constexpr const char* kMask = "active must be a flat array of uint8";
constexpr const char* kPointed = "arrays of the batch are in use, and bodies would move them";

std::span<const std::uint8_t> mask_of(const nb::object& active) { return view_optional<std::uint8_t>(active, kMask); }

nb::dict dict_of(const WorldBatchResult& r) {
    nb::dict d = status_dict(r.status);
    d["done"] = r.done;
    d["refused"] = r.refused;
    d["lost"] = r.lost;
    d["pairs"] = r.pairs;
    d["contacts"] = r.contacts;
    return d;
}

nb::dict add_bodies_of_each(SharedBatch& shared, const ConstBytes& bytes) {
    const Use batch(shared);
    if (shared.pointed) throw std::runtime_error(kPointed);
    return status_dict(batch->add_bodies_of_each(bodies_of(bytes)));
}

nb::dict add_shared(SharedBatch& shared, const ConstBytes& bytes) {
    return status_dict(Use(shared)->add_shared(bodies_of(bytes)));
}

nb::dict add_bodies(SharedBatch& shared, const ConstBytes& bytes, const nb::object& active) {
    const Use batch(shared);
    if (shared.pointed) throw std::runtime_error(kPointed);
    return status_dict(batch->add_bodies(bodies_of(bytes), mask_of(active)));
}

nb::dict set_settings(SharedBatch& shared, const nb::dict& named, const nb::object& active) {
    const Use batch(shared);
    const std::span<const std::uint8_t> mask = mask_of(active);
    if (!mask.empty() && mask.size() != batch->size()) throw nb::value_error("active needs one byte for each world");
    if (nb::len(named) == (named.contains("threads") ? 1U : 0U)) {
        with_settings({}, named);  // throws where it is no number; worlds have no use for it, and settings wake them
        return status_dict({});
    }
    for (std::size_t w = 0; w < batch->size(); ++w) {
        if (!mask.empty() && mask[w] == 0) continue;
        const CallStatus status = batch->world(w).set_settings(with_settings(batch->world(w).settings(), named));
        if (!status) return status_dict(status);
    }
    return status_dict({});
}

nb::dict set_gravity(SharedBatch& shared, const FloatRows& gravity) {
    if (gravity.shape(1) != 3) throw nb::value_error("gravity must be (worlds, 3)");
    return status_dict(Use(shared)->set_gravity({reinterpret_cast<const Vec3f*>(gravity.data()), gravity.shape(0)}));
}

// The counts of the step, and the status of every world.
nb::dict step(SharedBatch& shared, double dt, const nb::object& active) {
    const Use batch(shared);
    const std::span<const std::uint8_t> mask = mask_of(active);
    WorldBatchResult r;
    {
        const nb::gil_scoped_release release;
        for (StepResult& own : shared.results) own = {};
        r = batch->step(dt, shared.results, mask);
    }
    nb::list refused;
    for (std::size_t w = 0; w < shared.results.size(); ++w) {
        const CallStatus& status = shared.results[w].status;
        if (!status) refused.append(nb::make_tuple(w, status.what, status.where));
    }
    nb::dict d = dict_of(r);
    d["refusals"] = refused;
    return d;
}

template <WorldBatchResult (WorldBatch::*Call)(std::span<const std::uint8_t>)>
nb::dict call(SharedBatch& shared, const nb::object& active) {
    const Use batch(shared);
    const std::span<const std::uint8_t> mask = mask_of(active);
    WorldBatchResult r;
    {
        const nb::gil_scoped_release release;
        r = (batch.operator->()->*Call)(mask);
    }
    return dict_of(r);
}

// Rows of so many numbers that Python sees in place.
template <class T>
nb::object rows(const nb::handle& owner, std::span<T> all, std::size_t columns) {
    using Value = std::remove_const_t<T>;
    Value* const data = const_cast<Value*>(all.data());  // NOLINT: _world_batch.py makes views of const ones read-only
    return nb::ndarray<nb::numpy, Value, nb::ndim<2>>(data, {all.size() / columns, columns}, owner).cast();
}

nb::dict arrays(const nb::handle& self) {
    auto& shared = nb::cast<SharedBatch&>(self);
    const Use batch(shared);
    const WorldArrays a = batch->arrays();
    shared.pointed = true;
    nb::dict d;
    d["offsets"] = rows(self, a.offsets, 1);
    d["position"] = rows(self, a.positions, 3);
    d["orientation"] = rows(self, a.orientations, 4);
    d["velocity"] = rows(self, a.velocities, 3);
    d["spin"] = rows(self, a.spins, 3);
    d["force"] = rows(self, a.forces, 3);
    d["torque"] = rows(self, a.torques, 3);
    d["impulse"] = rows(self, a.impulses, 3);
    d["present"] = rows(self, a.present, 1);
    d["target_position"] = rows(self, a.target_positions, 3);
    d["target_orientation"] = rows(self, a.target_orientations, 4);
    d["has_target"] = rows(self, a.targets, 1);
    d["contact_force"] = rows(self, a.contact_forces, 3);
    d["touches"] = rows(self, a.touches, 1);
    d["asleep"] = rows(self, a.asleep, 1);
    return d;
}

// The results of all worlds as bytes, (worlds, size), and where the counts are in them.
nb::tuple results(const nb::handle& self) {
    auto& shared = nb::cast<SharedBatch&>(self);
    const Use batch(shared);
    constexpr std::size_t kSize = sizeof(StepResult);
    auto* const data = reinterpret_cast<std::uint8_t*>(shared.results.data());
    nb::dict places;
    places["pairs"] = offsetof(StepResult, pairs);
    places["contacts"] = offsetof(StepResult, contacts);
    places["points"] = offsetof(StepResult, points);
    places["links"] = offsetof(StepResult, links);
    places["awake"] = offsetof(StepResult, awake);
    places["asleep"] = offsetof(StepResult, asleep);
    places["lost"] = offsetof(StepResult, lost);
    return nb::make_tuple(
        nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>(data, {shared.results.size(), kSize}, self).cast(), places);
}

World& world_of(const Use& batch, std::size_t w) {
    if (w >= batch->size()) throw nb::index_error("there is no such world");
    return batch->world(w);
}

nb::tuple save(SharedBatch& shared, std::size_t w) {
    const Use batch(shared);
    std::vector<std::byte> bytes;
    const CallStatus status = world_of(batch, w).save(bytes);
    return nb::make_tuple(status_dict(status), nb::bytes(bytes.data(), bytes.size()));
}

nb::dict restore(SharedBatch& shared, std::size_t w, const nb::bytes& bytes) {
    const Use batch(shared);
    const CallStatus status = world_of(batch, w).restore({static_cast<const std::byte*>(bytes.data()), bytes.size()});
    if (!status) return status_dict(status);
    std::vector<std::uint8_t> mask(batch->size());
    mask[w] = 1;
    return status_dict(batch->read(mask).status);
}

}  // namespace

void bind_world_batch(nb::module_& m) {
    nb::class_<SharedBatch>(m, "NativeWorldBatch")
        .def(nb::init<const Hulls&, std::size_t>(), nb::arg("hulls"), nb::arg("worlds"))
        .def("__len__", [](SharedBatch& shared) { return Use(shared)->size(); })
        .def("add_bodies", &add_bodies, nb::arg("bodies"), nb::arg("active").none())
        .def("add_bodies_of_each", &add_bodies_of_each, nb::arg("bodies"))
        .def("add_shared", &add_shared, nb::arg("bodies"))
        .def("shared", [](SharedBatch& shared) { return Use(shared)->shared(); })
        .def(
            "set_hulls",
            [](SharedBatch& shared, const Hulls& hulls) { return status_dict(Use(shared)->set_hulls(hulls)); },
            nb::arg("hulls"))
        .def(
            "add_links",
            [](SharedBatch& shared, const ConstBytes& bytes, const nb::object& active) {
                return status_dict(Use(shared)->add_links(links_of(bytes), mask_of(active)));
            },
            nb::arg("links"), nb::arg("active").none())
        .def("set_settings", &set_settings, nb::arg("settings"), nb::arg("active").none())
        .def("set_gravity", &set_gravity, nb::arg("gravity"))
        .def(
            "set_threads", [](SharedBatch& shared, std::uint32_t n) { Use(shared)->set_threads(n); },
            nb::arg("threads"))
        .def("step", &step, nb::arg("dt"), nb::arg("active").none())
        .def("keep", &call<&WorldBatch::keep>, nb::arg("active").none())
        .def("reset", &call<&WorldBatch::reset>, nb::arg("active").none())
        .def("read", &call<&WorldBatch::read>, nb::arg("active").none())
        .def("write", &call<&WorldBatch::write>, nb::arg("active").none())
        .def("arrays", [](const nb::handle_t<SharedBatch>& self) { return arrays(self); })
        .def("results", [](const nb::handle_t<SharedBatch>& self) { return results(self); })
        .def("save", &save, nb::arg("world"))
        .def("restore", &restore, nb::arg("world"), nb::arg("bytes"));
}

}  // namespace lanefold::python
