"""Small changes to source code that tests ought to notice: one at a time, each a mutant.

Changed are comparisons, arithmetic, logic, numbers, conditions, what is returned, and whether something is raised,
called or handed on. Left alone are docstrings, annotations, imports, and the words of messages.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
FACTOR = 10.0  # of a number that is not whole


@dataclass(frozen=True)
class Mutant:
    """One change to a file.

    Parameters
    ----------
    path
        The file, relative to the root of the repository.
    start, end, text
        The bytes that are replaced, and by what.
    lines
        The numbers of the lines that are changed, first and last.
    function
        The outermost function around the change: its qualified name and the line of its first decorator or `def`;
        None where the change is made when the module is imported.
    names
        What the changed statement defines, where it is outside functions.
    """

    path: str
    start: int
    end: int
    text: str
    lines: tuple[int, int]
    function: tuple[str, int] | None
    names: tuple[str, ...]

    def apply(self, source: bytes) -> bytes:
        """Return the source with the change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def difference(self, source: bytes) -> str:
        """Return what is changed, as two lines of a diff."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        last = len(source) if last < 0 else last
        before = source[first:last].decode()
        after = (source[first : self.start] + self.text.encode() + source[self.end : last]).decode()
        return f"- {' '.join(before.split())}\n+ {' '.join(after.split())}"


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """List all mutants of a file."""
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    return finder.found


class _Finder(ast.NodeVisitor):
    """Visitor that notes a mutant wherever something can be changed."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.line_starts = [0, *accumulate(len(line) for line in source.splitlines(keepends=True))]
        self.found: list[Mutant] = []
        self.scope: list[str] = []
        self.function: tuple[str, int] | None = None
        self.names: tuple[str, ...] = ()

    def note(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Note that a node may be replaced by a text."""
        last_line = node.end_lineno or node.lineno
        self.found.append(
            Mutant(
                path=self.path,
                start=self.line_starts[node.lineno - 1] + node.col_offset,
                end=self.line_starts[last_line - 1] + (node.end_col_offset or 0),
                text=text,
                lines=(node.lineno, last_line),
                function=self.function,
                names=() if self.function else (*self.names, *self.scope),
            )
        )

    def note_changed(self, node: ast.expr, **fields: object) -> None:
        """Note that an expression may be replaced by itself with other fields."""
        known = {name: getattr(node, name) for name in node._fields}
        self.note(node, f"({ast.unparse(type(node)(**{**known, **fields}))})")

    def note_negated(self, test: ast.expr) -> None:
        """Note that a condition may be negated, unless another mutant does so."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ORDERED):
            return
        self.note(test, f"(not ({ast.unparse(test)}))")

    @contextmanager
    def naming(self, *names: str) -> Iterator[None]:
        """Remember which names a statement outside functions defines."""
        before = self.names
        self.names = names
        yield
        self.names = before

    # Statements

    def visit_body(self, body: list[ast.stmt]) -> None:
        """Visit statements, but for a docstring."""
        for statement in body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                self.visit(statement)

    def visit_Module(self, node: ast.Module) -> None:
        self.visit_body(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        with self.naming(node.name):
            for decorator in node.decorator_list:
                self.visit(decorator)
        self.scope.append(node.name)
        self.visit_body(node.body)
        self.scope.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        with self.naming(node.name):
            for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
                self.visit(part)
        self.scope.append(node.name)
        outermost = self.function is None
        if outermost:
            first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            self.function = (".".join(self.scope), first)
        self.visit_body(node.body)
        if outermost:
            self.function = None
        self.scope.pop()

    def visit_Import(self, node: ast.Import) -> None:
        """Leave imports alone."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Leave imports alone."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            with self.naming(ast.unparse(node.target)):
                self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if names != ["__all__"]:
            with self.naming(*names):
                self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        other = OPERATORS.get(type(node.op))
        if other:
            self.note(node, ast.unparse(ast.AugAssign(node.target, other(), node.value)))
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return
        self.note_negated(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self.note_negated(node.test)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        self.note_negated(node.test)
        self.visit(node.test)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.note(node, "return None")
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.note(node, "pass")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.note(node, "pass")
        self.visit(node.value)

    def visit_Break(self, node: ast.Break) -> None:
        self.note(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.note(node, "break")

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self.note_negated(node.guard)
            self.visit(node.guard)
        self.visit_body(node.body)

    # Expressions

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.note_negated(test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.note_negated(node.test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, op in enumerate(node.ops):
            ops = [*node.ops[:place], COMPARISONS[type(op)](), *node.ops[place + 1 :]]
            self.note_changed(node, ops=ops)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.note_changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.note(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = OPERATORS.get(type(node.op))
        if other and not any(map(_is_text, (node.left, node.right))):
            self.note_changed(node, op=other())
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            self.note_changed(node, func=ast.Name(FUNCTIONS[node.func.id]))
        for keyword in node.keywords:
            flag = isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool)  # turned below
            if keyword.arg is not None and not flag:
                self.note_changed(node, keywords=[other for other in node.keywords if other is not keyword])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.note(node, repr(not value))
        elif isinstance(value, int):
            self.note(node, repr(value + 1))
        elif isinstance(value, float):
            self.note(node, repr(FACTOR * value if value else 1.0))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave the words of messages alone."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not _is_text(node.slice):
            self.visit(node.slice)
        self.visit(node.value)


def _is_text(node: ast.expr) -> bool:
    """Check whether an expression is a text, plain or formatted."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
