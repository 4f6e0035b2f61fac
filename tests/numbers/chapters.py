"""Chapters in Markdown: their markers, the block that each holds, and the numbers in it."""
import dataclasses
import re

MARKER = re.compile(r"^( *)<!-- numbers\b(.*?)-->[ \t]*$", re.S | re.M)
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
COMMENT = re.compile(r"<!--.*?-->", re.S)
# What has digits and is no number of the text: code, pictures, targets of links, numbered items.
CODE = re.compile(r"`[^`\n]*`")
HIDDEN = re.compile(CODE.pattern + r"|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|<!--.*?-->|^ *\d+\. ", re.S | re.M)
# A number, not part of a word (4K, lbp-2020), a size (8192×4320), a date, a clock, a power.
ITEM = re.compile(r"undecided|(?<![\w.^√¹²³⁰⁴-⁹-])(?<!\d[×:])"
                  r"(?:\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
                  r"(?!\d|\.\d|,\d{3}|×\d|[:-]\d|-?[A-Za-z_^¹²³⁰⁴-⁹])"
                  r"(?:[ ](?:ms|µs|s)\b)?")
UNITS = {"ms": 1, "µs": 1000, "s": 0.001}


@dataclasses.dataclass(frozen=True)
class Item:
    """A number of the text, or the words that stand for one; `start` and `end` are places in it."""
    start: int
    end: int
    text: str
    unit: str = None

    def number(self):
        return float(self.text.replace(",", ""))

    def is_words(self):
        return not self.text[0].isdigit()


@dataclasses.dataclass(frozen=True)
class Marker:
    line: int
    text: str
    start: int     # of the block that it holds
    end: int


def blanked(pattern, text):
    """The text with blanks of the same length for what the pattern finds."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def masked(text):
    """The text without what is no prose."""
    return blanked(HIDDEN, text)


def without_code(text):
    return blanked(CODE, blanked(FENCE, text))


def items_in(text, start=0, end=None):
    """The numbers between two places of a masked text."""
    items = []
    for match in ITEM.finditer(text, start, len(text) if end is None else end):
        words, unit = match.group(), None
        if words[0].isdigit() and " " in words:
            words, unit = words.split(" ")
        items.append(Item(match.start(), match.start() + len(words), words, unit))
    return items


def next_block(text, at):
    """The lines after a place, without other comments and empty lines, to the next empty line; of a
    block of code to its end."""
    while True:
        at += len(text[at:]) - len(text[at:].lstrip("\n"))
        comment = COMMENT.match(text, at)
        if comment is None:
            break
        at = comment.end()
    fence = FENCE.match(text, at)
    end = fence.end() if fence else text.find("\n\n", at)
    return at, len(text.rstrip("\n")) if end < 0 else end


def item_before(text, at, indent):
    """The item of a list that a marker ends, by its indentation; nothing where there is none."""
    starts = [match.start() for match in re.finditer(r"^( *)(?:[-*]|\d+\.) ", text[:at], re.M)
              if len(match.group(1)) < indent]
    return (starts[-1] if starts else at), at


def markers_in(text):
    """The markers of a chapter; those that hold no block have an empty one. In code are none."""
    markers = []
    for match in MARKER.finditer(without_code(text)):
        indent = len(match.group(1))
        place = item_before(text, match.start(), indent) if indent else next_block(text, match.end())
        line = text.count("\n", 0, match.start()) + 1
        markers.append(Marker(line, text[match.start(2):match.end(2)], *place))
    return markers


@dataclasses.dataclass(frozen=True)
class Cell:
    """A cell of a table, without its bars."""
    start: int
    end: int
    text: str

    def label(self):
        """The words, without emphasis and code."""
        return self.text.strip().replace("`", "").replace("*", "")

    def code(self):
        match = re.search(r"`([^`]+)`", self.text)
        return match.group(1) if match else self.label()


def table_cells(text, start, end):
    """The cells of a table by rows, heading first, without the line below it."""
    rows, at = [], start
    for line in text[start:end].split("\n"):
        bars = [at + match.start() for match in re.finditer(r"(?<!\\)\|", line)]
        if line.startswith("|") and not re.fullmatch(r"[|:\- ]+", line):
            rows.append([Cell(left + 1, right, text[left + 1:right])
                         for left, right in zip(bars, bars[1:])])
        at += len(line) + 1
    return rows


def is_table(text, start):
    return text.startswith("|", start)


def fits(number, item):
    """Whether the text has a number as it is when rounded to the digits that are shown. Zeros at the
    end of a number from 10,000 on count as rounded."""
    digits = item.text.replace(",", "")
    decimals = len(digits.partition(".")[2])
    step = 10.0 ** -decimals
    if not decimals and len(digits) > 4:
        step = 10.0 ** (len(digits) - len(digits.rstrip("0")))
    return abs(number - item.number()) <= step * (0.5 + 1e-9)


def rewritten(number, item):
    """A number in place of one of the text, with as many digits; whole ones in place of whole ones."""
    digits = item.text.replace(",", "")
    if "." not in digits and number == round(number) < 10000:
        return str(round(number))
    return written(number, digits_of(digits))


def digits_of(digits):
    """How many digits a number of the text shows."""
    if "." in digits:
        return len(digits.replace(".", "").lstrip("0"))
    return len(digits.rstrip("0")) if len(digits) > 4 else len(digits)


def written(number, digits):
    """A number with so many digits, two at least and all before the point; from 10,000 on the rest
    are zeros."""
    if number == 0:
        return "0"
    digits = max(digits, 2)
    places = digits - 1 - int(f"{number:.{digits - 1}e}".split("e")[1])
    if number >= 10000:
        return f"{round(number, min(places, 0)):,.0f}"
    return f"{number:.{max(places, 0)}f}"
