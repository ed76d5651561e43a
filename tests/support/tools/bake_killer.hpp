// SPDX-License-Identifier: MIT
//
// Bakes that are killed at random moments, again and again, until they are done.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bake/cost.hpp"
#include "contacts/completeness.hpp"
#include "support/tools/collide.hpp"

namespace lanefold::test {

inline void pause_milliseconds(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

inline tools::FolderCheck check(const std::filesystem::path& contacts) {
    return tools::check_folder(tools::ContactsReader(contacts), [](std::uint64_t) {}, {});
}

// Runs a bake and kills it when one of the next frames is there, or a little later. True if it was killed.
inline bool bake_and_kill(const std::filesystem::path& scene, const std::filesystem::path& contacts,
                          const std::vector<std::string>& more, std::uint64_t until, int milliseconds) {
    std::vector<std::string> options{"-o", contacts.string(), "--resume", "--threads", "1", "--isa", "scalar"};
    options.insert(options.end(), more.begin(), more.end());
    RunOptions killed;
    killed.meanwhile = [&](pid_t child) {
        for (int i = 0; i < 20000 && !std::filesystem::exists(contacts / tools::frame_file_name(until, ".json")); ++i)
            pause_milliseconds(1);
        pause_milliseconds(milliseconds);
        ::kill(child, SIGKILL);
    };
    return collide(scene, options, killed).signal == SIGKILL;
}

// Frames of a shard, as the program chooses them.
inline std::vector<std::uint64_t> frames_of(const std::filesystem::path& folder, const std::string& shard) {
    const tools::Scene scene(folder);
    tools::FrameRange range;
    if (!shard.empty()) range.parse_shard(shard);
    return tools::choose_frames(range, scene, scene.build_hulls(1), tools::ContactsSettings{}, 1);
}

// Kills bakes of a shard (empty: of all frames) on their way to its end, until `times` of them were killed before they
// ended by themselves. After each, what is there must be whole. Says how many were killed.
class BakeKiller {
public:
    // removing: held by all who look at the folder, alone by the one who takes finished frames away.
    BakeKiller(const std::filesystem::path& scene, const std::filesystem::path& contacts, const std::string& shard,
               const std::vector<std::string>& options, std::shared_mutex& removing)
        : scene_(scene),
          contacts_(contacts),
          shard_(shard),
          removing_(removing),
          frames_(frames_of(scene, shard)),
          options_(options) {
        if (!shard.empty()) options_.insert(options_.end(), {"--shard", shard});
    }

    int kill(int times, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        int killed = 0;
        // A run can be faster than its kill. One that has most of its frames before it seldom is.
        for (int runs = 0; killed < times && runs < 20 * times; ++runs) {
            const std::vector<std::uint64_t> missing = missing_frames();
            // The kills that are left share the frames that are left.
            const std::uint64_t share = 2 * missing.size() / static_cast<std::uint64_t>(times - killed);
            const std::uint64_t until = missing[std::min(random() % (share + 1), missing.size() * 3 / 4)];
            if (!bake_and_kill(scene_, contacts_, options_, until, static_cast<int>(random() % 8))) continue;
            ++killed;
            const std::shared_lock looking(removing_);
            const tools::FolderCheck now = check(contacts_);
            EXPECT_TRUE(now.damaged.empty()) << now.damage.front();
            if (killed % 10 != 0 && killed < times) continue;
            std::printf("%s%s%3d kills: %zu of %zu frames were there before the last, each is whole\n", shard_.c_str(),
                        shard_.empty() ? "" : ": ", killed, frames_.size() - missing.size(), frames_.size());
            std::fflush(stdout);
        }
        return killed;
    }

private:
    bool is_there(std::uint64_t frame) const {
        return std::filesystem::exists(contacts_ / tools::frame_file_name(frame, ".json"));
    }

    // When few are left, the shard begins again.
    std::vector<std::uint64_t> missing_frames() {
        std::vector<std::uint64_t> missing;
        std::copy_if(frames_.begin(), frames_.end(), std::back_inserter(missing),
                     [&](std::uint64_t frame) { return !is_there(frame); });
        if (missing.size() > frames_.size() / 8) return missing;
        const std::lock_guard alone(removing_);
        for (const std::uint64_t frame : frames_)
            std::filesystem::remove(contacts_ / tools::frame_file_name(frame, ".json"));
        return frames_;
    }

    std::filesystem::path scene_;
    std::filesystem::path contacts_;
    std::string shard_;
    std::shared_mutex& removing_;
    std::vector<std::uint64_t> frames_;
    std::vector<std::string> options_;
};

}  // namespace lanefold::test
