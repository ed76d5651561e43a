// SPDX-License-Identifier: MIT
//
// A page has one thread: the loop of baking/contacts/reference_batch.cpp, one after the other. Found instead of the
// header of oneTBB in the WebAssembly build only.
#pragma once

namespace oneapi::tbb {

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
    for (Index i = first; i < last; ++i) body(i);
}

}  // namespace oneapi::tbb
