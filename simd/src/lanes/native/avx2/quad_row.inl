// SPDX-License-Identifier: MIT
//
// Rows of four points. Included by lanes/native/quad_row.inl only.

LANEFOLD_INLINE QuadRow repeat_quad(const float* p) {
    QuadRow r;
    r.v[0] = r.v[1] = BatchF(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(p)));
    return r;
}

template <int kComponent>
LANEFOLD_INLINE QuadRow spread(const QuadRow& a) {
    QuadRow r;
    for (int k = 0; k < 2; ++k) r.v[k] = BatchF(_mm256_permute_ps(a.v[k].v, kComponent * 0x55));
    return r;
}

LANEFOLD_INLINE void transpose_quads(const QuadRow* rows, QuadRow* columns) {
    for (int k = 0; k < 2; ++k) {
        const __m256 ab = _mm256_unpacklo_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m256 cd = _mm256_unpacklo_ps(rows[2].v[k].v, rows[3].v[k].v);
        const __m256 ab_z = _mm256_unpackhi_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m256 cd_z = _mm256_unpackhi_ps(rows[2].v[k].v, rows[3].v[k].v);
        columns[0].v[k] = BatchF(_mm256_shuffle_ps(ab, cd, 0x44));
        columns[1].v[k] = BatchF(_mm256_shuffle_ps(ab, cd, 0xEE));
        columns[2].v[k] = BatchF(_mm256_shuffle_ps(ab_z, cd_z, 0x44));
        columns[3].v[k] = BatchF(_mm256_shuffle_ps(ab_z, cd_z, 0xEE));
    }
}
