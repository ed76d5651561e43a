// SPDX-License-Identifier: MIT
//
// See the header. Each frame is read and checked before it counts; it appears as collide makes it appear.

#include "contacts/merge.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "contacts/completeness.hpp"
#include "contacts/io.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kBlockRecords = 65536;  // 8 or 24 MiB of records
constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

void throw_if_stopped(const StopToken& stop) {
    if (stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; what was copied is whole");
}

void copy_bytes(const fs::path& from, const fs::path& to) {
    InputFile file(from);
    AtomicFile copy(to);
    std::vector<std::byte> block(kBlockBytes);
    while (const std::size_t got = file.read(block)) copy.write(std::span<const std::byte>(block).first(got));
    copy.commit();
}

// Takes frames of several folders into one.
class Merger {
public:
    Merger(const fs::path& output, const std::string& description)
        : output_(output), writer_(output, description), there_(output) {}

    // A summary that is there vouches for its records only after they were read.
    void take(const ContactsReader& from, std::uint64_t frame, MergeReport& report) {
        FrameSummary mine;
        FrameSummary theirs;
        if (const std::string damage = damage_of(from, frame, theirs); !damage.empty()) {
            ++report.damaged;
            report.damage.push_back(damage);
            return;
        }
        if (is_there(output_ / frame_file_name(frame, ".json")) && damage_of(there_, frame, mine).empty()) {
            if (mine == theirs) {
                ++report.kept;
                return;
            }
            throw Failure(ExitCode::violation,
                          fmt::format("frame {} of {} is not that of {}: it was made from other poses or pairs", frame,
                                      from.folder().string(), output_.string()));
        }
        const std::string records = records_file_name(frame, there_.settings().compression);
        const std::string summary = frame_file_name(frame, ".json");
        // As collide: an older summary must not vouch for new records, and the records come first.
        std::error_code ignored;
        fs::remove(output_ / summary, ignored);
        copy_bytes(from.folder() / records, output_ / records);
        copy_bytes(from.folder() / summary, output_ / summary);
        ++report.copied;
    }

private:
    fs::path output_;
    ContactsWriter writer_;
    ContactsReader there_;
};

template <class M>
void unpack_records(const RecordsReader& from, RecordsWriter& to) {
    std::vector<M> block;
    for (std::uint64_t first = 0; first < from.length(); first += block.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlockRecords, from.length() - first)));
        from.read(first, std::span(block));
        to.append(std::span<const M>(block));
    }
}

}  // namespace

MergeReport merge_folders(std::span<const fs::path> inputs, const fs::path& output,
                          const std::function<void(std::uint64_t, std::uint64_t)>& progress, const StopToken& stop) {
    std::vector<ContactsReader> folders;
    std::uint64_t total = 0;
    for (const fs::path& input : inputs) {
        folders.emplace_back(input);
        total += folders.back().frames().size();
        const ContactsReader& first = folders.front();
        if (folders.back().description() == first.description()) continue;
        throw bad_input("{}: {} (compared with {}); nothing was written", (input / "contacts.json").string(),
                        difference(folders.back().description(), first.description(), input.string()),
                        first.folder().string());
    }
    MergeReport report;
    report.frames = folders.front().frames_in_scene();
    Merger merger(output, folders.front().description());
    std::uint64_t done = 0;
    for (const ContactsReader& folder : folders) {
        for (const std::uint64_t frame : folder.frames()) {
            throw_if_stopped(stop);
            merger.take(folder, frame, report);
            progress(++done, total);
        }
    }
    const ContactsReader merged(output);
    for (std::uint64_t i = 0; i < report.frames; ++i) {
        if (!std::binary_search(merged.frames().begin(), merged.frames().end(), i)) report.missing.push_back(i);
    }
    return report;
}

std::uint64_t unpack_folder(const fs::path& input, const fs::path& output,
                            const std::function<void(std::uint64_t, std::uint64_t)>& progress, const StopToken& stop) {
    const ContactsReader from(input);
    const std::uint32_t capacity = from.settings().capacity;
    if (from.settings().compression == Compression::none) {
        throw bad_input("{}: is not compressed; its frames are .npy files already", input.string());
    }
    const ContactsWriter to(output, uncompressed_description(from.description(), input.string()));
    std::uint64_t done = 0;
    for (const std::uint64_t frame : from.frames()) {
        throw_if_stopped(stop);
        const FrameSummary summary = from.summary(frame);
        if (!to.finished(frame, summary.input, capacity)) {
            const RecordsReader records = from.open_records(frame, summary);
            // Before anything appears: a summary vouches for its records.
            if (!(recount(records, summary, capacity) == summary)) {
                throw Failure(ExitCode::violation, records.path().string() + ": damaged: not what its summary says");
            }
            RecordsWriter file = to.begin_frame(frame, capacity);
            if (capacity == 4) {
                unpack_records<Manifold4>(records, file);
            } else {
                unpack_records<Manifold16>(records, file);
            }
            to.finish_frame(file, summary);
        }
        progress(++done, from.frames().size());
    }
    return done;
}

}  // namespace lanefold::tools
