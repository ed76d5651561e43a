// SPDX-License-Identifier: MIT
//
// See the header.

#include "bake/frame_bake.hpp"

#include <mutex>

#include <oneapi/tbb/task_arena.h>

#include "bake/cost.hpp"
#include "bake/frame_pipeline.hpp"
#include "bake/memory_plan.hpp"
#include "console/thread_count.hpp"

namespace lanefold::tools {

FrameBake::FrameBake(const std::filesystem::path& scene, const std::filesystem::path& contacts,
                     const ContactsSettings& settings, std::uint32_t threads, Sync sync)
    : inputs_(scene, FrameRange(), settings, Isa::automatic, thread_count(threads)),
      writer_(contacts, contacts_description(inputs_.scene, inputs_.hulls, inputs_.settings)),
      sync_(sync) {}

std::vector<std::vector<std::uint64_t>> FrameBake::shards(std::uint64_t count) const {
    return choose_shards(count, inputs_.scene, inputs_.hulls, inputs_.settings, inputs_.options.threads);
}

void FrameBake::make(const Numbers& numbers, const Told& told, const StopToken& stop) const {
    oneapi::tbb::task_arena arena(arena_size(inputs_.options.threads));
    const MemoryPlan plan =
        plan_memory(inputs_.scene, inputs_.hulls, inputs_.settings,
                    {static_cast<std::size_t>(arena.max_concurrency()), inputs_.scene.frames(), std::nullopt});
    BakeContext context{inputs_.scene, inputs_.hulls, inputs_.settings,  inputs_.options,
                        stop,          arena,         inputs_.reference, writer_};
    context.sync = sync_;
    context.resume = true;
    std::mutex mutex;  // reading and writing threads tell of their frames
    const auto tell = [&](bool made) {
        return [&, made](const FrameSummary& frame) {
            const std::lock_guard lock(mutex);
            told(frame.frame, made);
        };
    };
    const BakeEvents events{tell(false), tell(true)};
    if (inputs_.settings.capacity == 4) {
        FramePipeline<Manifold4>(context, plan, events).run(numbers);
    } else {
        FramePipeline<Manifold16>(context, plan, events).run(numbers);
    }
}

}  // namespace lanefold::tools
