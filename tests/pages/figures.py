#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares figures of docs/response.md and docs/events.md with what the tests print that measure them.

    figures.py BUILD [PAGE]
    figures.py --self-test

They are the same on every machine, so a page that says another one is out of date. A figure of the page may be rounded:
it must be what is printed to one unit of its last digit. Where a test prints a line for each case, the largest counts.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBER = r"(-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)"

# Each row: program, test, what it prints, what the page says, and the factors from the one to the other (1 unless
# given); {} is a figure.
RESPONSE = [
    ("dynamics_laws_test", "*Slope*", "worst acceleration error on the slope: {} m/s2",
     "acceleration within {} m/s2 of g (sin a - mu cos a)"),
    ("dynamics_laws_test", "*", "worst velocity error after an impact at 5 m/s: {} m/s",
     "velocities within {} m/s of the closed form"),
    ("dynamics_laws_test", "*", "{} contacts; momentum changed by {}, angular momentum by {} of the sum of magnitudes",
     "64 cubes thrown together, {} contacts | momentum changes by {}, angular momentum by {} of the sum of magnitudes"),
    ("dynamics_laws_test", "*", "10 s of tumbling: angular momentum changed by {}, energy by {} of themselves",
     "turns over as it must; angular momentum changes by {}, energy by {} of themselves"),
    ("dynamics_energy_test", "*", "2 s of free turning: energy changed by {}, angular momentum by {} of themselves",
     "energy changes by {} at most, angular momentum by {} of themselves"),
    ("dynamics_energy_test", "*", "most energy of spinning bodies on a floor: {} of what they had",
     "never more than {} of the energy that they had"),
    ("dynamics_energy_test", "*",
     "20 s of elastic bricks in a room: at most {} of their energy, at the end at least {}",
     "at most {} of their energy, at the end {} or more"),
    ("dynamics_links_test", "*Pendulum*", "period {} s, {} by the closed form; length off by at most {}",
     "period {} s (closed form {}), length within {} of 1 m"),
    ("dynamics_links_test", "*ChainOfRods*", "rods of 0.2 m are off by at most {} m",
     "none is ever off by more than {} m"),
    ("dynamics_chains_test", "*HoldLoads*", "a link is off by at most {} of the whole",
     "no link is off by more than {}% of the whole", 100),
    ("dynamics_chains_test", "*ABarChain*", "the weight is at most {} m away",
     "the weight is at most {} m from its anchor"),
    ("dynamics_structures_test", "*", "0.13: moved {} m in 20 s", "stands (moved {} mm in 20 s); falls", 1000),
    ("dynamics_structures_test", "*", "wave: {} and", "a wave of {} sqrt(g h)"),
    ("dynamics_structures_test", "*", "precession {} rad/s, closed form {};",
     "precesses with {} rad/s (closed form {})"),
    ("dynamics_impacts_test", "*FlatDrops*", "height off by {}% of the closed form, spin {} rad/s",
     "height within {}% of the closed form, spin {} rad/s"),
    ("dynamics_impacts_test", "*DeadImpacts*", "sink by {} m", "no rebound; sinks by {} m at most"),
    ("dynamics_impacts_test", "*DeadImpacts*", "lifted by {}% of the drop", "is lifted by {}% of the drop from there"),
    ("dynamics_loads_test", "*HeavyCubes*", "heavy on light cubes: overlap of {}% of the side at most",
     "overlap of at most {}% of the side"),
    ("dynamics_loads_test", "*Stacks*", "overlap of {}% of the thickness at most",
     "overlap of at most {}% of the thickness"),
]
RATES = "tools_events_rates_test"
EVENTS = [
    (RATES, "*HasTheEvents*", "{} pairs meet: unseen by frames {}, by events {}, invented {};",
     "{} pairs meet at 240 frames a second. Of the frames of the same fall at 24 a second {} are not seen at all, of "
     "its events {}, and {} pairs are there that did not meet"),
    (RATES, "*HasTheEvents*", "unseen pairs that do not come within 0.008 m: {}", "{} of them do not come within 8 mm"),
    (RATES, "*HasTheEvents*", "unseen pairs that do not come within 0.032 m: {}", "{} not within 3.2 cm"),
    (RATES, "*Keeping24Frames*", "{} events, times off by", "it writes the same {} events"),
    (RATES, "*Keeping24Frames*", "of {} pairs that meet in frames of 240 a second 0 unseen",
     "of the {} pairs that touch in the poses of 240 frames a second it lacks none"),
]
FIGURES = {"response.md": RESPONSE, "events.md": EVENTS}


def pattern(text: str) -> str:
    return re.escape(text).replace(r"\{\}", NUMBER)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def last_unit(text: str) -> float:
    """One unit of the last digit of a number as it is written."""
    mantissa, _, exponent = text.replace(",", "").partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals)


def compare(page: str, printed: str, shown: str, output: str, factor: float = 1) -> list[str]:
    """Compares a row's figures on the page with those that were printed. Returns what is wrong."""
    said = re.search(pattern(shown), page)
    found = [match for match in re.finditer(pattern(printed), output)]
    if said is None:
        return [f"the page does not say '{shown}'"]
    if not found:
        return [f"nothing prints '{printed}'"]
    wrong = []
    for k, text in enumerate(said.groups(), 1):
        value = factor * max(number(match.group(k)) for match in found)
        if abs(number(text) - value) > 1.001 * last_unit(text):
            wrong.append(f"'{shown}' says {text}, the test prints {value:.6g}")
    return wrong


def check(build: Path, name: str) -> list[str]:
    page = re.sub(r"\s+", " ", (ROOT / "docs" / name).read_text(encoding="utf-8"))
    outputs: dict[tuple[str, str], str] = {}
    wrong = []
    for program, test, printed, shown, *factor in FIGURES[name]:
        if (program, test) not in outputs:
            done = subprocess.run([build / "tests" / program, f"--gtest_filter={test}"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            outputs[program, test] = done.stdout
            if done.returncode != 0:
                wrong.append(f"{program} fails")
        wrong += compare(page, printed, shown, outputs[program, test], *factor)
    return wrong


def self_test() -> list[str]:
    """Plants figures that are wrong, and some that are right."""
    good = [("off by {} m", "at most {} m", "off by 0.000405 m", "at most 0.0004 m", 1),
            ("{} of it", "{}%", "0.00093 of it", "0.093%", 100), ("{} m", "{} m", "1.5 m\n2.5 m", "2.5 m", 1),
            ("a {}", "a {}", "a 2746", "a 2,746", 1), ("{} s", "{} s", "2.6e-08 s", "2.6e-8 s", 1)]
    bad = [("off by {} m", "at most {} m", "off by 0.000405 m", "at most 0.00011 m", 1),
           ("{} of it", "{}%", "0.00093 of it", "0.0093%", 100), ("{} m", "{} m", "2.5 m", "2.2 m", 1),
           ("{} s", "{} s", "2.6e-08 s", "2.6e-7 s", 1), ("{} s", "{} s", "", "1 s", 1), ("{} s", "{} s", "1 s", "", 1)]
    found = [f"does not pass: {row}" for row in good if compare(row[3], row[0], row[1], row[2], row[4])]
    return found + [f"passes: {row}" for row in bad if not compare(row[3], row[0], row[1], row[2], row[4])]


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        wrong = self_test()
        print("\n".join(wrong) or "the comparison finds every planted difference")
    else:
        names = sys.argv[2:] or FIGURES
        wrong = [f"{name}: {what}" for name in names for what in check(Path(sys.argv[1]), name)]
        rows = sum(len(FIGURES[name]) for name in names)
        print("\n".join(wrong) or f"{', '.join(names)}: {rows} rows of figures are those that the tests print")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
