// SPDX-License-Identifier: MIT
//
// Labels and slow times of bodies, and their inverse mass in the solver.
#include "state/sleep.hpp"

#include <utility>

namespace lanefold::detail {

void Sleep::resize(std::size_t bodies) {
    label_.resize(bodies, kAwake);
    slow_time_.resize(bodies, 0);
}

void Sleep::fall_asleep(Bodies& bodies, std::size_t i, std::uint32_t label) {
    label_[i] = label;
    bodies.hold(i);
    bodies.stop(i);
}

void Sleep::wake_one(Bodies& bodies, std::size_t i) {
    label_[i] = kAwake;
    slow_time_[i] = 0;
    bodies.release(i);
}

void Sleep::wake(Bodies& bodies, std::size_t i) {
    const std::uint32_t label = label_[i];
    if (label != kAwake) {
        for (std::size_t k = 0; k < label_.size(); ++k) {
            if (label_[k] == label) wake_one(bodies, k);
        }
    }
    slow_time_[i] = 0;
}

void Sleep::wake_all(Bodies& bodies) {
    for (std::size_t i = 0; i < label_.size(); ++i) wake_one(bodies, i);
}

void Sleep::wake_labels(Bodies& bodies, std::span<const std::uint8_t> labels) {
    label_before_ = label_;
    slow_time_before_ = slow_time_;
    for (std::size_t i = 0; i < label_.size(); ++i) {
        if (label_[i] != kAwake && labels[label_[i]] != 0) wake_one(bodies, i);
    }
}

void Sleep::undo_wake(Bodies& bodies) {
    for (std::size_t i = 0; i < label_.size(); ++i) {
        if (label_before_[i] != label_[i]) bodies.hold(i);
    }
    std::swap(label_, label_before_);
    std::swap(slow_time_, slow_time_before_);
}

void Sleep::set_state(Bodies& bodies, std::size_t i, std::uint32_t label, float slow_time) {
    label_[i] = label;
    slow_time_[i] = slow_time;
    if (label == kAwake) {
        bodies.release(i);
    } else {
        bodies.hold(i);
    }
}

}  // namespace lanefold::detail
