// SPDX-License-Identifier: MIT
//
// Judges all records of a pair of bodies: of two hulls one, of compounds one for each pair of children that touch, with
// a surface any number for each child.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/surface_oracle.hpp>

namespace lanefold::tools {

// The settings of the bake that made the records.
struct PairSettings {
    float margin = 0;
    float margin_unreported = 0;  // pairs of children nearer than this have a record
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    reference::JudgedMethod method = reference::JudgedMethod::clip;
    float patch_band = 0;
    float feature_angle = 0;
    float reuse = 0;       // above 0: the records are those of a stream with it (lanefold/reuse_judge.hpp)
    bool complete = true;  // --select left no records out
};

// The shapes of a set as the judge knows them, by their ids.
struct JudgedShapes {
    std::vector<reference::OracleHull> hulls;                  // and half-spaces; empty for other shapes
    std::map<std::size_t, reference::OracleSurface> surfaces;  // by their ids
};

// Makes them in parallel. Throws Failure where a hull cannot be made. `numbers`, unless empty: those that were rounded
// to the vertices of a scene of these offsets and vertices.
JudgedShapes make_judged_shapes(const HullSet& hulls, std::span<const std::uint64_t> offsets,
                                std::span<const Vec3f> vertices, std::span<const Vec3d> numbers);

// `records`: of this pair, ascending by children. The result counts the pair once: its distance and normal are those of
// the nearest children, its errors the worst of all.
template <class M>
reference::Judgement judge_bodies(const HullSet& hulls, const JudgedShapes& shapes, const BodyD& a, const BodyD& b,
                                  const Pair& pair, const PairSettings& how, std::span<const M> records);

}  // namespace lanefold::tools
