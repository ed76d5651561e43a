// SPDX-License-Identifier: MIT
//
// frame_NNNNNN.planes: the records of a frame in pieces, each of which can be read alone. A piece is a Zstandard frame
// of planes (record_planes.hpp). Heads say what was done and have checksums; they are frames that Zstandard skips.
// docs/formats.md has the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "contacts/record_planes.hpp"

namespace lanefold::tools {

inline constexpr std::size_t kPlanesFileHead = 56;
inline constexpr std::size_t kPlanesPieceHead = 48;

// The head of a file of so many bytes in all.
std::string planes_file_head(std::uint32_t capacity, std::uint64_t records, std::uint64_t pieces, std::uint64_t bytes);
// The head of a piece: what lies before its frame, kPlanesPieceHead bytes at `out`.
void write_piece_head(const PlanesShape& shape, std::span<const std::byte> frame, std::byte* out);

// Every failure is a Failure that names the file. Heads are checked at once, a piece when it is read.
class PlanesReader {
public:
    PlanesReader(const std::filesystem::path& path, std::uint32_t capacity);
    PlanesReader(PlanesReader&&) noexcept;
    PlanesReader& operator=(PlanesReader&&) noexcept;
    ~PlanesReader();

    const std::filesystem::path& path() const;
    std::uint64_t length() const;

    // Whole records from `first` on. Unpacks the pieces in which they lie; the latest one is kept.
    void read(std::uint64_t first, std::span<std::byte> out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanefold::tools
