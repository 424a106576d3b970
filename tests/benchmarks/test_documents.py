"""Pages made from templates."""

from pathlib import Path

import pytest

from documents import fill, table


def test_table_in_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_every_place_is_filled_by_a_part(tmp_path: Path) -> None:
    template = tmp_path / "page.in.md"
    template.write_text("{one} and {two_2}, {one}; a set {1, 2}\n")
    assert fill(template, {"one": "{two_2}", "two_2": "b"}) == "{two_2} and b, {two_2}; a set {1, 2}\n"
    with pytest.raises(KeyError, match="differ in two_2"):
        fill(template, {"one": "a"})
    with pytest.raises(KeyError, match="differ in three"):
        fill(template, {"one": "a", "two_2": "b", "three": "c"})
