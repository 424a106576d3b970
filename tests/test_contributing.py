"""The tree in CONTRIBUTING.md is the tree of the sources."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "microagg"


def _tree() -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text[text.index("src/microagg/\n") :].partition("```")[0].splitlines()[1:]


def test_every_file_has_its_line() -> None:
    listed = []
    folders: list[str] = []
    for line in _tree():
        depth = (len(line) - len(line.lstrip())) // 2
        name = line.split()[0]
        del folders[depth - 1 :]
        if name.endswith("/"):
            folders.append(name)
        else:
            listed.append("".join([*folders, name]))
    files = [path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py") if path.name != "__init__.py"]
    assert sorted(listed) == sorted(files)


def test_every_line_has_a_description() -> None:
    assert [line for line in _tree() if len(line.split()) < 3] == []
