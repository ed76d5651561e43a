// SPDX-License-Identifier: MIT
//
// What a figure depends on besides the code: the clock of the core right now, the machine, the build. And
// where a thread runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanefold::bench {

// GHz of this core now: a chain of dependent additions takes one cycle each. Read with the thread's own clock, so
// that a moment given to another process does not count; the fastest of a few short looks, for what still
// disturbs (an interrupt, a neighbour on the same core) only ever slows down.
double core_ghz();

// Seconds of the calling thread's own time.
double thread_seconds();
// Seconds that have gone by.
double wall_seconds();

// Bytes per second of copying memory far larger than the caches, one thread, counted once (not read plus
// write): what bounds an output stream.
double copy_bandwidth();

struct Machine {
    std::string cpu;
    std::string system;
    std::string compiler;
    std::string commit;  // with "+changes" when the tree was not clean
    std::string flags;
    std::string date;  // UTC
    unsigned processors = 0;
};
Machine describe_machine();

// How busy the rest of the machine is. share(): the part of all processors' time, 0 to 1, that other processes and
// other guests of the same host have used since the construction. Linux; 0 elsewhere.
class OtherWork {
public:
    OtherWork();
    double share() const;

private:
    double busy_ = 0;
    double total_ = 0;
    double own_ = 0;
};

// Processors this process may use, as it started.
const std::vector<int>& allowed_processors();

// Ties the calling thread to one processor while it lives. Threads started meanwhile would inherit that, so
// nothing that starts threads belongs into its life.
class PinnedThread {
public:
    explicit PinnedThread(int processor);
    ~PinnedThread();
    PinnedThread(const PinnedThread&) = delete;
    PinnedThread& operator=(const PinnedThread&) = delete;
};

// Bytes of memory that this process has in use now.
std::uint64_t resident_bytes();

}  // namespace lanefold::bench
