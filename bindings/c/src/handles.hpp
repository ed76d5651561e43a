// SPDX-License-Identifier: MIT
//
// Handles that several calls of C take.
#pragma once

#include <lanefold.h>
#include <lanefold_sweep.h>
#include <lanefold/broadphase.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/workspace.hpp>

struct lanefold_workspace {
    lanefold::Workspace own;
};

struct lanefold_sweep_workspace {
    lanefold::SweepWorkspace own;
};

struct lanefold_pair_finder {
    lanefold::PairFinder own;
};
