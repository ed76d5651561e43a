// SPDX-License-Identifier: MIT
//
// A certificate of motion: two hulls at one relative pose, and how far apart they are at least. It is a fact about the
// hulls and that pose. It names no bodies and no options, so a certificate that another pair or another step left is as
// true as the pair's own. simd/src/search/certificates.hpp has what follows from it at other poses.
#pragma once

#include <cstdint>

namespace lanefold::detail {

// Certificate::hull_a where there is none. No body has such a hull.
inline constexpr std::uint32_t kNoCertificate = 0xFFFFFFFFU;

// One cache line.
struct alignas(64) Certificate {
    float pose[12];  // from B's internal frame into A's: rotation by rows, then translation
    float distance;  // a separation along some direction there, so a lower bound of the distance up to rounding
    std::uint32_t hull_a;
    std::uint32_t hull_b;
    std::uint32_t reserved;
};
static_assert(sizeof(Certificate) == 64);

// The certificates of a call. Null members: none are read or made.
struct CertificateTable {
    Certificate* all = nullptr;
    const std::uint32_t* of = nullptr;  // pair i has all[of[i]], which no other pair of the call has
    // Per pair kAsk: the certificate is read. Others do without, because they probably touch; those that turn out to be
    // apart get one all the same.
    const std::uint32_t* ask = nullptr;

    static constexpr std::uint32_t kAsk = 0xFFFFFFFFU;
};

}  // namespace lanefold::detail
