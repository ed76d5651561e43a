// SPDX-License-Identifier: MIT
//
// The cables and rods of a world. Row i of every array is link i. Only Links changes them; the kernels of a step write
// the impulses through SolverJob.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lanefold/rigid_body.hpp>

#include "solve/solver_job.hpp"
#include "state/bodies.hpp"

namespace lanefold::detail {

class Links {
public:
    std::size_t size() const { return links_.size(); }
    std::span<const BodyLink> links() const { return links_; }
    std::span<const LinkRow> rows() const { return rows_; }
    // The impulse of each link in the last substep of the last step; saved.
    std::span<const LinkImpulse> impulses() const { return impulses_; }
    std::span<LinkImpulse> impulses() { return impulses_; }  // for World::restore()

    // Adds links that check_link() has accepted: all of them or, when it throws std::bad_alloc, none.
    void add(std::span<const BodyLink> links, const Bodies& bodies);
    // The impulses before the solver's stages, kept and set back. keep_impulses() throws std::bad_alloc.
    void keep_impulses() { kept_ = impulses_; }
    void set_impulses_back();
    // By how much the link is longer than it should be, negative: shorter; 0 for a slack cable and one of a lost body.
    double error(std::size_t i, const Bodies& bodies) const;
    void lend_rows(SolverJob& job);

private:
    std::vector<BodyLink> links_;
    std::vector<LinkRow> rows_;
    std::vector<LinkImpulse> impulses_;
    std::vector<LinkImpulse> kept_;  // by keep_impulses()
};

}  // namespace lanefold::detail
