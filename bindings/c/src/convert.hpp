// SPDX-License-Identifier: MIT
//
// Converts between the structures of lanefold.h and those of the C++ headers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>

#include <lanefold.h>
#include <lanefold/call_inputs.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/options.hpp>

struct lanefold_hulls {
    lanefold::HullSet set;
};

namespace lanefold::c_api {

inline lanefold_status status_of(const CallStatus& s) {
    return {static_cast<std::int32_t>(s.code), 0, s.where, s.what};
}

inline lanefold_status refuse(const char* what, std::uint64_t where = 0) {
    return {LANEFOLD_BAD_ARGUMENT, 0, where, what};
}

// Copies the fields that the caller's version of a structure has; the others keep the library's default. False when
// struct_size is not set.
template <class T>
bool read_versioned(const T* from, T& to) {
    if (from == nullptr) return true;
    std::size_t size = 0;
    std::memcpy(&size, from, sizeof size);
    if (size < sizeof size || size > 4096) return false;
    std::memcpy(&to, from, std::min(size, sizeof(T)));
    return true;
}

// Writes the fields that the caller's version has.
template <class T>
bool write_versioned(T from, T* to) {
    if (to == nullptr) return true;
    std::size_t size = 0;
    std::memcpy(&size, to, sizeof size);
    if (size < sizeof size || size > 4096) return false;
    from.struct_size = size;
    std::memcpy(to, &from, std::min(size, sizeof(T)));
    return true;
}

// The instruction set of this name; null leaves the automatic choice. False for an unknown name.
bool take_instruction_set(const char* name, Isa& to);

BodyView view_of(const lanefold_body_view& v);

// False, with the reason in `refused`, for invalid options.
bool options_of(const lanefold_options* from, const BodyView& bodies, std::size_t pairs, Options& to, CallInputs& in,
                lanefold_status& refused);

lanefold_result result_of(const BatchResult& r);

// Turns exceptions into a status: none may pass through C code.
template <class Call>
lanefold_status guarded(const Call& call) noexcept {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return {LANEFOLD_OUT_OF_MEMORY, 0, 0, "out of memory"};
    } catch (const std::exception&) {
        return {LANEFOLD_OUT_OF_MEMORY, 0, 0, "the system refused memory or a thread"};
    }
}

}  // namespace lanefold::c_api
