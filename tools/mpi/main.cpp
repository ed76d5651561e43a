// SPDX-License-Identifier: MIT
//
// `lanefold-mpi collide`: the options and files of `lanefold collide`, by all ranks of an MPI program together. Rank 0
// prints; a rank that fails says so, and ends all.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include <lanefold/version.hpp>

#include "bake/collide_job.hpp"
#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/thread_count.hpp"
#include "files/system.hpp"
#include "mpi/mpi_distribution.hpp"

namespace lanefold::tools {
namespace {

// How long a rank that fails waits for rank 0, which finds most mistakes as well and tells of them first.
constexpr std::chrono::milliseconds kFirstWord{300};

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// Ranks of one machine share its processors.
std::uint32_t threads_of_a_rank() {
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int ranks = 1;
    MPI_Comm_size(machine, &ranks);
    MPI_Comm_free(&machine);
    return static_cast<std::uint32_t>(std::max(1, thread_count(0) / ranks));
}

void sum(std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> all(counts.size());
    MPI_Allreduce(counts.data(), all.data(), static_cast<int>(counts.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    counts = all;
}

// Counts and hashes are those of all ranks, times of stages are summed, times that passed are the longest.
void reduce(CollideReport& report) {
    static_assert(sizeof(Counters) % sizeof(std::uint64_t) == 0 && sizeof(FrameSummary) % sizeof(std::uint64_t) == 0);
    const auto append = [](std::vector<std::uint64_t>& to, const auto& from) {
        const auto* const first = reinterpret_cast<const std::uint64_t*>(&from);
        to.insert(to.end(), first, first + sizeof from / sizeof(std::uint64_t));
    };
    std::vector<std::uint64_t> counts;
    append(counts, report.total);
    append(counts, report.counters);
    for (const std::uint64_t n : {report.hash, report.resumed_frames, report.timed_pairs, report.stored_bytes,
                                  report.record_bytes, std::uint64_t{report.threads}, report.remade_frames}) {
        counts.push_back(n);
    }
    sum(counts);
    const std::uint64_t* next = counts.data();
    std::memcpy(static_cast<void*>(&report.total), next, sizeof report.total);
    next += sizeof report.total / sizeof *next;
    std::memcpy(static_cast<void*>(&report.counters), next, sizeof report.counters);
    next += sizeof report.counters / sizeof *next;
    report.hash = next[0];
    report.resumed_frames = next[1];
    report.timed_pairs = next[2];
    report.stored_bytes = next[3];
    report.record_bytes = next[4];
    report.threads = static_cast<std::uint32_t>(next[5]);
    report.remade_frames = next[6];
    StageTimes& t = report.stages;
    double stages[] = {t.read, t.search, t.narrowphase, t.encode, t.write, t.sync};
    double summed[6] = {};
    MPI_Allreduce(stages, summed, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    t = {summed[0], summed[1], summed[2], summed[3], summed[4], summed[5]};
    MPI_Allreduce(MPI_IN_PLACE, &report.processor_to_files, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double passed[] = {report.seconds_to_files, report.seconds_total};
    double longest[2] = {};
    MPI_Allreduce(passed, longest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    report.seconds_to_files = longest[0];
    report.seconds_total = longest[1];
    report.run_seconds = {t.narrowphase};
}

std::optional<CollideReport> run_ranks(CollideRequest& request, const StopToken& stop) {
    if (!request.output) throw bad_input("-o is missing: ranks share a folder of contacts");
    if (request.repeat > 0) throw bad_input("--repeat measures one process; leave it out");
    if (request.frames.shards() > 1) throw bad_input("--shard: the ranks share the frames already; leave it out");
    MpiDistribution distribution(MPI_COMM_WORLD);
    request.distribution = &distribution;
    if (request.threads == 0) request.threads = threads_of_a_rank();
    if (distribution.rank() != 0) request.progress = ProgressMode::none;
    CollideReport report = run_collide(request, stop);
    reduce(report);
    if (distribution.rank() != 0) return std::nullopt;
    report.output_form += " by " + std::to_string(distribution.ranks()) + " ranks";
    return report;
}

int run(int argc, char** argv) {
    CLI::App app("Contact manifolds of convex hulls, by the ranks of MPI.", "lanefold-mpi");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("lanefold ") + version());
    add_collide(app, run_ranks);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (rank_of_world() != 0) return error.get_exit_code() == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
    }
    return 0;
}

// All ranks end: those that wait for this one would wait for ever.
int give_up(ExitCode code, const char* what) {
    const int rank = rank_of_world();
    if (rank != 0) std::this_thread::sleep_for(kFirstWord);
    std::fprintf(stderr, "lanefold-mpi: rank %d on %s: %s\n", rank, printable(system::host_name()).c_str(),
                 printable(what).c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    return static_cast<int>(code);
}

}  // namespace
}  // namespace lanefold::tools

int main(int argc, char** argv) {
    using namespace lanefold::tools;
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    std::signal(SIGXFSZ, SIG_IGN);
    if (threads < MPI_THREAD_MULTIPLE) {
        return give_up(ExitCode::bad_input, "this MPI was built without MPI_THREAD_MULTIPLE, which is needed");
    }
    int code = 0;
    try {
        code = run(argc, argv);
    } catch (const Failure& failure) {
        return give_up(failure.code(), failure.what());
    } catch (const std::bad_alloc&) {
        return give_up(ExitCode::interrupted, "out of memory");
    } catch (const std::exception& error) {
        return give_up(ExitCode::interrupted, error.what());
    }
    MPI_Finalize();
    return code;
}
