// SPDX-License-Identifier: MIT
//
// The contents of a pickle of a hull set: of hulls the points and options that they were built from, of half-spaces,
// compounds and surfaces what the set has of them.
#include <variant>

#include <lanefold/half_space.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

nb::object rows_of(const std::vector<Vec3f>& points, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const float, nb::ndim<2>>(points.data(), {points.size(), 3}, owner));
}
nb::object rows_of(const std::vector<Vec3d>& points, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<2>>(points.data(), {points.size(), 3}, owner));
}

// An id in a pickle.
enum class Entry { removed, half_space, compound, surface };

Entry entry_of(const HullSet& hulls, std::size_t id) {
    if (!hulls.contains(id)) return Entry::removed;
    if (hulls[id].shape == ShapeKind::surface) return Entry::surface;
    return hulls[id].shape == ShapeKind::compound ? Entry::compound : Entry::half_space;
}

nb::tuple half_spaces_of(const HullSet& hulls, std::size_t id, std::size_t end) {
    std::vector<HalfSpace> planes;
    for (; id < end; ++id) planes.push_back(*half_space(hulls, id));
    return nb::make_tuple("half_spaces", array_of<float>(std::move(planes), 4));
}

nb::tuple compounds_of(const HullSet& hulls, std::size_t id, std::size_t end) {
    std::vector<Vec3d> position;
    std::vector<Quaternion> orientation;
    std::vector<std::uint32_t> hull;
    std::vector<std::uint64_t> offsets{0};
    for (; id < end; ++id) {
        add_children(hulls, id, position, orientation, hull);
        offsets.push_back(hull.size());
    }
    return nb::make_tuple("compounds", array_of<double>(std::move(position), 3),
                          array_of<float>(std::move(orientation), 4), array_of(std::move(hull)),
                          array_of(std::move(offsets)));
}

nb::tuple surfaces_of(const HullSet& hulls, std::size_t id, std::size_t end) {
    nb::list states;
    for (; id < end; ++id) states.append(state_of(*hulls.surface(id)));
    return nb::make_tuple("surfaces", states);
}

// Adds the ids of a part without a source, in runs of one kind.
void add_entries(const HullSet& hulls, std::size_t id, std::size_t end, nb::list& parts) {
    while (id < end) {
        const Entry kind = entry_of(hulls, id);
        std::size_t next = id + 1;
        while (next < end && entry_of(hulls, next) == kind) ++next;
        if (kind == Entry::removed) parts.append(next - id);
        if (kind == Entry::half_space) parts.append(half_spaces_of(hulls, id, next));
        if (kind == Entry::compound) parts.append(compounds_of(hulls, id, next));
        if (kind == Entry::surface) parts.append(surfaces_of(hulls, id, next));
        id = next;
    }
}

}  // namespace

// (restore, (parts, removed ids, fingerprint)). Arrays of points refer to the set.
nb::tuple reduce(nb::handle_t<Hulls> self) {
    const Hulls& hulls = nb::cast<const Hulls&>(self);
    nb::list parts;
    std::size_t first = 0;
    for (const Hulls::Part& part : hulls.parts) {
        first += part.count;
        if (!part.source) {
            add_entries(hulls, first - part.count, first, parts);
            continue;
        }
        const Hulls::Source& s = *part.source;
        const nb::object points = std::visit([&](const auto& list) { return rows_of(list, self); }, s.points);
        const nb::ndarray<nb::numpy, const std::uint64_t, nb::ndim<1>> offsets(s.offsets.data(), {s.offsets.size()},
                                                                               self);
        const nb::ndarray<nb::numpy, const float, nb::ndim<1>> radii(s.radii.data(), {s.radii.size()}, self);
        parts.append(nb::make_tuple(points, offsets, s.options.merge_coplanar, s.options.recognize_boxes,
                                    s.options.max_vertices, static_cast<std::uint8_t>(s.options.origin), radii));
    }
    nb::list removed;
    for (std::size_t id = 0; id < hulls.size(); ++id) {
        if (!hulls.contains(id)) removed.append(id);
    }
    return nb::make_tuple(nb::module_::import_("lanefold._hulls").attr("_restore"),
                          nb::make_tuple(parts, removed, hulls.fingerprint()));
}

}  // namespace lanefold::python
