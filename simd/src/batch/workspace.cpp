// SPDX-License-Identifier: MIT
//
// Construction and growth of a workspace.
#include "batch/workspace_impl.hpp"

#include <lanefold/hull_set.hpp>

namespace lanefold {

Workspace::Workspace() : impl_(std::make_unique<Impl>()) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

void Workspace::Impl::reserve_slots(unsigned count, const HullSet& hulls) {
    slots.reserve(count);
    while (slots.size() < count) slots.push_back(std::make_unique<detail::WorkSlot>());
    for (unsigned i = 0; i < count; ++i) {
        slots[i]->scratch.reserve(hulls.max_vertices(), hulls.max_faces(), hulls.max_edges());
        if (hulls.rounded()) slots[i]->rounded.lists.reserve();
    }
}

}  // namespace lanefold
