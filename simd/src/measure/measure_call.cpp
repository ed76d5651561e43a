// SPDX-License-Identifier: MIT
//
// Measures: arguments, tasks, sums.
#include "measure/measure_call.hpp"

#include <algorithm>
#include <iterator>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/measure_pair.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/batch.hpp"
#include "tasks/blocks.hpp"

namespace lanefold::detail {
namespace {

// Pairs per claim of a task. It changes no result.
constexpr std::size_t kMeasureBlock = 256;

CallStatus check(const MeasureArguments& arguments) {
    const std::size_t n = arguments.pairs.size();
    if (!arguments.workspace->valid()) return refuse("workspace was moved from");
    Bytes out;
    Bytes read[5];
    const CallStatus arrays[] = {
        check_array(arguments.out, kOutTexts, out), check_array(arguments.pairs, kPairsTexts, read[0]),
        check_array(arguments.shifts,
                    {"shifts is null but has a length", "shifts is not aligned", "shifts exceed the address space"},
                    read[1])};
    for (const CallStatus& status : arrays) {
        if (!status) return status;
    }
    if (arguments.out.size() != n) return refuse("out and pairs differ in length", arguments.out.size());
    if (!arguments.shifts.empty() && arguments.shifts.size() != n) {
        return refuse("shifts and pairs differ in length", arguments.shifts.size());
    }
    Bytes fields[3];
    const CallStatus bodies = check_body_view(*arguments.bodies, fields);
    if (!bodies) return bodies;
    std::copy(std::begin(fields), std::end(fields), &read[2]);
    for (const Bytes& in : read) {
        if (overlap(out, in)) return refuse("out overlaps an input");
    }
    return {};
}

void measure(const MeasureArguments& arguments, std::size_t i, CutSolid& solid) {
    const Pair& pair = arguments.pairs[i];
    ContactMeasures& out = arguments.out[i];
    const std::size_t count = arguments.bodies->count;
    if (pair.a >= count || pair.b >= count || pair.a == pair.b) {
        out = {};
        out.state = MeasureState::not_measured;
        out.status = Status::bad_index;
        return;
    }
    out = measure_pair(*arguments.hulls, read_body(*arguments.bodies, pair.a), read_body(*arguments.bodies, pair.b),
                       arguments.shifts.empty() ? Vec3d{} : arguments.shifts[i], solid);
}

void run_blocks(const MeasureArguments& arguments, Executor& executor) {
    MeasureWorkspace::Impl& own = arguments.workspace->impl();
    const std::size_t n = arguments.pairs.size();
    const std::size_t blocks = (n + kMeasureBlock - 1) / kMeasureBlock;
    const unsigned tasks = tasks_for(executor, 0, blocks);
    while (own.solids.size() < tasks) own.solids.push_back(std::make_unique<CutSolid>());
    for_each_block(executor, tasks, blocks, [&](unsigned task, std::size_t b) {
        const FpEnvironmentGuard of_block;
        const std::size_t last = std::min(n, (b + 1) * kMeasureBlock);
        for (std::size_t i = b * kMeasureBlock; i < last; ++i) measure(arguments, i, *own.solids[task]);
    });
}

MeasureResult run_unscaled(const MeasureArguments& arguments, Executor& executor) {
    MeasureResult result;
    result.status = check(arguments);
    if (!result.status) return result;
    MeasureWorkspace::Impl& own = arguments.workspace->impl();
    if (own.in_use.exchange(1, std::memory_order_acquire) != 0) {
        result.status = refuse("workspace is in use by another call");
        return result;
    }
    try {
        run_blocks(arguments, executor);
        for (const ContactMeasures& m : arguments.out) {
            ++result.by_state[static_cast<std::size_t>(m.state)];
            result.volume += m.volume;
        }
    } catch (...) {
        result.status = failure_of_current_exception();
    }
    own.in_use.store(0, std::memory_order_release);
    return result;
}

}  // namespace

MeasureResult run_measures(const MeasureArguments& arguments, Executor& executor) {
    if (!arguments.workspace->valid()) return run_unscaled(arguments, executor);  // which refuses it
    const auto run = [&](const HullSet& hulls, const BodyView& bodies) {
        MeasureArguments mine = arguments;
        mine.hulls = &hulls;
        mine.bodies = &bodies;
        return run_unscaled(mine, executor);
    };
    return at_scale<MeasureResult>(arguments.workspace->impl().scaled, *arguments.hulls, *arguments.bodies, run);
}

}  // namespace lanefold::detail

namespace lanefold {

MeasureWorkspace::MeasureWorkspace() : impl_(std::make_unique<Impl>()) {}
MeasureWorkspace::MeasureWorkspace(MeasureWorkspace&&) noexcept = default;
MeasureWorkspace& MeasureWorkspace::operator=(MeasureWorkspace&&) noexcept = default;
MeasureWorkspace::~MeasureWorkspace() = default;

MeasureResult measure_contacts_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                      std::span<ContactMeasures> out, MeasureWorkspace& workspace,
                                      std::span<const Vec3d> shifts) {
    detail::SerialExecutor executor;
    return detail::run_measures({&hulls, &bodies, pairs, out, &workspace, shifts}, executor);
}

}  // namespace lanefold
