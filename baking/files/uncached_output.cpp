// SPDX-License-Identifier: MIT
//
// O_DIRECT wants addresses, sizes and places in the file that are whole blocks. The room is aligned, and the file grows
// by whole blocks. A file system without it refuses the flag or the first write, and a short write may end inside a
// block; then the file is an ordinary one. The first block holds a header, which is known last: kept in memory, it is
// written once, and not read back from the disk to change a part of it.
#include "files/uncached_output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "files/system.hpp"

namespace lanefold::tools {
namespace {

// Fewer bytes than this are not worth a write of their own: a write costs as much as to copy some ten KiB.
constexpr std::size_t kStraight = std::size_t{256} << 10U;

}  // namespace

UncachedOutput::UncachedOutput(int file) : file_(file), memory_(kMemory), room_(memory_.data() + kBlock) {}

void UncachedOutput::set_direct(bool direct) {
    direct_ = system::bypass_cache(file_, direct) && direct;
    possible_ = direct_;
}

bool UncachedOutput::put(std::span<const std::byte> room, std::span<const std::byte> more) {
    while (!room.empty() || !more.empty()) {
        const std::ptrdiff_t written = system::write_both_at(file_, written_, room, more);
        if (written < 0) {
            if (errno != EINVAL || !direct_) return false;
            set_direct(false);
            continue;
        }
        const auto size = static_cast<std::size_t>(written);
        written_ += size;
        const std::size_t of_room = std::min(size, room.size());
        room = room.subspan(of_room);
        more = more.subspan(size - of_room);
        if (direct_ && size % kBlock != 0) set_direct(false);
    }
    return true;
}

std::span<const std::byte> UncachedOutput::keep_first(std::span<const std::byte> bytes) {
    if (appended_ >= kBlock) return bytes;
    const std::size_t now = std::min<std::size_t>(bytes.size(), kBlock - static_cast<std::size_t>(appended_));
    if (now > 0) std::memcpy(memory_.data() + appended_, bytes.data(), now);
    appended_ += now;
    copied_ += now;
    return bytes.subspan(now);
}

// The index in `bytes` at which the next block of the file begins, if the rest can be written from where it lies; else
// their end.
std::size_t UncachedOutput::writable_from(std::span<const std::byte> bytes) const {
    const std::size_t fill = (kBlock - used_ % kBlock) % kBlock;
    if (!possible_ || bytes.size() < fill + kStraight) return bytes.size();
    return reinterpret_cast<std::uintptr_t>(bytes.data() + fill) % kBlock == 0 ? fill : bytes.size();
}

bool UncachedOutput::append(std::span<const std::byte> bytes) {
    bytes = keep_first(bytes);
    appended_ += bytes.size();
    while (!bytes.empty()) {
        const std::size_t from = writable_from(bytes);
        const std::size_t now = std::min(from, kRoom - used_);
        if (now > 0) std::memcpy(room_ + used_, bytes.data(), now);
        used_ += now;
        copied_ += now;
        const bool straight = now == from && from < bytes.size();
        bytes = bytes.subspan(now);
        if (used_ < kRoom && !straight) continue;
        const std::span<const std::byte> whole =
            straight ? bytes.first(bytes.size() / kBlock * kBlock) : std::span<const std::byte>();
        if (possible_ && !direct_) set_direct(true);
        if (!put({room_, used_}, whole)) return false;
        used_ = 0;
        bytes = bytes.subspan(whole.size());
    }
    return true;
}

bool UncachedOutput::rewrite(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::uint64_t kept = std::min<std::uint64_t>(appended_, kBlock);
    if (offset > kept || bytes.size() > kept - offset) {
        errno = 0;
        return false;
    }
    if (!bytes.empty()) std::memcpy(memory_.data() + offset, bytes.data(), bytes.size());
    return true;
}

bool UncachedOutput::put_first() {
    written_ = 0;
    return put({memory_.data(), static_cast<std::size_t>(std::min<std::uint64_t>(appended_, kBlock))}, {});
}

bool UncachedOutput::finish() {
    if (direct_) set_direct(false);
    const std::size_t rest = used_;
    used_ = 0;
    return put({room_, rest}, {}) && put_first();
}

}  // namespace lanefold::tools
