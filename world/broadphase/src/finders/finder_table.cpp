// SPDX-License-Identifier: MIT
//
// Which of the finder's tables are in this build.
#include <cassert>

#include "finders/finder_table.hpp"

namespace lanefold::detail {

const FinderTable& finder_table(Isa isa) {
    switch (isa) {
#define LANEFOLD_EACH_ISA(name) \
    case Isa::name:             \
        return finder_table_##name;
#include <lanefold/detail/each_isa.inl>
        default:
            assert(isa == Isa::scalar);
            return finder_table_scalar;
    }
}

}  // namespace lanefold::detail
