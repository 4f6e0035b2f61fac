#!/usr/bin/env python3
"""A chart of bench, from the CSV of the same name: python3 NAME.py [PICTURE]

Run in this folder. Needs matplotlib 3.6 or later; SciencePlots gives its style where it
is installed. Places of texts are shares of the whole picture.
"""
import csv
import itertools
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import font_manager
from matplotlib.lines import Line2D

try:
    import scienceplots  # noqa: F401
    plt.style.use(["science", "no-latex"])
except ImportError:
    pass

NAME = "machines"
PICTURE = sys.argv[1] if len(sys.argv) > 1 else NAME + "-matplotlib.pdf"
# A letter that one font lacks is taken from the next.
FONTS = ["Arial", "Liberation Sans", "DejaVu Sans"]
known = {font.name for font in font_manager.fontManager.ttflist}
plt.rcParams.update({"font.family": [font for font in FONTS if font in known], "font.size": 8,
    "text.parse_math": False, "axes.linewidth": 0.6, "pdf.fonttype": 42, "svg.fonttype": "none"})

# x, y, low and high of each point; the head of the CSV is comments.
with open(NAME + ".csv", encoding="utf-8", newline="") as file:
    table = csv.DictReader(itertools.dropwhile(lambda line: line.startswith("#"), file))
    POINTS = [[float(row[key] or "nan") for key in ("x", "y", "low", "high")]
              for row in table]


def plot(ax, first, last, colour, marker, hollow, style, width):
    """A line of the points from first to last, with their intervals."""
    points = POINTS[first:last]
    bottom, top = ax.get_ylim()
    for x, y, low, high in points:
        if low == low and high == high:
            ax.vlines(x, max(low, bottom), min(high, top), color=colour, linewidth=0.75)
            for end, beyond in ((low, low < bottom), (high, high > top)):
                mark = "_" if not beyond else "^" if end == high else "v"
                ax.plot([x], [min(max(end, bottom), top)], mark, color=colour, markersize=4,
                        markeredgewidth=0.75, clip_on=False)
    ax.plot([p[0] for p in points], [p[1] for p in points], color=colour, marker=marker or None,
            linestyle=style, linewidth=width, markersize=3.5, markeredgewidth=0.9,
            markerfacecolor="white" if hollow else colour)


fig = plt.figure(figsize=(3.3346, 2.7098))

ax = fig.add_axes([0.17260, 0.36010, 0.81074, 0.61530])
ax.spines[["top", "right"]].set_visible(False)
ax.grid(color="#E4E4E4", linewidth=0.4)
ax.set_axisbelow(True)
ax.tick_params(direction="out", top=False, right=False, which="both", width=0.5)
ax.set_xscale("log")
ax.set_xlim(132473.585, 173108904)
ax.set_xticks([172800, 307200, 921600, 2073600, 8294400, 33177600, 132710400, ], ["360p", "480p", "720p", "1080p", "4K", "8K", "16K", ], rotation=45, ha="right", rotation_mode="anchor")
ax.set_xticks([], minor=True)
ax.set_yscale("log")
ax.set_ylim(2.80345877, 8184.02047)
ax.set_yticks([10, 100, 1000, ], ["10", "100", "1000", ])
ax.set_yticks([3, 4, 5, 6, 7, 8, 9, 20, 30, 40, 50, 60, 70, 80, 90, 200, 300, 400, 500, 600, 700, 800, 900, 2000, 3000, 4000, 5000, 6000, 7000, 8000, ], minor=True)
# "best CPU, H100"
plot(ax, 0, 7, "#8C959D", "o", True, "-", 1.12)
# "H100"
plot(ax, 7, 14, "#0072B2", "o", False, "-", 1.12)
# "H100, with copies"
plot(ax, 14, 21, "#0072B2", "o", True, (0, [d / 2 for d in (7, 4)]), 1.12)
# "best CPU, H200"
plot(ax, 21, 25, "#8C959D", "s", True, (0, [d / 2 for d in (2, 3)]), 1.12)
# "H200"
plot(ax, 25, 29, "#7A1F00", "s", False, "-", 1.12)
# "H200, with copies"
plot(ax, 29, 33, "#7A1F00", "s", True, (0, [d / 2 for d in (7, 4)]), 1.12)
fig.text(0.02499, 0.66775, "time (µs)", va="center", ha="center", rotation=90, rotation_mode="default")

# Texts at places of their own, and the key.
fig.text(0.57797, 0.20297, "image size", va="center_baseline", ha="center")
fig.add_artist(Line2D([0.13698, 0.17696, 0.21694], [0.13736] * 3, color="#8C959D", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="o",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="white"))
fig.text(0.23694, 0.13736, "best CPU, H100", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.13698, 0.17696, 0.21694], [0.08816] * 3, color="#0072B2", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="o",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#0072B2"))
fig.text(0.23694, 0.08816, "H100", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.13698, 0.17696, 0.21694], [0.03895] * 3, color="#8C959D", linewidth=1.12, solid_capstyle="butt", linestyle=(0, [d / 2 for d in (2, 3)]), marker="s",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="white"))
fig.text(0.23694, 0.03895, "best CPU, H200", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.55081, 0.59080, 0.63078], [0.13736] * 3, color="#7A1F00", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="s",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#7A1F00"))
fig.text(0.65077, 0.13736, "H200", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.55081, 0.59080, 0.63078], [0.08816] * 3, color="#202020", linewidth=1.12, solid_capstyle="butt", linestyle=(0, [d / 2 for d in (7, 4)]), marker="o",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="white"))
fig.text(0.65077, 0.08816, "with copies", va="center_baseline", ha="left")
fig.savefig(PICTURE, dpi=300)
