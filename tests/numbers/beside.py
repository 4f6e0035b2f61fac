"""The table of a marker `peers`: this program's fastest beside other people's fastest, on the CPU and on the GPU, of
runs that have both. It is written whole: its rows are those that are measured, and so are its columns."""
import re

import chapters
from expressions import Column, Wrong, expressions_of
from stored import NotMeasured

SIDES = (("CPU", "cpu"), ("GPU", "cuda"))
NONE = ("none", "–", "–")
RATIO = expressions_of("decided(speedup_vs_best_peer[by=kernel_ms_median]), ci(speedup_vs_best_peer[by=kernel_ms_median])")
TIME_DIGITS, RATIO_DIGITS = 3, 2


def time_of(row):
    return chapters.written(row.number("kernel_ms_median"), TIME_DIGITS)


def name_of(row):
    """OpenCV 5.0.0 (opencv/threads:1)."""
    tuning = row.get("tuning")
    other = ", another definition" if row.get("another_definition") else ""
    return f"{row.get('library')} ({row.get('variant')}{'/' + tuning if tuning else ''}){other}"


def ratio_of(context):
    """As text, and whether the other code is certainly faster."""
    value, low, high = (value for expression in RATIO for value in expression.values(context))
    low, high = (chapters.written(end.number, RATIO_DIGITS) for end in (low, high))
    if value.words:
        return f"{value.words} ({low} to {high})", False
    return f"{chapters.written(value.number, RATIO_DIGITS)}× ({low} to {high})", value.number < 1


def cells_of_side(context, backend):
    """The time, and of the other code its name, its time and the ratio; None where the side was not measured."""
    def fastest(compare):
        column = Column("kernel_ms_median", {"backend": ("=", backend), "library": (compare, "")})
        try:
            return column.row(context)
        except NotMeasured:
            return None

    own, other = fastest("="), fastest("!=")
    if own is None:
        return None
    mine = f"{time_of(own)} (`{own.get('variant')}`)"
    if other is None:
        return mine, *NONE
    ratio, behind = ratio_of(context.with_conditions({"backend": ("=", backend), "library": ("=", "")}))
    name = name_of(other)
    return mine, f"**{name}**" if behind else name, time_of(other), f"**{ratio}**" if behind else ratio


def machine_of(store, run, side):
    """"AMD EPYC, 2 processors" of a run."""
    facts = dict(re.findall(r"^# (\w+): (.*)$", store.csv_text(run), re.M))
    if side == "GPU":
        return facts.get("gpu_model", "")
    return f"{facts['cpu_model']}, {facts['cpu_count']} processors"


def written(context, rows):
    """The table, without a line end behind; None where no run of the rows is stored. A row is a label, conditions with
    its run, and nothing else."""
    lines, machines = [], {side: set() for side, _ in SIDES}
    for label, conditions, cells in rows:
        if cells is not None:
            raise Wrong(f"row '{label}': a row of peers has no cells of its own")
        of_row = context.with_conditions(conditions)
        sides = [cells_of_side(of_row, backend) for _, backend in SIDES]
        for (side, _), found in zip(SIDES, sides):
            if found is not None:
                machines[side].add(machine_of(of_row.store, of_row.run, side))
        algorithm, comma, rest = label.partition(",")
        if any(sides):
            lines.append((f"`{algorithm}`{comma}{rest}", sides))
    shown = [place for place in range(len(SIDES))
             if any(sides[place] is not None and sides[place][1:] != NONE for _, sides in lines)]
    if not shown:
        return None
    if any(len(machines[SIDES[place][0]]) != 1 for place in shown):
        raise Wrong(f"the runs are of several machines: {machines}")
    heading = ["algorithm"]
    for place in shown:
        side = SIDES[place][0]
        heading += [f"{side} ({', '.join(machines[side])}), ms", f"best other code, {side}", "its, ms", "this program"]
    table = ["| " + " | ".join(heading) + " |", "|---" + "|--:|---|--:|--:" * len(shown) + "|"]
    for label, sides in lines:
        cells = [cell for place in shown for cell in (sides[place] or ("not measured", *NONE))]
        table.append("| " + " | ".join([label, *cells]) + " |")
    return "\n".join(table)
