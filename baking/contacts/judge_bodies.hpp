// SPDX-License-Identifier: MIT
//
// Judges all records of a pair of bodies: of two hulls one, of compounds one for each pair of children that touch.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/manifold.hpp>

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
    float reuse = 0;  // above 0: the records are those of a stream with it (lanefold/reuse_judge.hpp)
};

// `oracles`: of each hull and half-space of the set. `records`: of this pair, ascending by children. The result counts
// the pair once: its distance and normal are those of the nearest children, its errors the worst of all.
template <class M>
reference::Judgement judge_bodies(const HullSet& hulls, std::span<const reference::OracleHull> oracles, const BodyD& a,
                                  const BodyD& b, const Pair& pair, const PairSettings& how,
                                  std::span<const M> records);

}  // namespace lanefold::tools
