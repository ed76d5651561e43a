// SPDX-License-Identifier: MIT
//
// Lane operations that all x86 instruction sets share. Included by their wide.inl only.

LANEFOLD_INLINE WFloat operator/(WFloat a, WFloat b) { return a.v / b.v; }
LANEFOLD_INLINE WFloat sqrt(WFloat a) { return xsimd::sqrt(a.v); }
// The instructions: the second operand where one is a NaN or both are zeros.
LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return xsimd::min(a.v, b.v); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return xsimd::max(a.v, b.v); }
// The compiler's vector type makes a constant count part of the instruction; the intrinsic takes it from a register.
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) {
    using Register = BatchI::register_type;
    using Words = std::uint32_t __attribute__((vector_size(sizeof(Register))));
    const Words words = __builtin_bit_cast(Words, static_cast<Register>(a.v)) >> static_cast<std::uint32_t>(n);
    return BatchI(__builtin_bit_cast(Register, words));
}
// Modulo 2^32. xsimd 8.1 multiplies lane by lane on SSE2, as signed numbers, whose overflow is undefined.
LANEFOLD_INLINE WInt operator*(WInt a, WInt b) {
    using Register = BatchI::register_type;
    using Words = std::uint32_t __attribute__((vector_size(sizeof(Register))));
    const Words words =
        __builtin_bit_cast(Words, static_cast<Register>(a.v)) * __builtin_bit_cast(Words, static_cast<Register>(b.v));
    return BatchI(__builtin_bit_cast(Register, words));
}
// Loads two floats from each of two places.
LANEFOLD_INLINE __m128 load_two(const float* low, const float* high) {
    const __m128 x = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(low));
    return _mm_loadh_pi(x, reinterpret_cast<const __m64*>(high));
}
LANEFOLD_INLINE void stream_end() { _mm_sfence(); }
