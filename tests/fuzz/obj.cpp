// SPDX-License-Identifier: MIT
//
// OBJ files of any bytes: refused by name and line, or pieces with finite points.
#include <cmath>

#include "fuzz/folder.hpp"
#include "import/obj.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanefold;
    static const fuzz::Folder folder;
    folder.write("file.obj", fuzz::Input(data, size).rest());
    fuzz::read_or_refuse("file.obj", [&] {
        const tools::SourceFile file = tools::read_obj(folder.path() / "file.obj");
        for (const tools::SourcePiece& piece : file.pieces) {
            fuzz::require(piece.object < file.objects.size(), "a piece of no object");
            fuzz::require(!piece.points.empty(), "an empty piece");
            fuzz::require(piece.points.size() == piece.point_lines.size(), "points without lines");
            for (const Vec3d& p : piece.points) fuzz::require(is_finite(p), "a point that is not finite");
            fuzz::require(!file.describe(piece).empty(), "a piece without a name");
        }
    });
    return 0;
}
