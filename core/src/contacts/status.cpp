// SPDX-License-Identifier: MIT
//
// Names of the enumerations in results, and the sum of two batches' counters.
#include <lanefold/status.hpp>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

namespace lanefold {

const char* to_string(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::bad_pose:
            return "bad_pose";
        case Status::bad_index:
            return "bad_index";
        case Status::bad_hull:
            return "bad_hull";
        case Status::truncated:
            return "truncated";
        case Status::cancelled:
            return "cancelled";
        case Status::bad_argument:
            return "bad_argument";
        case Status::out_of_memory:
            return "out_of_memory";
    }
    return "unknown";
}

const char* to_string(ContactKind kind) {
    switch (kind) {
        case ContactKind::none:
            return "none";
        case ContactKind::face_a:
            return "face_a";
        case ContactKind::face_b:
            return "face_b";
        case ContactKind::edge_edge:
            return "edge_edge";
        case ContactKind::vertex_edge:
            return "vertex_edge";
        case ContactKind::edge_vertex:
            return "edge_vertex";
        case ContactKind::vertex_vertex:
            return "vertex_vertex";
    }
    return "unknown";
}

Counters& Counters::operator+=(const Counters& o) {
    box_pairs += o.box_pairs;
    hull_pairs += o.hull_pairs;
    floor_pairs += o.floor_pairs;
    small_pairs += o.small_pairs;
    precise_pairs += o.precise_pairs;
    rejected_centre += o.rejected_centre;
    rejected_face += o.rejected_face;
    rejected_edge += o.rejected_edge;
    rejected_distance += o.rejected_distance;
    faces_evaluated += o.faces_evaluated;
    edges_surviving += o.edges_surviving;
    edge_pairs += o.edge_pairs;
    distance_finished += o.distance_finished;
    face_contacts += o.face_contacts;
    edge_contacts += o.edge_contacts;
    clip_fallbacks += o.clip_fallbacks;
    hold_tried += o.hold_tried;
    held += o.held;
    hold_lanes += o.hold_lanes;
    unmoved_pairs += o.unmoved_pairs;
    cache_tried += o.cache_tried;
    rejected_cache += o.rejected_cache;
    cache_begun += o.cache_begun;
    certificates_tried += o.certificates_tried;
    rejected_certificate += o.rejected_certificate;
    certificates_held += o.certificates_held;
    certificates_made += o.certificates_made;
    return *this;
}

}  // namespace lanefold
