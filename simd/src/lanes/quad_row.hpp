// SPDX-License-Identifier: MIT
//
// Rows: four points side by side, 64 bytes, in as few registers as that takes. For work on single things of many pairs at
// once, which come from all over memory: a row is loaded as it lies, where lanes would have to be gathered.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kRowFloats = 16;

struct QuadRow {
    WFloat v[kRowFloats / kWidth];
};

LANEFOLD_INLINE QuadRow load_row(const float* p) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = WFloat::load(p + k * kWidth);
    return r;
}
LANEFOLD_INLINE void store_row(const QuadRow& r, float* p) {
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k].store(p + k * kWidth);
}
LANEFOLD_INLINE QuadRow operator*(const QuadRow& a, const QuadRow& b) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = a.v[k] * b.v[k];
    return r;
}
LANEFOLD_INLINE QuadRow operator+(const QuadRow& a, const QuadRow& b) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = a.v[k] + b.v[k];
    return r;
}

// Bit i: element i is below (above) zero.
LANEFOLD_INLINE std::uint32_t below_zero(const QuadRow& r) {
    std::uint32_t mask = 0;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) mask |= bits(r.v[k] < splat(0.0F)) << (k * kWidth);
    return mask;
}
LANEFOLD_INLINE std::uint32_t above_zero(const QuadRow& r) {
    std::uint32_t mask = 0;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) mask |= bits(r.v[k] > splat(0.0F)) << (k * kWidth);
    return mask;
}

// The same four floats in every quad.
LANEFOLD_INLINE QuadRow repeat_quad(const float* p) {
    QuadRow r;
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
    for (std::uint32_t k = 0; k < kRowFloats; ++k) r.v[k] = WFloat(p[k % 4]);
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
    r.v[0] = BatchF(_mm512_broadcast_f32x4(_mm_loadu_ps(p)));
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
    r.v[0] = r.v[1] = BatchF(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(p)));
#else
    r.v[0] = r.v[1] = r.v[2] = r.v[3] = WFloat::loadu(p);
#endif
    return r;
}

// Component kComponent of every point, in all four places of its quad.
template <int kComponent>
LANEFOLD_INLINE QuadRow spread(const QuadRow& a) {
    QuadRow r;
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
    for (std::uint32_t k = 0; k < kRowFloats; ++k) r.v[k] = a.v[k / 4 * 4 + kComponent];
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
    r.v[0] = BatchF(_mm512_permute_ps(a.v[0].v, kComponent * 0x55));
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
    for (int k = 0; k < 2; ++k) r.v[k] = BatchF(_mm256_permute_ps(a.v[k].v, kComponent * 0x55));
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
    for (int k = 0; k < 4; ++k) r.v[k] = BatchF(vdupq_laneq_f32(a.v[k].v, kComponent));
#else
    for (int k = 0; k < 4; ++k) r.v[k] = BatchF(_mm_shuffle_ps(a.v[k].v, a.v[k].v, kComponent * 0x55));
#endif
    return r;
}

// Four rows of points: element 4 q + r of the result is the sum (x + y) + z of point q of row r.
LANEFOLD_INLINE QuadRow component_sums(const QuadRow* rows) {
    QuadRow s;
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
    for (std::uint32_t k = 0; k < kRowFloats; ++k) {
        const WFloat* point = rows[k % 4].v + k / 4 * 4;
        s.v[k] = (point[0] + point[1]) + point[2];
    }
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
    const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(rows[0].v[0].v, rows[1].v[0].v));
    const __m512d cd = _mm512_castps_pd(_mm512_unpacklo_ps(rows[2].v[0].v, rows[3].v[0].v));
    const __m512d ab_z = _mm512_castps_pd(_mm512_unpackhi_ps(rows[0].v[0].v, rows[1].v[0].v));
    const __m512d cd_z = _mm512_castps_pd(_mm512_unpackhi_ps(rows[2].v[0].v, rows[3].v[0].v));
    const WFloat x = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd)));
    const WFloat y = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd)));
    const WFloat z = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_z, cd_z)));
    s.v[0] = (x + y) + z;
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
    for (int k = 0; k < 2; ++k) {
        const __m256 ab = _mm256_unpacklo_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m256 cd = _mm256_unpacklo_ps(rows[2].v[k].v, rows[3].v[k].v);
        const __m256 ab_z = _mm256_unpackhi_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m256 cd_z = _mm256_unpackhi_ps(rows[2].v[k].v, rows[3].v[k].v);
        const WFloat x = BatchF(_mm256_shuffle_ps(ab, cd, 0x44));
        const WFloat y = BatchF(_mm256_shuffle_ps(ab, cd, 0xEE));
        const WFloat z = BatchF(_mm256_shuffle_ps(ab_z, cd_z, 0x44));
        s.v[k] = (x + y) + z;
    }
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
    for (int k = 0; k < 4; ++k) {
        const float32x4x2_t ab = vtrnq_f32(rows[0].v[k].v, rows[1].v[k].v);  // x0 x1 z0 z1, y0 y1 w0 w1
        const float32x4x2_t cd = vtrnq_f32(rows[2].v[k].v, rows[3].v[k].v);
        const WFloat x = BatchF(vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0])));
        const WFloat y = BatchF(vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1])));
        const WFloat z = BatchF(vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0])));
        s.v[k] = (x + y) + z;
    }
#else
    for (int k = 0; k < 4; ++k) {
        const __m128 ab = _mm_unpacklo_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m128 cd = _mm_unpacklo_ps(rows[2].v[k].v, rows[3].v[k].v);
        const __m128 ab_z = _mm_unpackhi_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m128 cd_z = _mm_unpackhi_ps(rows[2].v[k].v, rows[3].v[k].v);
        const WFloat x = BatchF(_mm_movelh_ps(ab, cd));
        const WFloat y = BatchF(_mm_movehl_ps(cd, ab));
        const WFloat z = BatchF(_mm_movelh_ps(ab_z, cd_z));
        s.v[k] = (x + y) + z;
    }
#endif
    return s;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
