// SPDX-License-Identifier: MIT
//
// The kind of a contact whose bodies are exchanged.
#pragma once

#include <lanefold/manifold.hpp>

namespace lanefold::detail {

constexpr ContactKind swapped(ContactKind kind) {
    switch (kind) {
        case ContactKind::face_a:
            return ContactKind::face_b;
        case ContactKind::face_b:
            return ContactKind::face_a;
        case ContactKind::vertex_edge:
            return ContactKind::edge_vertex;
        case ContactKind::edge_vertex:
            return ContactKind::vertex_edge;
        default:
            return kind;
    }
}

}  // namespace lanefold::detail
