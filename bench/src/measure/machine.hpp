// SPDX-License-Identifier: MIT
//
// The surroundings on which a figure depends besides the code: the clock of the core, the machine, the build, the
// processor of a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanefold::bench {

// GHz of this core now. Each addition of a dependent chain takes one cycle. It reads the thread's own clock, so the
// time of other processes does not count. It takes the fastest of a few short measurements, because disturbances (an
// interrupt, a neighbour on the same core) only slow it down.
double core_ghz();

// Seconds of the calling thread's own time.
double thread_seconds();
// Seconds of the wall clock.
double wall_seconds();

// Bytes per second at which one thread copies blocks of so many bytes. Each byte counts once, not as read and written.
// A copy of memory far larger than the caches bounds an output stream.
inline constexpr std::size_t kMemoryCopy = std::size_t{256} << 20U;
// Twice this is more than the first cache of a core has, and less than the second.
inline constexpr std::size_t kCacheCopy = std::size_t{64} << 10U;
double copy_bandwidth(std::size_t bytes);

// The same by so many threads at once, each with its share of kMemoryCopy, by the wall clock.
double copy_bandwidth_of(unsigned threads);

struct Machine {
    std::string cpu;
    std::string system;
    std::string compiler;
    std::string commit;  // with "+changes" when the tree was not clean
    std::string flags;
    std::string date;  // UTC
    unsigned processors = 0;
    std::string counters;  // where instructions, cycles and misses come from, or why there are none
    std::string energy;    // the same of joules
};
Machine describe_machine();

// Measures other work on the machine. share(): the part of all processors' time, 0 to 1, that other processes and other
// guests of the same host have used since the construction. Linux; 0 elsewhere.
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

// Ties the calling thread to one processor during its lifetime. New threads would inherit that, so start none
// meanwhile.
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
