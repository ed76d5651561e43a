// SPDX-License-Identifier: MIT
//
// Poses, frame by frame, of whatever file has them: .npy files of positions and quaternions or of 4x4 matrices, the
// mask of their rows, and what other readers offer as a PoseSource.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "import/rigid.hpp"

namespace lanefold::tools {

// Rows of poses for every frame.
class PoseSource {
public:
    virtual ~PoseSource() = default;

    virtual std::string name() const = 0;  // for messages
    virtual std::uint64_t frames() const = 0;
    virtual std::uint64_t rows() const = 0;
    virtual bool is_double() const = 0;
    // The largest coordinate of the row's place that the file has in float32; 0: it has none so.
    virtual double float_coordinate(std::size_t /*row*/, const RigidPose& pose) const {
        const Vec3d& p = pose.position;
        return is_double() ? 0 : std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    virtual double rate() const { return 0; }  // frames per second; 0: the source does not say
    // Whether some rows are not there in some frames, and which: 1 for a row that is there.
    virtual bool has_mask() const { return false; }
    virtual void read_mask(std::uint64_t /*frame*/, std::vector<std::uint8_t>& out) { out.clear(); }
    // One frame. `active`: 0 for rows whose pose is not looked at; empty: all are. Throws Failure(bad_input) with frame
    // and row for a pose that is not finite or not rigid.
    virtual void read(std::uint64_t frame, std::span<const std::uint8_t> active, std::vector<RigidPose>& out) = 0;
};

// The meaning of a pose file's numbers beyond its shape.
struct PoseFormat {
    bool w_first = false;             // quaternions are (w, x, y, z)
    std::optional<MatrixForm> form;   // of matrices; absent: found out
    std::vector<std::string> labels;  // of the rows, for messages; may be empty
};

// float32 or float64, (frames, rows, 7) or (rows, 7): position and quaternion; (frames, rows, 4, 4) or (rows, 4, 4):
// matrices.
class PoseFile : public PoseSource {
public:
    // Checks element type and shape. Throws Failure(bad_input).
    PoseFile(const std::filesystem::path& path, PoseFormat format);

    std::string name() const override { return reader_.path().string(); }
    std::uint64_t frames() const override { return frames_; }
    std::uint64_t rows() const override { return rows_; }
    bool is_double() const override { return double_; }
    // A quaternion may be 1e-3 from unit length.
    void read(std::uint64_t frame, std::span<const std::uint8_t> active, std::vector<RigidPose>& out) override;

    bool has_matrices() const { return numbers_per_row_ == 16; }

private:
    void read_numbers(std::uint64_t frame);
    void find_form();
    std::string place(std::uint64_t frame, std::size_t row) const;
    RigidPose from_quaternion(const double* n, std::uint64_t frame, std::size_t row) const;
    RigidPose from_matrix(const double* n, std::uint64_t frame, std::size_t row) const;

    NpyReader reader_;
    PoseFormat format_;
    bool double_ = false;
    std::uint64_t frames_ = 0;
    std::uint64_t rows_ = 0;
    std::size_t numbers_per_row_ = 7;
    std::vector<float> floats_;
    std::vector<double> numbers_;
};

// bool or uint8 of shape (frames, rows) or (rows): 1 for a row that is there.
class MaskFile {
public:
    explicit MaskFile(const std::filesystem::path& path);
    std::uint64_t frames() const { return frames_; }
    std::uint64_t rows() const { return rows_; }
    void read(std::uint64_t frame, std::vector<std::uint8_t>& out) const;

private:
    NpyReader reader_;
    std::uint64_t frames_ = 0;
    std::uint64_t rows_ = 0;
};

}  // namespace lanefold::tools
