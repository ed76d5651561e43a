// SPDX-License-Identifier: MIT
//
// Checks of memory that a caller passes: that it is there, aligned, and does not exceed the address space. Shared by
// every call that takes bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/status.hpp>

namespace lanefold::detail {

// The status of a call that refuses an argument.
inline CallStatus refuse(const char* what, std::uint64_t where = 0) { return {Status::bad_argument, what, where}; }

// The addresses of a caller's memory; size 0 when there is none.
struct Bytes {
    std::uintptr_t first = 0;
    std::size_t size = 0;
};

// False when no such range can exist: the size or the end does not fit an address.
inline bool make_bytes(const void* data, std::size_t count, std::size_t stride, std::size_t element, Bytes& out) {
    out = {};
    if (count == 0) return true;
    constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();
    if (stride != 0 && count - 1 > (kMax - element) / stride) return false;
    out.first = reinterpret_cast<std::uintptr_t>(data);
    out.size = (count - 1) * stride + element;
    return out.first <= kMax - out.size;
}

// Whether two memories share a byte.
inline bool overlap(const Bytes& a, const Bytes& b) {
    return a.size != 0 && b.size != 0 && a.first < b.first + b.size && b.first < a.first + a.size;
}

// The texts about an array that is null but has a length, is not aligned, or exceeds the address space.
struct ArrayTexts {
    const char* null;
    const char* unaligned;
    const char* beyond;
};

// An array of the caller: there, aligned, within the address space. `bytes` receives where it is.
template <class T>
CallStatus check_array(std::span<T> array, const ArrayTexts& texts, Bytes& bytes) {
    const std::size_t n = array.size();
    if (n != 0 && array.data() == nullptr) return refuse(texts.null, n);
    if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0) return refuse(texts.unaligned);
    if (!make_bytes(array.data(), n, sizeof(T), sizeof(T), bytes)) return refuse(texts.beyond, n);
    return {};
}

inline constexpr ArrayTexts kPairsTexts{"pairs is null but has a length", "pairs is not aligned",
                                        "pairs exceed the address space"};
inline constexpr ArrayTexts kOutTexts{"out is null but has a length", "out is not aligned",
                                      "out exceeds the address space"};

// Checks one field of the bodies; `where` is the field's number: 0 position, 1 orientation, 2 hull.
inline CallStatus check_field(const std::byte* base, std::size_t stride, std::size_t count, std::size_t element,
                              std::size_t alignment, std::uint64_t where, Bytes& bytes) {
    if (base == nullptr) return refuse("bodies: a field is null (0 position, 1 orientation, 2 hull)", where);
    if (reinterpret_cast<std::uintptr_t>(base) % alignment != 0 || stride % alignment != 0) {
        return refuse("bodies: a field's address or stride is not aligned (0 position, 1 orientation, 2 hull)", where);
    }
    if (!make_bytes(base, count, stride, element, bytes)) {
        return refuse("bodies: count times stride exceeds the address space", count);
    }
    return {};
}

// Checks the fields of a view of bodies. `fields` receives where they are. Calls that know scales have taken them out
// before (scaled_bodies.hpp), and others must not ignore them.
inline CallStatus check_body_view(const BodyView& bodies, Bytes (&fields)[3]) {
    if (bodies.scale != nullptr) return refuse("bodies.scale: this call takes no scales");
    if (bodies.count == 0) return {};
    const std::size_t scalar = bodies.position_is_double ? sizeof(double) : sizeof(float);
    CallStatus status =
        check_field(bodies.position, bodies.position_stride, bodies.count, 3 * scalar, scalar, 0, fields[0]);
    if (!status) return status;
    status = check_field(bodies.orientation, bodies.orientation_stride, bodies.count, 4 * sizeof(float), sizeof(float),
                         1, fields[1]);
    if (!status) return status;
    return check_field(bodies.hull, bodies.hull_stride, bodies.count, sizeof(std::uint32_t), sizeof(std::uint32_t), 2,
                       fields[2]);
}

}  // namespace lanefold::detail
