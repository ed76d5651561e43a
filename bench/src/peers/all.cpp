// SPDX-License-Identifier: MIT
//
// The peers that this build found.
#include "peers/engine.hpp"

namespace lanefold::bench {

EngineList make_peers() {
    EngineList list;
#ifdef LANEFOLD_PEER_BOX3D
    add_box3d(list);
#endif
#ifdef LANEFOLD_PEER_JOLT
    add_jolt(list);
#endif
#ifdef LANEFOLD_PEER_MUJOCO
    add_mujoco(list);
#endif
#ifdef LANEFOLD_PEER_BULLET
    add_bullet(list);
#endif
#ifdef LANEFOLD_PEER_FCL
    add_fcl(list);
#endif
#ifdef LANEFOLD_PEER_CCD
    add_ccd(list);
#endif
#ifdef LANEFOLD_PEER_ODE
    add_ode(list);
#endif
    return list;
}

}  // namespace lanefold::bench
