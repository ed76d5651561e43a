// SPDX-License-Identifier: MIT
//
// A scene folder that is either absent or whole. It is filled under a temporary name beside its own and renamed when it
// is complete. A scene that it replaces stays whole until then.
#pragma once

#include <filesystem>

#include "files/folder_lock.hpp"

namespace lanefold::tools {

class StagedFolder {
public:
    // Throws Failure(bad_input) when `target` exists, except for an empty folder, and with `replace` for a folder that
    // holds a scene and nothing else. It changes nothing of the target before commit(). It removes what killed runs
    // left beside the target.
    StagedFolder(const std::filesystem::path& target, bool replace);
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    ~StagedFolder();  // removes what was written, unless committed

    // The folder to write into.
    const std::filesystem::path& path() const { return stage_; }

    // Exchanges the names of the old scene and the new one, and removes the old one. Throws Failure without `replace`
    // when something has come there meanwhile.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path stage_;
    bool replace_;
    FolderLock lock_;
    bool committed_ = false;
};

}  // namespace lanefold::tools
