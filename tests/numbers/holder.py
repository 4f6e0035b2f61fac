"""Holds the block of a marker against the runs that it names."""
import dataclasses
import itertools
import re
import shlex

import beside
import chapters
import expressions
from expressions import Wrong
from stored import Missing, NotMeasured

STATEMENTS = ("from", "also", "rows", "columns", "row", "text", "holds", "output", "peers", "none")
TIME_DIGITS, RATIO_DIGITS = 3, 2


@dataclasses.dataclass
class Findings:
    """What is wrong with a chapter, and the changes that make its numbers those of the runs."""
    errors: list = dataclasses.field(default_factory=list)
    changes: list = dataclasses.field(default_factory=list)    # (start, end, text in their place)
    held: list = dataclasses.field(default_factory=list)       # (start, end) of what is held


def statements_of(text):
    """The statements of a marker as (word, rest): one a line, or `;` between; a line that begins
    with none of the words goes on with the one before."""
    statements = []
    for line in re.split(r'[\n;](?=(?:[^"]*"[^"]*")*[^"]*$)', text):
        line = line.strip()
        word = line.split(" ", 1)[0]
        if word in STATEMENTS:
            statements.append([word, line[len(word):].strip()])
        elif line and statements:
            statements[-1][1] += " " + line
        elif line:
            raise Wrong(f"a marker begins with {', '.join(STATEMENTS)}, not '{line}'")
    if not statements:
        raise Wrong("the marker says nothing")
    return statements


def outside(text, sign):
    """The parts of a text between signs that are in no brackets and quotes."""
    return [part.strip() for part in re.split(
        re.escape(sign) + r'(?=(?:[^"]*"[^"]*")*[^"]*$)(?![^\[]*\])', text)]


def said(values):
    return "; ".join(value.words or value.cell or f"{value.number:.6g}" for value in values)


class Holder:
    """Holds the block of one marker."""

    def __init__(self, chapter, text, marker, store):
        self.chapter, self.text, self.marker, self.store = chapter, text, marker, store
        self.prose = chapters.masked(text)
        self.context = expressions.Context(store)
        self.also = []             # runs that have what a row's own does not
        self.findings = Findings()

    def wrong(self, words, place=None):
        line = self.marker.line if place is None else self.text.count("\n", 0, place) + 1
        self.findings.errors.append(f"{self.chapter}:{line}: {words}")

    def hold(self):
        try:
            statements = statements_of(self.marker.text)
            if any(word == "none" for word, _ in statements):
                if len(statements) > 1 or not statements[0][1]:
                    raise Wrong("none stands alone, with the reason")
                return self.findings
            if self.marker.end <= self.marker.start and any(word != "holds" for word, _ in statements):
                raise Wrong("no table, paragraph or item of a list stands there")
            self.carry_out(statements)
        except (Missing, Wrong, ValueError, ZeroDivisionError) as error:
            self.wrong(error)
        return self.findings

    def carry_out(self, statements):
        keys, columns, rows, values, peers = [], None, [], [], None
        for word, rest in statements:
            if word == "from":
                self.context = expressions.Context(self.store, *self.labelled(rest))
            elif word == "also":
                self.also += rest.split()
            elif word == "text":
                values += self.values(expressions.expressions_of(rest), self.context)
            elif word == "holds":
                self.compare(rest)
            elif word == "output":
                self.output(rest)
            elif word == "peers":
                peers = rest
            elif word == "rows":
                keys = rest.split()
            elif word == "columns":
                columns = self.cells_of(rest)
            elif word == "row":
                rows.append(self.row_statement(rest))
        if values:
            items = chapters.items_in(self.prose, self.marker.start, self.marker.end)
            self.numbers(items, values, self.marker.start)
        if peers is not None:
            self.peers(peers, rows)
        elif columns or rows:
            self.table(keys, columns, rows)

    @staticmethod
    def cells_of(text):
        """Expressions of each cell of a row; None for a cell that is not held."""
        return [None if part == "-" else expressions.expressions_of(part)
                for part in outside(text, "|")]

    def row_statement(self, rest):
        """The label, its conditions, and cells of its own."""
        words, _, cells = rest.partition(" | ") if " | " in rest else (rest, "", "")
        return *self.labelled(words), self.cells_of(cells) if cells else None

    @staticmethod
    def labelled(text):
        """A name, which may stand in quotes, and conditions behind it."""
        match = expressions.LABEL.match(text)
        name = match and (match.group(1) or match.group(2))
        if not name:
            raise Wrong("a name is missing")
        return name, expressions.conditions_of(text[match.end():])

    @staticmethod
    def values(wanted, context):
        return [value for expression in wanted for value in expression.values(context)]

    def compare(self, text):
        left, sign, right = expressions.comparison_of(text)
        left, right = (expressions.single(side, self.context).number for side in (left, right))
        self.findings.held.append((self.marker.start, self.marker.start))
        if not expressions.COMPARE[sign](left, right):
            self.wrong(f"does not hold: {text}: {left:.6g} and {right:.6g}")

    def output(self, rest):
        """A block of code is the first paragraphs of what a command prints."""
        count, *command = shlex.split(rest)
        if not count.isdigit() or command[:1] != ["bench"]:
            raise Wrong("output N bench COMMAND…: N paragraphs of what this prints")
        printed = "\n\n".join(self.store.program(*command[1:]).strip("\n").split("\n\n")[:int(count)])
        shown = re.fullmatch(r"```\n(.*)\n```", self.text[self.marker.start:self.marker.end], re.S)
        if shown is None:
            raise Wrong("no block of code stands there")
        place = [self.marker.start + at for at in shown.span(1)]
        if self.held(place, shown.group(1) == printed):
            return
        self.change_block(place, shown.group(1), printed)

    def peers(self, form, rows):
        """The block is the table of `form`; before it is measured, words."""
        place = self.marker.start, self.marker.end
        cells = chapters.table_cells(self.text, *place) if chapters.is_table(self.text, place[0]) else []
        table, shown = beside.written(self.context, rows, form, cells), self.text[slice(*place)]
        if table is not None and not self.held(place, shown == table):
            self.change_block(place, shown, table)
        elif table is None and chapters.items_in(self.prose, *place):
            self.wrong("numbers, and no run of them is stored", place[0])

    def held(self, place, right):
        self.findings.held.append(tuple(place))
        return right

    def change(self, start, end, new, words):
        self.wrong(words, start)
        self.findings.changes.append((start, end, new))

    def change_block(self, place, old, new):
        """The words are those of the first line that differs."""
        lines = itertools.zip_longest(old.split("\n"), new.split("\n"), fillvalue="")
        before, after = next((before, after) for before, after in lines if before != after)
        self.change(*place, new, f"'{before}' is '{after}'")

    def numbers(self, items, values, place):
        """Each number of the text is the value in its place; words count where one may stand for it."""
        if not any(value.decided for value in values):
            items = [item for item in items if not item.is_words()]
        if len(items) != len(values):
            self.wrong(f"the text has {len(items)} numbers, its marker {len(values)}: "
                       f"{'; '.join(item.text for item in items)} ≠ {said(values)}", place)
            return
        for item, value in zip(items, values):
            self.number(item, value)

    @staticmethod
    def number_for(item, value):
        """A value in the unit that the text has behind the number, if it has one."""
        if value.unit and item.unit:
            return value.number * chapters.UNITS[item.unit] / chapters.UNITS[value.unit]
        return value.number

    def number(self, item, value):
        number = self.number_for(item, value)
        if value.constant:
            if item.is_words() or item.number() != number:
                self.wrong(f"the marker has {number:g} where the text has {item.text}", item.start)
            return
        if self.held((item.start, item.end), item.text == value.words if value.words else
                     not item.is_words() and chapters.fits(number, item)):
            return
        if value.words:
            times = self.text.startswith("×", item.end)
            self.change(item.start, item.end + times, value.words, f"{item.text} is {value.words}")
        elif item.is_words():
            new = chapters.written(number, RATIO_DIGITS) + "×"
            self.change(item.start, item.end, new, f"'{item.text}' is {number:.6g}")
        else:
            self.change(item.start, item.end, chapters.rewritten(number, item),
                        f"{item.text} is {number:.6g}")

    def table(self, keys, columns, statements):
        if not chapters.is_table(self.text, self.marker.start):
            raise Wrong("no table stands there")
        heading, *rows = chapters.table_cells(self.text, self.marker.start, self.marker.end)
        if keys and len(keys) > len(heading) or columns and len(columns) != len(heading):
            raise Wrong(f"the table has {len(heading)} columns, its marker {len(columns or keys)}")
        used = set()
        for row in rows:
            label, conditions, cells = self.statement_for(row[0].label(), statements)
            used.add(label)
            if label is None and not keys:
                self.wrong(f"no statement for row '{row[0].label()}'", row[0].start)
                continue
            named = {key: ("=", cell.code()) for key, cell in zip(keys, row) if key != "-"}
            conditions = {**named, **conditions}
            self.row(row, cells or columns, self.context.with_conditions(conditions), rows)
        for label, *_ in statements:
            if label not in used:
                self.wrong(f"the table has no row '{label}'")

    @staticmethod
    def statement_for(label, statements):
        """That of the row with this label, or that it begins with; without one no conditions."""
        found = [statement for statement in statements if statement[0] == label] or \
                [statement for statement in statements
                 if re.match(re.escape(statement[0]) + r"(?!\w)", label)]
        if len(found) > 1:
            raise Wrong(f"row '{label}' is {' and '.join(statement[0] for statement in found)}")
        return found[0] if found else (None, {}, None)

    def row(self, row, columns, context, rows):
        if columns is None or len(columns) != len(row):
            raise Wrong(f"row '{row[0].label()}' has {len(row)} cells, its marker {len(columns or ())}")
        for place, (cell, wanted) in enumerate(zip(row, columns)):
            if wanted is not None:
                try:
                    self.cell(cell, wanted, context, [other[place] for other in rows])
                except (Missing, Wrong) as error:
                    self.wrong(error, cell.start)

    def values_of_any(self, wanted, context):
        """Of the row's run; what was not measured there, of the first other one that has it."""
        try:
            return self.values(wanted, context)
        except NotMeasured as error:
            for run in self.also:
                try:
                    return self.values(wanted, context.with_conditions({"from": ("=", run)}))
                except Missing:  # not measured, or of an algorithm without this column
                    pass
            raise error

    def cell(self, cell, wanted, context, column):
        """An empty cell, or one of words, is right where nothing was measured."""
        items = chapters.items_in(self.prose, cell.start, cell.end)
        try:
            values = self.values_of_any(wanted, context)
        except NotMeasured:
            if not items:
                return
            raise
        if len(values) == 1 and values[0].cell is not None:
            if not self.held((cell.start, cell.end), cell.text.strip() == values[0].cell):
                self.change(cell.start, cell.end, f" {values[0].cell} ",
                            f"'{cell.text.strip()}' is '{values[0].cell}'")
            return
        if items:
            self.numbers(items, values, cell.start)
            return
        self.change(cell.start, cell.end, self.filled(values, column),
                    f"'{cell.text.strip()}' is {said(values)}")

    def filled(self, values, column):
        """A cell in the manner of the first of its column that has as many numbers; without one, a ratio and its
        interval, or plain numbers."""
        for cell in column:
            items = chapters.items_in(self.prose, cell.start, cell.end)
            if len(items) == len(values):
                text = cell.text
                for item, value in reversed(list(zip(items, values))):
                    digits = TIME_DIGITS if value.unit else RATIO_DIGITS
                    new = value.words or chapters.written(self.number_for(item, value), digits)
                    text = text[:item.start - cell.start] + new + text[item.end - cell.start:]
                return text
        texts = [value.words or chapters.written(value.number, TIME_DIGITS if value.unit else RATIO_DIGITS)
                 for value in values]
        if len(texts) == 3 and values[0].decided:
            sign = "" if values[0].words else "×"
            return f" {texts[0]}{sign} ({texts[1]} to {texts[2]}) "
        return f" {'; '.join(texts)} "
