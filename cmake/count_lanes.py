#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Counts how the lanes of each instruction set are written: by xsimd, by intrinsics or by the compiler's vector types.
#   cmake/count_lanes.py
# A row has the functions of simd/src/lanes/native that the set compiles, and how often kernels call them by name (a
# static count: operators by their sign, so signs of scalars are among them and the two of lanes alone are not told
# apart). A function counts as raw if one intrinsic is in it, even beside xsimd.
"""Counts xsimd and intrinsics in the lanes. Python standard library only."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
NATIVE = ROOT / "simd/src/lanes/native"
# The folders that a set's files include.
SETS = {"sse": ("sse", "x86", "xsimd"), "avx2": ("avx2", "x86", "xsimd"), "avx512": ("avx512", "x86", "xsimd"),
        "neon": ("neon", "xsimd")}
RAW = re.compile(r"\b_mm\d*_\w+|\bv[a-z]\w*?q?_[fsu](8|16|32|64)(_\w+)?\s*\(")
XSIMD = re.compile(r"\bxsimd::|\bBatch[FI]\b|\bBoolF\b|\.v\b")
FUNCTION = re.compile(r"^ *(?:template <[^\n]*>\s*)?LANEFOLD_INLINE\s+[^;{]*?\b(operator[^\s(]+|\w+)\(", re.M)


def functions(text):
    """(name, body) of each function of a file, to its closing brace."""
    text = re.sub(r"//[^\n]*", "", text)
    for found in FUNCTION.finditer(text):
        begin = text.find("{", found.end())
        depth, at = 0, begin
        while at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        yield found[1], text[found.start():at]


def kind(body):
    """The most of a processor that a function asks for."""
    return "raw" if RAW.search(body) else "xsimd" if XSIMD.search(body) else "other"


def main():
    kernels = "\n".join(p.read_text() for p in sorted((ROOT / "simd/src").rglob("*.*"))
                        if p.suffix in (".hpp", ".inl", ".cpp") and NATIVE not in p.parents)
    calls = {}
    for name in re.findall(r"\b(\w+)\(", re.sub(r"//[^\n]*", "", kernels)):
        calls[name] = calls.get(name, 0) + 1
    print(f"{'set':<8}{'functions: xsimd':>18}{'raw':>8}{'other':>8}{'calls by name: xsimd':>24}{'raw':>8}{'other':>8}"
          f"{'intrinsics':>12}{'xsimd uses':>12}")
    for isa, folders in SETS.items():
        count = {"xsimd": [0, 0], "raw": [0, 0], "other": [0, 0]}
        raw = of_xsimd = 0
        for file in (f for folder in folders for f in sorted((NATIVE / folder).glob("*.inl"))):
            for name, body in functions(file.read_text()):
                count[kind(body)][0] += 1
                count[kind(body)][1] += calls.get(name, 0)
                raw += len(RAW.findall(body))
                of_xsimd += len(XSIMD.findall(body))
        whole = [max(1, sum(c[k] for c in count.values())) for k in (0, 1)]
        cells = [f"{count[k][column]} ({100 * count[k][column] / whole[column]:.0f}%)"
                 for column in (0, 1) for k in ("xsimd", "raw", "other")]
        print(f"{isa:<8}{cells[0]:>18}{cells[1]:>8}{cells[2]:>8}{cells[3]:>24}{cells[4]:>10}{cells[5]:>10}{raw:>9}"
              f"{of_xsimd:>12}")


if __name__ == "__main__":
    main()
