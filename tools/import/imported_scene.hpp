// SPDX-License-Identifier: MIT
//
// Makes a scene from OBJ or glTF files and their poses: a body per piece, a hull per piece or per set of equal pieces.
#pragma once

#include "import/request.hpp"

namespace lanefold::tools {

// Writes the folder, whole or not at all. Throws Failure naming file, line, group or frame. A value that looks wrong,
// but may be meant, is a warning of the report.
ImportReport import_scene(const ImportRequest& request);

}  // namespace lanefold::tools
