// SPDX-License-Identifier: MIT
//
// The events around a sample: the clock of the core, a busy second thread of the core, waiting, other processes, and
// other guests of the same host. A disturbed sample is kept; its reader decides (bench/report/samples.py marks it).
#pragma once

#include <cstdint>

namespace lanefold::bench {

// The thread's own clock times runs on one thread, so the time of other processes does not count (their effect on the
// caches does). The wall clock times runs on several threads.
enum class ClockKind { thread, wall };

// Seconds of the calling thread's own time (or of the wall).
double clock_seconds(ClockKind clock);

struct Surroundings {
    // The core's clock: the faster of the looks before and after.
    double ghz = 0;
    // Independent additions per cycle, the smaller of the two looks. A neighbour on the core's other thread lowers it,
    // whoever that is.
    double width = 0;
    // Share of the wall time in which the thread did not run, and how often another thread took the processor away.
    // With ClockKind::wall 0.
    double waited = 0;
    long switches = 0;
    // Shares of the machine's processors that its host gave to other guests, and that other processes used. Both are
    // counted in ticks of 10 ms.
    double stolen = 0;
    double others = 0;
    // Threads of other processes that wanted to run, at the start or the end. With ClockKind::wall 0.
    unsigned ready = 0;
    // Page faults of this process.
    unsigned faults = 0;
};

// Looks at the machine when it is made and when stop() is called. Both looks take about half a millisecond, outside of
// what lies between them.
class Watch {
public:
    explicit Watch(ClockKind clock);
    Surroundings stop() const;

private:
    struct Look {
        double wall = 0;
        double thread = 0;
        double process = 0;
        double busy = 0;    // ticks of all processors
        double stolen = 0;  // ticks
        double total = 0;   // ticks
        unsigned ready = 0;
        long switches = 0;
        long faults = 0;
    };
    static Look look();

    ClockKind clock_;
    double ghz_ = 0;
    double width_ = 0;
    Look start_;
};

}  // namespace lanefold::bench
