"""Text that was probably meant as a number is recognised in every source, and other text is not."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import read
from microagg.model.column import Kind
from microagg.source.number_like_text import is_number_like

NUMBERS = """12% ; 12 % ; €3294,82 ; 1200 EUR ; 1200EUR ; EUR 1200 ; $5 ; -$5 ; $-5 ; US$ 5 ; 5 kr ; (705.47) ; $(5.00)
1.146D+03 ; 1.5D3 ; 57_771 ; ١٢٣ ; １２３ ; ٣٫٥ ; १२ ; −5 ; –5 ; —5 ; 0x1F ; 1 000 ; 1\u00a0000 ; 1\u202f000 ; 1'000
1’000 ; 1.234.567 ; 1,234,567.89 ; 1.234,5 ; 1,23,456 ; 705.47- ; 5,- ; 1,5 ; 12.5 ; .5 ; 5. ; -0,5 ; 3.5E+03 ; 1.2×10^3
1 234,56 € ; 12.5 CR ; 0.05* ; ~5 ; =12 ; 180 cm ; 1.5 Mio ; １２％"""
TEXTS = """007 ; 00123 ; ٠٠٧ ; 2020-01-31 ; 31.12.2020 ; 1.2.2020 ; 12/31/2020 ; 10:30 ; 12:30:45 ; 10h30 ; 030/123-456
(555) 123-4567 ; 555-1234 ; +49 30 1234567 ; +420 600 123 456 ; 1.2.3 ; 10.0.1 ; SW1A 1AA ; 1012 AB ; K1A 0B6 ; D-12345
DE89 3704 0044 0532 0130 00 ; 4111 1111 1111 1111 ; word ; two words ; 20-30 ; 20–30 ; [20,30) ; (20,30] ; 65+ ; <5
A1 ; 12A ; 1st ; 00-950 ; - ; % ; EUR ; € ; 1/2 ; 12 Main Street ; 192.168.1.1 ; 2001:db8::1 ; a@b.c ; 3 rooms"""


def _listed(texts: str) -> list[str]:
    return [text.strip(" ") for line in texts.split("\n") for text in line.split(" ; ")]


@pytest.mark.parametrize("text", _listed(NUMBERS))
def test_number_like_text_is_mixed(text: str, tmp_path: Path) -> None:
    assert is_number_like(text)
    assert is_number_like(f"  {text} ")
    assert _kinds(tmp_path, [text, text, "word", "word"]) <= {"mixed", "number", "integer"}
    assert _kinds(tmp_path, [text, text, "word", "word", "word"]) == {"text"}


@pytest.mark.parametrize("text", _listed(TEXTS))
def test_other_text_is_text(text: str, tmp_path: Path) -> None:
    assert not is_number_like(text)
    assert not _kinds(tmp_path, [text, text]) & {"mixed", "number", "integer"}


def _kinds(folder: Path, values: list[str]) -> set[Kind]:
    """Return the kinds that one column has in every source of texts."""
    pl.DataFrame({"a": values, "b": "z"}).write_csv(folder / "in.csv", separator=";")
    sources: list[Any] = [folder / "in.csv", pl.DataFrame({"a": values}), pd.DataFrame({"a": values})]
    kinds = {read(source).kind("a") for source in sources} | {read(np.array(values)).kind("0")}
    return {"text" if kind == "date" else kind for kind in kinds}
