// SPDX-License-Identifier: MIT
//
// Ids of a set that are not built from points: half-spaces, compounds, and hulls at other scales.
#include <algorithm>

#include <nanobind/stl/string.h>
#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/scaled_hulls.hpp>

#include "native.hpp"

namespace lanefold::python {

void add_children(const HullSet& hulls, std::size_t id, std::vector<Vec3d>& position,
                  std::vector<Quaternion>& orientation, std::vector<std::uint32_t>& hull) {
    for (std::size_t k = 0; k < hulls.child_count(id); ++k) {
        const CompoundChild child = hulls.child(id, k);
        position.push_back({child.position[0], child.position[1], child.position[2]});
        orientation.push_back({child.orientation[0], child.orientation[1], child.orientation[2], child.orientation[3]});
        hull.push_back(child.hull);
    }
}

namespace {

using Ids = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Row>
std::span<const Row> rows_as(const auto& array, const char* wrong) {
    using Value = std::remove_cvref_t<decltype(*array.data())>;
    if (array.shape(1) != sizeof(Row) / sizeof(Value)) throw nb::value_error(wrong);
    return {reinterpret_cast<const Row*>(array.data()), array.shape(0)};
}

// planes: (N, 4), normal and offset. Returns (hulls or None, failures) as build().
nb::tuple half_spaces(const FloatRows& planes) {
    BuildResult built = build_half_spaces(rows_as<HalfSpace>(planes, "planes must be (N, 4) of float32"));
    nb::list failures;
    for (const HullReport& r : built.failures)
        failures.append(nb::make_tuple(r.hull, r.culprit, to_string(r.error), r.what));
    if (!built) return nb::make_tuple(nb::none(), failures);
    const std::size_t count = built.hulls.size();
    return nb::make_tuple(Hulls{std::move(built.hulls), {{count, nullptr}}}, failures);
}

// Returns (hulls or None, [(compound, child, error, what)...]).
nb::tuple compounds(const Hulls& hulls, const DoubleRows& position, const FloatRows& orientation, const Ids& hull,
                    const Offsets& offsets) {
    const auto places = rows_as<Vec3d>(position, "position must be (C, 3) of float64");
    const auto turns = rows_as<Quaternion>(orientation, "orientation must be (C, 4) of float32");
    if (turns.size() != places.size() || hull.shape(0) != places.size())
        throw nb::value_error("position, orientation and hull must be of equal length");
    std::vector<CompoundChild> children(places.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
        std::copy_n(&places[i].x, 3, children[i].position);
        std::copy_n(turns[i].data(), 4, children[i].orientation);
        children[i].hull = hull.data()[i];
    }
    CompoundResult built;
    {
        const nb::gil_scoped_release release;
        built = build_compounds(hulls, children, {offsets.data(), offsets.shape(0)});
    }
    nb::list failures;
    for (const CompoundReport& r : built.failures)
        failures.append(nb::make_tuple(r.compound, r.child, to_string(r.error), r.what));
    if (!built) return nb::make_tuple(nb::none(), failures);
    const std::size_t count = built.hulls.size() - hulls.size();
    Hulls out{std::move(built.hulls), hulls.parts};
    out.parts.push_back({count, nullptr});
    return nb::make_tuple(std::move(out), failures);
}

// A ScaledHulls with the parts of its set, for pickles.
class Scaler {
public:
    Scaler(const Hulls& hulls, bool merge_coplanar, bool recognize_boxes, std::uint32_t threads)
        : options_(options_of(merge_coplanar, recognize_boxes, threads)), own_(hulls, options_), parts_(hulls.parts) {}

    // Returns (status, ids (N) of uint32).
    nb::tuple take(const Ids& hull, const FloatRows& scale) {
        const auto scales = rows_as<Vec3f>(scale, "scale must be (N, 3) of float32");
        if (hull.shape(0) != scales.size()) throw nb::value_error("hull and scale must be of equal length");
        std::vector<HullScale> wanted;
        for (std::size_t i = 0; i < scales.size(); ++i) wanted.push_back({hull.data()[i], scales[i]});
        const Busy busy(busy_, kInUse);
        ScaledIds taken;
        {
            const nb::gil_scoped_release release;
            const std::size_t first = own_.hulls().size();
            taken = own_.take(wanted);
            if (taken) add_parts(wanted, taken.ids, first);
        }
        return nb::make_tuple(status_dict(taken.status), array_of(std::move(taken.ids)));
    }

    Hulls hulls() {
        const Busy busy(busy_, kInUse);
        return {own_.hulls(), parts_};
    }

private:
    static constexpr const char* kInUse = "this ScaledHulls is in use by another thread";

    static BuildOptions options_of(bool merge_coplanar, bool recognize_boxes, std::uint32_t threads) {
        BuildOptions o;
        o.merge_coplanar = merge_coplanar;
        o.recognize_boxes = recognize_boxes;
        o.threads = threads;
        return o;
    }

    // The points of new hulls are those that the library builds them from (scaled_hulls.hpp): the stored vertices times
    // the scale, rounded once. Hulls come before half-spaces, each in the order in which they were wanted.
    void add_parts(std::span<const HullScale> wanted, std::span<const std::uint32_t> ids, std::size_t first) {
        const HullSet& all = own_.hulls();
        auto source = std::make_shared<Hulls::Source>();
        std::vector<Vec3f> points;
        source->offsets.push_back(0);
        source->options = options_;
        std::size_t next = first;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] != next || all[ids[i]].shape != ShapeKind::hull) continue;
            const Vec3f& s = wanted[i].scale;
            for (const Vec3f& v : all.vertices(wanted[i].hull)) points.push_back({v.x * s.x, v.y * s.y, v.z * s.z});
            source->offsets.push_back(points.size());
            source->radii.push_back(all[ids[i]].round_radius);
            ++next;
        }
        source->points = std::move(points);
        if (next > first) parts_.push_back({next - first, std::move(source)});
        if (all.size() > next) parts_.push_back({all.size() - next, nullptr});
    }

    BuildOptions options_;
    ScaledHulls own_;
    std::vector<Hulls::Part> parts_;
    bool busy_ = false;
};

}  // namespace

void bind_kinds(nb::module_& m) {
    m.def("half_spaces", &half_spaces);
    m.def("compounds", &compounds);
    nb::class_<Scaler>(m, "Scaler")
        .def(nb::init<const Hulls&, bool, bool, std::uint32_t>())
        .def("take", &Scaler::take, nb::arg("hull"), nb::arg("scale"))
        .def_prop_ro("hulls", &Scaler::hulls);
}

}  // namespace lanefold::python
