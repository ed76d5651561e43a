// SPDX-License-Identifier: MIT
//
// A scene folder that is either absent or whole: it is filled under a temporary name beside its own and
// renamed when it is complete.
#pragma once

#include <filesystem>

namespace lanefold::tools {

class StagedFolder {
public:
    // Throws Failure(bad_input) when something is at `target` already: an empty folder is fine; a scene is
    // fine with `replace`, if it holds nothing but a scene. Nothing of the target is touched before commit().
    StagedFolder(const std::filesystem::path& target, bool replace);
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    ~StagedFolder();  // removes what was written, unless committed

    // Where to write.
    const std::filesystem::path& path() const { return stage_; }

    // Moves the old scene away, the new one into its place, and removes the old one.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path stage_;
    bool committed_ = false;
};

}  // namespace lanefold::tools
