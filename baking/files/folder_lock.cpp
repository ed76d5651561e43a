// SPDX-License-Identifier: MIT
//
// See the header.
#include "files/folder_lock.hpp"

#include <cerrno>
#include <utility>

#include "files/system.hpp"

namespace lanefold::tools {

FolderLock::FolderLock(const std::filesystem::path& folder) : handle_(system::open_folder(folder)) {
    if (handle_ < 0) {
        state_ = errno == ENOENT ? State::gone : State::not_a_folder;
        return;
    }
    const bool locked = system::lock(handle_);
    const bool taken = !locked && errno == EWOULDBLOCK;
    if (!system::is_same(handle_, folder))
        state_ = State::gone;
    else if (locked)
        state_ = State::mine;
    else
        state_ = taken ? State::taken : State::impossible;
    if (state_ == State::mine) return;
    system::close(std::exchange(handle_, -1));
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), state_(std::exchange(other.state_, State::none)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(state_, other.state_);
    return *this;
}

FolderLock::~FolderLock() {
    if (handle_ >= 0) system::close(handle_);
}

}  // namespace lanefold::tools
