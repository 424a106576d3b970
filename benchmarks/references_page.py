"""Page of the literature, docs/references.md, and its bibliography, docs/references.bib: made of the package's own.

`python benchmarks/references_page.py` writes them.
"""

import textwrap
from pathlib import Path

from documents import DOCS, fill, table
from microagg.methods import references

_TEMPLATE = Path(__file__).parent / "references.in.md"
PAGE = DOCS / "references.md"
BIBLIOGRAPHY = DOCS / references.BIBLIOGRAPHY
SECTIONS = ("papers", "methods", "search", "missing", "criteria")
DATA = {  # sha256, records × columns, loss of MDAV at k = 3 in percent
    "census": ("40fb91564d4379274610e941161fd38729adb471bddb9c71d7c01ef142fd0f5b", "1080 × 13", "5.6922"),
    "eia": ("4384e99a2ee9c70a75700820e5e33d72df84d6b96afd28fda9a806de223150f4", "4092 × 11", "0.4829"),
    "tarragona": ("d5f719a134a3476b2157d9675d1a2b211dbc06ad6109685ad1e4b7847cfa45a4", "834 × 13", "16.9326"),
    "eia_full": ("0ccc4ada7995f5b3d4047afdf670852834ad8651ce8ea60d87a7c41ca74d34de", "4092 × 15", "–"),
    "free1": ("a82660081741eca830eca0afa3243348fa4aca5d65e89e27a0d4220ae8ea0df7", "4000 × 34", "–"),
    "testdata": ("07211ef56ba9641e0aca4cf1531a45e87c32396dd032fc0de7e3fd990e464b90", "4580 × 15", "–"),
}


def main() -> None:
    """Write the page and the bibliography."""
    PAGE.write_text(page())
    BIBLIOGRAPHY.write_text(references.bibliography())


def page() -> str:
    """Return the page."""
    header = ("file", "records × columns", "MDAV, k = 3", "SHA-256")
    rows = ((f"`{name}.csv`", shape, loss, f"`{digest}`") for name, (digest, shape, loss) in DATA.items())
    return fill(_TEMPLATE, {**{name: _listed(name) for name in SECTIONS}, "data": table(header, rows)})


def _listed(section: str) -> str:
    return "\n".join(_entry(entry) for entry in references.entries().values() if entry["keywords"] == section)


def _entry(entry: references.Entry) -> str:
    shorthand = entry.get("shorthand", "")
    label = f"**{shorthand[0].upper()}{shorthand[1:]}.** " if shorthand else ""
    annotation = f". {entry['annotation']}" if "annotation" in entry else ""
    text = f"* {label}{references.reference(entry, emphasis='*')}{annotation}"
    return textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    main()
