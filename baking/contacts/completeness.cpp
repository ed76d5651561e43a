// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/completeness.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "contacts/frame_range.hpp"

namespace lanefold::tools {

namespace {

RecordsReader open_counted(const ContactsReader& contacts, std::uint64_t frame, FrameSummary& found) {
    const FrameSummary claimed = contacts.summary(frame);
    RecordsReader records = contacts.open_records(frame, claimed);
    found = recount(records, claimed, contacts.settings().capacity);
    if (found == claimed) return records;
    throw Failure(ExitCode::violation,
                  fmt::format("{}: the records do not match their summary (hash {}, expected {})",
                              records.path().string(), hash_string(found.hash), hash_string(claimed.hash)));
}

// As a shell takes it for one word.
std::string quoted(const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string damage_of(const ContactsReader& contacts, std::uint64_t frame, FrameSummary& found) {
    try {
        static_cast<void>(open_counted(contacts, frame, found));
        return {};
    } catch (const Failure& failure) {
        return failure.what();
    }
}

RecordsReader open_whole(const ContactsReader& contacts, std::uint64_t frame) {
    FrameSummary found;
    return open_counted(contacts, frame, found);
}

FolderCheck check_folder(const ContactsReader& contacts, const std::function<void(std::uint64_t)>& progress,
                         const StopToken& stop) {
    FolderCheck check;
    const std::span<const std::uint64_t> frames = contacts.frames();
    std::vector<std::string> damage(frames.size());
    std::mutex mutex;
    std::uint64_t done = 0;
    oneapi::tbb::parallel_for(std::size_t{0}, frames.size(), [&](std::size_t i) {
        if (stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
        FrameSummary found;
        damage[i] = damage_of(contacts, frames[i], found);
        const std::lock_guard lock(mutex);
        if (damage[i].empty()) {
            ++check.whole;
            found.hash = mix_frame_hash(frames[i], found.hash);
            check.total.add(found);
        }
        progress(++done);
    });
    std::vector<std::uint64_t> whole;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (damage[i].empty()) {
            whole.push_back(frames[i]);
        } else {
            check.damaged.push_back(frames[i]);
            check.damage.push_back(damage[i]);
        }
    }
    std::vector<std::uint64_t> all(static_cast<std::size_t>(contacts.frames_in_scene()));
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    std::set_difference(all.begin(), all.end(), whole.begin(), whole.end(), std::back_inserter(check.missing));
    return check;
}

std::string command_for(const ContactsReader& contacts, std::span<const std::uint64_t> frames,
                        const std::string& scene) {
    return fmt::format("lanefold collide {} -o {}{} --frames {}", scene.empty() ? "SCENE" : quoted(scene),
                       quoted(contacts.folder().string()), settings_options(contacts.settings()), frame_list(frames));
}

}  // namespace lanefold::tools
