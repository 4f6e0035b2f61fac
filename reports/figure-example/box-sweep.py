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

NAME = "box-sweep"
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


fig = plt.figure(figsize=(3.3346, 2.4395))

ax = fig.add_axes([0.16394, 0.28922, 0.81940, 0.68346])
ax.spines[["top", "right"]].set_visible(False)
ax.grid(color="#E4E4E4", linewidth=0.4)
ax.set_axisbelow(True)
ax.tick_params(direction="out", top=False, right=False, which="both", width=0.5)
ax.set_xscale("log")
ax.set_xlim(0.801069878, 319.572621)
ax.set_xticks([1, 2, 4, 8, 16, 32, 64, 128, 256, ], ["1", "2", "4", "8", "16", "32", "64", "128", "256", ])
ax.set_xticks([], minor=True)
ax.set_yscale("log")
ax.set_ylim(0.00750090521, 3.70443073)
ax.set_yticks([0.01, 0.1, 1, ], ["0.01", "0.1", "1", ])
ax.set_yticks([0.008, 0.009, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 2, 3, ], minor=True)
ax.axhline(1, color="#202020", linewidth=0.6, linestyle="--")
# "cuda_fast"
plot(ax, 0, 9, "#0072B2", "o", False, "-", 1.12)
# "cuda_sat"
plot(ax, 9, 18, "#371794", "p", False, "-", 1.12)
# "cuda_tiled"
plot(ax, 18, 27, "#6A003C", "^", False, "-", 1.12)
# "cuda_naive"
plot(ax, 27, 36, "#473B00", "s", False, "-", 1.12)
fig.text(0.02499, 0.63094, "speedup over best CPU", va="center", ha="center", rotation=90, rotation_mode="default")

# Texts at places of their own, and the key.
fig.text(0.57364, 0.17080, "box side (pixels)", va="center_baseline", ha="center")
fig.add_artist(Line2D([0.18812, 0.22811, 0.26809], [0.09792] * 3, color="#0072B2", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="o",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#0072B2"))
fig.text(0.28808, 0.09792, "cuda_fast", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.18812, 0.22811, 0.26809], [0.04327] * 3, color="#371794", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="p",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#371794"))
fig.text(0.28808, 0.04327, "cuda_sat", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.51399, 0.55398, 0.59396], [0.09792] * 3, color="#6A003C", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="^",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#6A003C"))
fig.text(0.61396, 0.09792, "cuda_tiled", va="center_baseline", ha="left")
fig.add_artist(Line2D([0.51399, 0.55398, 0.59396], [0.04327] * 3, color="#473B00", linewidth=1.12, solid_capstyle="butt", linestyle="-", marker="s",
    markevery=[1], markersize=3.5, markeredgewidth=0.9, markerfacecolor="#473B00"))
fig.text(0.61396, 0.04327, "cuda_naive", va="center_baseline", ha="left")
fig.savefig(PICTURE, dpi=300)
