// SPDX-License-Identifier: MIT
//
// See the header.
#include "simulate/work_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/staged_folder.hpp"
#include "scene/find_pairs.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// Head of a checkpoint. The state of the world, which has a checksum of its own, and the events follow it in the file.
struct CheckpointHead {
    std::uint64_t request;  // hash of everything that shapes the result
    std::uint64_t step;
    std::uint64_t frames;
    std::uint64_t frames_hash;  // of their bytes
    std::uint64_t state;        // bytes of the world's state
    std::uint64_t events_hash;  // of the bytes behind it
    std::uint64_t self;         // of the fields before
};

std::uint64_t hash_of(const CheckpointHead& head) {
    return ContentHash::of(bytes_of(head).first(offsetof(CheckpointHead, self)));
}

}  // namespace

WorkFolder::WorkFolder(const SimulateRequest& request, std::uint64_t hash)
    : path_(request.output.string() + ".simulating"), hash_(hash) {
    const bool exists = fs::exists(path_);
    lock();
    if (exists && !request.resume && !request.replace) {
        throw bad_input(
            "{}: an unfinished run of this simulation is there; --resume goes on with it, --replace starts again",
            path_.string());
    }
    if (request.resume) return;
    // The folder stays, and the lock on it.
    std::error_code error;
    for (const fs::path& file : {checkpoint_file(), frames_file()}) fs::remove_all(file, error);
}

void WorkFolder::lock() {
    // Another process may remove the folder between two of these steps: then it is made again.
    for (;;) {
        std::error_code error;
        fs::create_directories(path_, error);
        if (error) throw io_failure("{}: cannot be made: {}", path_.string(), error.message());
        lock_ = FolderLock(path_ / ".");  // of a link: the folder that it names
        switch (lock_.state()) {
            case FolderLock::State::gone:
                break;
            case FolderLock::State::taken:
                throw bad_input("{}: another process is running this simulation; wait for it, or end it",
                                path_.string());
            case FolderLock::State::not_a_folder:
                throw io_failure("{}: cannot be opened: {}", path_.string(), std::strerror(errno));
            default:
                return;
        }
    }
}

bool WorkFolder::load(World& world, PushEvents& events, Checkpoint& from) {
    const fs::path file = checkpoint_file();
    if (!fs::exists(file)) {
        frames_.open(frames_file(), std::ios::binary | std::ios::trunc);
        return false;
    }
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    CheckpointHead head{};
    const bool whole = bytes.size() >= sizeof head;
    if (whole) std::memcpy(&head, bytes.data(), sizeof head);
    if (!whole || head.self != hash_of(head)) throw bad_input("{}: damaged; --replace starts again", file.string());
    if (head.request != hash_) {
        throw bad_input("{}: made with another scene, setup or options; --replace starts again", file.string());
    }
    const std::span<const std::byte> rest = std::as_bytes(std::span(bytes)).subspan(sizeof head);
    const CallStatus status = world.restore(rest.first(std::min<std::size_t>(rest.size(), head.state)));
    if (!status) throw bad_input("{}: {}; --replace starts again", file.string(), status.what);
    const std::span<const std::byte> kept = rest.subspan(head.state);
    if (ContentHash::of(kept) != head.events_hash || !events.load(kept))
        throw bad_input("{}: damaged; --replace starts again", file.string());
    const std::uint64_t length = head.frames * world.size() * sizeof(StoredPose);
    std::error_code error;
    if (fs::file_size(frames_file(), error) < length || error)
        throw bad_input("{}: frames are missing; --replace starts again", frames_file().string());
    verify_frames(length, head.frames_hash);
    fs::resize_file(frames_file(), length);
    frames_.open(frames_file(), std::ios::binary | std::ios::app);
    from = {head.step, head.frames};
    return true;
}

// The frames are those of the checkpoint; what is added later is hashed on.
void WorkFolder::verify_frames(std::uint64_t length, std::uint64_t expected) {
    std::ifstream in(frames_file(), std::ios::binary);
    std::vector<char> block(std::size_t{1} << 20U);
    for (std::uint64_t left = length; left != 0;) {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
        in.read(block.data(), static_cast<std::streamsize>(n));
        if (!in) throw io_failure("{}: cannot read", frames_file().string());
        frames_hash_.add(std::as_bytes(std::span(block).first(n)));
        left -= n;
    }
    if (frames_hash_.value() != expected)
        throw bad_input("{}: damaged; --replace starts again", frames_file().string());
}

void WorkFolder::add_frame(const World& world) {
    row_.clear();
    for (const BodyD& body : world.bodies()) {
        StoredPose pose{};
        std::copy_n(body.position, 3, pose.position);
        std::copy_n(body.orientation, 4, pose.orientation);
        row_.push_back(pose);
    }
    const std::span<const std::byte> bytes = std::as_bytes(std::span(row_));
    errno = 0;
    frames_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    check();
    frames_hash_.add(bytes);
}

void WorkFolder::save(const World& world, const PushEvents& events, std::uint64_t step, std::uint64_t frames) {
    errno = 0;
    frames_.flush();
    check();
    const CallStatus status = world.save(state_);
    if (!status) throw io_failure("{}", status.what);
    events_.clear();
    events.save(events_);
    AtomicFile file(checkpoint_file());
    CheckpointHead head{hash_, step, frames, frames_hash_.value(), state_.size(), ContentHash::of(events_), 0};
    head.self = hash_of(head);
    file.write(bytes_of(head));
    file.write(std::span<const std::byte>(state_));
    file.write(std::span<const std::byte>(events_));
    file.commit();
}

void WorkFolder::write_scene(const SimulateRequest& request, const std::string& unit, const Scene& scene,
                             const HullSet& hulls, const World& world, std::uint64_t first, std::uint64_t frames,
                             const std::function<void(const fs::path&)>& before_end) {
    errno = 0;
    frames_.close();
    check();
    std::ifstream in(frames_file(), std::ios::binary);
    StagedFolder folder(request.output, request.replace);
    std::vector<float> inverse_mass;
    for (std::size_t i = 0; i < world.size(); ++i) {
        const double mass = world.mass(i);
        inverse_mass.push_back(mass == 0 ? 0.0F : static_cast<float>(1 / mass));
    }
    SceneWriter::Contents contents;
    contents.info = scene.info();
    contents.info.unit = unit;
    const float pairs_margin = request.pairs_margin.value_or(0);
    contents.info.pairs_margin.reset();
    // Frames follow those of SCENE in number, and are as long as their steps.
    if (scene.info().first_frame) contents.info.first_frame = scene.info().number_of(first);
    contents.info.frames_per_second = request.rate / static_cast<double>(request.every);
    if (request.pairs) contents.info.pairs_margin = static_cast<double>(pairs_margin);
    set_shapes(scene, contents);
    contents.inverse_mass = inverse_mass;
    contents.group = scene.group();
    contents.names = scene.names();
    contents.positions_are_double = scene.positions_are_double();
    contents.with_pairs = request.pairs;
    SceneWriter writer(folder.path(), contents);
    PairFinder finder(request.settings.threads);
    Progress progress(request.progress, "write", "frames", frames);
    SceneFrame frame;
    row_.resize(world.size());
    for (std::uint64_t f = 0; f < frames; ++f) {
        if (request.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; --resume goes on");
        in.read(reinterpret_cast<char*>(row_.data()), static_cast<std::streamsize>(row_.size() * sizeof(StoredPose)));
        if (!in) throw io_failure("{}: cannot read", frames_file().string());
        take(scene.positions_are_double(), frame);
        std::span<const Pair> pairs;
        if (request.pairs) pairs = finder.find(hulls, scene.view(frame), inverse_mass, scene.group(), pairs_margin);
        if (scene.positions_are_double()) {
            writer.add_frame(std::span<const double>(frame.position_double), frame.orientation, pairs);
        } else {
            writer.add_frame(std::span<const float>(frame.position), frame.orientation, pairs);
        }
        progress.update(f + 1);
    }
    writer.commit();
    before_end(folder.path());
    folder.commit();
    std::error_code error;
    fs::remove_all(path_, error);
}

// After a write that began with errno 0.
void WorkFolder::check() {
    if (frames_) return;
    throw io_failure("{}: cannot write{}; --resume goes on from the last checkpoint", frames_file().string(),
                     errno == 0 ? "" : std::string(": ") + std::strerror(errno));
}

void WorkFolder::take(bool as_double, SceneFrame& frame) const {
    frame.position.clear();
    frame.position_double.clear();
    frame.orientation.clear();
    for (const StoredPose& pose : row_) {
        for (const double x : pose.position) {
            if (as_double) {
                frame.position_double.push_back(x);
            } else {
                frame.position.push_back(static_cast<float>(x));
            }
        }
        frame.orientation.insert(frame.orientation.end(), std::begin(pose.orientation), std::end(pose.orientation));
    }
}

}  // namespace lanefold::tools
