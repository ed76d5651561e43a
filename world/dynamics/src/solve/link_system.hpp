// SPDX-License-Identifier: MIT
//
// The linear system of a group of links: assembled from their rows, factored, solved. Blocks of N x N, N 1 or 3.
#pragma once

#include <cstdint>

#include "solve/link_groups.hpp"

namespace lanefold::detail {

// Share of a row's own response by which it yields: rods that say the same twice have no solution without it. A load of
// 10,000 times the links' weight lets them slip by a thousandth of what gravity gives in a substep.
inline constexpr double kYield = 1e-7;

template <std::uint32_t N>
class LinkSystem {
public:
    LinkSystem(LinkGroups& links, const LinkGroups::Group& group, double yield)
        : links_(links), group_(group), yield_(yield) {}

    // The solution replaces LinkRow3::y, the right hand side.
    void solve() {
        assemble();
        factor();
        substitute();
    }

private:
    static constexpr std::uint32_t kBlock = N * N;

    double* diagonal(std::uint32_t slot) { return links_.diagonal.data() + std::size_t{slot} * kBlock; }
    double* entry(std::uint32_t e) { return links_.entry.data() + std::size_t{e} * kBlock; }
    double inverse_mass(std::uint32_t body) const { return links_.motions[body].inverse_mass; }

    void assemble() {
        for (std::uint32_t e = group_.first_entry * kBlock; e < group_.last_entry * kBlock; ++e) links_.entry[e] = 0;
        for (std::uint32_t s = group_.first; s < group_.last; ++s) {
            const LinkSlot& slot = links_.slots[s];
            const LinkRow3& r = links_.rows[s];
            const double mass = inverse_mass(slot.a) + inverse_mass(slot.b);
            double* const d = diagonal(s);
            for (std::uint32_t i = 0; i < N; ++i) {
                for (std::uint32_t j = 0; j < N; ++j) {
                    const double gain = mass * dot(r.axis[i], r.axis[j]) +
                                        (dot(r.moment_a[i], r.spin_a[j]) + dot(r.moment_b[i], r.spin_b[j]));
                    d[i * N + j] = i == j ? gain * (1 + yield_) + r.own[i] : gain;
                }
            }
        }
        for (std::uint32_t k = group_.first_edge; k < group_.last_edge; ++k) {
            const LinkEdge& edge = links_.edges[k];
            const LinkRow3 &low = links_.rows[edge.row], &high = links_.rows[edge.column];
            const LinkSlot& slot = links_.slots[edge.row];
            const double mass = inverse_mass(edge.row_at_b ? slot.b : slot.a);
            // An impulse pushes the B of a link and pulls its A.
            const double sign = edge.row_at_b == edge.column_at_b ? 1 : -1;
            const Vec3d* const moment = edge.row_at_b ? low.moment_b : low.moment_a;
            const Vec3d* const spin = edge.column_at_b ? high.spin_b : high.spin_a;
            double* const x = entry(edge.entry);
            for (std::uint32_t i = 0; i < N; ++i) {
                for (std::uint32_t j = 0; j < N; ++j)
                    x[i * N + j] += sign * (mass * dot(low.axis[i], high.axis[j]) + dot(moment[i], spin[j]));
            }
        }
    }

    // The inverse of a symmetric positive definite block replaces it.
    static void invert(double* d) {
        if constexpr (N == 1) {
            d[0] = 1 / d[0];
        } else {
            const double xx = d[0], xy = d[1], xz = d[2], yy = d[4], yz = d[5], zz = d[8];
            const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
            const double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
            const double inverse = 1 / ((xx * cxx + xy * cxy) + xz * cxz);
            d[0] = cxx * inverse;
            d[1] = d[3] = cxy * inverse;
            d[2] = d[6] = cxz * inverse;
            d[4] = cyy * inverse;
            d[5] = d[7] = cyz * inverse;
            d[8] = czz * inverse;
        }
    }

    // Diagonal blocks become their inverses, the others the factors of L.
    void factor() {
        double scaled[kBlock];
        for (std::uint32_t s = group_.first; s < group_.last; ++s) {
            double* const d = diagonal(s);
            invert(d);
            std::uint32_t t = links_.first_target[s];
            for (std::uint32_t q = links_.column[s]; q < links_.column[s + 1]; ++q) {
                multiply_by_inverse(entry(q), d, scaled);
                // Rows p >= q of the column; those before are factors of L already.
                for (std::uint32_t p = q; p < links_.column[s + 1]; ++p, ++t) {
                    const std::uint32_t to = links_.target[t];
                    const bool own = (to & LinkGroups::kDiagonal) != 0;
                    double* const x = own ? diagonal(to & ~LinkGroups::kDiagonal) : entry(to);
                    subtract_product(entry(p), scaled, x);
                }
                for (std::uint32_t i = 0; i < kBlock; ++i) entry(q)[i] = scaled[i];
            }
        }
    }

    // a d, d symmetric.
    static void multiply_by_inverse(const double* a, const double* d, double* out) {
        for (std::uint32_t i = 0; i < N; ++i) {
            for (std::uint32_t j = 0; j < N; ++j) {
                double sum = 0;
                for (std::uint32_t k = 0; k < N; ++k) sum += a[i * N + k] * d[k * N + j];
                out[i * N + j] = sum;
            }
        }
    }
    // x -= p q^T.
    static void subtract_product(const double* p, const double* q, double* x) {
        for (std::uint32_t i = 0; i < N; ++i) {
            for (std::uint32_t j = 0; j < N; ++j) {
                double sum = 0;
                for (std::uint32_t k = 0; k < N; ++k) sum += p[i * N + k] * q[j * N + k];
                x[i * N + j] -= sum;
            }
        }
    }

    void substitute() {
        for (std::uint32_t s = group_.first; s < group_.last; ++s) {
            const double* const y = links_.rows[s].y;
            for (std::uint32_t e = links_.column[s]; e < links_.column[s + 1]; ++e) {
                double* const to = links_.rows[links_.row[e]].y;
                const double* const x = entry(e);
                for (std::uint32_t i = 0; i < N; ++i) {
                    for (std::uint32_t j = 0; j < N; ++j) to[i] -= x[i * N + j] * y[j];
                }
            }
        }
        for (std::uint32_t s = group_.last; s-- > group_.first;) {
            double* const y = links_.rows[s].y;
            const double* const d = diagonal(s);
            double out[N];
            for (std::uint32_t i = 0; i < N; ++i) {
                out[i] = 0;
                for (std::uint32_t j = 0; j < N; ++j) out[i] += d[i * N + j] * y[j];
            }
            for (std::uint32_t e = links_.column[s]; e < links_.column[s + 1]; ++e) {
                const double* const from = links_.rows[links_.row[e]].y;
                const double* const x = entry(e);
                for (std::uint32_t i = 0; i < N; ++i) {
                    for (std::uint32_t j = 0; j < N; ++j) out[j] -= x[i * N + j] * from[i];
                }
            }
            for (std::uint32_t i = 0; i < N; ++i) y[i] = out[i];
        }
    }

    LinkGroups& links_;
    const LinkGroups::Group& group_;
    double yield_;
};

}  // namespace lanefold::detail
