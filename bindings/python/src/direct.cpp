// SPDX-License-Identifier: MIT
//
// The short way of a call whose arguments need no conversion: NumPy arrays of the types that the library reads, and no
// other options than numbers. A call of few pairs is then as cheap as its work. Anything else, also what is refused,
// is None: the Python layer then converts, and says in its own words what is wrong.
#include <cstring>
#include <vector>

#include <nanobind/stl/string.h>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// Records of a longer call go to memory of NumPy, which gives it zeroed without touching it.
constexpr std::size_t kMostPairs = 4096;

// An array's memory, as the buffer protocol tells of it.
class Array {
public:
    explicit Array(nb::handle object) {
        held_ = PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0;
        if (!held_) PyErr_Clear();
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() {
        if (held_) PyBuffer_Release(&view_);
    }

    // Whether it has elements of this kind, in rows of so many; 0: it is flat.
    bool is(char kind, Py_ssize_t columns) const {
        if (!held_ || view_.format == nullptr || view_.format[0] != kind || view_.format[1] != 0) return false;
        return columns == 0 ? view_.ndim == 1 : view_.ndim == 2 && view_.shape[1] == columns;
    }
    std::size_t rows() const { return static_cast<std::size_t>(view_.shape[0]); }
    const std::byte* data() const { return static_cast<const std::byte*>(view_.buf); }

private:
    Py_buffer view_{};
    bool held_ = false;
};

// Takes options that are plain numbers. False: there is another one.
bool take(const nb::dict& named, Options& options) {
    for (const auto [key, value] : named) {
        const char* const name = nb::cast<const char*>(key);
        // Not what merely converts: an array of one number is a margin for each pair.
        if (!PyFloat_Check(value.ptr()) && !PyLong_CheckExact(value.ptr())) return false;
        double number = 0;
        if (!nb::try_cast(value, number)) return false;
        if (std::strcmp(name, "margin") == 0) {
            options.margin = static_cast<float>(number);
        } else if (std::strcmp(name, "face_preference") == 0) {
            options.face_preference = static_cast<float>(number);
        } else if (std::strcmp(name, "threads") == 0) {
            if (!nb::try_cast(value, options.threads)) return false;
        } else {
            return false;
        }
    }
    return true;
}

// A key that each call uses again: to make its string takes longer than to store a number under it.
class Key {
public:
    explicit Key(const char* name) : name_(PyUnicode_InternFromString(name)) {}

    // Steals the value.
    void set(nb::dict& d, PyObject* value) const {
        const nb::object held = nb::steal(value);
        if (name_ == nullptr || !held.is_valid() || PyDict_SetItem(d.ptr(), name_, value) != 0)
            throw nb::python_error();
    }

private:
    PyObject* name_;  // lives as long as the interpreter
};

template <class Enum, std::size_t N>
PyObject* counts_of(const std::uint64_t (&counts)[N]) {
    static const std::vector<Key> keys = [] {
        std::vector<Key> all;
        for (std::size_t i = 0; i < N; ++i) all.emplace_back(to_string(static_cast<Enum>(i)));
        return all;
    }();
    nb::dict d;
    for (std::size_t i = 0; i < N; ++i) keys[i].set(d, PyLong_FromUnsignedLongLong(counts[i]));
    return d.release().ptr();
}

// The fields of a Result (_calls.py) by name.
nb::dict fields_of(const BatchResult& r) {
    static const Key pairs("pairs"), touching("touching"), overlapping("overlapping"), points("points"), isa("isa"),
        hash("hash"), by_status("by_status"), by_kind("by_kind"), cancelled("cancelled");
    char digits[17] = {};
    for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[(r.hash >> (60 - 4 * i)) & 0xFU];
    nb::dict d;
    pairs.set(d, PyLong_FromUnsignedLongLong(r.pairs));
    touching.set(d, PyLong_FromUnsignedLongLong(r.touching));
    overlapping.set(d, PyLong_FromUnsignedLongLong(r.overlapping));
    points.set(d, PyLong_FromUnsignedLongLong(r.points));
    isa.set(d, PyUnicode_InternFromString(to_string(r.isa)));
    hash.set(d, PyUnicode_FromStringAndSize(digits, 16));
    by_status.set(d, counts_of<Status>(r.by_status));
    by_kind.set(d, counts_of<ContactKind>(r.by_kind));
    cancelled.set(d, PyBool_FromLong(0));
    return d;
}

template <class Record>
nb::object call(const Hulls& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                Workspace& workspace) {
    const std::size_t bytes = pairs.size() * sizeof(Record);
    const nb::object memory = nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
    if (!memory.is_valid()) throw nb::python_error();
    auto* const records = reinterpret_cast<Record*>(PyByteArray_AsString(memory.ptr()));
    std::memset(static_cast<void*>(records), 0, bytes);
    BatchResult r;
    {
        const nb::gil_scoped_release release;
        r = collide(hulls, bodies, pairs, options, std::span<Record>(records, pairs.size()), workspace);
    }
    if (!r.status) return nb::none();
    return nb::make_tuple(memory, fields_of(r));
}

nb::object direct(const Hulls& hulls, nb::handle position, nb::handle orientation, nb::handle hull, nb::handle pairs,
                  const nb::dict& named, int capacity, Workspace& workspace) {
    Options options;
    options.hash = true;
    if (!take(named, options)) return nb::none();
    const Array p(position), q(orientation), h(hull), list(pairs);
    const bool is_double = p.is('d', 3);
    const bool plain = (is_double || p.is('f', 3)) && q.is('f', 4) && h.is('I', 0) && list.is('I', 2);
    if (!plain || q.rows() != p.rows() || h.rows() != p.rows() || list.rows() > kMostPairs) return nb::none();
    BodyView view;
    view.count = p.rows();
    view.position = p.data();
    view.orientation = q.data();
    view.hull = h.data();
    view.position_stride = 3 * (is_double ? sizeof(double) : sizeof(float));
    view.orientation_stride = 4 * sizeof(float);
    view.hull_stride = sizeof(std::uint32_t);
    view.position_is_double = is_double;
    const std::span<const Pair> all{reinterpret_cast<const Pair*>(list.data()), list.rows()};
    if (capacity == 4) return call<Manifold4>(hulls, view, all, options, workspace);
    if (capacity == 16) return call<Manifold16>(hulls, view, all, options, workspace);
    return nb::none();
}

}  // namespace

void bind_direct(nb::module_& m) { m.def("direct", &direct); }

}  // namespace lanefold::python
