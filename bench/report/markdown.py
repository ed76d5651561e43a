# SPDX-License-Identifier: MIT
#
# Markdown tables and the numbers in them.
"""Tables and numbers in Markdown."""
import textwrap


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def time(value):
    if value is None:
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def interval(row):
    """The 95% interval of a row, or - if it has none."""
    return f"{time(row['low'])}-{time(row['high'])}" if row and row["low"] is not None else "-"


def with_interval(row):
    """A median, and its interval in brackets if it has one."""
    if row is None:
        return "-"
    return time(row["median"]) + (f" [{interval(row)}]" if row["low"] is not None else "")


def times_faster(found):
    """A ratio (median, low, high), with its interval if it has one."""
    middle, low, high = found
    return f"{middle:.2f}" + (f" [{low:.2f}-{high:.2f}]" if low is not None else "")


def percent(share):
    return f"{100 * share:.0f}%"


def wrapped(text):
    return "\n\n".join(textwrap.fill(part, 120, break_long_words=False, break_on_hyphens=False)
                       for part in text.split("\n\n"))
