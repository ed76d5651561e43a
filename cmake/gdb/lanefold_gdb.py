# SPDX-License-Identifier: MIT
"""Printers for gdb: vectors, poses, records, hull sets and the lanes of kernels, on one line each.

    (gdb) source cmake/gdb/lanefold_gdb.py
    (gdb) print contacts[0]
    face_a 3/5, bodies 7 and 12, distance -0.0125, normal (0, 1, 0), 4 of 4 points: -0.0125 -0.0121 -0.0118 -0.0119

`print /r` shows the members as they are.
"""

import re

import gdb


def numbers(values, form="{:.6g}"):
    return ", ".join(form.format(v) for v in values)


def elements(array, count=None):
    low, high = array.type.strip_typedefs().range()
    return [array[i] for i in range(low, high + 1 if count is None else low + count)]


def floats(array):
    return [float(x) for x in elements(array)]


def enumerator(value):
    return str(value).rsplit("::", 1)[-1]


class Vector:
    """Vec3f, Vec3d."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "(" + numbers(float(self.value[k]) for k in "xyz") + ")"


class Manifold:
    """Manifold4, Manifold16."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        pair = "bodies {} and {}".format(*(int(x) for x in elements(v["pair"])))
        if enumerator(v["status"]) != "ok":
            return f"{enumerator(v['status'])}, {pair}"
        if enumerator(v["kind"]) == "none":
            return f"no contact, {pair}"
        count = int(v["count"])
        depths = " ".join("{:.6g}".format(float(p["separation"])) for p in elements(v["points"], count))
        return (
            f"{enumerator(v['kind'])} {int(v['feature_a'])}/{int(v['feature_b'])}, {pair}, distance"
            f" {float(v['distance']):.6g}, normal ({numbers(floats(v['normal']))}), {count} of {int(v['total'])}"
            f" points: {depths}"
        )


class Distance:
    """PairDistance."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        return f"{enumerator(v['kind'])}, distance {float(v['distance']):.6g}, normal ({numbers(floats(v['normal']))})"


class Instance:
    """Body, BodyD."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        return (
            f"hull {int(v['hull'])} at ({numbers(floats(v['position']), '{:.9g}')}), orientation"
            f" ({numbers(floats(v['orientation']))})"
        )


class Record:
    """HullRecord."""

    FLAGS = ("box", "rotated", "wide", "far", "thin", "removed", "small", "other")

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        flags = [name for bit, name in enumerate(self.FLAGS) if int(v["flags"]) >> bit & 1]
        return (
            f"{int(v['vertex_count'])} vertices, {int(v['edge_count'])} edges, {int(v['face_count'])} faces, size"
            f" {float(v['size']):.6g}, radius {float(v['round_radius']):.6g}, {' '.join(flags) or 'no flags'}"
        )


class Lanes:
    """WFloat, WInt, WMask: one value a lane, whatever the width."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        # The members of xsimd's batches lead to a vector of the compiler, that of the scalar lanes to a number.
        while v.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
            v = v[v.type.strip_typedefs().fields()[0]]
        kind = v.type.strip_typedefs()
        if kind.code != gdb.TYPE_CODE_ARRAY:
            return f"[{v}]"
        whole = re.search(r"::WFloat$", str(self.value.type.strip_typedefs().unqualified())) is None
        if whole and kind.target().sizeof == 8:  # __m256i and its kin are declared as long long
            lanes = gdb.lookup_type("int").vector(kind.sizeof // 4 - 1)
            v = gdb.Value(bytes(v.bytes), lanes) if hasattr(v, "bytes") else v.cast(lanes)
        return "[" + ", ".join("{:.6g}".format(float(x)) if not whole else str(int(x)) for x in elements(v)) + "]"


PRINTERS = [
    (r"^lanefold::Vec3<(float|double)>$", Vector),
    (r"^lanefold::Manifold(4|16)$", Manifold),
    (r"^lanefold::PairDistance$", Distance),
    (r"^lanefold::BodyD?$", Instance),
    (r"^lanefold::HullRecord$", Record),
    (r"^lanefold::detail::\w+::W(Float|Int|Mask)$", Lanes),
]


def printer(value):
    name = str(value.type.strip_typedefs().unqualified())
    return next((make(value) for pattern, make in PRINTERS if re.search(pattern, name)), None)


gdb.pretty_printers.append(printer)
