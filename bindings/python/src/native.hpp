// SPDX-License-Identifier: MIT
//
// Conversions that the parts of the native module share: arrays of NumPy to views, results to dictionaries. The Python
// files check and convert arguments; this layer refuses what it could not read safely.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/world.hpp>

namespace lanefold::python {

namespace nb = nanobind;

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DoubleRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PairRows = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A set with what it was built from, which a pickle carries: the same points give the same hulls on every machine,
// while a hull's own vertices may not give it again.
struct Hulls : HullSet {
    struct Source {
        std::variant<std::vector<Vec3f>, std::vector<Vec3d>> points;
        std::vector<std::uint64_t> offsets;
        BuildOptions options;      // without radii
        std::vector<float> radii;  // of each hull; empty: all are sharp
    };
    // One call that built hulls. Its points are dropped with the last of its hulls. Without a source: all of its hulls
    // were removed, or it has half-spaces, compounds or surfaces, which the set itself has as they were given.
    struct Part {
        std::size_t count = 0;
        std::shared_ptr<const Source> source;
    };
    std::vector<Part> parts;
};

// Positions (N, 3) of float32 or float64, orientations (N, 4) of float32, hulls (N) of uint32, with any stride from
// body to body. Throws ValueError for anything else.
BodyView view_bodies(const AnyArray& position, const AnyArray& orientation, const AnyArray& hull);

inline std::span<const Pair> view_pairs(const PairRows& pairs) {
    return {reinterpret_cast<const Pair*>(pairs.data()), pairs.shape(0)};
}

template <class T>
std::span<T> view_records(const Bytes& bytes) {
    if (bytes.shape(0) % sizeof(T) != 0) throw nb::value_error("not a whole number of records");
    return {reinterpret_cast<T*>(bytes.data()), bytes.shape(0) / sizeof(T)};
}

// (N, columns) of T that owns its memory: the elements of a vector, which is moved, without a copy.
template <class T, class Element>
nb::object array_of(std::vector<Element>&& elements, std::size_t columns) {
    static_assert(sizeof(Element) % sizeof(T) == 0);
    auto own = std::make_unique<std::vector<Element>>(std::move(elements));
    own->reserve(1);  // NumPy wants an address of an empty array, too
    const std::size_t rows = own->size() * (sizeof(Element) / sizeof(T)) / columns;
    T* const data = reinterpret_cast<T*>(own->data());
    const nb::capsule owner(own.release(), [](void* p) noexcept { delete static_cast<std::vector<Element>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner).cast();
}
// The same of one dimension.
template <class T>
nb::object array_of(std::vector<T>&& elements) {
    return array_of<T>(std::move(elements), 1).attr("reshape")(-1);
}

// x, y, z, w.
using Quaternion = std::array<float, 4>;
// Adds the children of a compound, in their order.
void add_children(const HullSet& hulls, std::size_t id, std::vector<Vec3d>& position,
                  std::vector<Quaternion>& orientation, std::vector<std::uint32_t>& hull);

// Elements of an optional flat array of one type; None is empty.
template <class T>
std::span<const T> view_optional(const nb::object& array, const char* name) {
    if (array.is_none()) return {};
    nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> out;
    if (!nb::try_cast(array, out)) throw nb::value_error(name);
    return {out.data(), out.shape(0)};
}

// A value of a dictionary of options. Throws TypeError with the option's name where it is no such number, or too large.
template <class T>
T value_of(const nb::handle& value, const std::string& name, const char* kind) {
    T out;
    if (!nb::try_cast(value, out))
        throw nb::type_error((name + " must be " + kind + ", it is " + nb::repr(value).c_str()).c_str());
    return out;
}
inline float float_of(const nb::handle& value, const std::string& name) {
    return value_of<float>(value, name, "a number");
}
inline std::uint32_t count_of(const nb::handle& value, const std::string& name) {
    return value_of<std::uint32_t>(value, name, "a whole number from 0 to 4294967295");
}

// Marks an object as in use by one call. Throws RuntimeError where another thread has it.
class Busy {
public:
    Busy(bool& busy, const char* what) : busy_(busy) {
        if (busy) throw std::runtime_error(what);
        busy = true;
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { busy_ = false; }

private:
    bool& busy_;
};

// {"code": ..., "what": ..., "where": ...}
nb::dict status_dict(const CallStatus& status);

// Options and inputs of a call from the dictionary that the Python layer makes. It must outlive the inputs, which refer
// to its arrays. Both throw TypeError or ValueError for what is no such number or array.
Options options_of(const nb::dict& d);
CallInputs inputs_of(const nb::dict& d, std::size_t pairs);
// The parts of such a dictionary that other calls have, too: options isa and stop.
Isa isa_of(const nb::dict& d);
StopToken stop_of(const nb::dict& d);
// The same of a sweep. The dictionary must outlive the inputs.
SweepOptions sweep_options_of(const nb::dict& d);
SweepInputs sweep_inputs_of(const nb::dict& d);
// Counts by the names of their enumerators.
template <class Enum, std::size_t N>
nb::dict counts_by_name(const std::uint64_t (&counts)[N]) {
    nb::dict d;
    for (std::size_t i = 0; i < N; ++i) d[to_string(static_cast<Enum>(i))] = counts[i];
    return d;
}
// The sums of a call.
nb::dict result_dict(const BatchResult& r);
// The named settings; the others stay. Throws TypeError or ValueError.
WorldSettings with_settings(WorldSettings settings, const nb::dict& named);
// Bodies and links from the bytes of arrays of _world.py's types. Throw ValueError.
std::vector<RigidBody> bodies_of(const ConstBytes& bytes);
std::vector<BodyLink> links_of(const ConstBytes& bytes);

// The parts of a surface that make it again, as pickles take them: ("mesh", arrays) or ("field", arrays and numbers).
nb::tuple state_of(const Surface& surface);
// (restore, arguments) of a pickle of a set.
nb::tuple reduce(nb::handle_t<Hulls> self);

void bind_bake(nb::module_& m);
void bind_hulls(nb::module_& m);
void bind_kinds(nb::module_& m);
void bind_measures(nb::module_& m);
void bind_oracle(nb::module_& m);
void bind_shapes(nb::module_& m);
void bind_collide(nb::module_& m);
void bind_direct(nb::module_& m);
void bind_finder(nb::module_& m);
void bind_queries(nb::module_& m);
void bind_rays(nb::module_& m);
void bind_stream(nb::module_& m);
void bind_surface(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_world(nb::module_& m);
void bind_world_batch(nb::module_& m);
void bind_worlds(nb::module_& m);

}  // namespace lanefold::python
