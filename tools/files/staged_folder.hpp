// SPDX-License-Identifier: MIT
//
// A scene folder that is either absent or whole: it is filled under a temporary name beside its own and
// renamed when it is complete. A scene that it replaces is there until then, and whole at every moment.
#pragma once

#include <filesystem>

namespace lanefold::tools {

class StagedFolder {
public:
    // Throws Failure(bad_input) when something is at `target` already: an empty folder is fine; a scene is
    // fine with `replace`, if it holds nothing but a scene. Nothing of the target is touched before commit(). Removes
    // what killed runs left beside it.
    StagedFolder(const std::filesystem::path& target, bool replace);
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    ~StagedFolder();  // removes what was written, unless committed

    // Where to write.
    const std::filesystem::path& path() const { return stage_; }

    // Exchanges the names of the old scene and the new one, and removes the old one.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path stage_;
    int lock_ = -1;
    bool committed_ = false;
};

}  // namespace lanefold::tools
