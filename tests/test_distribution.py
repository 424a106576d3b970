"""The source distribution can run its own tests, and the page of a package index has no dead link."""

import re
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
_NAMED_BY_TESTS = re.compile(r'(?:ROOT|parents\[\d\]\)?) / "([^"]+)"')
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_the_source_distribution_holds_all_that_tests_read() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    named = {name for text in texts for name in _NAMED_BY_TESTS.findall(text) if (ROOT / name).exists()}
    assert {"CONTRIBUTING.md", "benchmarks", "docs", "examples", "src", "tests"} <= named
    included = {Path(file.distribution_path).parts[0] for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert named - included == set()


def _index_page() -> str:
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    assert metadata.core.readme_content_type == "text/markdown"
    return metadata.core.readme


def test_an_index_page_has_no_link_to_a_file() -> None:
    html = MarkdownIt("commonmark").enable("table").render(_index_page())
    targets = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert [target for target in targets if not target.startswith(("https://", "http://", "mailto:", "#"))] == []


def test_an_index_page_says_the_same_as_the_readme() -> None:
    page = _index_page()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert _CODE.findall(page) == _CODE.findall(readme)
    linked = re.findall(r"(?<!!)\[([^\]]+)\]\((?!https?:|mailto:|#)[^)]*\)", readme)
    assert [text for text in linked if text not in page] == []
