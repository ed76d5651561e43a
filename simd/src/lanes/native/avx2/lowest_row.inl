// SPDX-License-Identifier: MIT
//
// Up to eight rows side by side, in registers of 256 bits. Included by lanes/native/lowest_row.inl only.

inline constexpr std::uint32_t kFewRows = 8;

LANEFOLD_INLINE std::uint32_t lowest_of_few(const float* rows, const std::uint16_t* list, std::uint32_t count,
                                            const float* n) {
    const __m256i place = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i real = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), place);
    // Places beyond the list read row 0 instead; they are masked below.
    const __m256i listed = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(list)));
    alignas(32) std::uint32_t row[kFewRows];
    _mm256_store_si256(reinterpret_cast<__m256i*>(row), _mm256_and_si256(listed, real));
    __m256 r[4];
    for (std::uint32_t k = 0; k < 4; ++k) {
        const __m256 low = _mm256_castps128_ps256(_mm_load_ps(rows + std::size_t{4} * row[k]));
        r[k] = _mm256_insertf128_ps(low, _mm_load_ps(rows + std::size_t{4} * row[k + 4]), 1);
    }
    const __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(r[0], r[1]));
    const __m256d xy23 = _mm256_castps_pd(_mm256_unpacklo_ps(r[2], r[3]));
    const __m256d z01 = _mm256_castps_pd(_mm256_unpackhi_ps(r[0], r[1]));
    const __m256d z23 = _mm256_castps_pd(_mm256_unpackhi_ps(r[2], r[3]));
    const auto along = [&](__m256d x, std::uint32_t axis) {
        return _mm256_mul_ps(_mm256_castpd_ps(x), _mm256_set1_ps(n[axis]));
    };
    const __m256 c =
        _mm256_add_ps(_mm256_add_ps(along(_mm256_unpacklo_pd(xy01, xy23), 0), along(_mm256_unpackhi_pd(xy01, xy23), 1)),
                      along(_mm256_unpacklo_pd(z01, z23), 2));
    const __m256 v = _mm256_blendv_ps(_mm256_set1_ps(kHighest), c, _mm256_castsi256_ps(real));
    const __m128 q = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 d = _mm_min_ps(q, _mm_movehl_ps(q, q));
    const __m256 lowest = _mm256_broadcastss_ps(_mm_min_ss(d, _mm_movehdup_ps(d)));
    const int ties = _mm256_movemask_ps(_mm256_cmp_ps(v, lowest, _CMP_EQ_OQ));
    return list[lowest_bit(static_cast<std::uint32_t>(ties))];
}
