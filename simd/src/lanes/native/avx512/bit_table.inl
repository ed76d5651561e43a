// SPDX-License-Identifier: MIT
//
// Tables of bits in registers of 512 bits. Included by lanes/native/bit_table.inl only.

// Up to 512 entries: a register holds one bit of each of them.
inline constexpr std::uint32_t kBitEntries = 512;

template <class Table>
inline std::uint32_t look_up_bits(const Table& table, const EntryPairs& pairs, std::uint32_t* result) {
    alignas(64) std::uint32_t rows[kMaxTableBits][kBitEntries / 32];
    for (std::uint32_t k = 0; k < table.bits(); ++k) {
        const auto has_bit = table.bit(k);
        for (std::uint32_t i = 0; i < table.entries(); i += 32) rows[k][i / 32] = has_bit(i).v;
    }
    const EntryBits extra = table.extra();
    if (extra.bits != 0) rows[lowest_bit(extra.bits)][extra.entry / 32] |= 1U << extra.entry % 32;
    const __m512i low = _mm512_set1_epi16(15);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < pairs.count; i += 32) {
        const __m512i e0 = _mm512_loadu_si512(pairs.first + i);
        const __m512i e1 = _mm512_loadu_si512(pairs.second + i);
        const __m512i word0 = _mm512_srli_epi16(e0, 4), bit0 = _mm512_and_si512(e0, low);
        const __m512i word1 = _mm512_srli_epi16(e1, 4), bit1 = _mm512_and_si512(e1, low);
        __m512i both = _mm512_setzero_si512();
        for (std::uint32_t k = 0; k < table.bits(); ++k) {
            const __m512i row = _mm512_load_si512(rows[k]);
            const __m512i b0 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word0, row), bit0);
            const __m512i b1 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word1, row), bit1);
            both = _mm512_or_si512(both, _mm512_and_si512(b0, b1));
        }
        any |= put_pairs(result, i, pairs.count, _mm512_testn_epi16_mask(both, _mm512_set1_epi16(1)));
    }
    return any;
}

// Packs entries of sixteen bits to eight.
LANEFOLD_INLINE __m512i pack_words(WShort first, WShort second) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packus_epi16(first.v, second.v));
}

// 65 to 128 entries: two registers hold a byte of each.
template <class Table>
LANEFOLD_INLINE std::uint32_t look_up_bytes(const Table& table, const EntryPairs& pairs, std::uint32_t* result) {
    WShort words[4];
    if (table.entries() <= 96) {
        table_words<3>(table, 0, words);
        words[3] = WShort(0);
    } else {
        table_words<4>(table, 0, words);
    }
    const __m512i low = pack_words(words[0], words[1]);
    const __m512i high = pack_words(words[2], words[3]);
    // A word holds the bytes of two entries, so the word is looked up and then shifted.
    const __m512i eight = _mm512_set1_epi16(8);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < pairs.count; i += 32) {
        const __m512i e0 = _mm512_loadu_si512(pairs.first + i);
        const __m512i e1 = _mm512_loadu_si512(pairs.second + i);
        const __m512i w0 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(e0, 1), high);
        const __m512i w1 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(e1, 1), high);
        const __m512i b0 = _mm512_srlv_epi16(w0, _mm512_and_si512(_mm512_slli_epi16(e0, 3), eight));
        const __m512i b1 = _mm512_srlv_epi16(w1, _mm512_and_si512(_mm512_slli_epi16(e1, 3), eight));
        const __mmask32 none = _mm512_testn_epi16_mask(_mm512_and_si512(b0, b1), _mm512_set1_epi16(0xFF));
        any |= put_pairs(result, i, pairs.count, none);
    }
    return any;
}

// Entries of any number: 64 entries fill two registers, and 32 pairs are looked up at once.
inline constexpr std::uint32_t kLookUpEntries = kMaxIndex16;
template <class Table>
LANEFOLD_INLINE std::uint32_t look_up_pairs(const Table& table, const EntryPairs& pairs, std::int16_t* room,
                                            std::uint32_t* result) {
    std::uint32_t any = 0;
    const std::uint32_t entries = table.entries();
    if (entries <= 64) {
        WShort words[2];
        if (entries <= 32) {
            table_words<1>(table, 0, words);
            words[1] = WShort(0);
        } else {
            table_words<2>(table, 0, words);
        }
        const __m512i low = words[0].v;
        const __m512i high = words[1].v;
        for (std::uint32_t i = 0; i < pairs.count; i += 32) {
            const __m512i e0 = _mm512_loadu_si512(pairs.first + i);
            const __m512i e1 = _mm512_loadu_si512(pairs.second + i);
            const __m512i b0 = _mm512_permutex2var_epi16(low, e0, high);
            const __m512i b1 = _mm512_permutex2var_epi16(low, e1, high);
            any |= put_pairs(result, i, pairs.count, _mm512_testn_epi16_mask(b0, b1));
        }
        return any;
    }
    if (entries <= 128) return look_up_bytes(table, pairs, result);
    if (entries <= kBitEntries) return look_up_bits(table, pairs, result);
    write_table(table, room);
    for (std::uint32_t i = 0; i < pairs.count; i += 32) {
        const __m512i e0 = _mm512_loadu_si512(pairs.first + i);
        const __m512i e1 = _mm512_loadu_si512(pairs.second + i);
        __m512i b0 = _mm512_setzero_si512();
        __m512i b1 = _mm512_setzero_si512();
        for (std::uint32_t first = 0; first < entries; first += 64) {
            const __m512i low = _mm512_loadu_si512(room + first);
            const __m512i high = _mm512_loadu_si512(room + first + 32);
            const __m512i group = _mm512_set1_epi16(static_cast<short>(first));
            const __m512i above = _mm512_set1_epi16(static_cast<short>(0xFFC0));
            const __mmask32 in0 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(e0, above), group);
            const __mmask32 in1 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(e1, above), group);
            b0 = _mm512_mask_mov_epi16(b0, in0, _mm512_permutex2var_epi16(low, e0, high));
            b1 = _mm512_mask_mov_epi16(b1, in1, _mm512_permutex2var_epi16(low, e1, high));
        }
        any |= put_pairs(result, i, pairs.count, _mm512_testn_epi16_mask(b0, b1));
    }
    return any;
}
