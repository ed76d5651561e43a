// SPDX-License-Identifier: MIT
//
// Contacts folders. Each frame has a structured .npy of manifold records and a small JSON of counts and hash;
// contacts.json names the scene and the settings. docs/formats.md describes the files. Their bytes depend on the scene
// and the settings alone. What depends on the machine is in log/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lanefold/contact_features.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "contacts/method.hpp"
#include "files/npy.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

// All settings that the records depend on, besides the scene.
struct ContactsSettings {
    Method method = Method::clip;
    PointSelection points = PointSelection::all;
    float margin = 0.0F;
    float face_preference = kDefaultFacePreference;
    std::uint32_t capacity = 4;  // 4 or 16
    float band = kPatchBand;     // Options::patch_band; only of method patch
    // Radians, FeatureSettings::angle; only of method features.
    float feature_angle = static_cast<float>(published::kDefaultFeatureAngle);
    bool find_pairs = false;  // the tool found the candidates; the scene's stored pairs are not used
};

// The text of contacts.json.
std::string contacts_description(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings);

// Counts over one frame's pairs; the frame's JSON.
struct FrameSummary {
    std::uint64_t frame = 0;
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t points = 0;
    std::uint64_t records = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    std::uint64_t input = 0;    // Scene::frame_hash of the frame's inputs
    std::uint64_t hash = 0;     // sum over the records, hash.hpp
    std::uint64_t content = 0;  // XXH64 of all records' bytes in their order: finds any damage

    friend bool operator==(const FrameSummary&, const FrameSummary&) = default;

    void add(const BatchResult& result);
    // Counts a record read from a file. The caller adds the pairs that are not reported.
    template <class M>
    void add_record(const M& record);
    std::string json() const;
};

// Sum of the hashes of all reported records, in parallel.
template <class M>
std::uint64_t sum_of_hashes(std::span<const M> records);

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

    // Starts a frame. Its rows are manifold records.
    NpyWriter begin_frame(std::uint64_t frame, std::uint32_t capacity) const;
    // Publishes the frame: first the records, then the summary. A summary means that the records are complete.
    void finish_frame(NpyWriter& records, const FrameSummary& summary) const;

    // Writes log/<name>.json, for data that depend on host and time.
    static void write_log(const std::filesystem::path& contacts, const std::string& json);

    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
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
    NpyReader open_records(std::uint64_t frame, const FrameSummary& summary) const;

private:
    void list_frames();

    std::filesystem::path folder_;
    std::string description_;
    ContactsSettings settings_;
    std::uint64_t frames_in_scene_ = 0;
    std::vector<std::uint64_t> frames_;
    std::vector<std::string> strangers_;
};

// Reads a frame's records block by block and counts them. Returns the summary that they should have. The records do
// not contain `pairs`, `input` and the number of pairs with status ok; these come from `claimed`.
FrameSummary recount(const NpyReader& records, const FrameSummary& claimed, std::uint32_t capacity);

}  // namespace lanefold::tools
