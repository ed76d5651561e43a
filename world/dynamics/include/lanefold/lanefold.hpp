// SPDX-License-Identifier: MIT
//
// All public headers of the engine at once: hulls, surfaces, calls with and without threads, streams, captures,
// matching, hashes, candidate pairs and rigid bodies. A program still links only the components that it uses. The
// references (reference.hpp, published.hpp, ...) are for tests and stay apart.
#pragma once

#include <lanefold/broadphase.hpp>
#include <lanefold/capture.hpp>
#include <lanefold/collide_surface.hpp>
#include <lanefold/compound.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/diagnostics.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/measures.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/rays.hpp>
#include <lanefold/scaled_hulls.hpp>
#include <lanefold/scene_queries.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/shapes.hpp>
#include <lanefold/speculative.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/surface_set.hpp>
#include <lanefold/sweep.hpp>
#include <lanefold/version.hpp>
#include <lanefold/window_finder.hpp>
#include <lanefold/world.hpp>
#include <lanefold/world_batch.hpp>
