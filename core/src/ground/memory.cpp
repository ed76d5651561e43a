// SPDX-License-Identifier: MIT
//
// See lanefold/detail/ground_pair.hpp.

#include <lanefold/detail/ground_pair.hpp>

#include "ground/pair.hpp"

namespace lanefold::detail {

GroundMemory::GroundMemory() : scratch_(std::make_unique<GroundScratch>()) {}
GroundMemory::~GroundMemory() = default;

std::size_t collide_ground(const GroundPair& pair, GroundMemory& memory) {
    solve_ground(pair, memory.scratch());
    return memory.scratch().used;
}

void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, Manifold4& out) {
    write_ground(pair, memory.scratch(), memory.scratch().clusters[k], out);
}

void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, Manifold16& out) {
    write_ground(pair, memory.scratch(), memory.scratch().clusters[k], out);
}

void write_ground(const GroundPair& pair, GroundMemory& memory, std::size_t k, PairDistance& out) {
    write_ground(pair, memory.scratch(), memory.scratch().clusters[k], out);
}

}  // namespace lanefold::detail
