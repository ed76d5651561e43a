// SPDX-License-Identifier: MIT
//
// Which functions and classes the shared libraries show. The libraries are compiled with hidden visibility; what public
// headers declare is marked with LANEFOLD_EXPORT. Static libraries show nothing, so a shared library of a user that
// contains them keeps them to itself. Every header that declares a function includes this one, so it also refuses
// machines of 32 bits.
#pragma once

#include <cstdint>

#if UINTPTR_MAX < 0xFFFFFFFFFFFFFFFFU && !defined(__wasm__)
#error "lanefold needs a 64-bit machine"
#endif

// The targets of shared libraries define LANEFOLD_SHARED_LIBRARIES, for themselves and for those who link them. On
// Windows CMake exports all symbols.
#if defined(LANEFOLD_SHARED_LIBRARIES) && defined(__GNUC__)
#define LANEFOLD_EXPORT __attribute__((visibility("default")))
#else
// Stands before a function and behind `class` or `struct`: visible outside of the library.
#define LANEFOLD_EXPORT
#endif
