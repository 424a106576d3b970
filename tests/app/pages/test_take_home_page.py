"""The page of what is taken home offers every file, says whom it is for, and whether the run can be repeated."""

from collections.abc import Sequence

from microagg.app.pages.page_frame import Frame
from microagg.app.pages.take_home_page import take_home_page
from microagg.app.taken_files import TakenFile
from microagg.report.document_parts.document_warnings import release_warnings
from page_checks import ParsedPage, sound_page
from release_facts import CHECKSUM, released

FILES = [
    TakenFile("safe.csv", "release", 12_345),
    TakenFile("report_public.html", "public", 900),
    TakenFile("report.html", "internal", 2_000_000),
    TakenFile("release.toml", "plan", 100),
    TakenFile("command.txt", "command", 50),
    TakenFile("script.py", "script", 60),
]


def shown(files: Sequence[TakenFile] = FILES, **of_set: object) -> ParsedPage:
    """Return the page of what is taken home."""
    release, _ = released(**of_set)
    texts = ("microagg protect 'a <b>.csv'", "import microagg\n", "k = 4\n")
    return sound_page(take_home_page(Frame("take-home", "token"), 2, files, *texts, release))


def test_every_file_can_be_downloaded() -> None:
    addresses = shown().attributes("href")
    assert {f"/runs/2/files/{one.name}" for one in FILES} <= set(addresses)


def test_only_reports_are_read_in_the_page() -> None:
    read = [address for address in shown().attributes("href") if address.endswith("?show")]
    assert read == ["/runs/2/files/report_public.html?show", "/runs/2/files/report.html?show"]


def test_checksum_sizes_and_texts_are_told() -> None:
    page = shown()
    assert {CHECKSUM, "12.3 kB", "900 bytes", "2.0 MB", "microagg protect 'a <b>.csv'", "k = 4"} <= set(page.texts)
    assert "protect it as you protect them" in page.text


def test_what_is_given_away_is_apart_from_what_is_kept() -> None:
    text = shown().text
    given, kept = text.index("To give away"), text.index("To keep")
    assert given < text.index("safe.csv") < text.index("report_public.html") < kept < text.index("report.html", kept)


def test_texts_are_copied_from_their_files() -> None:
    addresses = shown().attributes("data-copy-file")
    assert addresses == ["/runs/2/files/command.txt", "/runs/2/files/script.py", "/runs/2/files/release.toml"]


def test_a_run_that_cannot_be_repeated_says_so() -> None:
    title = "THIS RUN CANNOT BE REPEATED EXACTLY"
    assert title in shown(reproducible=False).texts
    assert title not in shown(reproducible=True).texts


def test_a_release_that_is_not_checked_yet_is_told() -> None:
    page = shown(FILES[3:])
    assert "NOT YET CHECKED" in page.texts
    assert "VERIFIED" not in page.text
    assert "/runs/2/files/safe.csv" not in page.attributes("href")
    assert "NOT YET CHECKED" not in shown().texts


def test_missing_reports_are_told() -> None:
    title = "THERE IS NO REPORT"
    assert title in shown(FILES[:1]).texts
    assert title not in shown().texts


def test_every_warning_is_repeated_and_asked_about_before_the_files() -> None:
    release, document = released()
    texts = ("microagg protect 'a.csv'", "import microagg\n", "k = 4\n")
    for facts, known in ((release, None), (release, document)):
        markup = take_home_page(Frame("take-home", "token"), 2, FILES, *texts, facts, known)
        page = sound_page(markup)
        assert "VERIFIED ON THE PROTECTED COLUMNS ONLY" in page.texts
        assert 'class="notice warning"' in markup
        asked, given = markup.index("<summary>I have read the "), markup.index('href="/runs/2/files/safe.csv"')
        for title, sentence in release_warnings(known or facts):
            assert page.text.count(sentence) == 1
            assert page.text.index(title) < page.text.index("I have read")
        assert markup.index("<details") < asked < given < markup.index("</details>")


def test_without_warnings_nothing_is_asked() -> None:
    release, _ = released()
    release["verdict"] = {"tone": "verified", "headline": "verified", "sentences": ["k holds"], "warnings": []}
    release["assessment"]["confidential"] = []
    page = sound_page(take_home_page(Frame("take-home", "token"), 2, FILES, "", "", "", release))
    assert "VERIFIED" in page.texts
    assert "I have read" not in page.text
