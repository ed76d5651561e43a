# SPDX-License-Identifier: MIT
"""Contact manifolds of batches of pairs of convex hulls: lanefold for Python.

Bodies are three arrays: ``position`` (N, 3) of float32 or float64, ``orientation`` (N, 4) of float32 quaternions
(x, y, z, w), and ``hull`` (N,) of uint32, the hull of each body in the set; :func:`at_scale` adds scales to it. Pairs
are (P, 2) of uint32. Arrays of these types whose rows are contiguous are read in place, with any stride between bodies,
so columns of a structured array cost nothing. Other arrays are copied once per call. Arrays of other libraries on the
CPU (JAX, PyTorch) are read through DLPack. Every call releases the global interpreter lock while it computes.
"""

from . import shapes
from ._bake import Bake
from ._bodies import LanefoldError, at_scale
from ._calls import Result, collide, collide_compact, distance, hash_records, match_contacts, oracle, overlap
from ._events import EVENT_FLAGS, Events
from ._files import Contacts, Scene
from ._hulls import HullFailure, HullsError, build_hulls
from ._kinds import CompoundFailure, CompoundsError, ScaledHulls, build_compounds, build_half_spaces
from ._measures import CONTACT_MEASURES, MEASURE_STATES, MeasureResult, measure_contacts
from ._native import (
    Hulls,
    MeasureWorkspace,
    QueryWorkspace,
    StopFlag,
    SweepWorkspace,
    Workspace,
    instruction_sets,
)
from ._native import version as _version
from ._pairs import SHARED_BODY, PairFinder, WindowFinder
from ._queries import CLOSEST_POINTS, NO_BODY, SHAPE_HIT, QueryResult
from ._rays import RAY_HIT, RAY_STATES, RayResult, cast_rays
from ._records import KINDS, MANIFOLD4, MANIFOLD16, PAIR_DISTANCE, STATUSES, arrays, witnesses, world_points
from ._stream import ContactStream
from ._surface import (
    Surface,
    SurfaceArrays,
    SurfaceContacts,
    SurfaceFinding,
    SurfaceReport,
    build_height_field,
    build_surface,
    collide_surface,
    surface_of_hulls,
    surface_set,
)
from ._sweep import SWEEP_FAILURES, SWEEP_RECORD, SWEEP_STATES, SweepResult, speculative_margins, sweep
from ._world import CONTACT_IMPULSE, CONTACT_PUSH, StepResult, World, simulate
from ._world_batch import BatchStep, WorldBatch
from ._worlds import WORLD_RESULT, WorldsResult, collide_worlds

__version__ = _version()
__all__ = [
    "CLOSEST_POINTS",
    "CONTACT_IMPULSE",
    "CONTACT_MEASURES",
    "CONTACT_PUSH",
    "EVENT_FLAGS",
    "KINDS",
    "MANIFOLD16",
    "MANIFOLD4",
    "MEASURE_STATES",
    "NO_BODY",
    "PAIR_DISTANCE",
    "RAY_HIT",
    "RAY_STATES",
    "SHAPE_HIT",
    "SHARED_BODY",
    "STATUSES",
    "SWEEP_FAILURES",
    "SWEEP_RECORD",
    "SWEEP_STATES",
    "WORLD_RESULT",
    "Bake",
    "BatchStep",
    "CompoundFailure",
    "CompoundsError",
    "ContactStream",
    "Contacts",
    "Events",
    "HullFailure",
    "Hulls",
    "HullsError",
    "LanefoldError",
    "MeasureResult",
    "MeasureWorkspace",
    "PairFinder",
    "QueryResult",
    "QueryWorkspace",
    "RayResult",
    "Result",
    "ScaledHulls",
    "Scene",
    "StepResult",
    "StopFlag",
    "Surface",
    "SurfaceArrays",
    "SurfaceContacts",
    "SurfaceFinding",
    "SurfaceReport",
    "SweepResult",
    "SweepWorkspace",
    "WindowFinder",
    "Workspace",
    "World",
    "WorldBatch",
    "WorldsResult",
    "arrays",
    "at_scale",
    "build_compounds",
    "build_half_spaces",
    "build_height_field",
    "build_hulls",
    "build_surface",
    "cast_rays",
    "collide",
    "collide_compact",
    "collide_surface",
    "collide_worlds",
    "distance",
    "hash_records",
    "instruction_sets",
    "match_contacts",
    "measure_contacts",
    "oracle",
    "overlap",
    "shapes",
    "simulate",
    "speculative_margins",
    "surface_of_hulls",
    "surface_set",
    "sweep",
    "witnesses",
    "world_points",
]
