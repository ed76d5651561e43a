// SPDX-License-Identifier: MIT
//
// Contacts folders: per frame one structured .npy of manifold records and one small JSON of counts and
// hash; contacts.json says what they were made from and with which settings. docs/formats.md describes
// the files. Their bytes depend on the scene and the settings alone; what depends on the machine goes to
// log/.
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

// Everything but the scene that shapes the records.
struct ContactsSettings {
    Method method = Method::clip;
    PointSelection points = PointSelection::all;
    float margin = 0.0F;
    float face_preference = kDefaultFacePreference;
    std::uint32_t capacity = 4;  // 4 or 16
    float band = kPatchBand;     // Options::patch_band; only of method patch
    // Radians, FeatureSettings::angle; only of method features.
    float feature_angle = static_cast<float>(published::kDefaultFeatureAngle);
    bool find_pairs = false;  // candidates were found by the tool, not stored in the scene
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
    std::uint64_t input = 0;    // Scene::frame_hash of what the frame was made from
    std::uint64_t hash = 0;     // sum over the records, hash.hpp
    std::uint64_t content = 0;  // XXH64 of all records' bytes in their order: finds any damage

    friend bool operator==(const FrameSummary&, const FrameSummary&) = default;

    void add(const BatchResult& result);
    // Counts a record as read from a file (pairs that are not reported must be added by the caller).
    template <class M>
    void add_record(const M& record);
    std::string json() const;
};

// Sum over records of their hash, in parallel. Records that are not reported do not count.
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

// A contacts folder being written.
class ContactsWriter {
public:
    // Creates the folder and contacts.json; or, when they exist, checks that contacts.json is this very text
    // (several processes may write different frames into one folder). Throws bad_input when it is not.
    ContactsWriter(const std::filesystem::path& folder, const std::string& description);

    // The finished frame's summary, if it is there, whole, and made from this input; nothing if the frame
    // has to be computed. Reads the records and checks their hash.
    std::optional<FrameSummary> finished(std::uint64_t frame, std::uint64_t input, std::uint32_t capacity) const;

    // Starts a frame: rows are manifold records.
    NpyWriter begin_frame(std::uint64_t frame, std::uint32_t capacity) const;
    // Makes the frame appear: records first, then the summary that says they are complete.
    void finish_frame(NpyWriter& records, const FrameSummary& summary) const;

    // log/<name>.json: what depends on host and time.
    static void write_log(const std::filesystem::path& contacts, const std::string& json);

    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

// A contacts folder to read.
class ContactsReader {
public:
    explicit ContactsReader(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const ContactsSettings& settings() const { return settings_; }
    const std::string& description() const { return description_; }  // the text of contacts.json
    std::uint64_t frames_in_scene() const { return frames_in_scene_; }
    std::span<const std::uint64_t> frames() const { return frames_; }  // those that are finished, ascending
    // Frames with records but without summary (killed between the two), and other names that do not belong.
    std::span<const std::string> strangers() const { return strangers_; }

    FrameSummary summary(std::uint64_t frame) const;
    // The records' file, its type and size checked against the summary.
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

// Reads a frame's records block by block and counts them: the summary as it should be, except `pairs`,
// `input` and the pairs with status ok, which the records do not tell and are taken from `claimed`.
FrameSummary recount(const NpyReader& records, const FrameSummary& claimed, std::uint32_t capacity);

}  // namespace lanefold::tools
