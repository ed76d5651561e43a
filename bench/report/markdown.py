# SPDX-License-Identifier: MIT
#
# Markdown tables and the numbers in them.
"""Tables and numbers in Markdown."""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def time(value):
    if value is None:
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def percent(share):
    return f"{100 * share:.0f}%"
