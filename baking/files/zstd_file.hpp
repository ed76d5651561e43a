// SPDX-License-Identifier: MIT
//
// Zstandard (RFC 8878): a file is a row of frames, each of which can be made and unpacked alone; `zstd -d` reads such a
// file. A frame that only stores its bytes has the same size whatever they are, so that it can be rewritten in place
// when they are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lanefold::tools {

// A frame that stores `bytes` (at most 128 KiB) as they are: kStoredFrameBytes more than they.
std::string stored_frame(std::string_view bytes);
inline constexpr std::size_t kStoredFrameBytes = 12;

enum class FrameChecksum : bool { no, yes };

// Makes frames with the content's size, and with a checksum of the content if asked for (XXH64, which takes as long as
// the lowest levels). The same bytes give the same frame with the same release of zstd at the same level.
class ZstdCompressor {
public:
    ZstdCompressor(int level, FrameChecksum checksum);
    ZstdCompressor(ZstdCompressor&&) noexcept;
    ZstdCompressor& operator=(ZstdCompressor&&) noexcept;
    ~ZstdCompressor();

    // Room that a frame of so many bytes may need.
    static std::size_t most_bytes(std::size_t bytes);
    // One frame, at the front of `out`, which has that room. Returns its size.
    std::size_t compress(std::span<const std::byte> bytes, std::span<std::byte> out);

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

// Unpacks one frame, which must hold exactly out.size() bytes. Returns what is wrong, or null.
const char* unpack_frame(std::span<const std::byte> frame, std::span<std::byte> out);

// The unpacked frames of a file, read front to back. Every failure is a Failure that names the file.
class ZstdReader {
public:
    explicit ZstdReader(const std::filesystem::path& path);
    ZstdReader(ZstdReader&&) noexcept;
    ZstdReader& operator=(ZstdReader&&) noexcept;
    ~ZstdReader();

    const std::filesystem::path& path() const;
    // Bytes from `offset` of the content on; fewer at its end. Going back unpacks from the start again.
    std::size_t read(std::uint64_t offset, std::span<std::byte> out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanefold::tools
