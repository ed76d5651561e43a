// SPDX-License-Identifier: MIT
//
// The request of an import, and its report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/stop.hpp>
#include <lanefold/surface.hpp>

#include "console/progress.hpp"
#include "import/gltf.hpp"
#include "import/rigid.hpp"
#include "scene/info.hpp"

namespace lanefold::tools {

// Pieces of one group never collide with each other; this chooses the groups.
enum class ImportGroups : std::uint8_t { object, file, none };

// The meaning of the poses. world: the place of each piece. relative_to_rest: its motion from the place that its file
// gives it.
enum class PosesAre : std::uint8_t { world, relative_to_rest };

// The places of the pieces in the files. origin: each about its own origin, which is what a pose places. rest: at the
// places that they have in frame 0 of the poses.
enum class PiecesAt : std::uint8_t { origin, rest };

// The concavity, relative to a piece's size, that a decomposition leaves: the default of CoACD.
inline constexpr double kDecomposeThreshold = 0.05;

struct ImportRequest {
    std::vector<std::filesystem::path> files;  // .obj, .gltf, .glb, .stl, .ply
    // float32 or float64: [T, N, 7] or [N, 7], position, then quaternion; [T, N, 4, 4] or [N, 4, 4], matrices. N is the
    // number of pieces or of objects. Empty: one frame, with every piece at the place that its file gives.
    std::filesystem::path poses;
    std::filesystem::path pose_names;  // names of the rows: a list in JSON, or a line each; empty: rows are in order
    // float32 or float64 [N]: factors of the pieces of the rows, about the pieces' own origins; empty: 1 for all.
    std::filesystem::path scales;
    std::filesystem::path active;  // bool or uint8 [T, N]: rows that are there; empty: all are
    std::filesystem::path folder;
    bool w_first = false;            // quaternions in the poses are (w, x, y, z)
    std::optional<MatrixForm> form;  // of matrices; absent: found out
    PosesAre poses_are = PosesAre::world;
    PiecesAt pieces_at = PiecesAt::origin;
    bool order_of_files = false;  // pieces stay in the order of the files, whatever numbers their names have
    double scale = 1;             // of vertices and positions
    GltfRequest gltf;
    SceneInfo info;                     // unit (after scaling), axes, numbers and times of frames
    double density = 1000;              // mass per volume in that unit; masses are in kg
    std::vector<std::string> fixed;     // objects that do not move: inverse mass 0
    std::vector<std::string> surfaces;  // objects that are surfaces of triangles as they are (import/kept_surfaces.hpp)
    ImportGroups groups = ImportGroups::object;
    bool accept_concave = false;  // take the convex hull of a piece that is not convex, with a warning
    bool decompose = false;       // split pieces that are not convex into convex parts (import/decompose.hpp)
    double decompose_threshold = kDecomposeThreshold;
    bool compounds = false;  // each object is a body, a compound of its pieces (import/compounds.hpp)
    bool recentre = false;   // move every hull's origin to the middle of its box, not only those of far pieces
    bool pairs = false;      // find and store candidate pairs
    float margin = 0.02F;    // for these
    bool replace = false;
    std::uint32_t threads = 0;
    ProgressMode progress = ProgressMode::automatic;
    StopToken stop;

    // Are world poses undone in frame 0, because the files have the pieces where they are then?
    bool at_rest() const { return poses_are == PosesAre::world && pieces_at == PiecesAt::rest; }
};

// A piece that a decomposition has split.
struct SplitPiece {
    std::string name;
    std::uint64_t parts = 0;
};

// A surface as the builder made it.
struct ImportedSurface {
    std::string name;  // of the first piece that has it
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    SurfaceReport report;
};

struct ImportReport {
    std::uint64_t objects = 0;
    std::uint64_t pieces = 0;
    std::uint64_t hulls = 0;          // fewer than pieces where these are equal
    std::uint64_t scaled_bodies = 0;  // that have a hull of another size, and a scale
    std::uint64_t surface_pieces = 0;
    std::uint64_t bodies = 0;
    std::uint64_t compounds = 0;  // different ones
    std::uint64_t vertices = 0;   // of the files' pieces
    std::uint64_t boxes = 0;      // pieces that are boxes
    std::uint64_t frames = 0;
    std::uint64_t pairs = 0;
    bool reordered = false;  // by the numbers in names
    // The largest distances, after scaling, by which rounding to what a scene stores moved a vertex.
    double vertex_rounding = 0;
    double pose_rounding = 0;
    std::vector<SplitPiece> split;
    std::vector<ImportedSurface> surfaces;  // different ones
    std::vector<std::string> warnings;
};

}  // namespace lanefold::tools
