"""Protect hostile files and frames by random options, and look for broken promises.

Each case is drawn from a random state of its own: `python benchmarks/fuzz.py --seed N --only J` does case J again.

What is promised: no exception but the library's own, one line each; nothing printed, no warning; where no columns are
named, nothing is averaged that is no plain column of numbers, and nothing that looks like numbers is released in clear
without a word; `repr` shows no original value; k is reached, in memory and in the file; the input stays as it was; a
refusal leaves nothing behind; nothing hangs.
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
from hostile import Hostile
from hostile_tables import Made, make

_BUDGET = 60  # seconds for a case, the first use of a kernel included
_METHODS = ("auto", "search", "mdav", "cbfs-nn", "v-mdav", "mdav+recut", "pca-mhm")
_SEARCHES = ("auto", "search")
_MARK = 7  # characters that make a number a mark: shorter ones occur by chance


class HangError(BaseException):
    """A case that takes too long; not an `Exception`, so that nobody catches it on the way."""


@dataclass(frozen=True)
class Case:
    """A table and the options to protect it with.

    Parameters
    ----------
    number
        Of the case, from 0.
    made
        The table.
    options
        Keywords of `protect`.
    target
        Where the release is to be written.
    """

    number: int
    made: Made
    options: dict[str, Any]
    target: Path

    @property
    def unnamed(self) -> bool:
        """Whether no columns are named."""
        return self.options.get("columns") is None

    def named_away(self, names: Sequence[str]) -> frozenset[str]:
        """Give the columns that the user has left out, among the table's names."""
        left = (*(self.options.get("exclude") or ()), *(self.options.get("drop") or ()))
        return frozenset(str(name) for name in left) & frozenset(names)


# Options.


def _options(rng: Generator, made: Made) -> dict[str, Any]:
    """Draw options: sensible ones, and in some cases one or two that are not."""
    options: dict[str, Any] = {"k": int(rng.integers(2, 6))}
    names = [one.name for one in made.columns]
    if names and rng.random() < 0.5:
        options["columns"] = _choice(rng, made)
    elif names and rng.random() < 0.3:
        options["exclude"] = _some(rng, [one.name for one in made.columns if one.expected != "plain"] or names)
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
    options |= _reading(rng, made)
    if rng.random() < 0.25:
        options |= _careless(rng, made)
    return options


def _careless(rng: Generator, made: Made) -> dict[str, Any]:
    """Draw an option at the edge, or beyond it."""
    n = made.n_records
    names = [one.name for one in made.columns]
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


def _choice(rng: Generator, made: Made) -> list[str]:
    """Choose columns: mostly plain ones, sometimes any."""
    names = [one.name for one in made.columns]
    plain = [one.name for one in made.columns if one.expected == "plain"]
    return _some(rng, plain if plain and rng.random() < 0.85 else names)


def _some(rng: Generator, names: Sequence[str]) -> list[str]:
    """Choose at least one of some names, if there are any, in any order."""
    if not names:
        return []
    number = int(rng.integers(1, len(names) + 1))
    return [names[j] for j in rng.permutation(len(names))[:number]]


def _reading(rng: Generator, made: Made) -> dict[str, Any]:
    """Say how a file is to be read: nothing, or some of what settles doubts about it."""
    return {name: made.reading[name] for name in _some(rng, list(made.reading))} if rng.random() < 0.5 else {}


# Promises.


def _one_line(error: Exception) -> Iterator[str]:
    if not str(error).strip() or len(str(error).splitlines()) > 1:
        yield f"a message that is not one line: {str(error)!r}"


def _nothing_guessed(case: Case, release: microagg.Release) -> Iterator[str]:
    """Where no columns are named: what may be averaged is, what may not is not, and nothing is missed."""
    made = case.made
    if not case.unnamed or not made.columns:
        return
    names = release.table.source.names
    if len(names) != len(made.columns):
        yield f"{len(made.columns)} columns were read as {len(names)}"
        return
    if release.table.n_records != made.n_records:
        yield f"{made.n_records} records were read as {release.table.n_records}"
        return
    away = case.named_away(names)
    for name, column in zip(names, made.columns, strict=True):
        if name not in away:
            yield from _as_expected(column, name in release.columns, made.guessed)


def _as_expected(column: Hostile, averaged: bool, guessed: bool) -> Iterator[str]:
    what = f"column {column.name!r} ({column.recipe}, {column.expected})"
    if averaged and guessed and column.expected not in ("plain", "open"):
        yield f"{what} was averaged on a guess"
    if not averaged and column.expected in ("plain", "doubtful", "number-like"):
        yield f"{what} was released in clear without a word"


def _nothing_shown(case: Case, release: microagg.Release) -> Iterator[str]:
    """No original value of a protected column is shown, unless it is in the release too."""
    names = release.table.source.names
    if len(names) != len(case.made.columns):
        return
    shown = "\n".join([repr(release), repr(release.table), repr(release.solution), repr(release.plan)])
    for name, column in zip(names, case.made.columns, strict=True):
        if name in release.columns:
            released = set(map(str, release.table.values(name)))
            marks = {str(value) for value in column.values} - released
            leaked = [mark for mark in marks if len(mark) >= _MARK and mark in shown]
            if leaked:
                yield f"column {name!r} ({column.recipe}): {leaked[0]} is shown by repr"


def _rows(data: Any) -> list[list[Any]]:
    """List the columns of released data by the library that made them."""
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
    """Count the records that share their values in all the protected columns."""
    names = release.table.names
    if len(columns) != len(names):
        yield f"{where} has {len(columns)} columns in place of {len(names)}"
        return
    protected = [columns[names.index(name)] for name in release.columns]
    smallest = _smallest_group(protected)
    if smallest < release.k:
        yield f"{where} reaches only k = {smallest} in place of {release.k}"


def _written(case: Case, release: microagg.Release, rng: Generator) -> Iterator[str]:
    """Write the release, count its groups in the file, read and verify it."""
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
    """List the columns of the file that was written, by other means than the library's own."""
    target = case.target
    start = target.read_bytes()[:6]
    if start.startswith(b"PAR1"):
        return _rows(pl.read_parquet(target))
    if start == b"ARROW1":
        return _rows(pl.read_ipc(target.read_bytes()))
    source: Any = release.table.source
    dialect = getattr(source, "dialect", None)
    delimiter = "," if dialect is None else dialect.delimiter
    text = target.read_bytes().decode("utf-8-sig" if dialect is None else dialect.encoding, errors="replace")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter))
    rows = rows[len(rows) - release.table.n_records :]
    return [[row[j] if row else "" for row in rows] for j in range(len(release.table.names))]


def _verified(case: Case, release: microagg.Release) -> Iterator[str]:
    """Read what was written, and verify it; if that is refused as doubtful, say how the file is written."""
    try:
        verification = _verify(case, release, {})
    except microagg.MicroaggError as error:
        yield from _one_line(error)
        try:
            verification = _verify(case, release, _told(case, release))
        except microagg.MicroaggError as again:
            yield f"what was written cannot be verified: {error}; nor when told how to read it: {again}"
            return
    if not verification.passed:
        yield f"what was written does not pass: {verification!r}"


def _verify(case: Case, release: microagg.Release, reading: dict[str, Any]) -> microagg.Verification:
    return microagg.verify(None, microagg.read(case.target, **reading), release.k, release.columns)


def _told(case: Case, release: microagg.Release) -> dict[str, Any]:
    """Say how a text file is written, where the kind of file leaves that open."""
    if case.target.read_bytes()[:6].startswith((b"PAR1", b"ARROW1")):
        return {}
    dialect = getattr(release.table.source, "dialect", None)
    if dialect is None:
        return {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "header": True}
    return {"delimiter": dialect.delimiter, "encoding": dialect.encoding, "header": dialect.header}


def _way_on(case: Case, error: microagg.DoubtError) -> Iterator[str]:
    """Doubts about columns are settled by naming the plain ones, or by leaving the others out."""
    if not error.doubts or not error.plain:
        return
    rest = {name: value for name, value in case.options.items() if name not in ("columns", "exclude")}
    left = [*(case.options.get("exclude") or ()), *(doubt.column for doubt in error.doubts)]
    for way in ({"columns": list(error.plain)}, {"exclude": left}):
        try:
            microagg.protect(case.made.source, **rest, **way)
        except microagg.DoubtError as again:
            yield f"{way} does not settle the doubt: {again}"
        except microagg.MicroaggError as refused:
            yield from _one_line(refused)


# Cases.


@dataclass(frozen=True)
class Outcome:
    """What came of a case."""

    released: bool
    defects: tuple[str, ...]


def _case(seed: int, number: int, folder: Path) -> tuple[Case, Generator]:
    rng = np.random.default_rng([seed, number])
    for name in ("in", "out"):
        (folder / name).mkdir(parents=True)
    with warnings.catch_warnings(action="ignore"):  # that frames of such columns are odd is known
        made = make(rng, folder / "in")
    target = folder / "out" / str(rng.choice(["release.csv", "release.parquet", "release.arrow", "release"]))
    return Case(number, made, _options(rng, made), target), rng


def _run(seed: int, number: int, folder: Path) -> Outcome:
    """Protect one table, and look for defects."""
    case, rng = _case(seed, number, folder)
    before = _fingerprint(case.made)
    printed = io.StringIO()
    released = False
    defects: list[str] = []
    with warnings.catch_warnings(record=True, action="always") as warned, contextlib.redirect_stdout(printed):
        try:
            release = microagg.protect(case.made.source, **case.options)
            released = True
            defects += _checked(case, release, rng)
        except microagg.VerificationError as error:
            defects.append(f"a defect that the library found itself: {error}")
        except microagg.MicroaggError as error:
            defects += _one_line(error)
            if isinstance(error, microagg.DoubtError):
                defects += _way_on(case, error)
        except HangError:
            defects.append(f"no end within {_BUDGET} s: {_where(sys.exc_info()[1])}")
        except Exception as error:
            defects.append(f"{type(error).__name__}: {str(error).splitlines()[:1]} at {_where(error)}")
    if not released and list(case.target.parent.iterdir()):
        defects.append("a refusal left a file behind")
    if _fingerprint(case.made) != before:
        defects.append("the input was changed")
    told = (f"warning at {Path(one.filename).name}:{one.lineno}: {one.message}" for one in warned)
    defects += dict.fromkeys(told)
    defects += [f"printed: {printed.getvalue()!r}"] if printed.getvalue() else []
    return Outcome(released, tuple(f"{case.made.kind}: {defect}" for defect in defects))


def _checked(case: Case, release: microagg.Release, rng: Generator) -> Iterator[str]:
    yield from _nothing_guessed(case, release)
    yield from _nothing_shown(case, release)
    yield from _k_reached(release, _rows(release.data), "the data")
    yield from _written(case, release, rng)


def _fingerprint(made: Made) -> Any:
    """Tell whether a table has been changed."""
    if made.path is not None and made.path.is_file():
        return made.path.read_bytes()
    source = made.source
    if isinstance(source, pd.DataFrame | pl.DataFrame | pa.Table | np.ndarray | list):
        return (
            repr(_rows(source)) if not isinstance(source, np.ndarray | list) else repr(np.asarray(source, dtype=object))
        )
    return None


def _where(error: BaseException | None) -> str:
    """Name the last line of the library that an exception went through."""
    frames = traceback.extract_tb(None if error is None else error.__traceback__)
    ours = [frame for frame in frames if "microagg" in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _hang(signal_number: int, frame: object) -> None:
    raise HangError


def _watched(seed: int, number: int, folder: Path) -> Outcome:
    """Run a case against the clock: a signal ends Python, the fault handler what does not come back to Python."""
    signal.alarm(_BUDGET)
    faulthandler.dump_traceback_later(3 * _BUDGET, exit=True)
    try:
        return _run(seed, number, folder)
    except HangError:
        return Outcome(False, (f"no end within {_BUDGET} s, outside of `protect`",))
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000, help="how many cases to run")
    parser.add_argument("--seed", type=int, help="of the random state; the default is fresh and printed")
    parser.add_argument("--only", type=int, metavar="J", help="run the case of this number alone, and print it")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep the files of defective cases")
    return parser.parse_args()


def main() -> int:
    """Run the cases; give 1 if there are defects."""
    arguments = _parsed()
    seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
    numbers = range(arguments.cases) if arguments.only is None else [arguments.only]
    signal.signal(signal.SIGALRM, _hang)
    print(f"seed {seed}")
    released = defects = 0
    with tempfile.TemporaryDirectory() as name:
        for number in numbers:
            print(f"\rcase {number}", end="", file=sys.stderr, flush=True)  # what the fault handler cannot say
            folder = Path(name) / str(number)
            if arguments.only is not None:
                _show(_case(seed, number, Path(name) / "shown")[0])
            outcome = _watched(seed, number, folder)
            released += outcome.released
            defects += len(outcome.defects)
            for defect in outcome.defects:
                _say(f"--seed {seed} --only {number}: {defect}")
            if outcome.defects and arguments.keep is not None:
                shutil.copytree(folder, arguments.keep / f"{seed}-{number}", dirs_exist_ok=True)
            shutil.rmtree(folder)
    _say(f"{len(numbers)} cases: {released} released, {len(numbers) - released} refused, {defects} defects")
    return int(defects > 0)


def _say(line: str) -> None:
    """Print a line, in place of the number of the case."""
    print("\r", end="", file=sys.stderr, flush=True)
    print(line, flush=True)


def _show(case: Case) -> None:
    """Print a case as it is drawn."""
    _say(f"kind: {case.made.kind}")
    print(f"options: {case.options}")
    print(f"target: {case.target.name}")
    for column in case.made.columns:
        print(f"column {column.name!r}: {column.recipe}, {column.expected}, {column.values[:4]}")
    if case.made.path is not None and case.made.path.is_file():
        print(f"file: {case.made.path.read_bytes()[:400]!r}")
    else:
        print(case.made.source)


if __name__ == "__main__":
    sys.exit(main())
