// SPDX-License-Identifier: MIT
//
// Memory that a caller keeps between batch calls, so that after warm-up no call allocates.
#pragma once

#include <memory>

namespace lanefold {

// One per concurrent call; reused. Any workspace works with any hull set and batch. Cheap to construct. A call
// with a workspace that another call is using, or that was moved from, is refused (bad_argument).
class Workspace {
public:
    Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();

    struct Impl;  // simd/src/batch/workspace_impl.hpp
    Impl& impl() { return *impl_; }

    // False once moved from.
    bool valid() const { return impl_ != nullptr; }

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
