// SPDX-License-Identifier: MIT
//
// Frames into a contacts folder, by threads of its own: while one waits for the disk, others write and the processor
// computes. Frames may be finished out of order; each is whole or absent.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "bake/stage_times.hpp"
#include "contacts/io.hpp"

namespace lanefold::tools {

// When the disk is waited for: never, with each frame, or once at the end (docs/baking.md says what each loses).
enum class Sync { none, frame, end };

// Part of a frame's records on its way to the file; `owner` keeps the bytes and is let go when they are written.
struct WritePiece {
    std::span<const std::byte> bytes;
    std::uint64_t records = 0;
    bool packed = false;
    std::shared_ptr<void> owner;
};

class FrameSink {
public:
    // finished: called by the writing threads, one at a time, with each frame that is there. one_by_one: no other stage
    // runs while one of them writes.
    FrameSink(const ContactsWriter& writer, std::uint32_t capacity, Sync sync, std::size_t threads,
              std::function<void(const FrameSummary&)> finished, bool one_by_one = false);
    FrameSink(const FrameSink&) = delete;
    FrameSink& operator=(const FrameSink&) = delete;
    ~FrameSink();  // frames that were not ended are given up

    // Frame after frame: begin, add its pieces in order, end. begin() waits while all threads are busy and one more
    // frame waits. Each throws what writing threw; then nothing more is written.
    void begin(std::uint64_t frame);
    void add(WritePiece piece);
    void end(const FrameSummary& summary);

    // Waits until everything that was ended is there. Throws as above.
    void drain();
    // The same, and for the disk where Sync::end says so.
    void close();

    StageTimer times() const;
    std::uint64_t bytes() const;  // of records, as they were written

private:
    struct Output {
        std::uint64_t frame = 0;
        std::deque<WritePiece> pieces;
        std::optional<FrameSummary> summary;  // when all pieces are there
    };

    void work();
    void write(Output& output, bool cached);
    bool next_piece(Output& output, WritePiece& piece);
    void stop();
    void check() const;  // with the lock

    const ContactsWriter& writer_;
    std::uint32_t capacity_;
    Sync sync_;
    std::function<void(const FrameSummary&)> finished_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Output>> waiting_;
    std::shared_ptr<Output> open_;
    std::vector<std::uint64_t> frames_;  // written, but not synced
    std::exception_ptr failure_;
    std::size_t writers_;  // threads
    bool one_by_one_;
    StageTimer times_;
    std::uint64_t bytes_ = 0;
    std::size_t busy_ = 0;  // threads that write
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace lanefold::tools
