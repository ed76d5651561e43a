// SPDX-License-Identifier: MIT
//
// Names of the counters.

#include "contacts/counters_json.hpp"

#include <iterator>

#include <nlohmann/json.hpp>

namespace lanefold::tools {

namespace {

struct Field {
    const char* name;
    std::uint64_t Counters::*value;
};

constexpr Field kFields[] = {{"box_pairs", &Counters::box_pairs},
                             {"hull_pairs", &Counters::hull_pairs},
                             {"floor_pairs", &Counters::floor_pairs},
                             {"small_pairs", &Counters::small_pairs},
                             {"precise_pairs", &Counters::precise_pairs},
                             {"rejected_centre", &Counters::rejected_centre},
                             {"rejected_face", &Counters::rejected_face},
                             {"rejected_edge", &Counters::rejected_edge},
                             {"rejected_distance", &Counters::rejected_distance},
                             {"faces_evaluated", &Counters::faces_evaluated},
                             {"edges_surviving", &Counters::edges_surviving},
                             {"edge_pairs", &Counters::edge_pairs},
                             {"distance_finished", &Counters::distance_finished},
                             {"face_contacts", &Counters::face_contacts},
                             {"edge_contacts", &Counters::edge_contacts},
                             {"clip_fallbacks", &Counters::clip_fallbacks},
                             {"hold_tried", &Counters::hold_tried},
                             {"held", &Counters::held},
                             {"hold_lanes", &Counters::hold_lanes},
                             {"unmoved_pairs", &Counters::unmoved_pairs},
                             {"cache_tried", &Counters::cache_tried},
                             {"rejected_cache", &Counters::rejected_cache},
                             {"cache_begun", &Counters::cache_begun},
                             {"certificates_tried", &Counters::certificates_tried},
                             {"rejected_certificate", &Counters::rejected_certificate},
                             {"certificates_held", &Counters::certificates_held},
                             {"certificates_made", &Counters::certificates_made}};

// A counter that is added to the library must be named here.
static_assert(sizeof(Counters) == std::size(kFields) * sizeof(std::uint64_t));

}  // namespace

nlohmann::ordered_json counters_json(const Counters& counters) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (const Field& field : kFields) out[field.name] = counters.*field.value;
    return out;
}

}  // namespace lanefold::tools
