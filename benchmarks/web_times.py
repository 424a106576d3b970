"""Measure the pages of microagg web in a real browser: start, weight, a second session, stop, what the extra adds.

Prints a table in Markdown, as docs/web.md has it; each time is the best of several. `--without-extra` leaves out the
installation in a fresh environment, which takes minutes.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from served_pages import ServedPages
from stop_times import N_COLUMNS, N_RECORDS, make_file
from web_walk import QUICK_PLAN, WebWalk, chromium

TREE = Path(__file__).parents[1]
REPEATS = 5
STOPS = 3
MILLISECONDS = 120_000


class Measured(NamedTuple):
    """What was measured, what came of it, and what it must stay below."""

    what: str
    found: str
    target: str


@contextmanager
def served_visit(browser: Any) -> Iterator[tuple[ServedPages, WebWalk]]:
    """Start a server, and let a visitor in."""
    with tempfile.TemporaryDirectory() as folder, ServedPages(Path(folder)) as served:
        walk = visitor(browser, served)
        yield served, walk
        walk.page.context.close()


def visitor(browser: Any, served: ServedPages) -> WebWalk:
    """Return a visitor with a session of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    page = context.new_page()
    page.goto(served.address)
    return WebWalk(page, served.root)


def measure_start(browser: Any) -> Measured:
    """Measure from the start of the command until the first page is loaded."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        with served_visit(browser):
            times.append(time.perf_counter() - began)
    return Measured("start of the command → first page loaded", seconds(times), "< 1 s")


def measure_weights(browser: Any) -> Iterator[Measured]:
    """Measure what each step loads: page, styles and scripts, not compressed."""
    with served_visit(browser) as (_, walk):
        walk.open_example()
        walk.run_plan(QUICK_PLAN)
        for name, address in {
            "open": "/open",
            "inspect": "/inspect",
            "settings": "/settings",
            "estimate": "/estimate",
            "result": "/runs/1",
            "compare": "/compare",
            "take home": "/runs/1/take-home",
            "verify": "/verify",
        }.items():
            yield Measured(f"weight of the page “{name}”", f"{weight(walk, address) / 1000:.0f} kB", "< 300 kB")


def weight(walk: WebWalk, address: str) -> int:
    """Return the bytes of all answers that a page needs."""
    answers: list[Any] = []

    def take(answer: Any) -> None:
        answers.append(answer)

    walk.page.on("response", take)
    walk.go(address)
    walk.page.wait_for_load_state("networkidle")
    walk.page.remove_listener("response", take)
    return sum(len(answer.body()) for answer in answers)


def measure_large_runs(browser: Any, n_records: int) -> Iterator[Measured]:
    """Measure beside a large run: a second session, and from the stop until the result is shown."""
    names = [f"x{number}" for number in range(N_COLUMNS)]
    with tempfile.TemporaryDirectory() as folder, served_visit(browser) as (served, walk):
        walk.open_path(make_file(Path(folder), n_records))
        sessions: list[float] = []
        inspections: list[float] = []
        stops: dict[str, list[float]] = {"quick": [], "standard": []}
        for effort in (each for _ in range(STOPS) for each in stops):
            walk.set_plan(f'k = 5\ncolumns = {names}\neffort = "{effort}"\n')
            walk.estimate()
            walk.run()
            walk.page.locator("#loss", has_text="%").wait_for()
            began = time.perf_counter()
            second = visitor(browser, served)
            sessions.append(time.perf_counter() - began)
            second.open_example()
            inspections.append(time.perf_counter() - began)
            second.page.context.close()
            walk.page.bring_to_front()
            began = time.perf_counter()
            walk.press("Stop and keep the best so far")
            walk.await_release()
            stops[effort].append(time.perf_counter() - began)
            walk.press("Skip the measurement")
            walk.page.get_by_role("button", name="Skip the measurement").wait_for(state="detached")
    yield Measured("second session during a run → page loaded", seconds(sessions), "< 1 s")
    yield Measured("second session during a run → an example opened and inspected", seconds(inspections), "")
    for effort, times in stops.items():
        what = f"stop → result shown, {n_records:,} × {N_COLUMNS}, {effort} effort".replace(",", " ", 1)
        yield Measured(what, seconds(times), "< 2 s")


def measure_extra() -> Measured:
    """Measure the packages and megabytes that the extra adds to a fresh environment."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        venv.create(environment, with_pip=True)
        sizes = [installed(environment, f"{TREE}{extra}") for extra in ("", "[web]")]
    n_packages = sizes[1][0] - sizes[0][0]
    megabytes = (sizes[1][1] - sizes[0][1]) / 1e6
    return Measured("packages and megabytes that the extra adds", f"{n_packages} packages, {megabytes:.1f} MB", "")


def installed(environment: Path, what: str) -> tuple[int, int]:
    """Install something; return the number of packages of the environment, and its bytes."""
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what], check=True)
    files = [path for path in environment.rglob("*") if path.is_file() and not path.is_symlink()]
    return len({path.parent for path in files if path.name == "METADATA"}), sum(path.stat().st_size for path in files)


def seconds(times: Iterable[float]) -> str:
    """Write the best of several times, and the longest."""
    best, *others = sorted(times)
    return f"{best:.2f} s (longest {others[-1]:.2f})" if others else f"{best:.2f} s"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=N_RECORDS)
    parser.add_argument("--without-extra", action="store_true")
    options = parser.parse_args()
    print("| what | measured | must be |\n|---|---|---|")
    with chromium() as browser:
        show([measure_start(browser)])
        show(measure_weights(browser))
        show(measure_large_runs(browser, options.records))
    if not options.without_extra:
        show([measure_extra()])


def show(rows: Iterable[Measured]) -> None:
    """Print rows of the table as they come."""
    for row in rows:
        print(f"| {row.what} | {row.found} | {row.target} |", flush=True)


if __name__ == "__main__":
    main()
