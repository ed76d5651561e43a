# SPDX-License-Identifier: MIT
"""Reports on the results of lanefold_bench."""
