// SPDX-License-Identifier: MIT
//
// The candidates for a pair's contact in their canonical order, and the one function that accepts a candidate.
#pragma once

#include <cstdint>

#include "precise/contact.hpp"
#include "precise/distance.hpp"
#include "precise/memory.hpp"
#include "precise/outcome.hpp"

namespace lanefold::detail {

// Whether the pair's contacts of faces are support patches, and how high these are (a length).
bool has_patches(const PrecisePair& pair);
double patch_band(const PrecisePair& pair, const Problem& p);

// The best axes of a pair that touches.
struct Optimum {
    FaceAxis face;           // the best face
    FeatureContact contact;  // the edges or vertices that are better; kind none if the best face is the optimum
    double distance = 0;
    bool prefers_face = false;  // the face is as good as the optimum, up to the face preference

    bool is_face() const { return contact.kind == ContactKind::none; }
};

// A contact that may be the pair's. Its points are in memory.points.
struct Candidate {
    CandidateKind kind = CandidateKind::last;
    bool found = true;  // false: a search for it found nothing
    FaceAxis face;      // of a contact of a face
    FaceContact clipped;
    FeatureContact contact;  // of a contact of edges or vertices, found by their own search
    Outcome outcome;         // kind, features, normal
};

// The candidates of a pair, one after the other. Each replaces the points of the one before it. The last one exists for
// every pair.
class Candidates {
public:
    Candidates(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory, const Optimum& optimum);

    // Makes the next candidate. Returns false if there are no more.
    bool next(Candidate& c);

private:
    bool make(Candidate& c);
    bool once() { return step_++ == 0; }
    bool clip_preferred(Candidate& c);
    bool clip_next_patch(Candidate& c);
    bool clip_next_incident(const FaceAxis& axis, Candidate& c);
    bool clip_next_face(Candidate& c);
    bool clip_tied(Candidate& c);
    bool clip_wider(const Problem& p, Candidate& c);
    bool clip_strip(Candidate& c);
    bool take_features(Candidate& c);
    bool find_places(Candidate& c);
    bool find_edges(Candidate& c);
    bool take_last(Candidate& c);
    bool next_level_facet(FaceAxis& axis);

    const PrecisePair& pair_;
    Problem& p_;
    PreciseScratch::Impl& memory_;
    const Optimum& optimum_;
    std::size_t place_ = 0;    // in the order of kinds
    std::uint32_t step_ = 0;   // within a kind
    std::uint32_t facet_ = 0;  // the next reference facet
    std::uint32_t face_ = 0;   // the next incident face
    FaceAxis level_;           // the reference facet whose incident faces are being tried
};

// Separation that the deepest point of a face's contact must reach. `distance`: of the pair.
double limit(const Problem& p, double distance);

// Whether a candidate is the pair's contact: its points are on both surfaces, its features are extreme along its normal
// and have the points, and its deepest point reaches `distance`, up to the face preference. Points of thin hulls are
// tested when they are made, so that they do not displace others; here the points of other hulls' further faces are.
// Removes points that are off a surface.
Refusal accept(const Problem& p, PreciseScratch::Impl& memory, Candidate& c, double distance);

}  // namespace lanefold::detail
