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
    for (int k = 0; k < 4; ++k) r.v[k] = BatchF(vdupq_laneq_f32(a.v[k].v, kComponent));
    return r;
}

LANEFOLD_INLINE void transpose_quads(const QuadRow* rows, QuadRow* columns) {
    for (int k = 0; k < 4; ++k) {
        const float32x4x2_t ab = vtrnq_f32(rows[0].v[k].v, rows[1].v[k].v);  // x0 x1 z0 z1, y0 y1 w0 w1
        const float32x4x2_t cd = vtrnq_f32(rows[2].v[k].v, rows[3].v[k].v);
        for (int c = 0; c < 2; ++c) {
            columns[c].v[k] = BatchF(vcombine_f32(vget_low_f32(ab.val[c]), vget_low_f32(cd.val[c])));
            columns[c + 2].v[k] = BatchF(vcombine_f32(vget_high_f32(ab.val[c]), vget_high_f32(cd.val[c])));
        }
    }
}
