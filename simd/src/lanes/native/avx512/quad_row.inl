// SPDX-License-Identifier: MIT
//
// Rows of four points. Included by lanes/native/quad_row.inl only.

LANEFOLD_INLINE QuadRow repeat_quad(const float* p) {
    QuadRow r;
    r.v[0] = BatchF(_mm512_broadcast_f32x4(_mm_loadu_ps(p)));
    return r;
}

template <int kComponent>
LANEFOLD_INLINE QuadRow spread(const QuadRow& a) {
    QuadRow r;
    r.v[0] = BatchF(_mm512_permute_ps(a.v[0].v, kComponent * 0x55));
    return r;
}

LANEFOLD_INLINE void transpose_quads(const QuadRow* rows, QuadRow* columns) {
    const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(rows[0].v[0].v, rows[1].v[0].v));
    const __m512d cd = _mm512_castps_pd(_mm512_unpacklo_ps(rows[2].v[0].v, rows[3].v[0].v));
    const __m512d ab_z = _mm512_castps_pd(_mm512_unpackhi_ps(rows[0].v[0].v, rows[1].v[0].v));
    const __m512d cd_z = _mm512_castps_pd(_mm512_unpackhi_ps(rows[2].v[0].v, rows[3].v[0].v));
    columns[0].v[0] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd)));
    columns[1].v[0] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd)));
    columns[2].v[0] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_z, cd_z)));
    columns[3].v[0] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_z, cd_z)));
}
