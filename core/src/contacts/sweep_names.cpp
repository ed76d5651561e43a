// SPDX-License-Identifier: MIT
//
// Names of what a sweep found.
#include <lanefold/sweep_record.hpp>

namespace lanefold {

const char* to_string(SweepState state) {
    switch (state) {
        case SweepState::miss:
            return "miss";
        case SweepState::hit:
            return "hit";
        case SweepState::overlapping:
            return "overlapping";
        case SweepState::failed:
            return "failed";
    }
    return "unknown";
}

const char* to_string(SweepFailure failure) {
    switch (failure) {
        case SweepFailure::none:
            return "none";
        case SweepFailure::rounds:
            return "rounds";
        case SweepFailure::accuracy:
            return "accuracy";
        case SweepFailure::range:
            return "range";
        case SweepFailure::shape:
            return "shape";
    }
    return "unknown";
}

}  // namespace lanefold
