// SPDX-License-Identifier: MIT
//
// Rows of four points. Included by lanes/native/quad_row.inl only.

LANEFOLD_INLINE QuadRow repeat_quad(const float* p) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats; ++k) r.v[k] = WFloat(p[k % 4]);
    return r;
}

template <int kComponent>
LANEFOLD_INLINE QuadRow spread(const QuadRow& a) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats; ++k) r.v[k] = a.v[k / 4 * 4 + kComponent];
    return r;
}

LANEFOLD_INLINE void transpose_quads(const QuadRow* rows, QuadRow* columns) {
    for (std::uint32_t k = 0; k < kRowFloats; ++k) {
        const WFloat* point = rows[k % 4].v + k / 4 * 4;
        for (std::uint32_t c = 0; c < 4; ++c) columns[c].v[k] = point[c];
    }
}
