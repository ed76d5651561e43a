// SPDX-License-Identifier: MIT
//
// How long each stage of a bake worked. Stages overlap, so that their sum is more than the time that passed.
#pragma once

#include <chrono>

namespace lanefold::tools {

// Seconds.
struct StageTimes {
    double read = 0;         // poses and stored pairs, their checks and hash
    double search = 0;       // candidate pairs, where the scene has none
    double narrowphase = 0;  // batch calls
    double encode = 0;       // counts, hashes, compression
    double write = 0;        // into files, without waiting for the disk
    double sync = 0;         // waiting for the disk

    void add(const StageTimes& other) {
        read += other.read;
        search += other.search;
        narrowphase += other.narrowphase;
        encode += other.encode;
        write += other.write;
        sync += other.sync;
    }
};

// Adds the time from its construction to its end.
class StageClock {
public:
    explicit StageClock(double& seconds) : seconds_(seconds) {}
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;
    ~StageClock() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lanefold::tools
