// SPDX-License-Identifier: MIT
//
// Shows how the contact of one pair arises, in steps that a person can follow: every axis by brute force in float64,
// the rule that chooses among the best, the clipping side by side, and the record of the library. Axes and clipping are
// computed here, without the engine; features and points are the engine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/contact_features.hpp>
#include <lanefold/feature_manifold.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/sutherland_hodgman.hpp>

#include "contacts/method.hpp"

namespace lanefold::tools {

class Scene;
struct SceneFrame;

// Origin: position of body a. Axes: the world's.
struct PlacedHull {
    std::uint32_t body = 0;
    std::uint32_t hull = 0;
    const HullRecord* record = nullptr;
    Vec3d world;  // position in the world
    Quat orientation;
    std::vector<Vec3d> vertices;
    std::vector<std::vector<std::uint32_t>> faces;  // loops, counter-clockwise seen from outside
    std::vector<Vec3d> normals;
    struct Edge {
        std::uint32_t v0 = 0;
        std::uint32_t v1 = 0;
    };
    std::vector<Edge> edges;

    // The corners of a face; of a core without faces its vertices.
    std::vector<Vec3d> polygon(std::uint32_t face) const;
};

enum class AxisSource : std::uint8_t { face_a, face_b, edges };

struct StoryAxis {
    AxisSource source = AxisSource::face_a;
    std::uint32_t a = 0;  // face or edge of a; unused for a face of b
    std::uint32_t b = 0;
    Vec3d normal;  // from a to b
    double separation = 0;
};

struct ClipStep {
    std::uint32_t from = 0;   // the side of the reference face runs from this vertex
    std::uint32_t to = 0;     // to this one
    std::vector<Vec3d> left;  // corners of the incident face that are left
};

// The steps of the reference's clipping of significant faces.
struct FaceClipStory {
    published::FaceClipManifold manifold;
    published::FaceClipTrace trace;
};

// How the reference's contact features grew.
struct FeatureStory {
    published::FeatureManifold manifold;
    published::FeatureTrace trace;
};

struct PairStory {
    PlacedHull a;
    PlacedHull b;
    float margin = 0;
    double preference = 0;  // as a length
    Method method = Method::clip;
    // The best few of each source, the largest separation first; empty where none was tried.
    bool axes_tried = false;
    std::vector<StoryAxis> faces_a;
    std::vector<StoryAxis> faces_b;
    std::vector<StoryAxis> edges;
    Manifold16 many{};
    Manifold4 four{};
    // The separation of the two hulls along the record's normal: min over b - max over a. 0 without a record.
    double separation_along_normal = 0;
    double oracle_distance = 0;
    Vec3d oracle_normal;
    // Results of the methods sutherland_hodgman and features only, where the hulls overlap.
    std::optional<FaceClipStory> face_clip;
    std::optional<FeatureStory> features;
    // Face contacts of clip and patch, and the cuts of sutherland_hodgman.
    std::vector<Vec3d> reference;
    std::vector<Vec3d> incident;
    std::vector<ClipStep> steps;
    std::string reason;  // why this contact was chosen
};

struct StoryRequest {
    Pair pair;
    float margin = 0;
    float face_preference = kDefaultFacePreference;
    std::size_t best = 3;  // axes of each source; 0: none are tried, which large hulls ask for
    // The method of the record, as for `collide`. The axes are the same for all methods.
    Method method = Method::clip;
    PointSelection points = PointSelection::all;
    float band = kPatchBand;
    float feature_angle = static_cast<float>(published::kDefaultFeatureAngle);
};

// The story of two bodies whose hulls are in the set; request.pair only names them. Throws Failure(bad_input) when the
// engine refuses the pair.
PairStory tell_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request);

// Body i as the frame has it; in pair_of_scene.cpp.
BodyD body_of(const SceneFrame& frame, const Scene& scene, std::uint32_t i);

// Throws Failure(bad_input) unless both bodies are there in the frame, and are two; in pair_of_scene.cpp.
void require_pair(const Scene& scene, const SceneFrame& frame, const Pair& pair);

// The story of two bodies of a frame; in pair_of_scene.cpp. Throws Failure(bad_input) when a body does not exist, too.
PairStory tell_pair(const Scene& scene, const HullSet& hulls, const SceneFrame& frame, const StoryRequest& request);

}  // namespace lanefold::tools
