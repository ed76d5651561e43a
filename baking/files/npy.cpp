// SPDX-License-Identifier: MIT
//
// The .npy format: magic, version, header length, a Python dictionary padded with spaces to a multiple of
// 64 bytes, then the elements.

#include "files/npy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/python_literal.hpp"
#include "files/system.hpp"

namespace lanefold::tools {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kPreamble1 = 10;  // magic, version, u16 length
constexpr std::size_t kPreamble2 = 12;  // magic, version, u32 length (versions 2 and 3)
constexpr std::size_t kHeaderAlignment = 64;
constexpr std::size_t kFirstRead = 4096;                   // real headers are below 1 kB
constexpr std::size_t kMaxHeader = std::size_t{1} << 20U;  // a longer header is damaged

std::size_t byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

std::string shape_text(std::span<const std::uint64_t> shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += i == 0 ? "" : ", ";
        text += shape[i] == kAnyLength ? std::string("n") : std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

// a * b, or nothing when it does not fit.
bool multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& out) { return !__builtin_mul_overflow(a, b, &out); }

bool has_big_endian_elements(const std::string& dtype) { return dtype.find('>') != std::string::npos; }

void read_shape(const PythonValue& value, NpyHeader& header, const std::string& name) {
    std::uint64_t elements = 1;
    for (const PythonValue& item : value.items) {
        if (item.type != PythonValue::Type::integer)
            throw bad_input("{}: the shape in the header is not numbers", name);
        header.shape.push_back(item.integer);
        if (!multiply(elements, std::max<std::uint64_t>(item.integer, 1), elements)) {
            throw bad_input("{}: the shape {} in the header is impossibly large", name, value.repr());
        }
    }
}

// Bytes of preamble and header together, as the preamble states them; 0 when there is no preamble.
std::size_t header_size(std::string_view bytes) {
    if (bytes.size() < kPreamble2) return 0;
    const std::size_t length = byte_at(bytes, 8) | byte_at(bytes, 9) << 8U;
    if (byte_at(bytes, 6) == 1) return kPreamble1 + length;
    return kPreamble2 + (length | byte_at(bytes, 10) << 16U | byte_at(bytes, 11) << 24U);
}

// Up to `count` bytes from the start of an open file.
std::string read_start(int file, std::size_t count, const std::string& name) {
    std::string bytes(count, '\0');
    std::size_t have = 0;
    while (have < count) {
        const std::ptrdiff_t got = system::read_at(file, have, std::as_writable_bytes(std::span(bytes)).subspan(have));
        if (got < 0) throw io_failure("{}: cannot read: {}", name, std::strerror(errno));
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

}  // namespace

std::uint64_t NpyHeader::elements() const {
    std::uint64_t n = 1;
    for (const std::uint64_t length : shape) n *= length;
    return n;
}

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kPreamble2 || bytes.substr(0, kMagic.size()) != kMagic) {
        throw bad_input("{}: this is not a .npy file (it does not start with \\x93NUMPY)", name);
    }
    const std::size_t version = byte_at(bytes, 6);
    if (version < 1 || version > 3 || byte_at(bytes, 7) != 0) {
        throw bad_input("{}: .npy version {}.{} is unknown (known: 1.0, 2.0, 3.0)", name, version, byte_at(bytes, 7));
    }
    const std::size_t preamble = version > 1 ? kPreamble2 : kPreamble1;
    const std::size_t size = header_size(bytes);
    if (size > kMaxHeader) throw bad_input("{}: the header claims {} bytes; the file is damaged", name, size);
    if (bytes.size() < size) {
        throw bad_input("{}: truncated: the header needs {} bytes, the file has {}", name, size, bytes.size());
    }
    PythonValue value;
    if (!parse_python_literal(bytes.substr(preamble, size - preamble), value) ||
        value.type != PythonValue::Type::dictionary) {
        throw bad_input("{}: the header cannot be read as a Python dictionary", name);
    }
    const PythonValue* const descr = value.find("descr");
    const PythonValue* const order = value.find("fortran_order");
    const PythonValue* const shape = value.find("shape");
    if (descr == nullptr || order == nullptr || shape == nullptr || order->type != PythonValue::Type::boolean ||
        shape->type != PythonValue::Type::tuple) {
        throw bad_input("{}: the header lacks a proper descr, fortran_order or shape", name);
    }
    NpyHeader header;
    header.dtype = descr->type == PythonValue::Type::string ? descr->string : descr->repr();
    header.fortran_order = order->boolean;
    header.data_offset = size;
    read_shape(*shape, header, name);
    return header;
}

std::string make_npy_header(std::string_view dtype, std::span<const std::uint64_t> shape, std::size_t header_bytes) {
    const bool structured = !dtype.empty() && dtype.front() == '[';
    const std::string quote = structured ? "" : "'";
    std::string text = "{'descr': " + quote + std::string(dtype) + quote +
                       ", 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
    const std::size_t least = kPreamble1 + text.size() + 1;
    const std::size_t total =
        std::max(header_bytes, (least + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment);
    text.append(total - least, ' ');
    text += '\n';
    std::string header(kMagic);
    header += '\x01';
    header += '\x00';
    header += static_cast<char>(text.size() & 0xffU);
    header += static_cast<char>(text.size() >> 8U);
    return header + text;
}

NpyReader::NpyReader(const std::filesystem::path& path) : path_(path) {
    file_ = open_input(path);
    try {
        const std::optional<system::FileStatus> status = system::status(file_);
        if (!status) throw io_failure("{}: {}", path.string(), std::strerror(errno));
        file_bytes_ = status->size;
        std::string start = read_start(file_, kFirstRead, path.string());
        const std::size_t size = header_size(start);
        if (size > start.size() && size <= kMaxHeader) start = read_start(file_, size, path.string());
        header_ = parse_npy_header(start, path.string());
    } catch (...) {
        system::close(file_);
        throw;
    }
}

NpyReader::NpyReader(NpyReader&& other) noexcept
    : path_(std::move(other.path_)),
      header_(std::move(other.header_)),
      file_bytes_(other.file_bytes_),
      file_(std::exchange(other.file_, -1)) {}

NpyReader& NpyReader::operator=(NpyReader&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(header_, other.header_);
    std::swap(file_bytes_, other.file_bytes_);
    std::swap(file_, other.file_);
    return *this;
}

NpyReader::~NpyReader() {
    if (file_ >= 0) system::close(file_);
}

void NpyReader::expect_dtype(std::string_view dtype, std::uint64_t element_bytes) const {
    if (header_.dtype != dtype) {
        const char* const hint = has_big_endian_elements(header_.dtype) ? " (big endian is not supported)" : "";
        throw bad_input("{}: element type is {}, expected {}{}", path_.string(), header_.dtype, dtype, hint);
    }
    if (header_.fortran_order && header_.shape.size() > 1) {
        throw bad_input("{}: stored in Fortran order, expected C order", path_.string());
    }
    const std::uint64_t have = file_bytes_ - header_.data_offset;
    std::uint64_t bytes = 0;
    if (!multiply(header_.elements(), element_bytes, bytes)) {
        throw bad_input("{}: the shape {} in the header is impossibly large", path_.string(),
                        shape_text(header_.shape));
    }
    if (have != bytes) {
        throw bad_input("{}: {} for shape {}: the file has {} bytes after the header, expected {}", path_.string(),
                        have < bytes ? "truncated" : "wrong size", shape_text(header_.shape), have, bytes);
    }
}

void NpyReader::expect_shape(std::initializer_list<std::uint64_t> shape) const {
    const bool equal =
        std::equal(shape.begin(), shape.end(), header_.shape.begin(), header_.shape.end(),
                   [](std::uint64_t want, std::uint64_t have) { return want == kAnyLength || want == have; });
    if (!equal) {
        throw bad_input("{}: shape is {}, expected {}", path_.string(), shape_text(header_.shape),
                        shape_text(std::span(shape.begin(), shape.size())));
    }
}

void NpyReader::read_bytes(std::uint64_t offset, std::span<std::byte> out) const {
    std::uint64_t at = header_.data_offset + offset;
    while (!out.empty()) {
        const std::ptrdiff_t got = system::read_at(file_, at, out);
        if (got < 0) throw io_failure("{}: cannot read at byte {}: {}", path_.string(), at, std::strerror(errno));
        if (got == 0) throw bad_input("{}: truncated: the file ends at byte {}", path_.string(), at);
        out = out.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
}

NpyWriter::NpyWriter(const std::filesystem::path& path, std::string_view dtype, std::uint64_t element_bytes,
                     std::vector<std::uint64_t> row_shape)
    : file_(path), dtype_(dtype), row_shape_(std::move(row_shape)), row_bytes_(element_bytes) {
    for (const std::uint64_t length : row_shape_) row_bytes_ *= length;
    // The first header has room for any number of rows, so that the final one has the same size.
    const std::string longest = header(std::numeric_limits<std::uint64_t>::max() - 1, 0);
    header_bytes_ = longest.size();
    file_.write(header(0, header_bytes_));
}

std::string NpyWriter::header(std::uint64_t rows, std::size_t bytes) const {
    std::vector<std::uint64_t> shape{rows};
    shape.insert(shape.end(), row_shape_.begin(), row_shape_.end());
    return make_npy_header(dtype_, shape, bytes);
}

void NpyWriter::append_bytes(std::span<const std::byte> rows) {
    if (row_bytes_ == 0 || rows.size() % row_bytes_ != 0) {
        throw io_failure("{}: {} bytes are not a whole number of rows of {} bytes", file_.path().string(), rows.size(),
                         row_bytes_);
    }
    file_.write(rows);
    rows_ += rows.size() / row_bytes_;
}

void NpyWriter::commit() {
    file_.rewrite(0, header(rows_, header_bytes_));
    file_.commit();
}

}  // namespace lanefold::tools
