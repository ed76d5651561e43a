// SPDX-License-Identifier: MIT
//
// The settings that shape the records of a contacts folder, and contacts.json, which holds them.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <lanefold/contact_features.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "contacts/method.hpp"
#include "contacts/records_file.hpp"
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
    // Which records are kept: all, or those of pairs with distance < -select_depth (length in the scene's unit).
    bool select = false;
    float select_depth = 0.0F;
    Compression compression = Compression::none;
};

// The options of calls whose records a folder with these settings has. Methods other than clip and patch have no call.
Options call_options(const ContactsSettings& settings);

// Is this record kept? Those whose status is not ok always are.
template <class M>
bool is_selected(const M& record, const ContactsSettings& settings) {
    return !settings.select || record.status != Status::ok || record.distance < -settings.select_depth;
}

// The scene as a folder made from it describes it. find_pairs: with masses and groups, because which pairs are found
// depends on them.
nlohmann::ordered_json described_inputs(const Scene& scene, const HullSet& hulls, bool find_pairs);

// The text of contacts.json.
std::string contacts_description(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings);

// The contents of contacts.json. Throws Failure(bad_input) that names `name`.
struct Description {
    ContactsSettings settings;
    std::uint64_t frames = 0;  // of the scene
};
Description parse_description(const std::string& text, const std::string& name);

// The same contacts without compression.
std::string uncompressed_description(const std::string& text, const std::string& name);

// Says for a person how two descriptions differ: in the settings if these differ, otherwise in the inputs.
std::string difference(const std::string& there, const std::string& here, const std::string& name);

// The options of `lanefold collide` that give these settings, those that are not the default: " --margin 0.02".
std::string settings_options(const ContactsSettings& settings);

}  // namespace lanefold::tools
