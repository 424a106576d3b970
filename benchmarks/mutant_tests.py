"""Processes in which `mutants.py` runs tests: to see which test covers which line, and to try mutants.

Usage: `python benchmarks/mutant_tests.py coverage|warm|cold IN OUT [PYTEST ARGUMENT …]`, where IN and OUT are open file
descriptors. A server reads jobs from IN, a line of JSON each, tries each in a child forked for it, and writes the
outcome to OUT. In the child of a warm server, the tests are collected and the kernels are loaded, and the mutant is put
in the place of a function that is there already. In the child of a cold one, only other libraries are imported: for
what happens when a module is imported.
"""

import gc
import importlib.machinery
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import IO, Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
MAX_MEMORY = 24 << 30  # bytes of addresses
KILLED, SURVIVED, CRASHED = 1, 0, 3
LIBRARIES = ("numpy", "numba", "scipy.optimize", "hypothesis", "pandas", "polars", "pyarrow", "sklearn.cluster", "rich")


class CoverageByTest:
    """Plugin that notes how long each test takes, and which lines it runs."""

    def __init__(self, out: IO[str]) -> None:
        import coverage

        self.out = out
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        omit = [str(SOURCE / "microagg" / "kernels" / "*")]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=[str(SOURCE)], omit=omit)
        self.coverage.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        """Run a test in a context of its own."""
        self.coverage.switch_context(item.nodeid)
        began = time.perf_counter()
        yield
        self.seconds[item.nodeid] = time.perf_counter() - began
        self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note which tests fail or are skipped without any mutant."""
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what is known: the tests with their seconds, and the tests of each line."""
        self.coverage.stop()
        data = self.coverage.get_data()
        tests = [test for test in self.seconds if test not in self.failed]
        number = {test: place for place, test in enumerate(tests)}
        lines = {}
        for file in data.measured_files():
            covered = {
                line: [number.get(context, -1) for context in contexts if not context or context in number]
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            lines[str(Path(file).relative_to(ROOT))] = covered
        found = {"tests": tests, "seconds": [self.seconds[test] for test in tests], "lines": lines}
        print(json.dumps(found), file=self.out, flush=True)


class WarmServer:
    """Plugin that tries mutants instead of running the tests that pytest has collected."""

    def __init__(self, jobs: IO[str], out: IO[str]) -> None:
        self.jobs = jobs
        self.out = out

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve until there are no more jobs."""
        items = {item.nodeid: item for item in session.items}
        _load_kernels()
        gc.collect()
        gc.freeze()  # children share what is not written
        functions = _functions_by_place()
        serve(self.jobs, self.out, partial(_try_warm, session, items, functions))
        return True


def _load_kernels() -> None:
    """Load the machine code of the kernels, so that no child has to; nothing here may use polars, or forks hang."""
    import numpy as np

    import microagg

    X = np.random.default_rng(0).normal(size=(24, 2))
    for method in ("search(effort=quick)", "mdav+igd", "mdav+recut", "v-mdav", "exact", "cbfs-nc", "gsms-nn"):
        microagg.solve(X, 3, method=method, random_state=0, run=microagg.Run(workers=1))
    microagg.solve(X[:, :1], 3, random_state=0)


def _functions_by_place() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Find all functions of the package that exist, by file, qualified name and first line."""
    found: defaultdict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    gc.unfreeze()
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(str(SOURCE)):
            code = thing.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)
    gc.freeze()
    return found


def _try_warm(
    session: pytest.Session,
    items: dict[str, pytest.Item],
    functions: dict[tuple[str, str, int], list[FunctionType]],
    job: dict[str, Any],
) -> str | None:
    """Put a mutant in place and run its tests; return the first that fails."""
    if job["function"] is not None:
        path = str(ROOT / job["path"])
        qualname, line = job["function"]
        module = compile(job["source"], path, "exec", dont_inherit=True)
        code = _code_of(module, qualname, line)
        for function in functions[path, qualname, line]:
            function.__code__ = code
        _forget_cached_results()
    chosen = [items[test] for test in job["tests"] if test in items]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return None


def _code_of(module: CodeType, qualname: str, line: int) -> CodeType:
    """Find the code of a function within the code of its module."""
    waiting = [module]
    while waiting:
        code = waiting.pop()
        if (code.co_qualname, code.co_firstlineno) == (qualname, line):
            return code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    raise LookupError(f"no function {qualname} at line {line}")


def _forget_cached_results() -> None:
    """Empty the caches of functions: what they hold was computed without the mutant."""
    for name, module in list(sys.modules.items()):
        if name.startswith("microagg") and isinstance(module, ModuleType):
            for thing in list(vars(module).values()):
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def _try_cold(arguments: list[str], job: dict[str, Any]) -> str | None:
    """Import the package with a mutant in it and run its tests; return the first that fails."""
    mutated = str(ROOT / job["path"])
    load = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        if loader.path == mutated:
            return compile(job["source"], mutated, "exec", dont_inherit=True)
        return load(loader, fullname)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    failures = _FirstFailure()
    again = "ignore::pytest.PytestAssertRewriteWarning"  # of Hypothesis, which is there already
    code = pytest.main([*arguments, "-W", again, "-x", *job["tests"]], plugins=[failures])
    return failures.test or ("import" if code else None)


class _FirstFailure:
    """Plugin that notes the first test that fails."""

    test: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed and self.test is None:
            self.test = report.nodeid


def serve(jobs: IO[str], out: IO[str], attempt: Callable[[dict[str, Any]], str | None]) -> None:
    """Try each job in a child, within its limits, and write the outcome."""
    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in jobs:
        job = json.loads(line)
        print(json.dumps(_in_child(job, attempt)), file=out, flush=True)


def _in_child(job: dict[str, Any], attempt: Callable[[dict[str, Any]], str | None]) -> dict[str, Any]:
    """Fork, try a job there, and return the outcome with the test that decided it."""
    reading, writing = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_child(job, attempt, writing)
    os.close(writing)
    deadline = began + job["wall"]
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.005)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        test = pipe.read() or None
    seconds = time.monotonic() - began
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU)
        return {"outcome": "timeout" if late else "killed", "test": test, "seconds": seconds}
    outcome = {SURVIVED: "survived", KILLED: "killed"}.get(os.WEXITSTATUS(status), "error")
    return {"outcome": outcome, "test": test, "seconds": seconds}


def _be_child(job: dict[str, Any], attempt: Callable[[dict[str, Any]], str | None], writing: int) -> None:
    """Try a job in this process, silently, and end it."""
    os.setpgid(0, 0)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        test = attempt(job)
    except BaseException as error:
        os.write(writing, f"{type(error).__name__}: {error}".encode()[:500])
        os._exit(CRASHED)
    os.write(writing, (test or "").encode())
    os._exit(SURVIVED if test is None else KILLED)


def main() -> None:
    """Collect coverage, or serve."""
    mode, reading, writing, *arguments = sys.argv[1:]
    jobs, out = os.fdopen(int(reading)), os.fdopen(int(writing), "w")
    if mode == "coverage":
        pytest.main(arguments, plugins=[CoverageByTest(out)])
    elif mode == "warm":
        pytest.main(arguments, plugins=[WarmServer(jobs, out)])
    else:
        for library in LIBRARIES:
            try:
                __import__(library)
            except ImportError:
                continue
        serve(jobs, out, partial(_try_cold, arguments))


if __name__ == "__main__":
    main()
