// SPDX-License-Identifier: MIT
//
// The functions in MuJoCo's table. It has one for each two kinds of geoms and gives them no memory of their own, so a
// list of this library says which mjData is whose. Compiled with MuJoCo's headers and not linked with its library.
#include "mujoco/lanefold_mujoco.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "mujoco/narrowphase.hpp"

static_assert(mjVERSION_HEADER >= 4000000, "the collision functions of MuJoCo 4 write mjPreContact");

using lanefold::Manifold4;
using lanefold::mujoco::Narrowphase;

struct lanefold_mujoco {
    explicit lanefold_mujoco(const lanefold::mujoco::Arrays& arrays, std::uint32_t shapes, std::uint32_t threads,
                             const mjData* d)
        : narrowphase(arrays, shapes, threads), data(d) {}
    Narrowphase narrowphase;
    const mjData* data;
};

namespace {

using Table = mjfCollision[mjNGEOMTYPES][mjNGEOMTYPES];
constexpr mjtGeom kKinds[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX, mjGEOM_MESH};
static_assert(int{mjGEOM_SPHERE} == lanefold::mujoco::sphere && int{mjGEOM_CAPSULE} == lanefold::mujoco::capsule &&
              int{mjGEOM_BOX} == lanefold::mujoco::box && int{mjGEOM_MESH} == lanefold::mujoco::mesh);

std::shared_mutex list_mutex;
std::vector<std::unique_ptr<lanefold_mujoco>> list;
Table* table = nullptr;  // MuJoCo's; null while nobody is in the list
Table mujocos;           // the functions that stood in it

lanefold_mujoco* owner(const mjData* d) {
    const std::shared_lock lock(list_mutex);
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one->data == d; });
    return found == list.end() ? nullptr : found->get();
}

// The most contacts for which MuJoCo has room: one for a sphere, two for two capsules, and one where its general
// function is told to find only one.
int room(const mjModel& m, mjtGeom first, mjtGeom second) {
    if (first == mjGEOM_SPHERE) return 1;
    if (first == mjGEOM_CAPSULE && second == mjGEOM_CAPSULE) return 2;
    const bool general = second == mjGEOM_MESH;
    return general && (m.opt.disableflags & mjDSBL_MULTICCD) != 0 ? 1 : 4;
}

// All points, or the deepest ones where there is no room for all.
int write(const Manifold4& record, const mjtNum* origin, int most, mjPreContact* out) {
    int order[4] = {0, 1, 2, 3};
    const int count = std::min<int>(record.count, most);
    if (record.count > most) {
        std::stable_sort(order, order + record.count,
                         [&](int a, int b) { return record.points[a].separation < record.points[b].separation; });
    }
    for (int i = 0; i < count; ++i) {
        const auto& point = record.points[order[i]];
        out[i] = {};  // MuJoCo chooses the tangent if it is zero
        out[i].dist = point.separation;
        for (int k = 0; k < 3; ++k) {
            out[i].pos[k] = origin[k] + mjtNum{point.position[k]};
            out[i].normal[k] = record.normal[k];
        }
    }
    return count;
}

template <mjtGeom First, mjtGeom Second>
int collide(const mjModel* m, mjData* d, mjPreContact* out, int g1, int g2, mjtNum margin) {
    if (lanefold_mujoco* const ours = owner(d)) {
        const std::scoped_lock lock(ours->narrowphase.mutex());
        if (const Manifold4* const record = ours->narrowphase.contact(g1, g2, margin))
            return write(*record, d->geom_xpos + 3 * g1, room(*m, First, Second), out);
    }
    return mujocos[First][Second](m, d, out, g1, g2, margin);
}

// All pairs of kinds whose first is not above the second, which is how MuJoCo looks them up.
template <std::size_t First, std::size_t Second>
void put_one() {
    if constexpr (First <= Second) (*table)[kKinds[First]][kKinds[Second]] = collide<kKinds[First], kKinds[Second]>;
}
template <std::size_t... Pairs>
void put(std::index_sequence<Pairs...>) {
    (put_one<Pairs / 4, Pairs % 4>(), ...);
}

lanefold::mujoco::Arrays arrays_of(const mjModel& m, const mjData& d) {
    const auto geoms = static_cast<std::size_t>(m.ngeom), meshes = static_cast<std::size_t>(m.nmesh);
    return {{m.geom_type, geoms},     m.geom_size, m.geom_dataid, {m.mesh_vertadr, meshes},
            {m.mesh_vertnum, meshes}, m.mesh_vert, d.geom_xpos,   d.geom_xmat};
}

}  // namespace

lanefold_mujoco* lanefold_mujoco_begin(void* mujocos_table, int32_t version, const void* model, const void* data,
                                       uint32_t shapes, uint32_t threads, const char** what) {
    const auto* const m = static_cast<const mjModel*>(model);
    const auto* const d = static_cast<const mjData*>(data);
    const std::unique_lock lock(list_mutex);
    const auto refuse = [&](const char* why) -> lanefold_mujoco* {
        *what = why;
        return nullptr;
    };
    // Structures of another version have their fields elsewhere.
    if (version != mjVERSION_HEADER) return refuse("compiled with the headers of another version of MuJoCo");
    if (mujocos_table == nullptr || m == nullptr || d == nullptr) return refuse("no table, model or data");
    if (table != nullptr && table != mujocos_table) return refuse("another copy of MuJoCo has its functions here");
    if (std::any_of(list.begin(), list.end(), [&](const auto& one) { return one->data == d; }))
        return refuse("this mjData has lanefold's contacts already");
    try {
        list.push_back(std::make_unique<lanefold_mujoco>(arrays_of(*m, *d), shapes, threads, d));
    } catch (const std::exception&) {
        return refuse("out of memory");
    }
    if (table == nullptr) {
        table = static_cast<Table*>(mujocos_table);
        std::copy_n(&(*table)[0][0], mjNGEOMTYPES * mjNGEOMTYPES, &mujocos[0][0]);
        put(std::make_index_sequence<16>());
    }
    *what = "";
    return list.back().get();
}

void lanefold_mujoco_end(lanefold_mujoco* ours) {
    if (ours == nullptr) return;
    const std::unique_lock lock(list_mutex);
    std::erase_if(list, [&](const auto& one) { return one.get() == ours; });
    if (!list.empty() || table == nullptr) return;
    std::copy_n(&mujocos[0][0], mjNGEOMTYPES * mjNGEOMTYPES, &(*table)[0][0]);
    table = nullptr;
}

lanefold_mujoco_counts lanefold_mujoco_count(const lanefold_mujoco* ours) { return ours->narrowphase.counts(); }
