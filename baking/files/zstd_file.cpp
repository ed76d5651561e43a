// SPDX-License-Identifier: MIT
//
// See the header.

#include "files/zstd_file.hpp"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/system.hpp"

namespace lanefold::tools {
namespace {

std::size_t checked(std::size_t result, const std::string& name, const char* what) {
    if (ZSTD_isError(result) != 0) throw io_failure("{}: {}: {}", name, what, ZSTD_getErrorName(result));
    return result;
}

}  // namespace

std::string stored_frame(std::string_view bytes) {
    // Magic number; descriptor: four bytes of content size, one segment, no checksum; size; header of the last block.
    std::string frame("\x28\xB5\x2F\xFD\xA0", 5);
    const auto put = [&](std::size_t value, int count) {
        for (int i = 0; i < count; ++i) frame += static_cast<char>(value >> (8U * static_cast<unsigned>(i)) & 0xffU);
    };
    put(bytes.size(), 4);
    put(bytes.size() << 3U | 1U, 3);
    return frame.append(bytes);
}

struct ZstdCompressor::Context {
    ZSTD_CCtx* zstd = ZSTD_createCCtx();
    Context(int level, FrameChecksum checksum) {
        if (zstd == nullptr) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, checksum == FrameChecksum::yes ? 1 : 0);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { ZSTD_freeCCtx(zstd); }
};

ZstdCompressor::ZstdCompressor(int level, FrameChecksum checksum)
    : context_(std::make_unique<Context>(level, checksum)) {}
ZstdCompressor::ZstdCompressor(ZstdCompressor&&) noexcept = default;
ZstdCompressor& ZstdCompressor::operator=(ZstdCompressor&&) noexcept = default;
ZstdCompressor::~ZstdCompressor() = default;

std::size_t ZstdCompressor::most_bytes(std::size_t bytes) { return ZSTD_compressBound(bytes); }

std::size_t ZstdCompressor::compress(std::span<const std::byte> bytes, std::span<std::byte> out) {
    const std::size_t size = ZSTD_compress2(context_->zstd, out.data(), out.size(), bytes.data(), bytes.size());
    return checked(size, "zstd", "cannot compress");
}

const char* unpack_frame(std::span<const std::byte> frame, std::span<std::byte> out) {
    // ZSTD_decompress would also take several frames, and frames that say no size.
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != out.size()) return "another size than its header says";
    const std::size_t length = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
    if (ZSTD_isError(length) != 0) return ZSTD_getErrorName(length);
    if (length != frame.size()) return "bytes behind the compressed frame";
    const std::size_t size = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) != 0) return ZSTD_getErrorName(size);
    return size == out.size() ? nullptr : "fewer bytes than its header says";
}

struct ZstdReader::State {
    std::filesystem::path path;
    int file = -1;
    ZSTD_DCtx* zstd = nullptr;
    std::vector<std::byte> packed;  // as read from the file
    ZSTD_inBuffer in{nullptr, 0, 0};
    std::uint64_t position = 0;  // in the content
    bool inside = false;         // of a frame

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (file >= 0) system::close(file);
        ZSTD_freeDCtx(zstd);
    }

    void restart() {
        if (!system::rewind(file)) throw io_failure("{}: cannot seek: {}", path.string(), std::strerror(errno));
        ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only);
        in = {packed.data(), 0, 0};
        position = 0;
        inside = false;
    }

    // False at the end of the file.
    bool fill() {
        const std::ptrdiff_t got = system::read(file, packed);
        if (got < 0) throw io_failure("{}: cannot read: {}", path.string(), std::strerror(errno));
        in = {packed.data(), static_cast<std::size_t>(got), 0};
        return got > 0;
    }

    std::size_t next(std::span<std::byte> to) {
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        while (out.pos < out.size) {
            const std::size_t before = out.pos;
            if (in.pos == in.size && !fill()) {
                if (!inside) break;
                // The last bytes of a frame may still be in the decoder.
                const std::size_t left = ZSTD_decompressStream(zstd, &out, &in);
                if (ZSTD_isError(left) != 0 || out.pos == before) {
                    throw bad_input("{}: truncated: the file ends inside a compressed frame", path.string());
                }
                inside = left != 0;
                continue;
            }
            const std::size_t left = ZSTD_decompressStream(zstd, &out, &in);
            if (ZSTD_isError(left) != 0) {
                throw bad_input("{}: damaged: {}", path.string(), ZSTD_getErrorName(left));
            }
            inside = left != 0;
        }
        position += out.pos;
        return out.pos;
    }
};

ZstdReader::ZstdReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
    state_->path = path;
    state_->file = open_input(path);
    state_->zstd = ZSTD_createDCtx();
    if (state_->zstd == nullptr) throw std::bad_alloc();
    state_->packed.resize(ZSTD_DStreamInSize());
}

ZstdReader::ZstdReader(ZstdReader&&) noexcept = default;
ZstdReader& ZstdReader::operator=(ZstdReader&&) noexcept = default;
ZstdReader::~ZstdReader() = default;

const std::filesystem::path& ZstdReader::path() const { return state_->path; }

std::size_t ZstdReader::read(std::uint64_t offset, std::span<std::byte> out) {
    if (offset < state_->position) state_->restart();
    std::vector<std::byte> skipped;
    while (state_->position < offset) {
        skipped.resize(static_cast<std::size_t>(std::min<std::uint64_t>(offset - state_->position, 1U << 20U)));
        if (state_->next(skipped) < skipped.size()) return 0;
    }
    return state_->next(out);
}

}  // namespace lanefold::tools
