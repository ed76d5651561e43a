// SPDX-License-Identifier: MIT
//
// Points of common shapes, as (points, radius, error).
#include <algorithm>

#include <lanefold/shapes.hpp>

#include "native.hpp"

namespace lanefold::python {
namespace {

nb::tuple tuple_of(const Shape& shape) {
    if (!shape) throw nb::value_error(shape.what);
    auto* const points = new std::vector<Vec3f>(shape.points);
    const nb::capsule owner(points, [](void* p) noexcept { delete static_cast<std::vector<Vec3f>*>(p); });
    return nb::make_tuple(nb::ndarray<nb::numpy, float, nb::ndim<2>>(&points->data()->x, {points->size(), 3}, owner),
                          shape.radius, shape.error);
}

}  // namespace

void bind_shapes(nb::module_& m) {
    m.def("sphere", [](double radius) { return tuple_of(sphere(radius)); });
    m.def("capsule", [](double radius, double length) { return tuple_of(capsule(radius, length)); });
    m.def("cylinder", [](double radius, double height, double error, double rim) {
        return tuple_of(cylinder(radius, height, error, rim));
    });
    m.def("cone", [](double radius, double height, double error) { return tuple_of(cone(radius, height, error)); });
    m.def("tapered_capsule", [](double first, double second, double length, double error) {
        return tuple_of(tapered_capsule(first, second, length, error));
    });
    m.def("ellipsoid", [](double x, double y, double z, double error) { return tuple_of(ellipsoid(x, y, z, error)); });
}

}  // namespace lanefold::python
