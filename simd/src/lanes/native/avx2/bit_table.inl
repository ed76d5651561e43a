// SPDX-License-Identifier: MIT
//
// Tables of bits with a byte per entry. Included by lanes/native/bit_table.inl only.

// The bytes of 32 entries, from `first` on.
template <class Table>
LANEFOLD_INLINE __m256i table_bytes(const Table& table, std::uint32_t first) {
    WShort words[2];
    table_words<2>(table, first, words);
    // Packing works on 128-bit halves.
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(words[0].v, words[1].v), 0xD8);
}

// Looks up 32 of the bytes of 32 entries. `low`, `high`: the two halves of the bytes, each repeated to fill a register.
// The number of an entry counts modulo 32.
LANEFOLD_INLINE __m256i look_up_bytes(__m256i low, __m256i high, __m256i entry) {
    const __m256i index = _mm256_and_si256(entry, _mm256_set1_epi8(15));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, index), _mm256_shuffle_epi8(high, index),
                              _mm256_slli_epi16(entry, 3));
}

// Loads 32 numbers of entries as bytes.
LANEFOLD_INLINE __m256i load_bytes(const std::uint16_t* entry) {
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entry));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entry + 16));
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8);
}

// Number of entries that a byte can number. The bytes of 32 entries fill two registers, and 32 pairs are looked up at
// once.
inline constexpr std::uint32_t kLookUpEntries = 256;
template <class Table>
LANEFOLD_INLINE std::uint32_t look_up_pairs(const Table& table, const EntryPairs& pairs, std::int16_t* room,
                                            std::uint32_t* result) {
    std::uint32_t any = 0;
    auto* words = reinterpret_cast<__m256i*>(room);
    for (std::uint32_t i = 0; i < table.entries(); i += 32) _mm256_storeu_si256(words + i / 32, table_bytes(table, i));
    const __m256i above = _mm256_set1_epi8(static_cast<char>(0xE0));
    for (std::uint32_t i = 0; i < pairs.count; i += 32) {
        const __m256i e0 = load_bytes(pairs.first + i);
        const __m256i e1 = load_bytes(pairs.second + i);
        __m256i b0 = _mm256_setzero_si256();
        __m256i b1 = _mm256_setzero_si256();
        for (std::uint32_t first = 0; first < table.entries(); first += 32) {
            const __m256i bytes = _mm256_loadu_si256(words + first / 32);
            const __m256i low = _mm256_permute2x128_si256(bytes, bytes, 0x00);
            const __m256i high = _mm256_permute2x128_si256(bytes, bytes, 0x11);
            const __m256i group = _mm256_set1_epi8(static_cast<char>(first));
            b0 = _mm256_blendv_epi8(b0, look_up_bytes(low, high, e0),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(e0, above), group));
            b1 = _mm256_blendv_epi8(b1, look_up_bytes(low, high, e1),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(e1, above), group));
        }
        const __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(b0, b1), _mm256_setzero_si256());
        any |= put_pairs(result, i, pairs.count, static_cast<std::uint32_t>(_mm256_movemask_epi8(none)));
    }
    return any;
}
