// SPDX-License-Identifier: MIT
//
// Candidate pairs.
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>

#include <lanefold/window_finder.hpp>

#include "finder.hpp"
#include "native.hpp"

namespace lanefold::python {

namespace {

using SharedWindowFinder = Shared<WindowFinder>;

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

// More inputs of one frame, from a dictionary that outlives the call.
void add_inputs(const nb::dict& d, PairFinderOptions& o) {
    o.unmoved = view_optional<std::uint8_t>(d["unmoved"], "unmoved must be (N) of uint8");
    o.growth = view_optional<float>(d["growth"], "growth must be (N) of float32");
    const auto motion = view_optional<float>(d["motion"], "motion must be (3 N) of float32");
    if (motion.size() % 3 != 0) throw nb::value_error("motion must be (3 N) of float32");
    o.motion = {reinterpret_cast<const Vec3f*>(motion.data()), motion.size() / 3};
    o.world = view_optional<std::int32_t>(d["world"], "world must be (N) of int32");
    o.worlds = count_of(d["worlds"], "worlds");
    o.active = view_optional<std::uint8_t>(d["active"], "active must be (worlds) of uint8");
}

// Returns (status, pairs (P, 2) of uint32 in new memory, number of bodies without a box, world offsets).
nb::tuple find(SharedFinder& shared, const Hulls& hulls, const AnyArray& position, const AnyArray& orientation,
               const AnyArray& hull, float margin, const nb::object& inverse_mass, const nb::object& group,
               const nb::object& category, const nb::object& collides_with, const nb::dict& more,
               std::uint32_t threads) {
    const BodyView view = view_bodies(position, orientation, hull);
    PairFinderOptions o = options_of(margin, {inverse_mass, group, category, collides_with}, threads);
    add_inputs(more, o);
    const Busy busy(shared.busy, kFinderInUse);
    PairFinderResult r;
    PairMemory pairs;
    std::vector<std::uint64_t> offsets;
    {
        const nb::gil_scoped_release release;
        r = shared.finder.find(hulls, view, o);
        pairs = pair_memory(r.pairs.size());
        std::memcpy(pairs.get(), r.pairs.data(), r.pairs.size_bytes());
        offsets.assign(r.world_offsets.begin(), r.world_offsets.end());
    }
    return nb::make_tuple(status_dict(r.status), pair_array(std::move(pairs), r.pairs.size()), r.without_box,
                          array_of(std::move(offsets)));
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
    const Busy busy(shared.busy, kFinderInUse);
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
             nb::arg("collides_with").none(), nb::arg("more"), nb::arg("threads"));
    nb::class_<SharedWindowFinder>(m, "NativeWindowFinder")
        .def(nb::init<>())
        .def("find", &find_window, nb::arg("hulls"), nb::arg("frames"), nb::arg("hull"), nb::arg("margin"),
             nb::arg("inverse_mass").none(), nb::arg("group").none(), nb::arg("category").none(),
             nb::arg("collides_with").none(), nb::arg("threads"));
    m.attr("MOST_FRAMES_IN_WINDOW") = kMostFramesInWindow;
}

}  // namespace lanefold::python
