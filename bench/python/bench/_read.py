"""A stored run as pandas tables."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

if TYPE_CHECKING:
    import pandas as pd

# The columns of results.csv by type. Those that stand nowhere here are text.
_FLAGS = frozenset(
    "verified converged best_tuning autocorrelated multimodal throttled over_roof starved slow_phase weak".split())
_COUNTS = frozenset(
    "width height threads samples batch outliers_mild outliers_severe images launches gpus peak_memory_bytes repeated"
    " launches_set_aside launches_disturbed launches_disturbed_end_to_end".split())
_NUMBERS = frozenset(
    "agreement kernel_ms_min kernel_ms_p25 kernel_ms_median kernel_ms_p75 kernel_ms_p99 kernel_ms_ci_low"
    " kernel_ms_ci_high upload_ms download_ms end_to_end_ms with_alloc_ms mpixel_s gb_s roof_pct base_ms speedup"
    " speedup_ci_low speedup_ci_high speedup_end_to_end speedup_vs_best_cpu joule kernel_ms_mean kernel_ms_stddev"
    " end_to_end_ms_ci_low end_to_end_ms_ci_high cpu_ms roof_ms speedup_end_to_end_ci_low"
    " speedup_end_to_end_ci_high speedup_vs_best_cpu_ci_low speedup_vs_best_cpu_ci_high"
    " speedup_end_to_end_vs_best_cpu speedup_end_to_end_vs_best_cpu_ci_low speedup_end_to_end_vs_best_cpu_ci_high"
    " items_per_second device_mib host_mib autocorrelation exponent exponent_low exponent_high clock_mhz_before"
    " clock_mhz_after temperature_c power_w mpixel_per_joule ceiling_gb_s ceiling_gop_s operations bytes"
    " resident_ms_min with_alloc_ms_mean launch_sd n_effective tau call_ms stolen_pct parallel_efficiency"
    " parallel_efficiency_ci_low parallel_efficiency_ci_high parallel_efficiency_end_to_end"
    " parallel_efficiency_end_to_end_ci_low parallel_efficiency_end_to_end_ci_high per_gpu_items_per_second"
    " with_alloc_ms_ci_low with_alloc_ms_ci_high least_width speedup_vs_best_peer speedup_vs_best_peer_ci_low"
    " speedup_vs_best_peer_ci_high speedup_end_to_end_vs_best_peer speedup_end_to_end_vs_best_peer_ci_low"
    " speedup_end_to_end_vs_best_peer_ci_high joule_ci_low joule_ci_high idle_power_w".split())
_FLAG_VALUES = {"yes": True, "1": True, "no": False, "0": False}

# The columns of `rows` that say which cell a sample or a launch is of.
_KEYS = ("algorithm", "variant", "backend", "input", "size", "answer", "tuning", "threads")
# What is sampled: the key of the samples in results.json begins with it.
_KINDS = ("kernel", "end_to_end", "with_alloc", "cpu")


class RunError(ValueError):
    """A run that cannot be read. The text names the file and says what is wrong with it."""


@dataclass(frozen=True)
class Run:
    """A stored run.

    rows: one row for each planned cell, with the columns of results.csv (`bench help columns`). Columns
        of yes and no are of the type boolean, counts are Int64, other numbers float64. What was not
        measured is missing; `answer` and `tuning` of a cell without axes are "".
    samples: one row for each time that was taken: `row` is the cell's place in `rows`, followed by the
        columns that name the cell. `kind` is kernel, end_to_end, with_alloc or cpu; `launch` is the process
        that took it, `turn` its turn there, from 0 on (missing where the run does not say); `ms` is the time.
    launches: one row for each process that measured a cell, with the medians of its samples in
        `kernel_ms`, `end_to_end_ms`, `with_alloc_ms` and `cpu_ms` and the number of its kernel samples.
    facts: the head of results.csv, by key: when, where and how the run was made.
    context: `context` of results.json: machine, warnings, ceilings, arguments.
    path: the folder.
    """

    rows: pd.DataFrame
    samples: pd.DataFrame
    launches: pd.DataFrame
    facts: Dict[str, str]
    context: Dict[str, Any]
    path: Path

    def __repr__(self) -> str:
        return (f"Run({str(self.path)!r}: {len(self.rows)} rows, {len(self.samples)} samples, "
                f"{len(self.launches)} launches)")


def read(run: Union[str, "os.PathLike[str]"]) -> Run:
    """Reads the run in a folder, or that of its results.csv or results.json, gzipped or not.

    Raises RunError if a file is missing, damaged, or of another run than its neighbour.
    """
    folder = Path(run)
    if folder.name.startswith(("results.csv", "results.json")):
        folder = folder.parent
    if not folder.is_dir():
        raise RunError(f"{folder}: no such folder; name the folder of a run (--out)")
    csv_path = _find(folder, "results.csv")
    json_path = _find(folder, "results.json")
    facts, rows = _read_rows(csv_path)
    context, cells = _read_cells(json_path, rows)
    samples = _samples(json_path, cells, rows)
    return Run(rows, samples, _launches(samples, rows), facts, context, folder)


# --- Files ---------------------------------------------------------------------------------------


def _find(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / (name + ".gz")):
        if path.is_file():
            return path
    raise RunError(f"{folder}: holds no run: there is no {name} and no {name}.gz")


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RunError(f"{path}: the file is cut off or damaged: {error}") from error
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: byte {error.start} is no UTF-8") from error
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error


# --- results.csv ---------------------------------------------------------------------------------


def _read_rows(path: Path) -> Tuple[Dict[str, str], pd.DataFrame]:
    import pandas as pd

    text = _text_of(path)
    facts: Dict[str, str] = {}
    start = 0
    while text.startswith("#", start):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        key, colon, value = text[start + 1:end].partition(":")
        if colon:
            facts.setdefault(key.strip(), value.strip())
        start = end + 1
    head_lines = text.count("\n", 0, start)
    reader = csv.reader(io.StringIO(text[start:], newline=""), strict=True)
    records: List[List[str]] = []
    lines: List[int] = []
    try:
        for record in reader:
            records.append(record)
            lines.append(head_lines + reader.line_num)
    except csv.Error as error:
        raise RunError(f"{path}: line {head_lines + reader.line_num}: {error}") from error
    names = records[0] if records else []
    missing = [name for name in (*_KEYS, "status") if name not in names]
    if missing:
        raise RunError(f"{path}: this is no results.csv: it has no column '{missing[0]}'")
    if not text.endswith("\n"):
        raise RunError(f"{path}: line {lines[-1]}: the file is cut off")
    for record, line in zip(records, lines):
        if len(record) != len(names):
            raise RunError(f"{path}: line {line}: {len(record)} fields, the heading has {len(names)}")
    columns = {name: _column(path, name, [record[i] for record in records[1:]], lines[1:])
               for i, name in enumerate(names)}
    return facts, pd.DataFrame(columns)


def _column(path: Path, name: str, texts: Sequence[str], lines: Sequence[int]) -> pd.Series[Any]:
    """The values of a column by its type. One that this version does not know stays text."""
    import pandas as pd

    if name in _FLAGS:
        for text, line in zip(texts, lines):
            if text and text not in _FLAG_VALUES:
                raise RunError(f"{path}: line {line}: {name} is '{text[:40]}', which is neither yes nor no")
        return pd.Series([_FLAG_VALUES.get(text, pd.NA) for text in texts], dtype="boolean")
    if name not in _NUMBERS and name not in _COUNTS:
        nothing = "" if name in _KEYS else None  # a cell without axes has no value of one, not an unknown one
        return pd.Series([text or nothing for text in texts], dtype=object)
    values: List[Optional[float]] = []
    for text, line in zip(texts, lines):
        try:
            value = float(text) if text else None
            if value is not None and name in _COUNTS and not value.is_integer():
                raise ValueError
        except ValueError:
            raise RunError(f"{path}: line {line}: {name} is '{text[:40]}', which is no "
                           f"{'count' if name in _COUNTS else 'number'}") from None
        values.append(value)
    return pd.Series(values, dtype="float64").astype("Int64" if name in _COUNTS else "float64")


# --- results.json --------------------------------------------------------------------------------


def _read_cells(path: Path, rows: pd.DataFrame) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]:
    """`context`, and the first entry of each cell in `benchmarks`, which has its samples."""
    try:
        whole = json.loads(_text_of(path))
    except json.JSONDecodeError as error:
        raise RunError(f"{path}: line {error.lineno}: {error.msg}; the file is cut off or damaged") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("benchmarks"), list):
        raise RunError(f"{path}: this is no results.json: it has no list 'benchmarks'")
    context = whole.get("context")
    cells = []
    for place, entry in enumerate(whole["benchmarks"]):
        if not isinstance(entry, dict):
            raise RunError(f"{path}: benchmarks[{place}] is no object")
        if "cell" in entry:
            _check_cell(path, place, entry, rows)
            cells.append(entry)
    return (context if isinstance(context, dict) else {}), cells


def _check_cell(path: Path, place: int, entry: Dict[str, Any], rows: pd.DataFrame) -> None:
    cell = entry["cell"]
    if not isinstance(cell, int) or isinstance(cell, bool) or not 0 <= cell < len(rows):
        raise RunError(f"{path}: benchmarks[{place}]: cell {cell!r} is no row of results.csv")
    for key in ("algorithm", "variant", "input", "size"):
        if entry.get(key) != rows.at[cell, key]:
            raise RunError(f"{path}: benchmarks[{place}]: {key} is {entry.get(key)!r}, in row {cell} of results.csv "
                           f"{rows.at[cell, key]!r}: the files are of different runs")


def _is_times(times: Any) -> bool:
    return isinstance(times, list) and all(
        isinstance(time, (int, float)) and not isinstance(time, bool) and 0 <= time < float("inf") for time in times)


def _places_of(entry: Dict[str, Any], kind: str, count: int) -> Optional[List[Tuple[Any, Any]]]:
    """Launch and turn of each sample. None: they are not those of the samples."""
    import pandas as pd

    turns = entry.get(kind + "_turns")
    if turns is None:
        one = entry.get("launches", 1) == 1
        return [(0 if one else pd.NA, pd.NA)] * count
    places: List[Tuple[Any, Any]] = []
    for turn in turns if isinstance(turns, list) else [None]:
        if not (isinstance(turn, list) and len(turn) == 3 and all(isinstance(n, int) and n >= 0 for n in turn)):
            return None
        if turn[2] > count - len(places):
            return None
        places.extend([(turn[0], turn[1])] * turn[2])
    return places if len(places) == count else None


def _samples(path: Path, cells: Sequence[Dict[str, Any]], rows: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    records: List[Tuple[Any, ...]] = []
    for entry in cells:
        for kind in _KINDS:
            times = entry.get(kind + "_samples_s")
            if times is None:
                continue
            where = f"{path}: {entry.get('name', 'cell ' + str(entry['cell']))}: {kind}"
            if not _is_times(times):
                raise RunError(f"{where}_samples_s is no list of times")
            places = _places_of(entry, kind, len(times))
            if places is None:
                raise RunError(f"{where}_turns do not add up to the {len(times)} samples")
            records.extend((entry["cell"], kind, launch, turn, time * 1e3)
                           for (launch, turn), time in zip(places, times))
    found = pd.DataFrame(records, columns=["row", "kind", "launch", "turn", "ms"]).astype(
        {"row": "int64", "kind": "category", "launch": "Int64", "turn": "Int64", "ms": "float64"})
    return _with_keys(found, rows)


def _with_keys(found: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """`found` with the columns that name its cells behind `row`."""
    keys = rows.loc[found["row"], list(_KEYS)].reset_index(drop=True)
    for place, key in enumerate(_KEYS, 1):
        column = keys[key]
        found.insert(place, key, column.astype("category") if column.dtype == object else column)
    return found


def _launches(samples: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    known = samples[samples["launch"].notna()]
    groups = known.groupby(["row", "launch", "kind"], observed=True)["ms"]
    medians = groups.median().unstack("kind").reindex(columns=list(_KINDS)).add_suffix("_ms")
    counts = groups.count().unstack("kind").reindex(columns=["kernel"])["kernel"]
    table = medians.assign(samples=counts.astype("Int64")).reset_index()
    table.columns.name = None
    table = table.astype({"row": "int64", "launch": "Int64", **{kind + "_ms": "float64" for kind in _KINDS}})
    return _with_keys(pd.DataFrame(table), rows)
