// SPDX-License-Identifier: MIT
//
// Candidate pairs.
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/window_finder.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// A finder, and whether a call on some thread works on it: calls release the interpreter lock.
template <class Finder>
struct Shared {
    Finder finder;
    bool busy = false;  // read and written with the interpreter lock held
};
using SharedFinder = Shared<PairFinder>;
using SharedWindowFinder = Shared<WindowFinder>;

constexpr const char* kInUse = "the pair finder is in use by a call on another thread";

// The filters that both finders take, by their Python names.
struct Filters {
    const nb::object& inverse_mass;
    const nb::object& group;
    const nb::object& category;
    const nb::object& collides_with;
};

PairFinderOptions options_of(float margin, const Filters& filters, std::uint32_t threads) {
    PairFinderOptions o;
    o.margin = margin;
    o.inverse_mass = view_optional<float>(filters.inverse_mass, "inverse_mass must be (N) of float32");
    o.group = view_optional<std::uint32_t>(filters.group, "group must be (N) of uint32");
    o.category = view_optional<std::uint32_t>(filters.category, "category must be (N) of uint32");
    o.collides_with = view_optional<std::uint32_t>(filters.collides_with, "collides_with must be (N) of uint32");
    o.threads = threads;
    return o;
}

// New memory for pairs.
using PairMemory = std::unique_ptr<std::uint32_t[]>;

PairMemory pair_memory(std::size_t pairs) { return std::make_unique_for_overwrite<std::uint32_t[]>(2 * pairs); }

// (P, 2) of uint32 that owns its memory.
nb::object pair_array(PairMemory pairs, std::size_t count) {
    std::uint32_t* data = pairs.get();
    const nb::capsule owner(pairs.release(), [](void* p) noexcept { delete[] static_cast<std::uint32_t*>(p); });
    return nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>(data, {count, 2}, owner).cast();
}

// Returns (status, pairs (P, 2) of uint32 in new memory, number of bodies without a box).
nb::tuple find(SharedFinder& shared, const Hulls& hulls, const AnyArray& position, const AnyArray& orientation,
               const AnyArray& hull, float margin, const nb::object& inverse_mass, const nb::object& group,
               const nb::object& category, const nb::object& collides_with, const nb::object& unmoved,
               std::uint32_t threads) {
    const BodyView view = view_bodies(position, orientation, hull);
    PairFinderOptions o = options_of(margin, {inverse_mass, group, category, collides_with}, threads);
    o.unmoved = view_optional<std::uint8_t>(unmoved, "unmoved must be (N) of uint8");
    const Busy busy(shared.busy, kInUse);
    PairFinderResult r;
    PairMemory pairs;
    {
        const nb::gil_scoped_release release;
        r = shared.finder.find(hulls, view, o);
        pairs = pair_memory(r.pairs.size());
        std::memcpy(pairs.get(), r.pairs.data(), r.pairs.size_bytes());
    }
    return nb::make_tuple(status_dict(r.status), pair_array(std::move(pairs), r.pairs.size()), r.without_box);
}

// frames: (position, orientation) of each. Returns (status, of each frame its pairs and its number of bodies without a
// box).
nb::tuple find_window(SharedWindowFinder& shared, const Hulls& hulls, const nb::list& frames, const AnyArray& hull,
                      float margin, const nb::object& inverse_mass, const nb::object& group, const nb::object& category,
                      const nb::object& collides_with, std::uint32_t threads) {
    std::vector<std::pair<AnyArray, AnyArray>> poses;
    std::vector<BodyView> views;
    for (const nb::handle frame : frames) {
        poses.push_back(nb::cast<std::pair<AnyArray, AnyArray>>(frame));
        views.push_back(view_bodies(poses.back().first, poses.back().second, hull));
    }
    const PairFinderOptions o = options_of(margin, {inverse_mass, group, category, collides_with}, threads);
    const Busy busy(shared.busy, kInUse);
    WindowFinderResult r;
    std::vector<PairMemory> pairs(views.size());
    {
        const nb::gil_scoped_release release;
        r = shared.finder.find(hulls, views, o);
        for (std::size_t f = 0; r.status && f < pairs.size(); ++f) {
            pairs[f] = pair_memory(shared.finder.count(f));
            r.status =
                shared.finder.list(f, {reinterpret_cast<Pair*>(pairs[f].get()), shared.finder.count(f)}, threads);
        }
    }
    nb::list found;
    for (std::size_t f = 0; r.status && f < pairs.size(); ++f) {
        found.append(
            nb::make_tuple(pair_array(std::move(pairs[f]), shared.finder.count(f)), shared.finder.without_box(f)));
    }
    return nb::make_tuple(status_dict(r.status), found);
}

}  // namespace

void bind_finder(nb::module_& m) {
    nb::class_<SharedFinder>(m, "NativePairFinder")
        .def(nb::init<>())
        .def("find", &find, nb::arg("hulls"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
             nb::arg("margin"), nb::arg("inverse_mass").none(), nb::arg("group").none(), nb::arg("category").none(),
             nb::arg("collides_with").none(), nb::arg("unmoved").none(), nb::arg("threads"));
    nb::class_<SharedWindowFinder>(m, "NativeWindowFinder")
        .def(nb::init<>())
        .def("find", &find_window, nb::arg("hulls"), nb::arg("frames"), nb::arg("hull"), nb::arg("margin"),
             nb::arg("inverse_mass").none(), nb::arg("group").none(), nb::arg("category").none(),
             nb::arg("collides_with").none(), nb::arg("threads"));
    m.attr("MOST_FRAMES_IN_WINDOW") = kMostFramesInWindow;
}

}  // namespace lanefold::python
