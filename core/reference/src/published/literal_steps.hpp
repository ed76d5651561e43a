// SPDX-License-Identifier: MIT
//
// Steps that the two literal methods share. Private to the reference.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <lanefold/published_literal.hpp>

namespace lanefold::published::literal {

// Normalises by the reciprocal of the length, as in the source's vector routines; a zero vector stays zero.
Vec3d unit(const Vec3d& v);

// Closest points of the lines of the two edges that a query found.
std::optional<LinePoints> edges_meeting(const Polyhedron& a, const Polyhedron& b, const EdgeDirection& e);

// Sets info and mtv.
void set_face(Result& r, Type type, const FaceDirection& q, const Polyhedron& reference);
void set_edges(Result& r, const EdgeDirection& q);
void add_point(Result& r, const Vec3d& x, PointSource source, const std::array<std::uint32_t, 2>& index);

}  // namespace lanefold::published::literal
