"""Protect hostile files and dataframes with random options, and look for broken promises.

Each case has a random state of its own: `python benchmarks/fuzz.py --seed N --only J` repeats case J.

The promises: no exception but the library's own, each of one line; nothing printed, no warning; if no columns are
named, nothing is averaged but plain columns of numbers, and nothing number-like is released unprotected without an
error; `repr` shows no original value; k is reached, in memory and in the file; the input is not changed; a refusal
leaves nothing behind; nothing hangs.
"""

import argparse
import contextlib
import csv
import faulthandler
import io
import secrets
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from numpy.random import Generator

import microagg
from hostile_columns import HostileColumn
from hostile_tables import HostileTable, make_table

_TIME_LIMIT = 60  # seconds for a case, compilation included
_METHODS = ("auto", "search", "mdav", "cbfs-nn", "v-mdav", "mdav+recut", "pca-mhm")
_SEARCHES = ("auto", "search")
_MIN_TELLTALE_LENGTH = 7  # characters: shorter values occur in a repr by chance


class HangError(BaseException):
    """Case that takes too long; not an `Exception`, so that nothing catches it on the way."""


@dataclass(frozen=True)
class Case:
    """Table, and the options to protect it with.

    Parameters
    ----------
    number
        The number of the case, from 0.
    table
        The table.
    options
        Keywords of `protect`.
    target
        The file that the release is to be written to.
    """

    number: int
    table: HostileTable
    options: dict[str, Any]
    target: Path

    @property
    def unnamed(self) -> bool:
        """Whether no columns are named."""
        return self.options.get("columns") is None

    def left_out(self, names: Sequence[str]) -> frozenset[str]:
        """Return the columns that the options exclude or drop, among the table's names."""
        left = (*(self.options.get("exclude") or ()), *(self.options.get("drop") or ()))
        return frozenset(str(name) for name in left) & frozenset(names)


# Options.


def _options(rng: Generator, table: HostileTable) -> dict[str, Any]:
    """Draw options: valid ones, and in some cases one or two that are not."""
    options: dict[str, Any] = {"k": int(rng.integers(2, 6))}
    names = [one.name for one in table.columns]
    if names and rng.random() < 0.5:
        options["columns"] = _chosen_columns(rng, table)
    elif names and rng.random() < 0.3:
        options["exclude"] = _some(rng, [one.name for one in table.columns if one.expected != "plain"] or names)
    if rng.random() < 0.1:
        options["drop"] = _some(rng, [name for name in names if name not in options.get("columns", ())])
    options["method"] = str(rng.choice(_METHODS))
    if options["method"] in _SEARCHES:
        options["effort"] = "quick"
        if rng.random() < 0.3:
            options["iterations"] = int(rng.integers(1, 3))
    chances: dict[str, tuple[float, tuple[Any, ...]]] = {
        "keep_integers": (0.15, (True,)),
        "shuffle": (0.2, (True,)),
        "standardise": (0.2, (False, True)),
        "random_state": (0.2, (1, None)),
        "bound": (0.03, (True,)),
    }
    for name, (chance, values) in chances.items():
        if rng.random() < chance:
            options[name] = values[int(rng.integers(len(values)))]
    options |= _reading_options(rng, table)
    if rng.random() < 0.25:
        options |= _careless_option(rng, table)
    return options


def _careless_option(rng: Generator, table: HostileTable) -> dict[str, Any]:
    """Draw an option at the edge of what is valid, or beyond."""
    n = table.n_records
    names = [one.name for one in table.columns]
    wrong: dict[str, tuple[Any, ...]] = {
        "k": (1, n, n + 1, n // 2, n // 2 + 1, 0, -3, 2.5, "3", None, True, np.int64(3), 10**30),
        "allow_k1": (True, "yes"),
        "columns": (["there is none"], [], "v0", b"v0", 7, [None], [["v0"]], names * 2, range(len(names)), iter(names)),
        "exclude": (["there is none"], [], "v0", names, 7),
        "drop": (["there is none"], [], "v0", names, 7),
        "random_state": (-1, "x", 2**70, 1.5),
        "iterations": (0, -1, 1.5, 1),
        "time_limit": (0.5, 1e-6, -1, "1"),
        "target_gap": (0.01, -1, 2),
        "method": ("mdavv", "", "+igd", None, 5, "univariate", "exact", ["mdav", "recut"], "mdav(gamma=2)"),
        "effort": ("quickest", None, 3),
        "shuffle": ("yes", None),
        "colums": (["a"],),
        "delimiter": ("::", '"', ";", 5),
        "decimal": (";", ",", "."),
        "encoding": ("utf-99", "utf-16", "ascii", 5),
        "header": ("yes", False, True),
    }
    name = str(rng.choice(list(wrong)))
    values = wrong[name]
    drawn = {name: values[int(rng.integers(len(values)))]}
    return drawn | ({"allow_k1": True} if drawn.get("k") == 1 and rng.random() < 0.5 else {})


def _chosen_columns(rng: Generator, table: HostileTable) -> list[str]:
    """Choose columns, mostly plain ones."""
    names = [one.name for one in table.columns]
    plain = [one.name for one in table.columns if one.expected == "plain"]
    return _some(rng, plain if plain and rng.random() < 0.85 else names)


def _some(rng: Generator, names: Sequence[str]) -> list[str]:
    """Choose at least one of some names, if there are any, in any order."""
    if not names:
        return []
    number = int(rng.integers(1, len(names) + 1))
    return [names[j] for j in rng.permutation(len(names))[:number]]


def _reading_options(rng: Generator, table: HostileTable) -> dict[str, Any]:
    """Draw options of reading: none, or some that settle doubts about the file."""
    return {name: table.reading[name] for name in _some(rng, list(table.reading))} if rng.random() < 0.5 else {}


# Promises.


def _one_line(error: Exception) -> Iterator[str]:
    if not str(error).strip() or len(str(error).splitlines()) > 1:
        yield f"a message that is not one line: {str(error)!r}"


def _nothing_guessed(case: Case, release: microagg.Release) -> Iterator[str]:
    """Check that, if no columns are named, plain columns are averaged, others are not, and none is missed."""
    table = case.table
    if not case.unnamed or not table.columns:
        return
    names = release.table.source.names
    if len(names) != len(table.columns):
        yield f"{len(table.columns)} columns were read as {len(names)}"
        return
    if release.table.n_records != table.n_records:
        yield f"{table.n_records} records were read as {release.table.n_records}"
        return
    left_out = case.left_out(names)
    for name, column in zip(names, table.columns, strict=True):
        if name not in left_out:
            yield from _as_expected(column, name in release.columns, table.guessed)


def _as_expected(column: HostileColumn, averaged: bool, guessed: bool) -> Iterator[str]:
    described = f"column {column.name!r} ({column.generator}, {column.expected})"
    if averaged and guessed and column.expected not in ("plain", "open"):
        yield f"{described} was averaged on a guess"
    if not averaged and column.expected in ("plain", "doubtful", "number-like"):
        yield f"{described} was released unprotected without an error"


def _nothing_shown(case: Case, release: microagg.Release) -> Iterator[str]:
    """Check that no original value of a protected column is shown, unless it is in the release, too."""
    names = release.table.source.names
    if len(names) != len(case.table.columns):
        return
    shown = "\n".join([repr(release), repr(release.table), repr(release.solution), repr(release.plan)])
    for name, column in zip(names, case.table.columns, strict=True):
        if name in release.columns:
            released = set(map(str, release.table.values(name)))
            originals = {str(value) for value in column.values} - released
            leaked = [text for text in originals if len(text) >= _MIN_TELLTALE_LENGTH and text in shown]
            if leaked:
                yield f"column {name!r} ({column.generator}): {leaked[0]} is shown by repr"


def _column_lists(data: Any) -> list[list[Any]]:
    """Return the columns of released data, by the library that made them."""
    if isinstance(data, pd.DataFrame):
        return [data.iloc[:, j].tolist() for j in range(data.shape[1])]
    if isinstance(data, pl.DataFrame):
        return [data[:, j].to_list() for j in range(data.width)]
    if isinstance(data, pa.Table):
        return [data.column(j).to_pylist() for j in range(data.num_columns)]
    array = np.asarray(data)
    return [list(column) for column in (array[:, None] if array.ndim == 1 else array).T.tolist()]


def _smallest_group(columns: Iterable[Sequence[Hashable]]) -> int:
    return min(Counter(zip(*columns, strict=True)).values(), default=0)


def _k_reached(release: microagg.Release, columns: Sequence[Sequence[Hashable]], where: str) -> Iterator[str]:
    """Check that at least k records share their values in all protected columns."""
    names = release.table.names
    if len(columns) != len(names):
        yield f"{where} has {len(columns)} columns in place of {len(names)}"
        return
    protected = [columns[names.index(name)] for name in release.columns]
    smallest = _smallest_group(protected)
    if smallest < release.k:
        yield f"{where} reaches only k = {smallest} in place of {release.k}"


def _written(case: Case, release: microagg.Release, rng: Generator) -> Iterator[str]:
    """Check that the file reaches k, replaces nothing unasked, and is verified when it is read again."""
    target = case.target
    try:
        release.write(target)
    except microagg.MicroaggError as error:
        yield from _one_line(error)
        if list(target.parent.iterdir()):
            yield f"a refusal to write left {[path.name for path in target.parent.iterdir()]} behind"
        return
    left = [path.name for path in target.parent.iterdir() if path != target]
    if left:
        yield f"{left} was left beside the release"
    before = target.read_bytes()
    with contextlib.suppress(microagg.WriteError):
        release.write(target)
        yield "a file was replaced unasked"
    if target.read_bytes() != before:
        yield "a file was changed by a refusal to replace it"
    yield from _k_reached(release, _file_columns(case, release), "the file")
    yield from _verified(case, release)


def _file_columns(case: Case, release: microagg.Release) -> list[list[Any]]:
    """Return the columns of the written file, read by other means than the library's own."""
    target = case.target
    start = target.read_bytes()[:6]
    if start.startswith(b"PAR1"):
        return _column_lists(pl.read_parquet(target))
    if start == b"ARROW1":
        return _column_lists(pl.read_ipc(target.read_bytes()))
    source: Any = release.table.source
    dialect = getattr(source, "dialect", None)
    delimiter = "," if dialect is None else dialect.delimiter
    text = target.read_bytes().decode("utf-8-sig" if dialect is None else dialect.encoding, errors="replace")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter))
    rows = rows[len(rows) - release.table.n_records :]
    return [[row[j] if row else "" for row in rows] for j in range(len(release.table.names))]


def _verified(case: Case, release: microagg.Release) -> Iterator[str]:
    """Check that the written file passes verification, if need be with the options of reading given."""
    try:
        verification = _verify(case, release, {})
    except microagg.MicroaggError as error:
        yield from _one_line(error)
        try:
            verification = _verify(case, release, _exact_reading(case, release))
        except microagg.MicroaggError as again:
            yield f"what was written cannot be verified: {error}; nor with the options of reading given: {again}"
            return
    if not verification.passed:
        yield f"what was written does not pass: {verification!r}"


def _verify(case: Case, release: microagg.Release, reading: dict[str, Any]) -> microagg.Verification:
    return microagg.verify(None, microagg.read(case.target, **reading), release.k, release.columns)


def _exact_reading(case: Case, release: microagg.Release) -> dict[str, Any]:
    """Return the options of reading of a written text file."""
    if case.target.read_bytes()[:6].startswith((b"PAR1", b"ARROW1")):
        return {}
    dialect = getattr(release.table.source, "dialect", None)
    if dialect is None:
        return {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "header": True}
    return {"delimiter": dialect.delimiter, "encoding": dialect.encoding, "header": dialect.header}


def _remedies_work(case: Case, error: microagg.DoubtError) -> Iterator[str]:
    """Check that doubts are settled by naming the plain columns, or by excluding the others."""
    if not error.doubts or not error.plain:
        return
    rest = {name: value for name, value in case.options.items() if name not in ("columns", "exclude")}
    excluded = [*(case.options.get("exclude") or ()), *(doubt.column for doubt in error.doubts)]
    for remedy in ({"columns": list(error.plain)}, {"exclude": excluded}):
        try:
            microagg.protect(case.table.source, **rest, **remedy)
        except microagg.DoubtError as again:
            yield f"{remedy} does not settle the doubt: {again}"
        except microagg.MicroaggError as refused:
            yield from _one_line(refused)


# Cases.


@dataclass(frozen=True)
class Outcome:
    """Result of a case."""

    released: bool
    defects: tuple[str, ...]


def _case(seed: int, number: int, folder: Path) -> tuple[Case, Generator]:
    rng = np.random.default_rng([seed, number])
    for name in ("in", "out"):
        (folder / name).mkdir(parents=True)
    with warnings.catch_warnings(action="ignore"):  # pandas warns of odd columns
        table = make_table(rng, folder / "in")
    target = folder / "out" / str(rng.choice(["release.csv", "release.parquet", "release.arrow", "release"]))
    return Case(number, table, _options(rng, table), target), rng


def _run(seed: int, number: int, folder: Path) -> Outcome:
    """Protect one table, and look for defects."""
    case, rng = _case(seed, number, folder)
    before = _fingerprint(case.table)
    printed = io.StringIO()
    released = False
    defects: list[str] = []
    with warnings.catch_warnings(record=True, action="always") as warned, contextlib.redirect_stdout(printed):
        try:
            release = microagg.protect(case.table.source, **case.options)
            released = True
            defects += _checked(case, release, rng)
        except microagg.VerificationError as error:
            defects.append(f"a defect that the library found itself: {error}")
        except microagg.MicroaggError as error:
            defects += _one_line(error)
            if isinstance(error, microagg.DoubtError):
                defects += _remedies_work(case, error)
        except HangError:
            defects.append(f"no end within {_TIME_LIMIT} s: {_where(sys.exc_info()[1])}")
        except Exception as error:
            defects.append(f"{type(error).__name__}: {str(error).splitlines()[:1]} at {_where(error)}")
    if not released and list(case.target.parent.iterdir()):
        defects.append("a refusal left a file behind")
    if _fingerprint(case.table) != before:
        defects.append("the input was changed")
    messages = (f"warning at {Path(one.filename).name}:{one.lineno}: {one.message}" for one in warned)
    defects += dict.fromkeys(messages)
    defects += [f"printed: {printed.getvalue()!r}"] if printed.getvalue() else []
    return Outcome(released, tuple(f"{case.table.kind}: {defect}" for defect in defects))


def _checked(case: Case, release: microagg.Release, rng: Generator) -> Iterator[str]:
    yield from _nothing_guessed(case, release)
    yield from _nothing_shown(case, release)
    yield from _k_reached(release, _column_lists(release.data), "the data")
    yield from _written(case, release, rng)


def _fingerprint(table: HostileTable) -> Any:
    """Return what changes if the table is changed."""
    if table.path is not None and table.path.is_file():
        return table.path.read_bytes()
    source = table.source
    if isinstance(source, pd.DataFrame | pl.DataFrame | pa.Table | np.ndarray | list):
        return (
            repr(_column_lists(source))
            if not isinstance(source, np.ndarray | list)
            else repr(np.asarray(source, dtype=object))
        )
    return None


def _where(error: BaseException | None) -> str:
    """Return the last line of the library that an exception went through."""
    frames = traceback.extract_tb(None if error is None else error.__traceback__)
    ours = [frame for frame in frames if "microagg" in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _hang(signal_number: int, frame: object) -> None:
    raise HangError


def _run_in_time(seed: int, number: int, folder: Path) -> Outcome:
    """Run a case in limited time: a signal ends Python code, the fault handler code that does not return to Python."""
    signal.alarm(_TIME_LIMIT)
    faulthandler.dump_traceback_later(3 * _TIME_LIMIT, exit=True)
    try:
        return _run(seed, number, folder)
    except HangError:
        return Outcome(False, (f"no end within {_TIME_LIMIT} s, outside of `protect`",))
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000, help="number of cases")
    parser.add_argument("--seed", type=int, help="seed of the cases (default: a fresh one, which is printed)")
    parser.add_argument("--only", type=int, metavar="J", help="run only the case of this number, and print it")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the files of defective cases here")
    return parser.parse_args()


def main() -> int:
    """Run the cases; return 1 if there are defects."""
    arguments = _parse_arguments()
    seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
    numbers = range(arguments.cases) if arguments.only is None else [arguments.only]
    signal.signal(signal.SIGALRM, _hang)
    print(f"seed {seed}")
    released = defects = 0
    with tempfile.TemporaryDirectory() as name:
        for number in numbers:
            print(f"\rcase {number}", end="", file=sys.stderr, flush=True)  # the fault handler cannot print it
            folder = Path(name) / str(number)
            if arguments.only is not None:
                _show(_case(seed, number, Path(name) / "shown")[0])
            outcome = _run_in_time(seed, number, folder)
            released += outcome.released
            defects += len(outcome.defects)
            for defect in outcome.defects:
                _print_line(f"--seed {seed} --only {number}: {defect}")
            if outcome.defects and arguments.keep is not None:
                shutil.copytree(folder, arguments.keep / f"{seed}-{number}", dirs_exist_ok=True)
            shutil.rmtree(folder)
    _print_line(f"{len(numbers)} cases: {released} released, {len(numbers) - released} refused, {defects} defects")
    return int(defects > 0)


def _print_line(line: str) -> None:
    """Print a line over the number of the case."""
    print("\r", end="", file=sys.stderr, flush=True)
    print(line, flush=True)


def _show(case: Case) -> None:
    """Print a case before it is run."""
    _print_line(f"kind: {case.table.kind}")
    print(f"options: {case.options}")
    print(f"target: {case.target.name}")
    for column in case.table.columns:
        print(f"column {column.name!r}: {column.generator}, {column.expected}, {column.values[:4]}")
    if case.table.path is not None and case.table.path.is_file():
        print(f"file: {case.table.path.read_bytes()[:400]!r}")
    else:
        print(case.table.source)


if __name__ == "__main__":
    sys.exit(main())
