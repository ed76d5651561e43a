// SPDX-License-Identifier: MIT
//
// Captures: chosen pairs with everything that their records depend on, in one small file, to repeat them on another
// machine, instruction set or version. `lanefold replay FILE` does so beside the oracle. docs/formats.md has the bytes.
//
//     Capture capture;
//     const CapturedCall call{hulls, bodies, pairs, options, inputs, result.isa};
//     if (contacts[i].distance < -0.1F) capture.add(call, i, contacts[i]);
//     write(capture.bytes());
//
// Unlike the batch calls these functions allocate, and throw std::bad_alloc if there is no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>
#include <lanefold/surface.hpp>

namespace lanefold {

// The most pairs of one capture. It bounds what a reader does for a file of any bytes.
inline constexpr std::size_t kMaxCapturedPairs = 4096;

// A call of any form, as it was made, and the instruction set that ran (BatchResult::isa).
struct CapturedCall {
    const HullSet& hulls;
    BodyView bodies;
    std::span<const Pair> pairs;
    const Options& options;
    CallInputs inputs;  // pair_margins and previous, if the call had them; the others are not read
    Isa isa = Isa::automatic;
    std::uint64_t frame = 0;  // any number that names the call for people
    // The points that the hulls were built from, if the caller still has it: hull i from points[offsets[i]] on. A
    // capture stores a hull's own vertices where these build the same hull again, and these points where they do not.
    std::span<const Vec3f> points;
    std::span<const std::uint64_t> offsets;
    BuildOptions build;
};

// One pair of a capture.
struct LANEFOLD_EXPORT CapturedPair {
    BodyD a{};  // .hull: index in Capture::hulls(); float32 positions widened
    BodyD b{};
    bool position_is_double = false;  // of the call's bodies
    Pair bodies{};                    // their indices in the call
    Pair hulls{};                     // their hulls' ids in the call's set
    std::uint64_t frame = 0;
    // Options of the call; margin is that of the pair.
    float margin = 0;
    float face_preference = kDefaultFacePreference;
    float patch_band = kPatchBand;
    float hysteresis = kDefaultHysteresis;
    PointSelection points = PointSelection::all;
    ContactMethod method = ContactMethod::clip;
    Isa isa = Isa::automatic;  // that ran
    // 4 or 16 points. A record of 4 is in the first 128 bytes, the others are zero. All zero: not reported.
    std::uint32_t capacity = 4;
    Manifold16 record{};
    std::uint32_t previous_capacity = 0;  // 0: the pair had no previous record
    Manifold16 previous{};                // of the pair (0, 1), as a call with this pair alone wants it
    // The bodies are those of the children that the record names, or beside a child the other body: as calls have them,
    // from the position of the call's body a. `bodies` has the bodies, `hulls` the children's hulls.
    bool of_children = false;

    // The options for a call with this pair alone.
    Options options() const;
    // A record of such a call as that of the captured call: with its bodies and children, and with points from its body
    // a. Of a pair of hulls all but the bodies stays.
    Manifold16 of_call(const Manifold16& alone) const;
    // Takes of_call() back, but for the rounding of the points to float32.
    Manifold16 alone(const Manifold16& of_call) const;
    // The data for that call: the previous record, if there was one. It refers to `previous` of this object.
    CallInputs inputs() const;
};

// A hull of a capture, as it is built again.
struct LANEFOLD_EXPORT CapturedHull {
    std::vector<Vec3f> points;
    bool merge_coplanar = true;  // BuildOptions
    bool recognize_boxes = true;
    std::uint32_t max_vertices = 0;
    Origin origin = Origin::input;
    std::uint64_t fingerprint = 0;  // HullSet::fingerprint() of a set of this hull alone
    std::uint64_t block = 0;        // XXH64 of all that kernels read: the same hull may get other planes in a version
    float radius = 0;               // BuildOptions
    // A half-space has two points: its normal as it was given, and its offset with two zeros. A surface has none: the
    // file has all its triangles, or all samples of a height field, and `block` is its fingerprint.
    ShapeKind shape = ShapeKind::hull;
    Surface surface{};

    bool operator==(const CapturedHull& o) const;  // bit for bit
};

// Pairs with everything that their records depend on, to be written to a file and repeated elsewhere.
class LANEFOLD_EXPORT Capture {
public:
    Capture();

    // A remark for people about these pairs, such as how they were chosen. A file keeps 65,535 bytes of it.
    std::string note;

    // Adds pair i of a call with its record. Of a pair with a compound the record says which children's it is; of one
    // with a surface it is any of those that a compact call gives, among which a call with this pair alone has it.
    // Refused with bad_argument: an index, a hull or a child that does not exist, a pair with a compound but without a
    // contact, more pairs than kMaxCapturedPairs, and a hull that neither its vertices nor call.points build again.
    CallStatus add(const CapturedCall& call, std::size_t i, const Manifold4& record);
    CallStatus add(const CapturedCall& call, std::size_t i, const Manifold16& record);

    // In the order in which they were added.
    std::span<const CapturedPair> pairs() const { return pairs_; }
    // Replaces a pair's record, such as by that of another version. One of 4 points is in the first 128 bytes.
    void set_record(std::size_t i, const Manifold16& record) { pairs_[i].record = record; }
    // Takes the blocks that this version built as those that the records belong to (CapturedHull::block).
    void set_blocks();

    // The hulls of all pairs, each once.
    const HullSet& hulls() const { return hulls_; }
    // The points that each of them was built from.
    std::span<const CapturedHull> hull_sources() const { return sources_; }

    // version() of the library that made the capture.
    const std::string& version() const { return version_; }

    // The file. Equal captures have equal bytes.
    std::vector<std::byte> bytes() const;

private:
    friend class CaptureReader;

    CallStatus add_pair(const CapturedCall& call, std::size_t i, CapturedPair& pair);
    static CallStatus take_children(const HullSet& hulls, std::size_t i, CapturedPair& pair);
    CallStatus add_placed(const CapturedCall& call, const HullSet& hulls, std::span<const BodyView> both, std::size_t i,
                          CapturedPair& pair);
    CallStatus add_hull(const CapturedCall& call, const HullSet& hulls, std::uint32_t id, std::uint32_t& index);

    std::vector<CapturedPair> pairs_;
    std::vector<CapturedHull> sources_;
    HullSet hulls_;
    std::map<const std::byte*, std::uint32_t> known_;  // index of the hull of a block of a call's set
    std::vector<HullSet> alive_;                       // keeps these blocks
    std::string version_;
};

// The result of reading a file. If the status is not ok, the capture is empty.
struct [[nodiscard]] CaptureResult {
    // bad_argument: `what` says what is wrong and `where` at which byte, hull or pair.
    CallStatus status;
    Capture capture;
    // Hulls whose blocks are not those of the version that made the file, although they are the same hulls.
    std::uint32_t other_blocks = 0;

    explicit operator bool() const { return static_cast<bool>(status); }
};

// Reads the bytes of a file and builds its hulls again. Any bytes are safe.
LANEFOLD_EXPORT CaptureResult read_capture(std::span<const std::byte> bytes);

}  // namespace lanefold
