"""The table of a marker `peers`: this program's fastest beside other people's fastest, on the CPU and on the GPU, of
runs that have both. It is written whole: its rows are those that are measured, and so are its columns. Where the other
code is faster, the row begins with that."""
import dataclasses
import re

import chapters
from expressions import WORDS, Column, Wrong, expressions_of
from stored import NotMeasured

SIDES = {"cpu": "CPU", "gpu": "GPU"}
BACKENDS = {"cpu": "cpu", "gpu": "cuda"}
FORMS = {"": tuple(SIDES), "cpu": ("cpu",), "gpu": ("gpu",), "brief": tuple(SIDES)}
RATIO = expressions_of("decided(speedup_vs_best_peer[by=kernel_ms_median]), ci(speedup_vs_best_peer[by=kernel_ms_median])")
TIME_DIGITS, RATIO_DIGITS = 3, 2


def time_of(row):
    return chapters.written(row.number("kernel_ms_median"), TIME_DIGITS)


def ratio_text(number):
    return chapters.written(number, RATIO_DIGITS)


@dataclasses.dataclass(frozen=True)
class Beside:
    """The fastest rows of one side, and how many times faster the first is; `other` is None where there is none."""
    side: str
    own: object
    other: object = None
    ratio: object = None         # the value, its words where it is undecided
    low: float = 0.0
    high: float = 0.0

    def is_behind(self):
        return self.other is not None and not self.ratio.words and self.ratio.number < 1

    def interval(self):
        return f"({ratio_text(self.low)} to {ratio_text(self.high)})"

    def definition(self):
        return ", another definition" if self.other.get("another_definition") else ""

    def headline(self):
        """"CUB 3 is 2.0× faster on the GPU"."""
        return f"{self.other.get('library')} is {ratio_text(1 / self.ratio.number)}× faster on the {SIDES[self.side]}"

    def cells(self):
        """The time, and of the other code its name, its time and the ratio."""
        mine = f"{time_of(self.own)} (`{self.own.get('variant')}`)"
        if self.other is None:
            return mine, "none", "–", "–"
        tuning = self.other.get("tuning")
        name = f"{self.other.get('library')} ({self.other.get('variant')}{'/' + tuning if tuning else ''}){self.definition()}"
        number = self.ratio.words or f"{ratio_text(self.ratio.number)}×"
        ratio = f"{number} {self.interval()}"
        if self.is_behind():
            name, ratio = f"**{name}**", f"**{ratio}**"
        return mine, name, time_of(self.other), ratio

    def sentence(self):
        """All of it in one cell."""
        mine = f"{time_of(self.own)} ms"
        if self.other is None:
            return mine
        name, its = f"{self.other.get('library')}{self.definition()}", f"{time_of(self.other)} ms"
        if self.is_behind():
            low, high = ratio_text(1 / self.high), ratio_text(1 / self.low)
            return f"**{name}: {its}, {ratio_text(1 / self.ratio.number)}× ({low} to {high}) faster** than {mine}"
        number = self.ratio.words or f"**{ratio_text(self.ratio.number)}×**"
        joint = f"against {name}" if self.ratio.words else f"faster than {name}"
        return f"{mine}, {number} {self.interval()} {joint}: {its}"


def beside(context, side):
    """None where the side was not measured."""
    def fastest(compare):
        column = Column("kernel_ms_median", {"backend": ("=", BACKENDS[side]), "library": (compare, "")})
        try:
            return column.row(context)
        except NotMeasured:
            return None

    own, other = fastest("="), fastest("!=")
    if own is None or other is None:
        return own and Beside(side, own)
    of_own = context.with_conditions({"backend": ("=", BACKENDS[side]), "library": ("=", "")})
    ratio, low, high = (value for expression in RATIO for value in expression.values(of_own))
    if other.is_disturbed():
        ratio = dataclasses.replace(ratio, words=WORDS)
    return Beside(side, own, other, ratio, low.number, high.number)


def machine_of(store, run, side):
    """"AMD EPYC, 2 processors" of a run."""
    facts = dict(re.findall(r"^# (\w+): (.*)$", store.csv_text(run), re.M))
    if side == "gpu":
        return facts.get("gpu_model", "")
    model = re.sub(r"\((?:R|TM)\)| CPU\b| Processor\b", "", facts["cpu_model"])
    return f"{model}, {facts['cpu_count']} processors"


def machines_of(lines, sides):
    """By side; all rows are of one machine."""
    machines = {side: {machine_of(of_row.store, of_row.run, side) for _, of_row, found in lines if found[side]}
                for side in sides}
    if any(len(names) != 1 for names in machines.values()):
        raise Wrong(f"the runs are of several machines: {machines}")
    return {side: next(iter(names)) for side, names in machines.items()}


def row_of(cells):
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def code_label(label):
    algorithm, comma, rest = label.partition(",")
    return f"`{algorithm}`{comma}{rest}"


def whole_table(lines, machines):
    heading = ["algorithm"]
    for side, machine in machines.items():
        heading += [f"{SIDES[side]} ({machine}), ms", f"best other code, {SIDES[side]}", "its, ms", "this program"]
    table = [row_of(heading), "|---" + "|--:|---|--:|--:" * len(machines) + "|"]
    for label, _, found in lines:
        headlines = [found[side].headline() for side in machines if found[side] and found[side].is_behind()]
        headline = f"**{'; '.join(headlines)}**: " if headlines else ""
        cells = [cell for side in machines
                 for cell in (found[side].cells() if found[side] else ("not measured", "none", "–", "–"))]
        table.append(row_of([headline + code_label(label), *cells]))
    return "\n".join(table)


def brief_table(lines, machines, shown):
    """A cell a side. The second column, of words, stays as it is shown."""
    if not shown:
        raise Wrong("a brief table of peers needs a second column, of words")
    (_, words, *_), *rows = [[cell.text.strip() for cell in row] for row in shown]
    kept = {re.match(r"[^`]*`([^`]*)`|", row[0]).group(1): row[1] for row in rows}
    heading = ["algorithm", words, *(f"{SIDES[side]}: {machine}" for side, machine in machines.items())]
    table = [row_of(heading), "|---" * len(heading) + "|"]
    for label, _, found in lines:
        algorithm = label.partition(",")[0]
        if algorithm not in kept:
            raise Wrong(f"the table has no row '{algorithm}'")
        cells = [found[side].sentence() if found[side] else "" for side in machines]
        table.append(row_of([code_label(label), kept[algorithm], *cells]))
    return "\n".join(table)


def written(context, rows, form, shown):
    """The table, without a line end behind; None where no run of the rows is stored. A row is a label, conditions with
    its run, and nothing else. `shown`: the cells of the table that stands there. A brief one has a row for each label,
    also of runs that are not stored."""
    if form not in FORMS:
        raise Wrong(f"peers is of {', '.join(filter(None, FORMS))}, not '{form}'")
    lines = []
    for label, conditions, cells in rows:
        if cells is not None:
            raise Wrong(f"row '{label}': a row of peers has no cells of its own")
        of_row = context.with_conditions(conditions)
        found = {side: beside(of_row, side) for side in FORMS[form]}
        if any(found.values()) or form == "brief":
            lines.append((label, of_row, found))
    sides = [side for side in FORMS[form] if any(found[side] and found[side].other for _, _, found in lines)]
    if not sides:
        return None
    machines = machines_of(lines, sides)
    return brief_table(lines, machines, shown) if form == "brief" else whole_table(lines, machines)
