"""The page of a run shows its state: waiting, working, failed or cancelled; and what can be done in each."""

from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.run_page import run_page
from page_checks import ParsedPage, sound_page

PLAN = "k = 5\n# <script>alert(1)</script>\n"
WORK = [
    Event("queued", note="place 1 in the queue", number=1),
    Event("working", "search", 0.25, "round 3", left=30.0, elapsed=2.0, loss=8.0, number=2),
    Event("working", "bound", None, elapsed=4.0, loss=6.0, bound=5.999, number=3),
]


def shown(*events: Event) -> ParsedPage:
    """Return the page of a run that has told some events."""
    return sound_page(run_page(Frame("run", "token"), 7, PLAN, events))


def test_a_waiting_run_tells_its_place_and_can_be_taken_out() -> None:
    page = shown(WORK[0])
    assert "place 1 in the queue" in page.text
    assert "Take it out of the queue" in page.text
    assert "working" in page.attributes("data-reload-on")[0].split()


def test_a_run_that_told_nothing_waits() -> None:
    assert "Waiting for its turn" in shown().text


def test_a_working_run_tells_phase_share_and_times() -> None:
    page = shown(*WORK[:2])
    assert {"Search", "round 3", "30 s", "2 s", "8.00\u202f%"} <= set(page.texts)
    (progress,) = [attributes for tag, attributes in page.elements if tag == "progress"]
    assert float(progress["value"]) == 0.25
    assert page.attributes("data-events") == ["/jobs/7/events"]
    assert page.attributes("data-stop") == ["/jobs/7/stop"]
    assert page.attributes("data-after") == ["2"]
    assert "working" not in page.attributes("data-reload-on")[0].split(), "it would load itself for ever"


def test_an_unknown_share_is_not_shown_as_none() -> None:
    page = shown(*WORK)
    (progress,) = [attributes for tag, attributes in page.elements if tag == "progress"]
    assert "value" not in progress


def test_a_bound_is_never_rounded_up() -> None:
    page = shown(*WORK)
    assert "5.99\u202f%" in page.texts
    assert "6.00\u202f%" in page.texts, "the loss"
    assert "no groups of at least k records lose less than 5.99 %" in page.text


def test_the_curve_is_drawn_for_those_without_scripts() -> None:
    assert "from 8.00 % to 6.00 % within 4 s" in shown(*WORK).text
    assert not [tag for tag, _ in shown(*WORK[:2]).elements if tag == "svg"], "one moment is no curve"


def test_a_failed_run_says_why_and_is_followed_no_more() -> None:
    page = shown(*WORK, Event("failed", sentence="k = 9 is too large for <b>: choose less."))
    assert "k = 9 is too large for <b>: choose less." in page.texts
    assert "Nothing was released" in page.text
    assert page.attributes("data-job") == []
    assert "/runs/7/reopen" in page.attributes("data-post")


def test_a_run_that_failed_without_a_word_has_a_sentence() -> None:
    assert "ended without a word" in shown(Event("failed")).text


def test_a_cancelled_run_says_that_nothing_is_kept() -> None:
    page = shown(WORK[0], Event("cancelled"))
    assert "THE RUN WAS CANCELLED" in page.texts
    assert "nothing to release" in page.text
    assert page.attributes("data-job") == []


def test_the_plan_is_shown_as_text() -> None:
    assert "# <script>alert(1)</script>" in shown(*WORK).text
