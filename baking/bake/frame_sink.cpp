// SPDX-License-Identifier: MIT
//
// See the header. A thread takes a whole frame: it opens the file, writes the pieces as they come, and commits.

#include "bake/frame_sink.hpp"

#include <utility>

#include "console/failure.hpp"

namespace lanefold::tools {

FrameSink::FrameSink(const ContactsWriter& writer, std::uint32_t capacity, Sync sync, std::size_t threads,
                     std::function<void(const FrameSummary&)> finished, bool one_by_one)
    : writer_(writer),
      capacity_(capacity),
      sync_(sync),
      finished_(std::move(finished)),
      writers_(threads),
      one_by_one_(one_by_one),
      times_(one_by_one) {
    try {
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (...) {
        stop();
        throw;
    }
}

FrameSink::~FrameSink() { stop(); }

void FrameSink::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void FrameSink::check() const {
    if (failure_) std::rethrow_exception(failure_);
}

void FrameSink::begin(std::uint64_t frame) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || waiting_.empty(); });
    check();
    open_ = std::make_shared<Output>();
    open_->frame = frame;
    waiting_.push_back(open_);
    changed_.notify_all();
}

void FrameSink::add(WritePiece piece) {
    const std::lock_guard lock(mutex_);
    check();
    open_->pieces.push_back(std::move(piece));
    changed_.notify_all();
}

void FrameSink::end(const FrameSummary& summary) {
    const std::lock_guard lock(mutex_);
    check();
    open_->summary = summary;
    open_.reset();
    changed_.notify_all();
}

void FrameSink::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || (waiting_.empty() && busy_ == 0); });
    check();
}

void FrameSink::close() {
    drain();
    if (sync_ != Sync::end) return;
    const StageClock clock = times_.clock(&StageTimes::sync);
    writer_.sync_frames(frames_);
}

StageTimer FrameSink::times() const {
    const std::lock_guard lock(mutex_);
    return times_;
}

std::uint64_t FrameSink::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

void FrameSink::work() {
    for (;;) {
        std::shared_ptr<Output> output;
        bool cached = false;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || failure_ || !waiting_.empty(); });
            if (failure_ || waiting_.empty()) return;
            output = std::move(waiting_.front());
            waiting_.pop_front();
            ++busy_;
            // Synced bytes go to the disk anyway. Otherwise, when all others are still writing, the disk is slower
            // than the bake, and the kernel's cache takes what it cannot.
            cached = sync_ != Sync::frame && busy_ == writers_ && !one_by_one_;
            changed_.notify_all();
        }
        std::exception_ptr failure;
        try {
            write(*output, cached);
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        output->pieces.clear();
        --busy_;
        if (failure) {
            if (!failure_) failure_ = failure;
            // These will not be written, so their memory is free for the tasks that wait for it.
            for (const std::shared_ptr<Output>& other : waiting_) other->pieces.clear();
            if (open_) open_->pieces.clear();
        }
        changed_.notify_all();
    }
}

// False when the frame has no more pieces: it is complete, or it is given up.
bool FrameSink::next_piece(Output& output, WritePiece& piece) {
    piece = {};
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || failure_ || !output.pieces.empty() || output.summary; });
    if (output.pieces.empty()) return false;
    piece = std::move(output.pieces.front());
    output.pieces.pop_front();
    return true;
}

void FrameSink::write(Output& output, bool cached) {
    StageTimer times(one_by_one_);
    std::uint64_t bytes = 0;
    const Durability durability = sync_ == Sync::frame ? Durability::synced : Durability::written;
    RecordsWriter file = writer_.begin_frame(output.frame, capacity_, durability, cached);
    for (WritePiece piece; next_piece(output, piece);) {
        const StageClock clock = times.clock(&StageTimes::write);
        bytes += piece.bytes.size();
        if (piece.packed) {
            file.append_packed(piece.bytes, piece.records);
        } else {
            file.append_bytes(piece.bytes);
        }
    }
    {
        const std::lock_guard lock(mutex_);
        if (!output.summary) return;  // given up: the temporary file goes
    }
    {
        const StageClock clock = times.clock(&StageTimes::write);
        times.passed.sync = writer_.finish_frame(file, *output.summary);
    }
    times.passed.write -= times.passed.sync;
    const std::lock_guard lock(mutex_);
    times_.add(times);
    bytes_ += bytes;
    frames_.push_back(output.frame);
    finished_(*output.summary);
}

}  // namespace lanefold::tools
