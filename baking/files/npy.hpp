// SPDX-License-Identifier: MIT
//
// Reads and writes NumPy's .npy files: format versions 1 to 3, little endian, C order. A reader checks element type,
// shape and file size before anything is used. It reads slices into the caller's memory, so a file may be larger than
// memory. Files are not memory-mapped: a file that shrinks while it is read gives an error instead of a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "files/atomic_file.hpp"

namespace lanefold::tools {

// The text header of a .npy file.
struct NpyHeader {
    std::string dtype;                 // "<f4", or for structured types the list of fields in NumPy's spelling
    std::vector<std::uint64_t> shape;  // empty for a scalar
    bool fortran_order = false;
    std::uint64_t data_offset = 0;  // bytes before the first element

    std::uint64_t elements() const;  // product of the shape
};

// Parses the start of a file. `bytes` may be longer than the header. Throws Failure(bad_input) naming
// `name`.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

// A version 1 header of exactly header_bytes (a multiple of 64; 0: as few as fit). It can be written first and
// rewritten when the number of rows is known.
std::string make_npy_header(std::string_view dtype, std::span<const std::uint64_t> shape, std::size_t header_bytes = 0);

template <class T>
constexpr std::string_view npy_dtype() {
    if constexpr (std::is_same_v<T, float>) return "<f4";
    if constexpr (std::is_same_v<T, double>) return "<f8";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "<u4";
    if constexpr (std::is_same_v<T, std::uint64_t>) return "<u8";
    if constexpr (std::is_same_v<T, std::uint16_t>) return "<u2";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "|u1";
}

// A dimension that may have any length, for NpyReader::expect_shape.
inline constexpr std::uint64_t kAnyLength = ~std::uint64_t{0};

// An open .npy file. Every failure is a Failure that names the file.
class NpyReader {
public:
    explicit NpyReader(const std::filesystem::path& path);
    NpyReader(NpyReader&& other) noexcept;
    NpyReader& operator=(NpyReader&& other) noexcept;
    ~NpyReader();

    const NpyHeader& header() const { return header_; }
    const std::filesystem::path& path() const { return path_; }
    std::uint64_t length(std::size_t axis = 0) const { return header_.shape[axis]; }

    // Throws unless the element type is this one and the file holds exactly the elements that its header states.
    void expect_dtype(std::string_view dtype, std::uint64_t element_bytes) const;
    template <class T>
    void expect_dtype() const {
        expect_dtype(npy_dtype<T>(), sizeof(T));
    }

    // Throws unless the shape matches; kAnyLength matches anything.
    void expect_shape(std::initializer_list<std::uint64_t> shape) const;

    // Reads bytes from the data, starting `offset` bytes after the first element. Throws when they are not there.
    void read_bytes(std::uint64_t offset, std::span<std::byte> out) const;

    // out.size() elements of T from element `first` on.
    template <class T>
    void read(std::uint64_t first, std::span<T> out) const {
        read_bytes(first * sizeof(T), std::as_writable_bytes(out));
    }

    // Checks the element type, then reads all elements.
    template <class T>
    std::vector<T> read_all() const {
        expect_dtype<T>();
        std::vector<T> all(header_.elements());
        read(0, std::span<T>(all));
        return all;
    }

private:
    std::filesystem::path path_;
    NpyHeader header_;
    std::uint64_t file_bytes_ = 0;
    int file_ = -1;
};

// Writes a .npy file from front to back under a temporary name. append adds to the first axis. commit() gives the
// whole, synced file its own name; without it no file stays.
class NpyWriter {
public:
    // row_shape: the shape of one step along the first axis; element_bytes * product(row_shape) is a row.
    NpyWriter(const std::filesystem::path& path, std::string_view dtype, std::uint64_t element_bytes,
              std::vector<std::uint64_t> row_shape);

    template <class T>
    static NpyWriter of(const std::filesystem::path& path, std::vector<std::uint64_t> row_shape = {}) {
        return {path, npy_dtype<T>(), sizeof(T), std::move(row_shape)};
    }

    // `rows` must hold a whole number of rows.
    void append_bytes(std::span<const std::byte> rows);
    template <class T>
    void append(std::span<const T> rows) {
        append_bytes(std::as_bytes(rows));
    }

    std::uint64_t rows() const { return rows_; }
    void commit();

private:
    std::string header(std::uint64_t rows, std::size_t bytes) const;

    AtomicFile file_;
    std::string dtype_;
    std::vector<std::uint64_t> row_shape_;
    std::uint64_t row_bytes_ = 0;
    std::uint64_t rows_ = 0;
    std::size_t header_bytes_ = 0;
};

// Writes an array in memory as one file. data.size() must be the product of the shape.
template <class T>
void write_npy(const std::filesystem::path& path, std::span<const T> data, std::vector<std::uint64_t> shape) {
    NpyWriter writer = NpyWriter::of<T>(path, {shape.begin() + 1, shape.end()});
    writer.append(data);
    writer.commit();
}

}  // namespace lanefold::tools
