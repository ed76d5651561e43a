// SPDX-License-Identifier: MIT
//
// Looks at the clock, the core and the machine, on Linux.
#include "measure/surroundings.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "measure/machine.hpp"

namespace lanefold::bench {
namespace {

// `n` times 12 additions in six chains: a core alone makes as many in a cycle as it has adders.
std::uint64_t addition_chains(std::uint64_t n) {
    std::uint64_t a = n;
    std::uint64_t b = n;
    std::uint64_t c = n;
    std::uint64_t d = n;
    std::uint64_t e = n;
    std::uint64_t f = n;
    for (std::uint64_t i = 0; i < n; ++i) {
        // The empty statement makes the sums opaque, so the compiler cannot fold them.
#define LANEFOLD_ADD_SIX \
    a += n;              \
    b += n;              \
    c += n;              \
    d += n;              \
    e += n;              \
    f += n;              \
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
        LANEFOLD_ADD_SIX LANEFOLD_ADD_SIX
#undef LANEFOLD_ADD_SIX
    }
    return a + b + c + d + e + f;
}

// Additions per nanosecond of six independent chains: the median of a few looks, because a neighbour that works only
// now and then is none.
double additions_per_ns() {
    std::uint64_t n = 12000;  // times 12 additions: about 10 us
    __asm__ volatile("" : "+r"(n));
    std::array<double, 5> seconds{};
    for (double& s : seconds) {
        const double start = thread_seconds();
        std::uint64_t x = addition_chains(n);
        __asm__ volatile("" : "+r"(x));
        s = thread_seconds() - start;
    }
    std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
    return static_cast<double>(n) * 12.0 / seconds[2] * 1e-9;
}

double process_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double clock_seconds(ClockKind clock) { return clock == ClockKind::thread ? thread_seconds() : wall_seconds(); }

Watch::Look Watch::look() {
    Look l;
    std::ifstream stat("/proc/stat");
    std::string word;
    // The first line is the sum of all processors: user, nice, system, idle, iowait, irq, softirq, steal.
    stat >> word;
    double ticks = 0;
    for (int field = 0; field < 8 && stat >> ticks; ++field) {
        l.total += ticks;
        if (field == 7) l.stolen = ticks;
        if (field != 3 && field != 4 && field != 7) l.busy += ticks;
    }
    while (stat >> word) {
        if (word == "procs_running" && stat >> l.ready) break;
    }
    l.ready = std::max(l.ready, 1U) - 1;  // without this thread
    rusage thread{};
    getrusage(RUSAGE_THREAD, &thread);
    rusage self{};
    getrusage(RUSAGE_SELF, &self);
    l.switches = thread.ru_nivcsw;
    l.faults = self.ru_minflt + self.ru_majflt;
    l.process = process_seconds();
    l.thread = thread_seconds();
    l.wall = wall_seconds();
    return l;
}

Watch::Watch(ClockKind clock) : clock_(clock), ghz_(core_ghz()), width_(additions_per_ns()), start_(look()) {}

Surroundings Watch::stop() const {
    const Look end = look();
    const double ghz = core_ghz();
    const double width = additions_per_ns();
    Surroundings s;
    s.ghz = std::max(ghz_, ghz);
    s.width = std::min(width_, width) / s.ghz;
    const double wall = std::max(end.wall - start_.wall, 1e-9);
    const double total = end.total - start_.total;
    if (total > 0) {
        const double own = (end.process - start_.process) * static_cast<double>(sysconf(_SC_CLK_TCK));
        s.stolen = (end.stolen - start_.stolen) / total;
        s.others = std::clamp((end.busy - start_.busy - own) / total, 0.0, 1.0);
    }
    s.faults = static_cast<unsigned>(std::max(end.faults - start_.faults, 0L));
    if (clock_ == ClockKind::thread) {
        s.switches = end.switches - start_.switches;
        s.waited = std::clamp(1 - (end.thread - start_.thread) / wall, 0.0, 1.0);
        // This process has one thread that runs now.
        s.ready = std::max(start_.ready, end.ready);
    }
    return s;
}

}  // namespace lanefold::bench
