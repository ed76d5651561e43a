// SPDX-License-Identifier: MIT
//
// Rows of four points. Included by lanes/native/quad_row.inl only.

LANEFOLD_INLINE QuadRow repeat_quad(const float* p) {
    QuadRow r;
    r.v[0] = r.v[1] = r.v[2] = r.v[3] = WFloat::loadu(p);
    return r;
}

template <int kComponent>
LANEFOLD_INLINE QuadRow spread(const QuadRow& a) {
    QuadRow r;
    for (int k = 0; k < 4; ++k) r.v[k] = BatchF(_mm_shuffle_ps(a.v[k].v, a.v[k].v, kComponent * 0x55));
    return r;
}

LANEFOLD_INLINE void transpose_quads(const QuadRow* rows, QuadRow* columns) {
    for (int k = 0; k < 4; ++k) {
        const __m128 ab = _mm_unpacklo_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m128 cd = _mm_unpacklo_ps(rows[2].v[k].v, rows[3].v[k].v);
        const __m128 ab_z = _mm_unpackhi_ps(rows[0].v[k].v, rows[1].v[k].v);
        const __m128 cd_z = _mm_unpackhi_ps(rows[2].v[k].v, rows[3].v[k].v);
        columns[0].v[k] = BatchF(_mm_movelh_ps(ab, cd));
        columns[1].v[k] = BatchF(_mm_movehl_ps(cd, ab));
        columns[2].v[k] = BatchF(_mm_movelh_ps(ab_z, cd_z));
        columns[3].v[k] = BatchF(_mm_movehl_ps(cd_z, ab_z));
    }
}
