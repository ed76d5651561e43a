// SPDX-License-Identifier: MIT
//
// Sixteen rows of sixteen bytes are turned at once, in vectors that the compiler knows: four steps of SSE2 or NEON, and
// plain moves on other processors. A rest at an end is turned again together with the bytes before it.

#include "files/byte_planes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lanefold::tools {
namespace {

constexpr std::size_t kSide = 16;
using Vector = std::uint8_t __attribute__((vector_size(kSide)));

Vector low_halves(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Vector high_halves(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// One of four equal steps; after all of them rows are columns.
void interleave(const Vector* in, Vector* out) {
    for (std::size_t i = 0; i < kSide / 2; ++i) {
        out[2 * i] = low_halves(in[i], in[i + kSide / 2]);
        out[2 * i + 1] = high_halves(in[i], in[i + kSide / 2]);
    }
}

void turn(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride) {
    Vector a[kSide];
    Vector b[kSide];
    for (std::size_t i = 0; i < kSide; ++i) std::memcpy(&a[i], in + i * in_stride, kSide);
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    interleave(b, a);
    for (std::size_t i = 0; i < kSide; ++i) std::memcpy(out + i * out_stride, &a[i], kSide);
}

using Words = std::uint32_t __attribute__((vector_size(kSide)));

Words load_words(const std::byte* from) {
    Words words;
    std::memcpy(&words, from, sizeof(words));
    return words;
}

// The last four bytes of sixteen rows, each of which begins at least sixteen before its end, as four planes.
void turn_ends(const std::byte* ends, std::size_t stride, std::byte* planes, std::size_t plane) {
    Vector a[4];
    Vector b[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const std::byte* const row = ends + 4 * i * stride - sizeof(Words);
        const Words low = __builtin_shufflevector(load_words(row), load_words(row + stride), 2, 6, 3, 7);
        const Words high =
            __builtin_shufflevector(load_words(row + 2 * stride), load_words(row + 3 * stride), 2, 6, 3, 7);
        const Words four = __builtin_shufflevector(low, high, 2, 3, 6, 7);
        std::memcpy(&a[i], &four, sizeof(four));
    }
    const auto step = [](const Vector* in, Vector* out) {
        for (std::size_t i = 0; i < 2; ++i) {
            out[2 * i] = low_halves(in[i], in[i + 2]);
            out[2 * i + 1] = high_halves(in[i], in[i + 2]);
        }
    };
    step(a, b);
    step(b, a);
    step(a, b);
    step(b, a);
    for (std::size_t i = 0; i < 4; ++i) std::memcpy(planes + i * plane, &a[i], kSide);
}

// Calls block(first row, first byte) so that blocks of 16 by 16 cover everything. count >= 16, width >= 16.
template <class Block>
void cover(std::size_t count, std::size_t width, const Block& block) {
    for (std::size_t r = 0; r < count; r += kSide) {
        const std::size_t row = std::min(r, count - kSide);
        for (std::size_t b = 0; b < width; b += kSide) block(row, std::min(b, width - kSide));
    }
}

}  // namespace

void to_planes(const std::byte* rows, std::size_t count, std::size_t stride, std::size_t width, std::byte* planes,
               std::size_t plane) {
    if (count < kSide) {
        for (std::size_t b = 0; b < width; ++b) {
            for (std::size_t r = 0; r < count; ++r) planes[b * plane + r] = rows[r * stride + b];
        }
        return;
    }
    const bool ends = width % kSide == 4;
    cover(count, ends ? width - 4 : width, [&](std::size_t row, std::size_t byte) {
        turn(rows + row * stride + byte, stride, planes + byte * plane + row, plane);
    });
    if (!ends) return;
    cover(count, kSide, [&](std::size_t row, std::size_t) {
        turn_ends(rows + row * stride + width, stride, planes + (width - 4) * plane + row, plane);
    });
}

void from_planes(const std::byte* planes, std::size_t plane, std::size_t count, std::size_t width, std::byte* rows,
                 std::size_t stride) {
    if (count < kSide) {
        for (std::size_t b = 0; b < width; ++b) {
            for (std::size_t r = 0; r < count; ++r) rows[r * stride + b] = planes[b * plane + r];
        }
        return;
    }
    cover(count, width, [&](std::size_t row, std::size_t byte) {
        turn(planes + byte * plane + row, plane, rows + row * stride + byte, stride);
    });
}

}  // namespace lanefold::tools
