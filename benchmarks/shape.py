"""Measure the shape of the code: lengths, nesting, parameters, docstrings, annotations, repeated names and blocks.

Usage: `python benchmarks/shape.py [FOLDER]`, where FOLDER is any checkout of this repository (`make shape TREE=…`).
Files are parsed, never imported. A body's lines are those that hold code: no docstring, comment or blank line. `self`
and `cls` do not count as parameters, and `elif` is as deep as its `if`.
"""

import ast
import io
import re
import shutil
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

MAX_BODY = 60
MAX_NESTING = 5
MAX_PARAMETERS = 8
WINDOW = 6  # lines that make a duplicate block
REQUIRED_NAMES = ("__init__.py", "__main__.py", "conftest.py")  # names that Python or pytest prescribe

Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
LAYOUT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
)


@dataclass(frozen=True)
class FunctionShape:
    """Measures of one function."""

    place: str
    body: int
    nesting: int
    parameters: int
    annotated: bool


@dataclass(frozen=True)
class FileShape:
    """Measures of one file."""

    path: Path
    lines: int
    code_lines: int
    functions: list[FunctionShape]
    documented: list[bool]  # for each function and class
    documented_public: list[bool]  # for those without an underscore in front, not within a function


def measure_file(path: Path, root: Path) -> FileShape:
    """Measure one file and the functions in it."""
    text = path.read_text()
    tree = ast.parse(text)
    code = _lines_of_code(text, tree)
    defined = list(_definitions(tree, ""))
    return FileShape(
        path=path,
        lines=len(text.splitlines()),
        code_lines=len(code),
        functions=[
            _measure_function(node, f"{path.relative_to(root)}:{node.lineno} {name}", code)
            for name, node in defined
            if isinstance(node, Function)
        ],
        documented=[_is_documented(node) for _, node in defined],
        documented_public=[_is_documented(node) for name, node in defined if not re.search(r"(^|\.)[_<]", name)],
    )


def _measure_function(node: Function, place: str, code: set[int]) -> FunctionShape:
    """Measure one function, given the lines of its file that hold code."""
    parameters = _parameters(node)
    return FunctionShape(
        place=place,
        body=len(code & set(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))),
        nesting=_depth(node.body),
        parameters=len(parameters),
        annotated=node.returns is not None and all(parameter.annotation is not None for parameter in parameters),
    )


def _is_documented(node: Function | ast.ClassDef | ast.Module) -> bool:
    """Check whether a function, a class or a module has a docstring."""
    return ast.get_docstring(node) is not None


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield every function and class below a node with its qualified name; what is nested in a function is <local>."""
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, Function | ast.ClassDef):
            yield prefix + child.name, child
            inner = f"{prefix}{child.name}." + ("<local>." if isinstance(child, Function) else "")
        yield from _definitions(child, inner)


def _parameters(node: Function) -> list[ast.arg]:
    """List the parameters of a function, without `self` and `cls`."""
    args = node.args
    listed = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [arg for arg in listed if arg is not None and arg.arg not in ("self", "cls")]


def _lines_of_code(text: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that hold code: no comment, no blank line, no docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef | ast.Module) and _is_documented(node):
            docstring = node.body[0]
            lines.difference_update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return lines


def _depth(body: Iterable[ast.stmt]) -> int:
    """Return how many blocks stand inside each other at the deepest place of some statements."""
    return max((_depth_of(statement) for statement in body), default=0)


def _depth_of(statement: ast.stmt) -> int:
    """Return how many blocks stand inside each other within one statement, itself included."""
    if isinstance(statement, Function | ast.ClassDef) or not isinstance(statement, BLOCKS):
        return 0
    if isinstance(statement, ast.Match):
        return 1 + max(_depth(case.body) for case in statement.cases)
    inner = _depth(statement.body)
    other = statement.orelse if isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.TryStar) else []
    if isinstance(statement, ast.If) and len(other) == 1 and isinstance(other[0], ast.If):
        return max(1 + inner, _depth(other))  # elif
    bodies = [other]
    if isinstance(statement, ast.Try | ast.TryStar):
        bodies += [handler.body for handler in statement.handlers] + [statement.finalbody]
    return 1 + max(inner, *(_depth(body) for body in bodies))


def print_part(title: str, files: list[FileShape]) -> None:
    """Print the measures of one part of the tree."""
    print(f"\n{title}")
    if not files:
        print("  no files")
        return
    functions = [function for file in files for function in file.functions]
    lengths = [file.lines for file in files]
    print(f"  files            {len(files)}, {sum(lengths)} lines, {sum(file.code_lines for file in files)} of code")
    print(f"  file length      median {median(lengths):g}, max {max(lengths)}")
    bodies = sorted(function.body for function in functions)
    ninth = bodies[int(0.9 * (len(bodies) - 1))]
    print(f"  functions        {len(functions)}, body lines p50 {median(bodies):g}, p90 {ninth}, max {bodies[-1]}")
    _print_extremes("body lines", functions, lambda function: function.body, MAX_BODY)
    _print_extremes("nesting", functions, lambda function: function.nesting, MAX_NESTING)
    _print_extremes("parameters", functions, lambda function: function.parameters, MAX_PARAMETERS)
    documented = [known for file in files for known in file.documented]
    public = [known for file in files for known in file.documented_public]
    print(
        f"  with docstring   {_share(documented)} of {len(documented)} functions and classes, "
        f"{_share(public)} of the {len(public)} public ones"
    )
    print(f"  fully annotated  {_share([function.annotated for function in functions])} of functions")


def _print_extremes(
    name: str, functions: list[FunctionShape], measure: Callable[[FunctionShape], int], limit: int
) -> None:
    """Print the largest value of a measure with its place, and every place above a limit."""
    ordered = sorted(functions, key=measure, reverse=True)
    print(f"  {name:<16} max {measure(ordered[0])}: {ordered[0].place}")
    above = [function for function in ordered if measure(function) > limit]
    for function in above:
        print(f"    above {limit}: {measure(function)} {function.place}")


def _share(known: list[bool]) -> str:
    """Return the share of what is true, in percent."""
    return f"{100 * sum(known) / max(1, len(known)):.1f} %"


def print_repeated_names(files: list[FileShape], root: Path) -> None:
    """Print the file names that are used more than once, but for those that Python prescribes."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        if file.path.name not in REQUIRED_NAMES:
            places[file.path.name].append(str(file.path.relative_to(root)))
    repeated = {name: paths for name, paths in places.items() if len(paths) > 1}
    print(f"\nfile names used more than once: {len(repeated)}")
    for name, paths in sorted(repeated.items()):
        print(f"  {name}: {', '.join(paths)}")


def print_duplicates(root: Path, files: list[FileShape]) -> None:
    """Print the blocks that stand in two places: as the command `duplicates` finds them, or equal lines only."""
    if shutil.which("duplicates"):
        command = ["duplicates", "--repo", str(root), "--most", "200", "--seconds", "120"]
        rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        print(f"\nduplicate blocks (`duplicates`): {rows[0]}")
        found = [row for row in rows[1:] if re.match(r"D\d+ ", row) and " boilerplate" not in row]
    else:
        found = equal_blocks(files, root)
        print(f"\nduplicate blocks (equal runs of {WINDOW} lines or more): {len(found)}")
    for row in found:
        print(f"  {row}")


def equal_blocks(files: list[FileShape], root: Path) -> list[str]:
    """List the pairs of places that share `WINDOW` lines of code or more, each run once; imports do not count."""
    first: dict[tuple[str, ...], tuple[Path, int]] = {}
    found: list[str] = []
    for file in files:
        text = file.path.read_text()
        source = text.splitlines()
        numbers = sorted(_lines_of_code(text, ast.parse(text)))
        lines = [(n, source[n - 1].strip()) for n in numbers]
        lines = [(n, line) for n, line in lines if len(line) > 3 and not line.startswith(("import ", "from "))]
        within: tuple[Path, int] | None = None
        for start in range(len(lines) - WINDOW + 1):
            window = tuple(line for _, line in lines[start : start + WINDOW])
            place = (file.path, lines[start][0])
            earlier = first.setdefault(window, place)
            if earlier != place and within is None:
                one, other = (f"{path.relative_to(root)}:{line}" for path, line in (earlier, place))
                found.append(f"{one} ~ {other}")
            within = None if earlier == place else earlier
    return found


def main() -> None:
    """Print the measures of each part of the tree, and what the parts have in common."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    parts = {part: _measure_folder(root, part) for part in ("src", "tests", "benchmarks")}
    kernels = root / "src" / "microagg" / "kernels"
    inside = [file for file in parts["src"] if kernels in file.path.parents]
    outside = [file for file in parts["src"] if kernels not in file.path.parents]
    print(f"the shape of {root}")
    print_part("src outside kernels", outside)
    print_part("kernels", inside)
    print_part("tests", parts["tests"])
    print_part("benchmarks", parts["benchmarks"])
    lines, code = (
        sum(getattr(file, measure) for file in parts["tests"]) / sum(getattr(file, measure) for file in parts["src"])
        for measure in ("lines", "code_lines")
    )
    print(f"\ntest lines per source line: {lines:.2f}; of code only: {code:.2f}")
    print_repeated_names([file for files in parts.values() for file in files], root)
    print_duplicates(root, [file for files in parts.values() for file in files])


def _measure_folder(root: Path, folder: str) -> list[FileShape]:
    """Measure every Python file below a folder of the tree."""
    return [measure_file(path, root) for path in sorted((root / folder).rglob("*.py"))]


if __name__ == "__main__":
    main()
