# SPDX-License-Identifier: MIT
#
# Numbers on the command lines of bench/run and bench/compare.
"""Types for argparse, which adds the name of the option to their messages and ends with status 2."""
import argparse


def at_least(least):
    """A whole number of `least` or more."""
    def number(text):
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"must be a whole number of {least} or more, not '{text}'")
        return int(text)

    return number


def share(text):
    """A finite number of 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a finite number of 0 or more, not '{text}'")
    return value
