// SPDX-License-Identifier: MIT
//
// Memory that a caller keeps between batch calls. With it calls allocate nothing after warm-up.
#pragma once

#include <memory>

#include <lanefold/export.hpp>

namespace lanefold {

// Use one workspace per concurrent call and reuse it. Any workspace works with any hull set and any batch, and is cheap
// to construct. A call is refused with bad_argument if another call is using its workspace or the workspace was moved
// from.
class LANEFOLD_EXPORT Workspace {
public:
    Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();

    struct Impl;  // simd/src/batch/workspace_impl.hpp
    Impl& impl() { return *impl_; }

    // False after a move from it.
    bool valid() const { return impl_ != nullptr; }

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
