#!/usr/bin/env python3
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""Draws what signet-counts growth measured (part of bench-growth.sh); prints it as a table, too."""

import csv
import math
import sys
from collections import defaultdict
from html import escape

# Legible on white and, by the other sheet, on black; a browser chooses by the reader's own setting.
SHEETS = {
    "light": {"page": "#ffffff", "ink": "#1f2328", "soft": "#59636e", "grid": "#d8dee4",
              "lines": ("#0757b3", "#b4460a", "#59636e")},
    "dark": {"page": "#0d1117", "ink": "#f0f6fc", "soft": "#9aa4af", "grid": "#30363d",
             "lines": ("#6cb0ff", "#ff9d5c", "#9aa4af")},
}
WIDTH, HEIGHT = 1000, 630


def read(path):
    """chart -> series -> [(x, nanoseconds)]"""
    charts = defaultdict(lambda: defaultdict(list))
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            charts[row["chart"]][row["series"]].append((int(row["x"]), int(row["tenths_of_nanoseconds"]) / 10))
    return charts


def style(sheet):
    rules = [f".page{{fill:{sheet['page']}}}", f"text{{fill:{sheet['ink']}}}", f".soft{{fill:{sheet['soft']}}}",
             f".grid{{stroke:{sheet['grid']};stroke-width:1}}", f".axis{{stroke:{sheet['soft']};stroke-width:1}}"]
    for index, colour in enumerate(sheet["lines"]):
        rules += [f".line{index}{{stroke:{colour};fill:none;stroke-width:2.2;stroke-linejoin:round}}",
                  f".dot{index}{{fill:{colour};stroke:{sheet['page']};stroke-width:1.2}}",
                  f".name{index}{{fill:{colour};font-weight:600}}", f".bar{index}{{fill:{colour}}}"]
    return "".join(rules)


def text(x, y, words, css="", anchor="start", size=13):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def time(nanoseconds):
    if nanoseconds < 1000:
        return f"{nanoseconds:.0f} ns"
    return f"{nanoseconds / 1000:.3g} µs" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.3g} ms"


def count(number):
    return f"{number:,}".replace(",", "\u202f")


def kibibytes(size):
    value = size / 1024
    return f"{value:.1f}" if value < 0.95 else f"{value:.0f}"


class LogPlot:
    """Both axes logarithmic; each line has its name at its end."""

    def __init__(self, left, top, width, height, series, x_ticks, x_label, title):
        self.box = left, top, width, height
        self.series, self.x_ticks, self.x_label, self.title = series, x_ticks, x_label, title
        xs = [x for points in series.values() for x, _ in points]
        ys = [y for points in series.values() for _, y in points]
        self.x_range = math.log10(min(xs)), math.log10(max(xs))
        self.y_range = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def x(self, value):
        left, _, width, _ = self.box
        low, high = self.x_range
        return left + width * (math.log10(value) - low) / (high - low)

    def y(self, value):
        _, top, _, height = self.box
        low, high = self.y_range
        return top + height * (high - math.log10(value)) / (high - low)

    def draw(self):
        left, top, width, height = self.box
        parts = [text(left - 52, top - 40, self.title, size=16),
                 text(left - 52, top - 20, "time for one token", "soft", size=12)]
        for power in range(self.y_range[0], self.y_range[1] + 1):
            y = self.y(10**power)
            parts.append(f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}"/>')
            parts.append(text(left - 8, y + 4, time(10**power), "soft", "end", 12))
        for value, name in self.x_ticks:
            x = self.x(value)
            parts.append(f'<line class="axis" x1="{x:.1f}" y1="{top + height}" x2="{x:.1f}" y2="{top + height + 5}"/>')
            parts.append(text(x, top + height + 19, name, "soft", "middle", 12))
        parts.append(f'<line class="axis" x1="{left}" y1="{top + height}" x2="{left + width}" y2="{top + height}"/>')
        parts.append(text(left + width / 2, top + height + 38, self.x_label, "soft", "middle", 12))
        for index, points in enumerate(self.series.values()):
            path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
            parts.append(f'<polyline class="line{index}" points="{path}"/>')
            parts += [f'<circle class="dot{index}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3.6"/>' for x, y in points]
        return parts + self.labels()

    def labels(self):
        """At the end of each line, moved apart where two ends are near."""
        left, _, width, _ = self.box
        ends = sorted((self.y(points[-1][1]), index, name, points) for index, (name, points) in enumerate(self.series.items()))
        parts, free = [], -math.inf
        for y, index, name, points in ends:
            at = max(y - 4, free)
            free = at + 34
            ratio = f"{time(points[0][1])} → {time(points[-1][1])}"
            parts.append(text(left + width + 10, at, name, f"name{index}", size=12.5))
            parts.append(text(left + width + 10, at + 15, ratio, "soft", size=11.5))
        return parts


def bars(left, top, width, series):
    """What one thread and two get done: bars from nothing, so that twice as long is twice as much."""
    parts = [text(left - 52, top - 14, "Threads: HS256 verify, ID tokens a second", size=16)]
    start = left + 110
    most = max(1e9 / time for points in series.values() for _, time in points)
    y = top + 6
    for index, (name, points) in enumerate(series.items()):
        one = points[0][1]
        parts.append(text(left - 52, y + 22, name, f"name{index}"))
        for threads, nanoseconds in points:
            length = (width - 330) * (1e9 / nanoseconds) / most
            parts.append(text(start - 8, y + 11, f"{threads} thread{'s' if threads > 1 else ''}", "soft", "end", 11.5))
            parts.append(f'<rect class="bar{index}" x="{start}" y="{y}" width="{length:.1f}" height="14" rx="2"/>')
            note = count(round(1e9 / nanoseconds / 1000) * 1000)
            if threads > 1:
                note += f" · {one / nanoseconds:.2f} × one thread"
            parts.append(text(start + length + 8, y + 11.5, note, size=12))
            y += 18
        y += 10
    return parts


def draw(charts, sheet=None):
    payload, keys = charts["payload"], charts["keys"]
    ticks = [(x, kibibytes(x)) for x, _ in next(iter(payload.values()))]
    key_ticks = [(10**power, count(10**power)) for power in range(0, 6)]
    parts = LogPlot(66, 74, 290, 282, payload, ticks, "payload in KiB", "Payload: HS256 verify").draw()
    parts += LogPlot(556, 74, 270, 282, keys, key_ticks, "keys in the set", "Keys: verify a session by kid").draw()
    parts += bars(66, 460, WIDTH - 66, charts["threads"])
    if sheet:
        css = style(SHEETS[sheet])
    else:
        css = f"{style(SHEETS['light'])}@media (prefers-color-scheme:dark){{{style(SHEETS['dark'])}}}"
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="system-ui,-apple-system,\'Segoe UI\',\'DejaVu Sans\',sans-serif" role="img">\n'
            f"<title>How the cost of a verification grows with payload, keys and threads</title>\n"
            f"<style>{css}</style>\n"
            f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>\n{body}\n</svg>\n')


def table(charts):
    heads = {"payload": "Payload, bytes", "keys": "Keys", "threads": "Threads"}
    for chart, series in charts.items():
        xs = sorted({x for points in series.values() for x, _ in points})
        print(f"\n| {heads[chart]} | " + " | ".join(map(count, xs)) + " |")
        print("|---|" + "--:|" * len(xs))
        for name, points in series.items():
            values = dict(points)
            cells = []
            for x in xs:
                if x not in values:
                    cells.append("")
                elif chart == "threads":
                    cells.append(f"{count(int(1e9 / values[x]))}/s")
                else:
                    cells.append(time(values[x]))
            print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    source, target, *sheet = sys.argv[1:]
    charts = read(source)
    with open(target, "w", encoding="utf-8") as file:
        file.write(draw(charts, sheet[0] if sheet else None))
    table(charts)


if __name__ == "__main__":
    main()
