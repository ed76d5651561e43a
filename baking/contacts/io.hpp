// SPDX-License-Identifier: MIT
//
// Contacts folders. Each frame has a structured .npy of manifold records and a small JSON of counts and hash;
// contacts.json names the scene and the settings. docs/formats.md describes the files. Their bytes depend on the scene
// and the settings alone. Values that depend on the machine are in log/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "contacts/records_file.hpp"
#include "contacts/settings.hpp"
#include "contacts/summary.hpp"

namespace lanefold::tools {

// NumPy's spelling of the record type.
std::string contacts_dtype(std::uint32_t capacity);

template <class M>
constexpr std::uint32_t capacity_of() {
    return static_cast<std::uint32_t>(M::kCapacity);
}

// "frame_000012" + extension.
std::string frame_file_name(std::uint64_t frame, std::string_view extension);

// Writes a contacts folder.
class ContactsWriter {
public:
    // Creates the folder and contacts.json. If they exist, contacts.json must hold exactly this text, else it throws
    // bad_input. Several processes may write different frames into one folder.
    ContactsWriter(const std::filesystem::path& folder, const std::string& description);

    // The frame's summary, if the frame is there, whole, and made from this input; nothing if it has to be computed.
    // Reads the records and checks their hash.
    std::optional<FrameSummary> finished(std::uint64_t frame, std::uint64_t input, std::uint32_t capacity) const;

    // Starts a frame. Its rows are manifold records. `cached`: through the kernel's cache.
    RecordsWriter begin_frame(std::uint64_t frame, std::uint32_t capacity, Durability durability = Durability::synced,
                              bool cached = false) const;
    // Publishes the frame, as durably as it was begun: first the records, then the summary. A summary means that the
    // records are complete. Returns the seconds that the disk was waited for.
    double finish_frame(RecordsWriter& records, const FrameSummary& summary) const;
    // How many of the frames a folder has already, whole or not.
    static std::uint64_t count_frames(const std::filesystem::path& folder, std::span<const std::uint64_t> frames);

    // Makes frames that were finished as `written` survive a power cut.
    void sync_frames(std::span<const std::uint64_t> frames) const;

    // Writes log/<name>.json, for data that depend on host and time.
    static void write_log(const std::filesystem::path& contacts, const std::string& json);

    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path records_path(std::uint64_t frame) const;

    std::filesystem::path folder_;
    ContactsSettings settings_;
};

// Reads a contacts folder.
class ContactsReader {
public:
    explicit ContactsReader(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const ContactsSettings& settings() const { return settings_; }
    const std::string& description() const { return description_; }  // the text of contacts.json
    std::uint64_t frames_in_scene() const { return frames_in_scene_; }
    std::span<const std::uint64_t> frames() const { return frames_; }  // finished frames, ascending
    // Records without a summary (the program was killed between the two), and files that do not belong here.
    std::span<const std::string> strangers() const { return strangers_; }

    FrameSummary summary(std::uint64_t frame) const;
    // Opens the records; their type and number must be those of the summary.
    RecordsReader open_records(std::uint64_t frame, const FrameSummary& summary) const;

private:
    void list_frames();

    std::filesystem::path folder_;
    std::string description_;
    ContactsSettings settings_;
    std::uint64_t frames_in_scene_ = 0;
    std::vector<std::uint64_t> frames_;
    std::vector<std::string> strangers_;
};

}  // namespace lanefold::tools
