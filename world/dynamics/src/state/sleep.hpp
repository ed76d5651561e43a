// SPDX-License-Identifier: MIT
//
// Which bodies sleep, and with which others. A sleeping body has the label of its island, the lowest body that fell
// asleep in it; all bodies of one label wake together. Only Sleep changes labels and slow times, and it alone holds and
// releases bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "state/bodies.hpp"

namespace lanefold::detail {

class Sleep {
public:
    static constexpr std::uint32_t kAwake = 0xFFFFFFFFU;

    bool asleep(std::size_t i) const { return label_[i] != kAwake; }
    std::uint32_t label(std::size_t i) const { return label_[i]; }
    // Seconds for which the body has been slow.
    float slow_time(std::size_t i) const { return slow_time_[i]; }

    // Adds rows of bodies that are awake, or removes the last ones. Throws std::bad_alloc.
    void resize(std::size_t bodies);
    void add_slow_time(std::size_t i, bool slow, float dt) { slow_time_[i] = slow ? slow_time_[i] + dt : 0; }
    void fall_asleep(Bodies& bodies, std::size_t i, std::uint32_t label);
    // Wakes the body and all of its label.
    void wake(Bodies& bodies, std::size_t i);
    void wake_all(Bodies& bodies);
    // Wakes every label that is not 0 in `labels`, in one pass. undo_wake() puts all of them back to sleep, until the
    // next change. Throws std::bad_alloc, and then nothing has changed.
    void wake_labels(Bodies& bodies, std::span<const std::uint8_t> labels);
    void undo_wake(Bodies& bodies);
    void set_state(Bodies& bodies, std::size_t i, std::uint32_t label, float slow_time);

private:
    void wake_one(Bodies& bodies, std::size_t i);

    std::vector<std::uint32_t> label_;
    std::vector<float> slow_time_;
    std::vector<std::uint32_t> label_before_;  // before wake_labels()
    std::vector<float> slow_time_before_;
};

}  // namespace lanefold::detail
