// SPDX-License-Identifier: MIT
//
// Candidate pairs.
#include <cstring>
#include <memory>

#include <lanefold/broadphase.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// A finder, and whether a call on some thread works on it: calls release the interpreter lock.
struct SharedFinder {
    PairFinder finder;
    bool busy = false;  // read and written with the interpreter lock held
};

// Returns (status, pairs (P, 2) of uint32 in new memory, number of bodies without a box).
nb::tuple find(SharedFinder& shared, const HullSet& hulls, const AnyArray& position, const AnyArray& orientation,
               const AnyArray& hull, float margin, const nb::object& inverse_mass, const nb::object& group,
               const nb::object& category, const nb::object& collides_with, const nb::object& unmoved,
               std::uint32_t threads) {
    const BodyView view = view_bodies(position, orientation, hull);
    PairFinderOptions o;
    o.margin = margin;
    o.inverse_mass = view_optional<float>(inverse_mass, "inverse_mass must be (N) of float32");
    o.group = view_optional<std::uint32_t>(group, "group must be (N) of uint32");
    o.category = view_optional<std::uint32_t>(category, "category must be (N) of uint32");
    o.collides_with = view_optional<std::uint32_t>(collides_with, "collides_with must be (N) of uint32");
    o.unmoved = view_optional<std::uint8_t>(unmoved, "unmoved must be (N) of uint8");
    o.threads = threads;
    const Busy busy(shared.busy, "the pair finder is in use by a call on another thread");
    PairFinderResult r;
    std::unique_ptr<std::uint32_t[]> pairs;
    {
        const nb::gil_scoped_release release;
        r = shared.finder.find(hulls, view, o);
        pairs = std::make_unique_for_overwrite<std::uint32_t[]>(2 * r.pairs.size());
        std::memcpy(pairs.get(), r.pairs.data(), r.pairs.size_bytes());
    }
    std::uint32_t* data = pairs.get();
    const nb::capsule owner(pairs.release(), [](void* p) noexcept { delete[] static_cast<std::uint32_t*>(p); });
    return nb::make_tuple(status_dict(r.status),
                          nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>(data, {r.pairs.size(), 2}, owner).cast(),
                          r.without_box);
}

}  // namespace

void bind_finder(nb::module_& m) {
    nb::class_<SharedFinder>(m, "NativePairFinder")
        .def(nb::init<>())
        .def("find", &find, nb::arg("hulls"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
             nb::arg("margin"), nb::arg("inverse_mass").none(), nb::arg("group").none(), nb::arg("category").none(),
             nb::arg("collides_with").none(), nb::arg("unmoved").none(), nb::arg("threads"));
}

}  // namespace lanefold::python
