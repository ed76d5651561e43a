# SPDX-License-Identifier: MIT
#
# Medians, their intervals, and percentiles. Standard library only.
"""Statistics of samples. Every function is deterministic: random numbers come from fixed seeds."""
import functools
import math
import random
import statistics

SHARE = 0.95      # of the intervals on the pages
RESAMPLES = 2000  # the ends of a 95% interval then stand on 50 resamples each


def percentile(values, q):
    """The value below which the share q of the values lies, interpolated between neighbours."""
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


@functools.lru_cache(maxsize=None)
def middles(n, resamples, seed):
    """For each resample of n values: the ranks of the two values whose mean is its median."""
    numbers = random.Random(seed)
    out = []
    for _ in range(resamples):
        ranks = sorted(numbers.randrange(n) for _ in range(n))
        out.append((ranks[(n - 1) // 2], ranks[n // 2]))
    return out


def bootstrap_median(values, share=SHARE, resamples=RESAMPLES, seed=1):
    """(low, high): the percentile bootstrap interval of the median (Efron 1979).

    The values must be independent: one per process, not one per round, because the rounds of a process share their
    places in memory. With one value there is no interval: None.
    """
    if len(values) < 2:
        return None
    ordered = sorted(values)
    medians = sorted((ordered[a] + ordered[b]) / 2 for a, b in middles(len(ordered), resamples, seed))
    cut = (1 - share) / 2
    return medians[int(cut * (resamples - 1))], medians[math.ceil((1 - cut) * (resamples - 1))]


def bootstrap_ratio(above, below, share=0.99, resamples=RESAMPLES, seed=1):
    """Interval of median(above) / median(below) of two independent lists of values, one per process."""
    if len(above) < 2 or len(below) < 2:
        return None
    x, y = sorted(above), sorted(below)
    ratios = sorted((x[a] + x[b]) / (y[c] + y[d]) for (a, b), (c, d) in zip(
        middles(len(x), resamples, seed), middles(len(y), resamples, seed + 1)))
    cut = (1 - share) / 2
    return ratios[int(cut * (resamples - 1))], ratios[math.ceil((1 - cut) * (resamples - 1))]


def median_interval(values, error):
    """(low, high), which contain the median of the distribution of `values` with a probability of 1 - error.

    It holds for any distribution: the k-th smallest and the k-th largest value miss the median with twice the
    probability of at most k - 1 heads in n tosses. With too few values for the error: the smallest and the largest.
    """
    ordered = sorted(values)
    n, k, tail = len(ordered), 1, 0.0
    for heads in range(n // 2):
        tail += math.comb(n, heads) * 0.5**n
        if 2 * tail > error:
            break
        k = heads + 1
    return ordered[k - 1], ordered[n - k]


def overlap(a, b):
    return a[0] <= b[1] and b[0] <= a[1]


def half_width(interval, median):
    """Half the width of an interval, relative to its median."""
    return (interval[1] - interval[0]) / 2 / median if interval and median else None


def median(values):
    return statistics.median(values)
