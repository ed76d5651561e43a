// SPDX-License-Identifier: MIT
//
// O_DIRECT wants addresses, sizes and places in the file that are whole blocks. The room is aligned, and the file grows
// by whole rooms. A file system without it refuses the flag or the first write, and a short write may end inside a
// block; then the file is an ordinary one.
#include "files/uncached_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace lanefold::tools {
namespace {

constexpr std::size_t kBlock = 4096;

}  // namespace

UncachedOutput::UncachedOutput(int file)
    : file_(file), room_(static_cast<std::byte*>(std::aligned_alloc(kBlock, kRoom))) {
    if (room_ == nullptr) throw std::bad_alloc();
}

void UncachedOutput::set_direct(bool direct) {
    const int flags = ::fcntl(file_, F_GETFL);
    direct_ = flags >= 0 && ::fcntl(file_, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 && direct;
    possible_ = direct_;
}

bool UncachedOutput::put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno != EINVAL || !direct_) return false;
            set_direct(false);
            continue;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        if (direct_ && static_cast<std::size_t>(written) % kBlock != 0) set_direct(false);
    }
    return true;
}

bool UncachedOutput::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t now = std::min(bytes.size(), kRoom - used_);
        std::memcpy(room_.get() + used_, bytes.data(), now);
        bytes = bytes.subspan(now);
        used_ += now;
        if (used_ < kRoom) continue;
        if (possible_ && !direct_) set_direct(true);
        if (!put({room_.get(), kRoom})) return false;
        used_ = 0;
    }
    return true;
}

bool UncachedOutput::finish() {
    if (direct_) set_direct(false);
    const std::size_t rest = used_;
    used_ = 0;
    return put({room_.get(), rest});
}

}  // namespace lanefold::tools
