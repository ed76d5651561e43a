// SPDX-License-Identifier: MIT
//
// The judge of bounded reuse (StreamOptions::reuse): whether a record is within the promised distance of the exact
// contact, by the oracle. `lanefold verify --reuse` and the tests share it.
#pragma once

#include <lanefold/export.hpp>
#include <lanefold/judge.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// Judges a record of a stream with this reuse. A record of zeros means "not reported". With e = reuse * smaller size,
// each with the exact bound in addition:
//
//   missed, invented   a pair nearer than the margin by more than 2 e has no record, one further by more has one
//   distance           off by more than 2 e
//   normal             not of unit length, or no direction within sqrt(3) reuse radians of it can separate within 2 e
//                      and the preferences
//   off_surface        a witness point is off the surface of its hull by more than 2 e
//   points, shallow    number, order and unused bytes as of any record; the deepest point is within 2 e and the
//                      preferences of the distance
//
// The shares of the result are of these bounds.
LANEFOLD_EXPORT Judgement judge_reuse(const JudgedPair& pair, const Manifold4& record, float reuse);
LANEFOLD_EXPORT Judgement judge_reuse(const JudgedPair& pair, const Manifold16& record, float reuse);
// The same with a distance that the caller knows, which is most of the work: of signed_distance(), or of a strict call
// that is compared with it in samples. A pair that is further than the caller looked: any distance between that and
// margin + 2 e with the exact bound.
LANEFOLD_EXPORT Judgement judge_reuse(const JudgedPair& pair, const Manifold4& record, float reuse,
                                      const OracleResult& truth);

}  // namespace lanefold::reference
