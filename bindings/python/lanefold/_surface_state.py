# SPDX-License-Identifier: MIT
"""A surface from what its pickle has of it."""

from __future__ import annotations

from typing import Any

from . import _native
from ._bodies import check


def surface_again(kind: str, state: dict[str, Any]) -> _native.NativeSurface:
    """The surface of NativeSurface.state(): triangles as they are, or a height field in one tile."""
    if kind == "mesh":
        exact = {"weld_tolerance": 0.0, "split_t_junctions": False, "drop_opposite": False, "origin": 0}
        options = {**exact, "thickness": state["thickness"], "materials": state["materials"]}
        made = _native.surface_mesh(state["vertices"], state["triangles"], options)
    else:
        options = {"scale": 1.0, "offset": 0.0, "borrow": False, **state}
        made = _native.surface_field(options.pop("samples")[None, None], options)
    check(made[0])
    return made[1]
