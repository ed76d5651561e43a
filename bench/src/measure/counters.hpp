// SPDX-License-Identifier: MIT
//
// Counters of the processor (Linux perf events) and of its energy (RAPL), where the machine lets a process read them.
// Virtual machines often do not; then source() says what the kernel answered.
#pragma once

#include <array>
#include <limits>
#include <string>

namespace lanefold::bench {

// A count that could not be read is not a number (NaN).
struct HardwareCounts {
    double instructions = kNotRead;
    double cycles = kNotRead;
    double branch_misses = kNotRead;
    double cache_misses = kNotRead;  // of the last level
    double joules = kNotRead;        // of all processor packages, whoever used them
    static constexpr double kNotRead = std::numeric_limits<double>::quiet_NaN();
};

// Counts in user mode, for the thread that made it.
class HardwareCounters {
public:
    HardwareCounters();
    ~HardwareCounters();
    HardwareCounters(const HardwareCounters&) = delete;
    HardwareCounters& operator=(const HardwareCounters&) = delete;

    // "perf events", or "not available" and what the kernel answered.
    const std::string& source() const { return source_; }
    // "RAPL", or "not available" and why.
    const std::string& energy_source() const { return energy_source_; }

    // Counts since the last start(). If the processor shared its counters between more events than it has, the counts
    // are scaled to the whole time.
    void start();
    HardwareCounts stop() const;

private:
    std::array<int, 4> files_{-1, -1, -1, -1};
    bool available_ = false;
    bool energy_available_ = false;
    double joules_ = 0;
    std::string source_;
    std::string energy_source_;
};

// The counters of the calling thread, made at its first call.
HardwareCounters& thread_counters();

}  // namespace lanefold::bench
