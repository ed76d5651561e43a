# SPDX-License-Identifier: MIT
#
# Line and bar charts as SVG text, readable on light and dark pages.
"""Charts as SVG, standard library only."""
import html
import math

# People with any colour vision can tell these colours apart, in this order. Marks differ, too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b", "#5d3a9b", "#1a85ff",
           "#b5bd61", "#000000", "#f4a6c0", "#3b6e22"]
WIDTH, HEIGHT = 860, 500
LEFT, RIGHT, TOP, BOTTOM = 72, 250, 56, 56
SLANTED = 50  # more height for labels that do not fit side by side


def escape(text):
    return html.escape(str(text), quote=True)


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.0f}"
    return f"{value:.3g}"


class Axis:
    """Maps values to places between `start` and `end`, linear or logarithmic."""

    def __init__(self, low, high, start, end, log):
        self.low, self.high, self.start, self.end, self.log = low, high, start, end, log

    def __call__(self, value):
        if self.log:
            part = (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self):
        if self.log:
            out = []
            for power in range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1):
                out += [m * 10.0**power for m in (1, 2, 5)]
            return [t for t in out if self.low <= t * 1.0001 and t <= self.high * 1.0001]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        for factor in (1, 2, 5, 10):
            if (self.high - self.low) / (step * factor) <= 8:
                step *= factor
                break
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, int(self.high / step + 1e-9) + 1)]


def frame(title, note, x_label, y_label, x_ticks, y_ticks, slanted=False):
    """The parts every chart shares. Ticks are (place, text)."""
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    height = HEIGHT + (SLANTED if slanted else 0)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="16" font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT}" y="40" fill="#555555" font-size="11">{escape(note)}</text>',
    ]
    for place, text in y_ticks:
        out.append(f'<line x1="{LEFT}" x2="{right}" y1="{place:.1f}" y2="{place:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{place + 4:.1f}" text-anchor="end">{escape(text)}</text>')
    for place, text in x_ticks:
        out.append(f'<line x1="{place:.1f}" x2="{place:.1f}" y1="{bottom}" y2="{bottom + 5}" stroke="#333333"/>')
        where = f'transform="translate({place + 4:.1f} {bottom + 17}) rotate(-35)" text-anchor="end"' if slanted else (
            f'x="{place:.1f}" y="{bottom + 19}" text-anchor="middle"')
        out.append(f"<text {where}>{escape(text)}</text>")
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" '
               'stroke="#333333"/>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{height - 14}" text-anchor="middle">{escape(x_label)}</text>')
    out.append(f'<text transform="translate(18 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">'
               f"{escape(y_label)}</text>")
    return out


def legend(entries):
    out = []
    for i, (name, colour) in enumerate(entries):
        y = TOP + 10 + 19 * i
        out.append(f'<rect x="{WIDTH - RIGHT + 16}" y="{y - 9}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 34}" y="{y + 1}">{escape(name)}</text>')
    return out


def spread_range(values, log):
    low, high = min(values), max(values)
    if log:
        return low / 1.2, high * 1.2
    return (0 if low >= 0 else low), (high * 1.06 if high > 0 else 1)


def lines(title, note, x_label, y_label, series, log_x=False, log_y=False, extra=()):
    """series: list of (name, [(x, y), ...]). extra: (name, points) drawn dashed, e.g. an ideal."""
    everything = list(series) + list(extra)
    xs = [x for _, points in everything for x, _ in points]
    ys = [y for _, points in everything for _, y in points]
    x_low, x_high = (min(xs), max(xs)) if not log_x else (min(xs) / 1.1, max(xs) * 1.1)
    if x_low == x_high:
        x_low, x_high = x_low * 0.9 - 1e-9, x_high * 1.1 + 1e-9
    y_low, y_high = spread_range(ys, log_y)
    x = Axis(x_low, x_high, LEFT + 8, WIDTH - RIGHT - 8, log_x)
    y = Axis(y_low, y_high, HEIGHT - BOTTOM, TOP, log_y)
    own = sorted(set(xs))
    x_ticks = [(x(t), number(t)) for t in (own if len(own) <= 12 else x.ticks())]
    out = frame(title, note, x_label, y_label, x_ticks, [(y(t), number(t)) for t in y.ticks()])
    entries = []
    for i, (name, points) in enumerate(everything):
        dashed = i >= len(series)
        colour = "#999999" if dashed else COLOURS[i % len(COLOURS)]
        entries.append((name, colour))
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in sorted(points))
        style = ' stroke-dasharray="6 5"' if dashed else ""
        width = 3 if i == 0 and not dashed else 1.8
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{style}/>')
        for a, b in [] if dashed else points:
            out.append(f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}">'
                       f"<title>{escape(name)}: {number(a)}: {number(b)}</title></circle>")
    return "\n".join(out + legend(entries) + ["</svg>"]) + "\n"


def whisker(x, low, high):
    """The interval of a bar: a line with two ends."""
    ends = "".join(f"M{x - 3:.1f} {y:.1f}h6" for y in (low, high))
    return f'<path d="M{x:.1f} {low:.1f}V{high:.1f}{ends}" stroke="#000000" stroke-width="1" fill="none"/>'


def bars(title, note, y_label, groups, names, log_y=False, stacked=False, y_most=None, intervals=None):
    """groups: list of (label, {name: value}); names: order and legend; y_most: top of the axis; intervals:
    {(label, name): (low, high)}, drawn on the bars."""
    values = [v for _, g in groups for v in g.values()]
    if stacked:
        values = [sum(g.values()) for _, g in groups]
    y_low, y_high = spread_range(values, log_y)
    if log_y:
        # A bar needs room below its end: down to half the next power of ten.
        y_low = 10.0 ** math.floor(math.log10(min(values))) / 2
    y = Axis(y_low, y_most or y_high, HEIGHT - BOTTOM, TOP, log_y)
    slot = (WIDTH - RIGHT - LEFT) / len(groups)
    x_ticks = [(LEFT + slot * (i + 0.5), label) for i, (label, _) in enumerate(groups)]
    slanted = max(len(label) for label, _ in groups) * 7 > slot
    out = frame(title, note, "", y_label, x_ticks, [(y(t), number(t)) for t in y.ticks()], slanted)
    bottom = HEIGHT - BOTTOM
    for i, (label, group) in enumerate(groups):
        present = [n for n in names if n in group]
        width = slot * 0.84 / (1 if stacked else max(len(present), 1))
        base = 0.0
        for k, name in enumerate(present):
            colour = COLOURS[names.index(name) % len(COLOURS)]
            left = LEFT + slot * (i + 0.08) + (0 if stacked else k * width)
            low = y(base) if stacked else bottom
            high = y(base + group[name])
            base += group[name] if stacked else 0
            out.append(f'<rect x="{left:.1f}" y="{high:.1f}" width="{width * 0.94:.1f}" '
                       f'height="{max(low - high, 0.5):.1f}" fill="{colour}"><title>'
                       f"{escape(label)}, {escape(name)}: {number(group[name])}</title></rect>")
            if (label, name) in (intervals or {}):
                out.append(whisker(left + width * 0.47, *map(y, intervals[label, name])))
    return "\n".join(out + legend([(n, COLOURS[names.index(n) % len(COLOURS)]) for n in names]) + ["</svg>"]) + "\n"
