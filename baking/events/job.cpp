// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/job.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <tbb/task_arena.h>

#include <lanefold/isa.hpp>

#include "bake/cost.hpp"
#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "contacts/settings.hpp"
#include "files/content_hash.hpp"
#include "files/input_file.hpp"
#include "scene/unit.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void throw_if_stopped(const StopToken& stop) {
    if (stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; finished pieces stay for --resume");
}

// The frames around an interval and the motions between them; those of the interval before stay.
class FrameWindow {
public:
    explicit FrameWindow(const Scene& scene) : scene_(scene) {}

    // Frames f - 1 to f + 2, as far as they are there.
    void move_to(std::uint64_t f) {
        first_ = f == 0 ? 0 : f - 1;
        last_ = std::min(f + 2, scene_.frames() - 1);
        for (std::uint64_t i = first_; i <= last_; ++i) {
            Slot& slot = at(i);
            if (slot.loaded && slot.frame.index == i) continue;
            scene_.read_frame(i, slot.frame);
            slot.frame.pairs.clear();
            slot.hash = Scene::frame_hash(slot.frame, false);
            slot.loaded = true;
        }
        for (std::uint64_t i = first_; i < last_; ++i) {
            Motions& motions = between_[i % kSlots];
            if (motions.known && motions.frame == i) continue;
            read_motions(scene_, at(i).frame, at(i + 1).frame, motions.bodies);
            motions.frame = i;
            motions.known = true;
        }
        // A body that is not there all the time has no pose, so it has no pairs.
        begin_ = at(f).frame;
        const std::span<const BodyMotion> during = motions(f);
        for (std::size_t i = 0; i < during.size(); ++i) {
            if (!during[i].there) std::fill_n(begin_.orientation.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, 0.0F);
        }
    }

    std::uint64_t input() const {
        ContentHash hash;
        for (std::uint64_t i = first_; i <= last_; ++i) hash.add(bytes_of(slots_[i % kSlots].hash));
        return hash.value();
    }

    // An interval that does not exist is that of frame f.
    IntervalInput interval(std::uint64_t f) const {
        return {scene_.view(begin_), scene_.view(slots_[(f + 1) % kSlots].frame), motions(f == first_ ? f : f - 1),
                motions(f), motions(f + 1 == last_ ? f : f + 1)};
    }

private:
    static constexpr std::size_t kSlots = 4;
    struct Slot {
        SceneFrame frame;
        std::uint64_t hash = 0;
        bool loaded = false;
    };
    struct Motions {
        std::vector<BodyMotion> bodies;
        std::uint64_t frame = 0;
        bool known = false;
    };
    Slot& at(std::uint64_t i) { return slots_[i % kSlots]; }
    std::span<const BodyMotion> motions(std::uint64_t f) const { return between_[f % kSlots].bodies; }

    const Scene& scene_;
    std::array<Slot, kSlots> slots_;
    std::array<Motions, kSlots> between_;
    SceneFrame begin_;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
};

// Density in the scene's unit.
std::optional<double> density_of(const EventSettings& settings, const Scene& scene) {
    if (!settings.density) return std::nullopt;
    const double metres = metres_of(scene.info().unit).value_or(1);
    return *settings.density * (metres * metres * metres);
}

void join_into(const EventsFolder& folder, EventsReport& report, ProgressMode mode) {
    const Clock::time_point start = Clock::now();
    report.counts = {};
    Progress progress(mode, "join", "frames", folder.frames().size());
    const std::vector<Event> events = folder.join(report.counts, [&](std::uint64_t done) { progress.update(done); });
    report.joined = true;
    report.events = events.size();
    const auto count = [&](std::uint8_t flag) {
        return static_cast<std::uint64_t>(
            std::count_if(events.begin(), events.end(), [&](const Event& event) { return (event.flags & flag) != 0; }));
    };
    report.between = count(kEventBetween);
    report.bounces = count(kEventBounce);
    report.seconds_join = seconds_since(start);
}

HullSet build(const Scene& scene, std::uint32_t threads) { return scene.build_hulls(threads); }

// The frames asked for that have one after them.
std::vector<std::uint64_t> choose_intervals(const EventsRequest& request, const Scene& scene, const HullSet& hulls,
                                            std::uint32_t threads) {
    ContactsSettings cost;
    cost.find_pairs = !scene.has_pairs();
    std::vector<std::uint64_t> frames = choose_frames(request.frames, scene, hulls, cost, threads);
    if (!frames.empty() && frames.back() + 1 == scene.frames()) frames.pop_back();
    return frames;
}

}  // namespace

EventsReport join_events(const EventsFolder& folder, ProgressMode progress) {
    EventsReport report;
    report.unit = folder.description().unit;
    report.settings = folder.description().settings;
    report.missing = folder.missing();
    join_into(folder, report, progress);
    report.seconds = report.seconds_join;
    return report;
}

bool is_events_folder(const fs::path& folder) { return is_there(folder / kEventsFile); }

void check_events(const EventsRequest& request) {
    const Scene scene(request.scene);
    const EventSettings settings = choose_event_settings(request.asked, scene);
    if (!is_there(request.output)) return;
    const HullSet hulls = build(scene, static_cast<std::uint32_t>(thread_count(request.threads)));
    EventsFolder::check(request.output, events_description(scene, hulls, settings));
}

EventsReport run_events(const EventsRequest& request, const StopToken& stop) {
    const Clock::time_point start = Clock::now();
    const auto threads = static_cast<std::uint32_t>(thread_count(request.threads));
    const IsaChoice isa = choose_isa(request.isa);
    if (!isa.status) throw bad_input("{}", isa.status.what);
    const Scene scene(request.scene);
    const EventSettings settings = choose_event_settings(request.asked, scene);
    const HullSet hulls = build(scene, threads);
    const std::vector<std::uint64_t> frames = choose_intervals(request, scene, hulls, threads);
    const EventsFolder folder(request.output, events_description(scene, hulls, settings), bodies_of(scene));
    EventsReport report;
    report.unit = scene.info().unit;
    report.settings = settings;
    report.intervals = frames.size();
    oneapi::tbb::task_arena arena(arena_size(threads));
    const BodyMasses masses(hulls, scene.body_hull(), scene.inverse_mass(), density_of(settings, scene));
    IntervalSweeper sweeper(hulls, masses, scene.inverse_mass(), scene.group(), settings, isa.isa, threads);
    FrameWindow window(scene);
    Progress progress(request.progress, "events", "frames", frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        throw_if_stopped(stop);
        window.move_to(frames[i]);
        PiecesSummary summary;
        summary.frame = frames[i];
        summary.input = window.input();
        const std::optional<PiecesSummary> there = request.resume ? folder.whole(frames[i]) : std::nullopt;
        if (there && there->input == summary.input) {
            report.counts.add(there->counts);
            ++report.resumed;
        } else {
            folder.forget_events();
            const std::span<const EventPiece> pieces =
                arena.execute([&] { return sweeper.sweep(window.interval(frames[i]), stop); });
            summary.counts = sweeper.counts();
            summary.content = ContentHash::of(std::as_bytes(pieces));
            folder.write_pieces(summary, pieces);
            report.counts.add(summary.counts);
        }
        progress.update(i + 1);
    }
    report.missing = folder.missing();
    // The last shard joins. A run that is no shard joins what is there, and says what is missing.
    if (report.missing.empty() || request.frames.shards() == 1) join_into(folder, report, request.progress);
    report.seconds = seconds_since(start);
    return report;
}

EventsReport merge_events(std::span<const fs::path> inputs, const fs::path& output, ProgressMode progress,
                          const StopToken& stop) {
    const Clock::time_point start = Clock::now();
    std::vector<EventsFolder> folders;
    for (const fs::path& input : inputs) {
        folders.emplace_back(input);
        if (!folders.back().has_pieces()) {
            throw bad_input("{}: events of a simulation are whole: there is nothing to merge", input.string());
        }
        if (folders.back().text() == folders.front().text()) continue;
        throw bad_input("{}: {} (compared with {}); nothing was written", (input / kEventsFile).string(),
                        difference(folders.back().text(), folders.front().text(), input.string()),
                        inputs.front().string());
    }
    const EventsFolder merged(output, folders.front().text(), folders.front().bodies());
    EventsReport report;
    report.unit = merged.description().unit;
    report.settings = merged.description().settings;
    std::vector<EventPiece> pieces;
    for (const EventsFolder& folder : folders) {
        for (const std::uint64_t frame : folder.frames()) {
            throw_if_stopped(stop);
            const PiecesSummary theirs = folder.read_pieces(frame, pieces);
            const std::optional<PiecesSummary> mine = merged.whole(frame);
            if (mine == theirs) {
                ++report.resumed;
                continue;
            }
            if (mine) {
                throw Failure(ExitCode::violation,
                              fmt::format("frame {} of {} is not that of {}: it was made from other poses", frame,
                                          folder.path().string(), output.string()));
            }
            merged.forget_events();
            merged.write_pieces(theirs, pieces);
            ++report.intervals;
        }
    }
    report.missing = merged.missing();
    join_into(merged, report, progress);
    report.seconds = seconds_since(start);
    return report;
}

}  // namespace lanefold::tools
