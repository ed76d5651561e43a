// SPDX-License-Identifier: MIT
//
// Checks with the judge (lanefold/judge.hpp) that a manifold is what the contract promises, and counts for sweeps.
#pragma once

#include <cstdint>
#include <string>

#include <lanefold/judge.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::test {

// Coverage of a sweep: sums over pairs. The worst errors are in units of the bound that they must not exceed.
struct Coverage {
    std::uint64_t pairs = 0;
    std::uint64_t violations = 0;
    std::uint64_t unreported = 0;          // apart by more than the margin
    std::uint64_t in_band = 0;             // either answer is right
    std::uint64_t touching = 0;            // distance <= margin
    std::uint64_t touching_separated = 0;  // 0 < distance <= margin
    std::uint64_t overlapping = 0;
    std::uint64_t containments = 0;  // one hull's centre deeper in the other than its own size
    std::uint64_t by_kind[kContactKindCount] = {};
    std::uint64_t multi_point = 0;     // two points and more
    std::uint64_t reduced = 0;         // more points found than kept
    std::uint64_t preferred_face = 0;  // the normal is a face although an edge or vertex is nearer
    double worst_distance = 0;         // |distance - oracle| / bound
    double worst_distance_size = 0;    // |distance - oracle| / size of the larger hull, ratios up to 64
    double worst_normal = 0;           // lack of separation along the normal / bound (strict preference only)
    double worst_unit = 0;             // | |n| - 1 |
    double worst_point = 0;            // distance of a witness from its surface / bound
    double worst_depth = 0;            // deepest point against the distance / bound
    double least_area = 1;             // part of the contact area that a reduced patch keeps

    Coverage& operator+=(const Coverage& o);
    std::string summary() const;
};

// Empty when the manifold is right, otherwise one line that says what is wrong.
template <class M>
std::string check_manifold(const reference::JudgedPair& q, const M& m, Coverage& coverage);

extern template std::string check_manifold(const reference::JudgedPair&, const Manifold4&, Coverage&);
extern template std::string check_manifold(const reference::JudgedPair&, const Manifold16&, Coverage&);

// Everything needed to repeat a pair, as text: vertices, poses and options as hex floats.
std::string describe(const reference::JudgedPair& q, const double position_a[3], const float orientation_a[4],
                     const double position_b[3], const float orientation_b[4]);

// The first field in which two records differ bit for bit; empty when there is none.
template <class M>
std::string bitwise_difference(const M& x, const M& y);

extern template std::string bitwise_difference(const Manifold4&, const Manifold4&);
extern template std::string bitwise_difference(const Manifold16&, const Manifold16&);

}  // namespace lanefold::test
