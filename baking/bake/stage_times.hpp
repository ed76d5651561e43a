// SPDX-License-Identifier: MIT
//
// How long each stage of a bake worked. Stages overlap, so that their sum is more than the time that passed.
#pragma once

#include <ctime>

namespace lanefold::tools {

// Seconds.
struct StageTimes {
    double read = 0;         // poses and stored pairs, their checks and hash
    double search = 0;       // candidate pairs, where the scene has none
    double narrowphase = 0;  // batch calls, which also hash the records
    double encode = 0;       // checksums, selection, compression
    double write = 0;        // into files; past the cache of the kernel with the time of the disk
    double sync = 0;         // waiting for the disk afterwards

    void add(const StageTimes& other) {
        read += other.read;
        search += other.search;
        narrowphase += other.narrowphase;
        encode += other.encode;
        write += other.write;
        sync += other.sync;
    }
};

inline double clock_seconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The time that all threads of this process have taken of the processors, user and system.
inline double processor_seconds() { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }

// Adds the time from its construction to its end, and that of the processors where `processor` is not null: it counts
// all threads, so it says something of a stage only while no other one runs.
class StageClock {
public:
    explicit StageClock(double& seconds, double* processor = nullptr)
        : seconds_(seconds),
          processor_(processor),
          start_(clock_seconds(CLOCK_MONOTONIC)),
          processor_start_(processor == nullptr ? 0 : processor_seconds()) {}
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;
    ~StageClock() {
        seconds_ += clock_seconds(CLOCK_MONOTONIC) - start_;
        if (processor_ != nullptr) *processor_ += processor_seconds() - processor_start_;
    }

private:
    double& seconds_;
    double* processor_;
    double start_;
    double processor_start_;
};

// The times of stages, and what the processors took of each where stages run one after the other.
class StageTimer {
public:
    explicit StageTimer(bool one_by_one) : one_by_one_(one_by_one) {}

    StageClock clock(double StageTimes::*stage) {
        return StageClock(passed.*stage, one_by_one_ ? &(processor.*stage) : nullptr);
    }
    void add(const StageTimer& other) {
        passed.add(other.passed);
        processor.add(other.processor);
    }

    StageTimes passed;
    StageTimes processor;  // zeros unless one by one

private:
    bool one_by_one_;
};

}  // namespace lanefold::tools
