"""The glossary has each word once, in alphabetical order, and names modules that exist."""

import itertools
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()


def _letters(word: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", word.casefold().replace("-", " "))


def test_words_are_in_order_and_each_is_there_once() -> None:
    words = re.findall(r"^\*\*(.+?)\*\*:", GLOSSARY, re.MULTILINE)
    assert len(words) > 50
    for before, after in itertools.pairwise(map(_letters, words)):
        assert before < after


def test_modules_exist() -> None:
    modules = set(re.findall(r"`([a-z_0-9/]+(?:\.py|/))`", GLOSSARY))
    assert len(modules) > 30
    assert [module for module in sorted(modules) if not (ROOT / "src" / "microagg" / module).exists()] == []
