"""Measure releases of real files: those that users of other tools know, and the classics made messy.

Prints the tables, and writes them to docs/real_files.md. A file that is not at hand is skipped, with the reason.
"""

import os
from pathlib import Path

import known_files
import messy_classics
from classics import CLASSICS
from documents import DOCS, fill, table
from microagg import InputError

TEMPLATE = Path(__file__).with_name("real_files.in.md")


def main() -> None:
    """Measure, print and write."""
    folder = Path(os.environ["MICROAGG_DATA"])
    known, messy, skipped = [], [], []
    for file in known_files.FILES:
        if (folder / f"{file.name}.csv").exists():
            known += known_files.study(file, folder)
        else:
            skipped.append(f"{file.name}: no {file.name}.csv in {folder}")
    for name in CLASSICS:
        try:
            messy += messy_classics.study(name)
        except InputError as error:
            skipped.append(f"{name}: {error}")
    parts = {"known": table(known_files.HEADER, known), "messy": table(messy_classics.HEADER, messy)}
    print(parts["known"], parts["messy"], sep="\n\n")
    if skipped:
        print("skipped, and the page left as it is:", *skipped, sep="\n* ")
        return
    (DOCS / "real_files.md").write_text(fill(TEMPLATE, parts), encoding="utf-8")


if __name__ == "__main__":
    main()
