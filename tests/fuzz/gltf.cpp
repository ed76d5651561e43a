// SPDX-License-Identifier: MIT
//
// glTF files of any bytes: refused by name, or pieces with finite points and rigid poses.
#include <cmath>

#include "fuzz/folder.hpp"
#include "import/gltf.hpp"
#include "import/poses.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanefold;
    static const fuzz::Folder folder;
    folder.write("file.gltf", fuzz::Input(data, size).rest());
    fuzz::read_or_refuse("file.gltf", [&] {
        tools::GltfRequest request;
        request.apply_scale = size % 2 == 1;
        const tools::SourceFile file = tools::read_gltf(folder.path() / "file.gltf", request);
        for (const tools::SourcePiece& piece : file.pieces) {
            fuzz::require(piece.object < file.objects.size(), "a piece of no object");
            fuzz::require(!piece.points.empty() && piece.faces() != 0, "an empty piece");
            fuzz::require(!file.describe(piece).empty(), "a piece without a name");
        }
        fuzz::require(file.poses->rows() == file.pieces.size(), "rows that are no pieces");
        std::vector<std::uint8_t> active;
        std::vector<tools::RigidPose> poses;
        // The first frames and the last: a file may ask for millions.
        const std::uint64_t frames = file.poses->frames();
        for (std::uint64_t f = 0; f < frames; f = f < 3 ? f + 1 : std::max(f + 1, frames - 1)) {
            file.poses->read_mask(f, active);
            file.poses->read(f, active, poses);
            for (const tools::RigidPose& pose : poses) {
                const Quat& q = pose.orientation;
                const double n = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
                fuzz::require(is_finite(pose.position), "a place that is not finite");
                fuzz::require(std::fabs(n - 1) < 1e-9, "a quaternion that is not of unit length");
            }
        }
    });
    return 0;
}
