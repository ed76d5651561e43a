// SPDX-License-Identifier: MIT
//
// A lock on a folder, held by the process that works in it. It ends with the process, however that ends.
#pragma once

#include <filesystem>

namespace lanefold::tools {

class FolderLock {
public:
    enum class State {
        none,         // nothing was locked
        mine,         // held
        taken,        // another process holds it
        gone,         // there is no such folder, or another one has its name now
        impossible,   // on a file system without locks nobody holds one
        not_a_folder  // it cannot be opened; errno says why
    };

    FolderLock() = default;
    explicit FolderLock(const std::filesystem::path& folder);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    ~FolderLock();

    State state() const { return state_; }

private:
    int handle_ = -1;
    State state_ = State::none;
};

}  // namespace lanefold::tools
