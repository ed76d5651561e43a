// SPDX-License-Identifier: MIT
//
// Reads perf events and RAPL, on Linux.
#include "measure/counters.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lanefold::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint64_t, 4> kEvents = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                                  PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES};

int open_event(std::uint64_t event) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof(attributes);
    attributes.config = event;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

double read_event(int file) {
    std::uint64_t values[3] = {};  // count, time enabled, time running
    if (read(file, values, sizeof(values)) != sizeof(values) || values[2] == 0) return HardwareCounts::kNotRead;
    return static_cast<double>(values[0]) * static_cast<double>(values[1]) / static_cast<double>(values[2]);
}

// Joules of all packages so far; negative if none can be read.
double read_joules() {
    double sum = -1;
    std::error_code error;
    for (const auto& zone : fs::directory_iterator("/sys/class/powercap", error)) {
        // intel-rapl:0 is a package, intel-rapl:0:1 a part of it. AMD's processors have the same names.
        const std::string name = zone.path().filename().string();
        if (name.rfind("intel-rapl:", 0) != 0 || name.find(':', 11) != std::string::npos) continue;
        double microjoules = 0;
        if (std::ifstream(zone.path() / "energy_uj") >> microjoules) sum = (sum < 0 ? 0 : sum) + microjoules * 1e-6;
    }
    return sum;
}

}  // namespace

HardwareCounters::HardwareCounters() {
    available_ = true;
    for (std::size_t i = 0; i < kEvents.size(); ++i) {
        files_[i] = open_event(kEvents[i]);
        if (files_[i] >= 0) continue;
        available_ = false;
        source_ = std::string("not available (perf_event_open: ") + std::strerror(errno) + ")";
        break;
    }
    if (available_) source_ = "perf events, user mode";
    energy_available_ = read_joules() >= 0;
    energy_source_ =
        energy_available_ ? "RAPL, all packages" : "not available (no readable energy_uj in /sys/class/powercap)";
}

HardwareCounters::~HardwareCounters() {
    for (const int file : files_) {
        if (file >= 0) close(file);
    }
}

void HardwareCounters::start() {
    joules_ = energy_available_ ? read_joules() : 0;
    if (!available_) return;
    for (const int file : files_) {
        ioctl(file, PERF_EVENT_IOC_RESET, 0);
        ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    }
}

HardwareCounts HardwareCounters::stop() const {
    HardwareCounts c;
    if (available_) {
        for (const int file : files_) ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
        c.instructions = read_event(files_[0]);
        c.cycles = read_event(files_[1]);
        c.branch_misses = read_event(files_[2]);
        c.cache_misses = read_event(files_[3]);
    }
    if (energy_available_) {
        // The register wraps about once an hour. The sample in which it does is left out.
        const double joules = read_joules() - joules_;
        if (joules >= 0) c.joules = joules;
    }
    return c;
}

HardwareCounters& thread_counters() {
    thread_local HardwareCounters counters;
    return counters;
}

}  // namespace lanefold::bench
