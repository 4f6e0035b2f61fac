"""The expressions of markers: what of the stored runs a number is. Syntax: ../README.md."""
import dataclasses
import math
import operator
import re
import statistics

from stored import Missing, NotMeasured, numbers_in

# A number, a name, a text in quotes, conditions in brackets, another sign.
TOKEN = re.compile(r'\s*(?:(\d+(?:\.\d+)?(?:e\d+)?)|([A-Za-z_]\w*(?::[\w-]+)?)'
                   r'|"([^"]*)"|(\[[^\]]*\])|(.))')
LABEL = re.compile(r'"([^"]*)"|(\S+)')
WORD = re.compile(r'((?:"[^"]*"|[^\s"])+)')
CONDITION = re.compile(r'([\w-]+)(>=|<=|!=|=|>|<)(.*)', re.S)
COMPARE = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
PER_LAUNCH = ("kernel_ms_median", "end_to_end_ms")
WORK = ("algorithm", "input", "size", "answer")
WORDS = "undecided"


class Wrong(Exception):
    """A marker that says what cannot be read."""


@dataclasses.dataclass(frozen=True)
class Value:
    """A number; `unit`: ms, µs or s of a time; `decided`: the text has it or the words that it is 1
    within its interval, which are `words` then; `constant`: it is no measured number; `cell`: not a
    number but all the text of a cell."""
    number: float
    unit: str = None
    words: str = None
    decided: bool = False
    constant: bool = False
    cell: str = None


@dataclasses.dataclass(frozen=True)
class Context:
    """Where names are looked up. `where`: {key: (operator, value)}; `over`: values of keys that a
    list goes over; `launch`: a number within it."""
    store: object
    run: str = None
    where: dict = dataclasses.field(default_factory=dict)
    over: dict = dataclasses.field(default_factory=dict)
    launch: int = None

    def with_conditions(self, conditions):
        """Conditions replace those of the same key; one of several values is narrowed by `over`."""
        where = {**self.where, **conditions}
        where.update({key: ("=", value) for key, value in self.over.items()
                      if key not in conditions or admits(conditions[key], value)})
        run = where.pop("from", ("=", self.run))[1]
        return dataclasses.replace(self, run=run, where=where)


def conditions_of(text):
    """key=value… as {key: (operator, value)}."""
    conditions = {}
    for word in WORD.findall(text):
        match = CONDITION.fullmatch(word)
        if match is None:
            raise Wrong(f"'{word}' is no key=value")
        key, compare, value = match.groups()
        conditions[key] = (compare, value.replace('"', ""))
    return conditions


def admits(condition, text):
    """Whether a condition holds of the text of its key, which may be None."""
    compare, wanted = condition
    if compare in COMPARE:
        return text is not None and COMPARE[compare](float(text), float(wanted))
    return ((text or "") in wanted.split(",")) == (compare == "=")


class Expression:
    def columns(self):
        """The columns that it names."""
        return []

    def interval(self, _):
        raise Wrong("only a column and within(…) have an interval")

    def each(self, context):
        """The values of a list without `over`."""
        return self.values(context)


@dataclasses.dataclass(frozen=True)
class Column(Expression):
    """A column of a run: the row that the conditions choose. Of several rows of the same work, which
    differ in variant and tuning, it is that with the least of the column `by`, or the fastest where
    the column is a time."""
    name: str
    conditions: dict

    def unit(self):
        return "ms" if "_ms" in self.name else None

    def place(self, context):
        """The context with this column's conditions, and the column `by`."""
        context = context.with_conditions(self.conditions)
        where = dict(context.where)
        by = where.pop("by", (None, None))[1]
        return dataclasses.replace(context, where=where), by

    def rows(self, context):
        context, _ = self.place(context)
        if context.run is None:
            raise Wrong(f"{self.name}: from which run?")
        rows = context.store.rows(context.run)
        for key in (*context.where, *(() if self.name == "count" else (self.name,))):
            if not any(row.get(key) is not None for row in rows):
                raise Missing(f"{context.run} has no column or axis {key}")
        chosen = [row for row in rows
                  if all(admits(condition, row.get(key)) for key, condition in context.where.items())
                  and ("algorithm" in context.where or row.get("algorithm") != "copy")]
        if self.name == "count":
            return chosen
        return [row for row in chosen if row.number(self.name) is not None]

    def row(self, context):
        rows = self.rows(context)
        context, by = self.place(context)
        asked = " ".join(key + "".join(condition) for key, condition in context.where.items())
        if not rows:
            raise NotMeasured(f"{context.run} has no {self.name} where {asked}")
        by = by or (self.name if self.unit() else None)
        works = {tuple(row.get(key) for key in WORK) for row in rows}
        if len(rows) > 1 and (by is None or len(works) > 1):
            raise Wrong(f"{context.run} has {len(rows)} rows where {asked}: which one, or by= what?")
        if any(row.number(by) is None for row in rows[1:]):
            raise Missing(f"{context.run} has no {by} where {asked}")
        return min(rows, key=lambda row: row.number(by)) if len(rows) > 1 else rows[0]

    def values(self, context):
        if self.name == "count":
            return [Value(len(self.rows(context)))]
        row = self.row(context)
        if context.launch is None:
            return [Value(row.number(self.name), self.unit())]
        run = self.place(context)[0].run
        return [Value(context.store.launches(run, row, self.name)[context.launch], self.unit())]

    def each(self, context):
        return [Value(row.number(self.name), self.unit()) for row in self.rows(context)]

    def interval(self, context):
        row = self.row(context)
        stem = self.name.replace("kernel_ms_median", "kernel_ms")
        for low, high in ((stem + "_ci_low", stem + "_ci_high"), (stem + "_low", stem + "_high")):
            if row.number(low) is not None:
                return [Value(row.number(key), self.unit()) for key in (low, high)]
        raise Missing(f"{self.name} has no interval there")

    def columns(self):
        return [self]


@dataclasses.dataclass(frozen=True)
class Number(Expression):
    number: float

    def values(self, _):
        return [Value(self.number, constant=True)]


@dataclasses.dataclass(frozen=True)
class Sum(Expression):
    """left and right joined by an operator."""
    sign: str
    left: Expression
    right: Expression

    def values(self, context):
        """Of lists each number of one with that of the other in its place, or with the only one."""
        left, right = self.left.values(context), self.right.values(context)
        if len(left) != len(right) and 1 not in (len(left), len(right)):
            raise Wrong(f"{len(left)} numbers {self.sign} {len(right)}")
        count = max(len(left), len(right))
        return [self.joined(left[i % len(left)], right[i % len(right)], context) for i in range(count)]

    def interval(self, context):
        """That of one side, where the other is known without one."""
        if self.left.columns() and self.right.columns():
            raise Wrong("a ratio has an interval within launches: within(…)")
        if self.left.columns():
            right = single(self.right, context)
            ends = [self.joined(end, right, context) for end in self.left.interval(context)]
        else:
            left = single(self.left, context)
            ends = [self.joined(left, end, context) for end in self.right.interval(context)]
        return sorted(ends, key=lambda value: value.number)

    def joined(self, left, right, context):
        unit = left.unit or right.unit
        if self.sign in "+-":
            return Value(left.number + right.number * (1 if self.sign == "+" else -1), unit)
        if self.sign == "*":
            return Value(left.number * right.number, unit)
        if left.unit and right.unit and context.launch is None:
            raise Wrong("times are divided within launches: within(…)")
        return Value(left.number / right.number, unit if left.unit and not right.unit else None)

    def columns(self):
        return self.left.columns() + self.right.columns()


@dataclasses.dataclass(frozen=True)
class Call(Expression):
    """A function; the conditions hold for what stands in its brackets."""
    name: str
    conditions: dict
    arguments: list
    over: tuple = ()

    def values(self, context):
        return FUNCTIONS[self.name][1](self, context.with_conditions(self.conditions))

    def interval(self, context):
        if self.name != "within":
            return super().interval(context)
        context = context.with_conditions(self.conditions)
        values = sorted(launch_values(self.arguments[0], context))
        left_out = order_left_out(len(values))
        return [Value(values[left_out]), Value(values[-1 - left_out])]

    def columns(self):
        return [column for argument in self.arguments if not isinstance(argument, str)
                for column in argument.columns()]


def single(expression, context):
    values = expression.values(context)
    if len(values) != 1:
        raise Wrong(f"{len(values)} numbers where one is wanted")
    return values[0]


def order_left_out(count):
    """How many values on either side an interval of order statistics leaves out at 95%."""
    if count < 6:
        raise Missing(f"{count} launches have no 95% interval")
    left_out, tail = 0, 2 * (1 + count) / 2 ** count
    while tail <= 0.05:
        left_out += 1
        tail += 2 * math.comb(count, left_out + 1) / 2 ** count
    return left_out


def launch_values(expression, context):
    counts = set()
    for column in expression.columns():
        if column.name not in PER_LAUNCH:
            raise Wrong(f"within launches are {' and '.join(PER_LAUNCH)}, not {column.name}")
        run = column.place(context)[0].run
        counts.add(len(context.store.launches(run, column.row(context), column.name)))
    if len(counts) != 1:
        raise Wrong(f"within launches: {sorted(counts)} launches")
    return [single(expression, dataclasses.replace(context, launch=launch)).number
            for launch in range(counts.pop())]


def within(call, context):
    return [Value(statistics.median(launch_values(call.arguments[0], context)))]


def listed(call, context):
    """The values of lists: of each row of a column, or over the values of keys."""
    if not call.over:
        return [value for argument in call.arguments for value in argument.each(context)]
    if not call.columns():
        raise Wrong("over which rows? The list names no column")
    groups = {}
    for row in call.columns()[0].rows(context):
        groups[tuple((key, row.get(key) or "") for key in call.over)] = None
    return [value for group in groups for argument in call.arguments for value in argument.values(
        dataclasses.replace(context, over={**context.over, **dict(group)}))]


def extremes(choose):
    def values(call, context):
        found = listed(call, context)
        if not found:
            raise Missing("no row of all that were asked for")
        return [pick(found, key=lambda value: value.number) for pick in choose]
    return values


def converted(unit, factor):
    return lambda call, context: [Value(value.number * factor, unit if value.unit else None)
                                  for value in call.arguments[0].values(context)]


def decided(call, context):
    """The number, or that its interval holds 1 or its cell was disturbed; that of a cell over itself is 1."""
    low, high = (end.number for end in call.arguments[0].interval(context))
    value = single(call.arguments[0], context)
    open_ = low < high and (low <= 1 <= high or any(column.row(context).is_disturbed()
                                                    for column in call.arguments[0].columns()))
    return [Value(value.number, words=WORDS if open_ else None, decided=True)]


def row_of_table(rows, label, name):
    """The row whose first cells are the label's, apart by |; A..B are the rows from A to B, * all."""
    if label == "*":
        return rows
    if ".." in label:
        first, last = (rows.index(row_of_table(rows, side, name)[0]) for side in label.split(".."))
        return rows[first:last + 1]
    cells = label.split("|")
    found = [row for row in rows if row[:len(cells)] == cells]
    if len(found) != 1:
        raise Missing(f"table {name} has {len(found)} rows {label}")
    return found


def cells_of_table(call, context):
    """The texts of a column in rows of a table that the program made."""
    name, label, title = call.arguments
    heading, *rows = context.store.table(context.run, name)
    found = [place for place, words in enumerate(heading)
             if re.fullmatch(re.escape(title) + r"( \([^)]*\))?(: measured)?", words)]
    if len(found) != 1:
        raise Missing(f"table {name} has {len(found)} columns {title}: {', '.join(heading)}")
    return [row[found[0]] for row in row_of_table(rows, label, name)]


def table(call, context):
    return [Value(number) for text in cells_of_table(call, context) for number in numbers_in(text)]


def words(call, context):
    return [Value(math.nan, cell=text) for text in cells_of_table(call, context)]


def line(call, context):
    """The numbers on the only line of a file that has these words."""
    words, text = call.arguments[0], context.store.text(context.run)
    found = [line for line in (" ".join(line.split()) for line in text.splitlines()) if words in line]
    if len(found) != 1:
        raise Missing(f"{context.run} has {len(found)} lines with {words}")
    return [Value(number) for number in numbers_in(found[0].replace(words, "", 1))]


def lines(call, context):
    """The number after these words, wherever they stand in a file."""
    words, text = call.arguments[0], " ".join(context.store.text(context.run).split())
    found = re.findall(re.escape(words) + r" ?(\d+(?:\.\d+)?)", text)
    if not found:
        raise Missing(f"{context.run} has no {words} with a number behind it")
    return [Value(float(number)) for number in found]


def nth(call, context):
    values = call.arguments[0].values(context)
    places = [int(place.number) for place in call.arguments[1:]]
    if not all(1 <= place <= len(values) for place in places):
        raise Missing(f"no number {max(places)}: there are {len(values)}")
    return [values[place - 1] for place in places]


# The arguments of each: x an expression, n a number, t a text in quotes.
FUNCTIONS = {
    "within": ("x", within), "decided": ("x", decided), "nth": ("xn+", nth),
    "table": ("ttt", table), "words": ("ttt", words), "line": ("t", line), "lines": ("t", lines),
    "min": ("[xn]+", extremes((min,))), "max": ("[xn]+", extremes((max,))),
    "range": ("[xn]+", extremes((min, max))),
    "ci": ("x", lambda call, context: call.arguments[0].interval(context)),
    "low": ("x", lambda call, context: call.arguments[0].interval(context)[:1]),
    "high": ("x", lambda call, context: call.arguments[0].interval(context)[1:]),
    "us": ("x", converted("µs", 1000)), "s": ("x", converted("s", 0.001)),
    "fact": ("t", lambda call, context: [Value(context.store.fact(context.run, call.arguments[0]))]),
}


def kind_of(argument):
    return "t" if isinstance(argument, str) else "n" if isinstance(argument, Number) else "x"


class Parser:
    """sum: product {+|- product}; product: atom {*|/ atom}; atom: number, (sum), name[key=value…],
    name[key=value…](sum,… over key…), the brackets if there are conditions."""

    def __init__(self, text):
        self.tokens = [match.groups() for match in TOKEN.finditer(text) if match.group().strip()]
        self.at = 0

    def peek(self, kind):
        return self.tokens[self.at][kind] if self.at < len(self.tokens) else None

    def take(self, kind, *wanted):
        text = self.peek(kind)
        if text is None or wanted and text not in wanted:
            rest = "".join(part for token in self.tokens[self.at:] for part in token if part)
            raise Wrong(f"'{rest}' cannot be read" if rest else "the expression ends too soon")
        self.at += 1
        return text

    def joined(self, signs, part):
        left = part()
        while self.peek(4) in signs:
            left = Sum(self.take(4), left, part())
        return left

    def sum(self):
        return self.joined(("+", "-"), self.product)

    def product(self):
        return self.joined(("*", "/"), self.atom)

    def atom(self):
        if self.peek(0) is not None:
            return Number(float(self.take(0)))
        if self.peek(4) == "(":
            self.take(4)
            inner = self.sum()
            self.take(4, ")")
            return inner
        name = self.take(1)
        conditions = conditions_of(self.take(3)[1:-1]) if self.peek(3) else {}
        return self.call(name, conditions) if self.peek(4) == "(" else Column(name, conditions)

    def call(self, name, conditions):
        if name not in FUNCTIONS:
            raise Wrong(f"no function {name}")
        self.take(4, "(")
        arguments, over = [], []
        while True:
            arguments.append(self.take(2) if self.peek(2) is not None else self.sum())
            if self.peek(4) != ",":
                break
            self.take(4)
        if self.peek(1) == "over":
            self.take(1)
            while self.peek(1) is not None:
                over.append(self.take(1))
        self.take(4, ")")
        wanted = FUNCTIONS[name][0]
        if not re.fullmatch(wanted, "".join(map(kind_of, arguments))):
            raise Wrong(f"{name} takes {wanted}: x an expression, n a number, t a text in quotes")
        return Call(name, conditions, arguments, tuple(over))

    def list(self):
        """Expressions with commas between, to the end."""
        expressions = [self.sum()]
        while self.peek(4) == ",":
            self.take(4)
            expressions.append(self.sum())
        if self.at < len(self.tokens):
            self.take(0)
        return expressions


def expressions_of(text):
    return Parser(text).list()


def comparison_of(text):
    """expression < expression, as (left, operator, right)."""
    for sign in ("<=", ">=", "<", ">"):
        outside = re.sub(r'\[[^\]]*\]|"[^"]*"', lambda match: " " * len(match.group()), text)
        if sign in outside:
            at = outside.index(sign)
            return expressions_of(text[:at])[0], sign, expressions_of(text[at + len(sign):])[0]
    raise Wrong(f"'{text}' compares nothing")
