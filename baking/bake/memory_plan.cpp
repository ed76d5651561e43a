// SPDX-License-Identifier: MIT
//
// See the header. The estimate is of resident memory; BakeMemory.* tests hold it against what a process takes.

#include "bake/memory_plan.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include <lanefold/surface.hpp>
#include <lanefold/window_finder.hpp>

#include "console/failure.hpp"
#include "console/progress.hpp"
#include "contacts/records_packer.hpp"
#include "files/uncached_output.hpp"

namespace lanefold::tools {
namespace {

// The program, its libraries, stacks and the workspaces of the batch calls: 20 MB with one thread, and more per thread.
constexpr std::uint64_t kProgram = std::uint64_t{32} << 20U;
constexpr std::uint64_t kPerThread = std::uint64_t{4} << 20U;
// A compressor's tables at the level that is used.
constexpr std::uint64_t kCompressor = std::uint64_t{2} << 20U;
// Pairs a body is assumed to have where the tool finds them; piles have 3 to 12. The finder keeps more than the result.
constexpr std::uint64_t kPairsPerBody = 16;
constexpr std::uint64_t kFinderPerBody = 320;
constexpr std::uint64_t kFinderPerFrameOfBody = 48;
constexpr std::uint64_t kFinderPerPair = 24;
// Frames that are searched at once as long as other things can be spared.
constexpr std::size_t kUsualWindow = 4;
// The aim when nobody sets a limit.
constexpr std::uint64_t kUsualLimit = std::uint64_t{1} << 30U;

struct Sizes {
    std::uint64_t piece = 0;  // pairs
    std::uint64_t fixed = 0;
    std::uint64_t poses = 0;         // of a frame
    std::uint64_t pairs = 0;         // of a frame
    std::uint64_t window_frame = 0;  // of each frame that is searched with others
    std::uint64_t buffer = 0;
    std::uint64_t packed = 0;   // of each piece that is compressed or waits to be written
    std::uint64_t scratch = 0;  // of each token, while its piece is compressed
};

// Bytes of all surfaces, each counted once, and of the arrays in the scene from which they are built.
std::uint64_t surface_bytes(const Scene& scene, const HullSet& hulls) {
    const SceneSurfaces& s = scene.other_shapes().surfaces;
    std::uint64_t bytes = std::span(s.vertices).size_bytes() + std::span(s.triangles).size_bytes() +
                          std::span(s.samples).size_bytes() + std::span(s.short_samples).size_bytes() + s.holes.size() +
                          s.diagonals.size();
    for (std::size_t h = 0; hulls.has_surfaces() && h < hulls.size(); ++h)
        if (const Surface* const surface = hulls.surface(h)) bytes += surface->bytes();
    return bytes;
}

Sizes sizes_of(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings, std::size_t threads) {
    Sizes sizes;
    const std::uint64_t bodies = scene.bodies();
    const std::uint64_t pairs = settings.find_pairs ? bodies * kPairsPerBody : scene.max_pairs_in_a_frame();
    sizes.fixed = kProgram + threads * kPerThread + hulls.hot_bytes() * 2 + scene.hull_vertices().size_bytes() * 2;
    sizes.fixed += bodies * 32 + surface_bytes(scene, hulls);
    if (settings.find_pairs) {
        sizes.fixed += bodies * kFinderPerBody + pairs * kFinderPerPair;
        sizes.window_frame = bodies * kFinderPerFrameOfBody;
    }
    const std::uint64_t body = (scene.positions_are_double() ? 40U : 28U) + (scene.has_mask() ? 1U : 0U);
    sizes.poses = bodies * body;
    sizes.pairs = pairs * sizeof(Pair);
    sizes.piece = settings.find_pairs ? kPiecePairs : std::min<std::uint64_t>(kPiecePairs, pairs);
    sizes.buffer = sizes.piece * record_bytes(settings.capacity) + UncachedOutput::kBlock;
    // The pairs and what was learnt about them go from frame to frame, twice.
    sizes.fixed += sizes.piece * 32;
    if (settings.compression == Compression::none) return sizes;
    sizes.packed = RecordsPacker::most_bytes(sizes.buffer) + kCompressor;
    sizes.scratch = RecordsPacker::scratch_bytes(settings.compression, settings.capacity, sizes.buffer);
    // With --resume a piece that is there is read: as it lies in the file, and as planes.
    if (is_planes(settings.compression)) sizes.fixed += 2 * sizes.buffer;
    return sizes;
}

// A frame is read, some wait, one is taken apart, and each token may belong to another. If pairs are found, frames
// that wait have none yet, but some wait in a window.
std::uint64_t bytes_of(const MemoryPlan& plan, const Sizes& sizes) {
    const std::uint64_t begun = 1 + plan.tokens;
    const std::uint64_t waiting = plan.frames_ahead + 1;
    const bool finds = sizes.window_frame > 0;
    const std::uint64_t poses = begun + waiting + (finds ? plan.window : 0);
    const std::uint64_t pairs = begun + (finds ? 0 : waiting);
    // The kernels take frames by eights.
    const std::uint64_t searched = (plan.window + 7) / 8 * 8;
    return sizes.fixed + poses * sizes.poses + pairs * sizes.pairs + searched * sizes.window_frame +
           plan.buffers * sizes.buffer + (plan.tokens + plan.writers) * sizes.packed + plan.tokens * sizes.scratch +
           plan.writers * UncachedOutput::kMemory;
}

// Halves the frames that are searched at once until the limit is kept, or only `least` are left. Frames ahead are a
// window's, so that one is read while another is in work.
void shrink_window(MemoryPlan& plan, const Sizes& sizes, std::uint64_t most, std::size_t least) {
    while (plan.window > least && bytes_of(plan, sizes) > most) {
        plan.window = std::max(least, plan.window / 2);
        plan.frames_ahead = std::max<std::size_t>(2, plan.window);
    }
}

}  // namespace

std::uint64_t parse_bytes(std::string_view text, std::string_view option) {
    const auto bad = [&] { return bad_input("{} {}: expected a size such as 500M or 2G", option, text); };
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) throw bad();
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const std::string_view tail : {"iB", "B"}) {
        if (unit.size() > tail.size() && unit.ends_with(tail)) unit.remove_suffix(tail.size());
    }
    double factor = 1;
    if (unit == "K" || unit == "k") {
        factor = 1024.0;
    } else if (unit == "M") {
        factor = 1024.0 * 1024.0;
    } else if (unit == "G") {
        factor = 1024.0 * 1024.0 * 1024.0;
    } else if (unit == "T") {
        factor = 1024.0 * 1024.0 * 1024.0 * 1024.0;
    } else if (!unit.empty() && unit != "B") {
        throw bad();
    }
    if (!(value >= 1) || value * factor > 1e18) throw bad();
    return static_cast<std::uint64_t>(value * factor);
}

MemoryPlan plan_memory(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings,
                       const MemoryRequest& request) {
    const std::size_t threads = request.threads;
    const Sizes sizes = sizes_of(scene, hulls, settings, threads);
    const std::uint64_t most = request.limit.value_or(kUsualLimit);
    const bool packs = settings.compression != Compression::none;
    MemoryPlan plan;
    plan.piece_pairs = static_cast<std::size_t>(sizes.piece);
    // Compression is spread over pieces, everything else over the pairs of one.
    plan.tokens = packs ? threads + 2 : 3;
    const auto fill = [&](std::size_t waiting) { plan.buffers = plan.tokens + waiting; };
    fill(2);
    if (settings.find_pairs) {
        plan.window = static_cast<std::size_t>(std::clamp<std::uint64_t>(request.window, 1, kMostFramesInWindow));
        plan.frames_ahead = std::max<std::size_t>(2, plan.window);
        shrink_window(plan, sizes, most, kUsualWindow);
    }
    while (bytes_of(plan, sizes) > most && plan.tokens > 2) {
        --plan.tokens;
        fill(2);
    }
    if (bytes_of(plan, sizes) > most) plan.writers = 1;
    if (request.limit) shrink_window(plan, sizes, most, 1);
    if (bytes_of(plan, sizes) > most) plan.frames_ahead = 1;
    if (bytes_of(plan, sizes) > most) fill(1);
    if (bytes_of(plan, sizes) > most) {
        plan.tokens = 1;
        fill(1);
    }
    plan.bytes = bytes_of(plan, sizes);
    if (request.limit && plan.bytes > *request.limit) {
        throw bad_input("--memory-limit {}B: this scene needs at least {}B with {} thread{}",
                        short_number(static_cast<double>(*request.limit)),
                        short_number(static_cast<double>(plan.bytes)), threads, threads == 1 ? "" : "s");
    }
    return plan;
}

}  // namespace lanefold::tools
