// SPDX-License-Identifier: MIT
//
// Which of the finder's tables are in this build.
#include <cassert>

#include "finder_table.hpp"

namespace lanefold::detail {

const FinderTable& finder_table(Isa isa) {
    switch (isa) {
#ifdef LANEFOLD_HAVE_SSE2
        case Isa::sse2:
            return finder_table_sse2;
#endif
#ifdef LANEFOLD_HAVE_SSE4_2
        case Isa::sse4_2:
            return finder_table_sse4_2;
#endif
#ifdef LANEFOLD_HAVE_AVX2
        case Isa::avx2:
            return finder_table_avx2;
#endif
#ifdef LANEFOLD_HAVE_AVX512
        case Isa::avx512:
            return finder_table_avx512;
#endif
#ifdef LANEFOLD_HAVE_NEON
        case Isa::neon:
            return finder_table_neon;
#endif
        default:
            assert(isa == Isa::scalar);
            return finder_table_scalar;
    }
}

}  // namespace lanefold::detail
