// SPDX-License-Identifier: MIT
//
// Memory that a caller keeps between batch calls, so that after warm-up no call allocates.
#pragma once

#include <memory>

namespace lanefold {

// One per concurrent call; reused. Any workspace works with any hull set and batch. Cheap to construct.
class Workspace {
public:
    Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();

    struct Impl;  // simd/src/workspace_impl.hpp
    Impl& impl() { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
