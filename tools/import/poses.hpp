// SPDX-License-Identifier: MIT
//
// Baked poses from a .npy file, frame by frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <lanefold/pose.hpp>

#include "files/npy.hpp"

namespace lanefold::tools {

class PoseFile {
public:
    struct Pose {
        Vec3d position;
        Quat orientation;  // unit
    };

    // Checks element type and shape. Throws Failure(bad_input).
    PoseFile(const std::filesystem::path& path, bool w_first);

    std::uint64_t frames() const { return frames_; }
    std::uint64_t rows() const { return rows_; }
    bool is_double() const { return double_; }

    // One frame. Throws when a number is not finite or a quaternion further than 1e-3 from unit length, naming
    // frame and row.
    void read(std::uint64_t frame, std::vector<Pose>& out);

private:
    NpyReader reader_;
    bool w_first_;
    bool double_ = false;
    std::uint64_t frames_ = 0;
    std::uint64_t rows_ = 0;
    std::vector<float> floats_;
    std::vector<double> numbers_;
};

}  // namespace lanefold::tools
