// SPDX-License-Identifier: MIT
//
// The contacts of one mjData. MuJoCo asks for one pair after the other; lanefold is fast on many at once. The pairs of
// a step are nearly those of the step before, so the first question about new poses has all of them computed in one
// batch, and later questions find their answer. A pair that is new is computed alone. Both give the same bits, because
// a result of lanefold depends on the pair alone. Nothing here needs MuJoCo's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>

#include "mujoco/lanefold_mujoco.h"

namespace lanefold::mujoco {

// The kinds of mjtGeom that become hulls.
enum Kind : int { sphere = 2, capsule = 3, box = 6, mesh = 7 };

// Arrays of an mjModel and its mjData, borrowed for as long as a Narrowphase has them. Their names there stand behind.
struct Arrays {
    std::span<const int> kind;      // geom_type
    const double* size;             // geom_size, three a geom
    const int* mesh;                // geom_dataid
    std::span<const int> first;     // mesh_vertadr
    std::span<const int> vertices;  // mesh_vertnum
    const float* points;            // mesh_vert, three a point
    const double* position;         // geom_xpos, three a geom
    const double* rotation;         // geom_xmat, nine a geom
};

class Narrowphase {
public:
    // `shapes`: bits of LANEFOLD_MUJOCO_SPHERE and so on. `threads`: Options::threads.
    Narrowphase(const Arrays& arrays, std::uint32_t shapes, std::uint32_t threads);

    // The contact of two geoms: pair[0] is the first; nothing if MuJoCo has to answer itself. Valid until the next
    // call. Threads may ask at the same time if they hold mutex().
    const Manifold4* contact(int first, int second, double margin);
    const lanefold_mujoco_counts& counts() const { return counts_; }
    std::mutex& mutex() { return mutex_; }

private:
    // All that decides the contacts of a geom, as it was when they were computed. Compared by its bytes.
    struct State {
        double position[3], rotation[9], size[3];
    };

    State read(std::size_t geom) const;
    bool is_current(int geom) const;
    bool takes(std::size_t geom) const;
    void build_meshes();
    void build_others();
    void begin_batch();
    void drop_unasked();
    std::size_t place_of(const Pair& pair, float margin);
    bool compute(std::size_t from, std::size_t count);

    Arrays arrays_;
    std::uint32_t shapes_;
    Options options_;
    std::vector<std::uint32_t> mesh_hulls_;  // of each mesh
    HullSet meshes_, hulls_;                 // hulls_: meshes_, then the other shapes
    Workspace workspace_;
    std::vector<State> states_;
    std::vector<BodyD> bodies_;
    // The pairs that are known.
    std::vector<Pair> pairs_;
    std::vector<float> margins_;
    std::vector<PairCache> caches_;
    std::vector<Manifold4> records_;
    std::vector<std::uint64_t> asked_in_;  // the batch in which each was last asked for
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::size_t next_ = 0;  // the place of the next question, if it comes in the order of the step before
    std::uint64_t batch_ = 0;
    bool usable_ = false;  // the records of this batch
    lanefold_mujoco_counts counts_ = {};
    std::mutex mutex_;
};

}  // namespace lanefold::mujoco
