// SPDX-License-Identifier: MIT
//
// Facts about the machine, on Linux.
#include "measure/machine.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "commit.hpp"
#include "measure/counters.hpp"

namespace lanefold::bench {
namespace {

// `n` times 16 additions, each of which needs the result of the one before.
std::uint64_t addition_chain(std::uint64_t n) {
    std::uint64_t x = n;
    for (std::uint64_t i = 0; i < n; ++i) {
        // The empty statement makes x opaque, so the compiler can neither fold nor reorder the chain.
#define LANEFOLD_ADD \
    x += n;          \
    __asm__ volatile("" : "+r"(x));
        LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD
            LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD LANEFOLD_ADD
#undef LANEFOLD_ADD
    }
    return x;
}

}  // namespace

double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_seconds() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double core_ghz() {
    constexpr int kLooks = 5;
    std::uint64_t n = 8000;  // times 16 additions: about 40 us, some hundred times the time to read the clock
    // The number must come from a register: some processors eliminate additions of a constant.
    __asm__ volatile("" : "+r"(n));
    double best = 1e9;
    for (int i = 0; i < kLooks; ++i) {
        const double start = thread_seconds();
        std::uint64_t x = addition_chain(n);
        __asm__ volatile("" : "+r"(x));
        best = std::min(best, thread_seconds() - start);
    }
    return static_cast<double>(n) * 16.0 / best * 1e-9;
}

double copy_bandwidth(std::size_t bytes) {
    const std::unique_ptr<char[]> from(new char[bytes]);
    const std::unique_ptr<char[]> to(new char[bytes]);
    std::memset(from.get(), 1, bytes);
    std::memset(to.get(), 2, bytes);
    // Small blocks are copied often enough that the clock's own time, about 0.2 us, does not count.
    const std::size_t copies = std::max<std::size_t>(1, kMemoryCopy / 32 / bytes);
    double best = 1e9;
    for (int i = 0; i < 8; ++i) {
        const double start = thread_seconds();
        for (std::size_t c = 0; c < copies; ++c) {
            std::memcpy(to.get(), from.get(), bytes);
            __asm__ volatile("" : : "r"(to.get()) : "memory");
        }
        best = std::min(best, thread_seconds() - start);
    }
    return static_cast<double>(bytes) * static_cast<double>(copies) / best;
}

double copy_bandwidth_of(unsigned threads) {
    const std::size_t share = kMemoryCopy / threads;
    std::vector<std::unique_ptr<char[]>> from;
    std::vector<std::unique_ptr<char[]>> to;
    for (unsigned t = 0; t < threads; ++t) {
        from.emplace_back(new char[share]);
        to.emplace_back(new char[share]);
        std::memset(from.back().get(), 1, share);
        std::memset(to.back().get(), 2, share);
    }
    double best = 1e9;
    for (int i = 0; i < 8; ++i) {
        std::vector<std::thread> copying;
        const double start = wall_seconds();
        for (unsigned t = 0; t < threads; ++t) {
            copying.emplace_back([&, t] { std::memcpy(to[t].get(), from[t].get(), share); });
        }
        for (std::thread& t : copying) t.join();
        best = std::min(best, wall_seconds() - start);
    }
    return static_cast<double>(share) * threads / best;
}

Machine describe_machine() {
    Machine m;
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string line;
    std::string family;
    const auto value = [&line] { return line.substr(std::min(line.find(':') + 2, line.size())); };
    while (std::getline(cpuinfo, line)) {
        if (m.cpu.empty() && line.rfind("model name", 0) == 0) m.cpu = value();
        if (family.empty() && line.rfind("cpu family", 0) == 0) family = "family " + value();
        if (line.rfind("model\t", 0) == 0) family += " model " + value();
        if (line.empty()) break;  // the first processor stands for all
    }
    // Virtual machines often hide the name; family and model then give the generation.
    if (!family.empty()) m.cpu += " (" + family + ")";
    utsname name{};
    if (uname(&name) == 0) m.system = std::string(name.sysname) + " " + name.release + " " + name.machine;
#ifdef __clang__
    m.compiler = "clang " __clang_version__;
#else
    m.compiler = "g++ " __VERSION__;
#endif
    m.commit = LANEFOLD_COMMIT;
    m.flags = LANEFOLD_BENCH_FLAGS;
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    m.date = text;
    m.counters = thread_counters().source();
    m.energy = thread_counters().energy_source();
    m.processors = static_cast<unsigned>(allowed_processors().size());
    return m;
}

namespace {

// Ticks in which all processors worked, and all their ticks. User, nice, system, idle, iowait, irq, softirq, steal.
void read_ticks(double& busy, double& total) {
    std::ifstream stat("/proc/stat");
    std::string name;
    stat >> name;
    busy = total = 0;
    double ticks = 0;
    for (int field = 0; field < 8 && stat >> ticks; ++field) {
        total += ticks;
        if (field != 3 && field != 4) busy += ticks;
    }
}

double own_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

OtherWork::OtherWork() : own_(own_seconds()) { read_ticks(busy_, total_); }

double OtherWork::share() const {
    double busy = 0;
    double total = 0;
    read_ticks(busy, total);
    if (total <= total_) return 0;
    const double own = (own_seconds() - own_) * static_cast<double>(sysconf(_SC_CLK_TCK));
    return std::clamp((busy - busy_ - own) / (total - total_), 0.0, 1.0);
}

const std::vector<int>& allowed_processors() {
    static const std::vector<int> list = [] {
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof(set), &set);
        std::vector<int> v;
        for (int i = 0; i < CPU_SETSIZE; ++i) {
            if (CPU_ISSET(static_cast<unsigned>(i), &set)) v.push_back(i);
        }
        return v;
    }();
    return list;
}

PinnedThread::PinnedThread(int processor) {
    static_cast<void>(allowed_processors());  // records the processors before this thread is tied to one
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(processor), &set);
    sched_setaffinity(0, sizeof(set), &set);
}

PinnedThread::~PinnedThread() {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int p : allowed_processors()) CPU_SET(static_cast<unsigned>(p), &set);
    sched_setaffinity(0, sizeof(set), &set);
}

std::uint64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace lanefold::bench
