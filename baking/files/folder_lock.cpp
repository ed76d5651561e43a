// SPDX-License-Identifier: MIT
//
// See the header.
#include "files/folder_lock.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanefold::tools {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : handle_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) {
    if (handle_ < 0) {
        state_ = errno == ENOENT ? State::gone : State::not_a_folder;
        return;
    }
    const bool locked = ::flock(handle_, LOCK_EX | LOCK_NB) == 0;
    const bool taken = !locked && errno == EWOULDBLOCK;
    struct stat here {};
    struct stat there {};
    const bool same = ::fstat(handle_, &here) == 0 && ::stat(folder.c_str(), &there) == 0 &&
                      here.st_dev == there.st_dev && here.st_ino == there.st_ino;
    if (!same)
        state_ = State::gone;
    else if (locked)
        state_ = State::mine;
    else
        state_ = taken ? State::taken : State::impossible;
    if (state_ == State::mine) return;
    ::close(handle_);
    handle_ = -1;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), state_(std::exchange(other.state_, State::none)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(state_, other.state_);
    return *this;
}

FolderLock::~FolderLock() {
    if (handle_ >= 0) ::close(handle_);
}

}  // namespace lanefold::tools
