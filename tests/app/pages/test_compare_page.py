"""Runs are compared on a map and in a table, and each can be picked, discarded and taken up again."""

from microagg.app.compared_run import ComparedRun, OtherRun
from microagg.app.job import Event
from microagg.app.pages.compare_page import compare_page
from microagg.app.pages.page_frame import Frame
from page_checks import ParsedPage, sound_page
from release_facts import released

PLAN = 'k = 4\ncolumns = ["x", "y"]\nmethod = "mdav"\n'


def measured(number: int, loss: float, risk: float, **of_set: object) -> ComparedRun:
    """Return a finished run with some loss and risk."""
    release, document = released(**of_set)
    for one in document["assessment"]["figures"]:
        one["value"] = {"information_loss": loss, "dld": risk}.get(one["name"], one["value"])
    return ComparedRun(number, PLAN, Event("done", elapsed=2.0), release, document)


def shown(*runs: ComparedRun, picked: int | None = None, can_undo: bool = False) -> ParsedPage:
    """Return the page that compares runs."""
    return sound_page(compare_page(Frame("compare", "token"), runs, picked, can_undo))


def test_every_measured_run_is_on_the_map() -> None:
    page = shown(measured(1, 2.0, 30.0), measured(2, 5.0, 10.0), measured(3, 6.0, 40.0), picked=2)
    assert sum(tag == "circle" for tag, _ in page.elements) == 4, "three runs, and a ring around the picked one"
    assert {"run 1", "run 2 (picked)", "run 3"} <= set(page.texts)
    assert "Take home run 2" in page.texts
    assert "/runs/2/take-home" in page.attributes("href")


def test_the_front_leaves_out_a_run_that_another_beats() -> None:
    page = shown(measured(1, 2.0, 30.0), measured(2, 5.0, 10.0), measured(3, 6.0, 40.0))
    fills = [attributes["fill"] for tag, attributes in page.elements if tag == "circle"]
    assert fills[0] == fills[1] != fills[2]


def test_runs_of_other_files_are_listed_and_found_again() -> None:
    others = [OtherRun(2, "<b>.csv", Event("working")), OtherRun(1, "a.csv", Event("done"))]
    for runs in ([], [measured(3, 2.0, 30.0)]):
        page = sound_page(compare_page(Frame("compare", "token"), runs, None, can_undo=False, others=others))
        assert {"/runs/1", "/runs/2"} <= set(page.attributes("href"))
        assert "Run 2 of <b>.csv running" in page.text
    assert "other files" not in shown(measured(3, 2.0, 30.0)).text


def test_one_run_has_a_map_and_a_sentence_how_to_make_another() -> None:
    page = shown(measured(1, 2.0, 30.0))
    assert sum(tag == "circle" for tag, _ in page.elements) == 1
    assert "the only run so far" in page.text


def test_the_table_tells_plan_loss_gap_and_risk() -> None:
    page = shown(measured(1, 2.0, 30.0, gap=0.125))
    assert {"k = 4, mdav", "2.000\u202f%", "12.50\u202f%", "30.00\u202f%", "ready"} <= set(page.texts)


def test_the_verdict_of_a_run_gives_its_state_the_colour() -> None:
    limited, sound = measured(1, 2.0, 30.0), measured(2, 2.0, 30.0)
    assert sound.release is not None
    sound.release["verdict"] = {"tone": "verified", "headline": "verified", "sentences": [], "warnings": []}
    badges = {}
    for run in (limited, sound):
        page = shown(run)
        badges[run.number] = [one["class"] for tag, one in page.elements if "badge" in one.get("class", "")]
        assert run.release is not None
        assert run.release["verdict"]["headline"] in page.texts
    assert badges == {1: ["badge warning"], 2: ["badge good"]}


def test_a_run_that_is_not_measured_is_in_the_table_only() -> None:
    release, _ = released(information_loss=3.5)
    page = shown(ComparedRun(1, PLAN, Event("released", elapsed=1.0), release))
    assert not [tag for tag, _ in page.elements if tag == "svg"]
    assert {"3.500\u202f%", "risk is being measured"} <= set(page.texts)
    assert "has a place on the map when its risk has been measured" in page.text


def test_every_state_is_told() -> None:
    failed = Event("failed", sentence="No <b> memory.")
    states = [Event("queued"), Event("working"), failed, Event("cancelled")]
    page = shown(*(ComparedRun(number, PLAN, event) for number, event in enumerate(states, start=1)))
    assert {"waiting", "running", "failed", "No <b> memory.", "cancelled"} <= set(page.texts)
    assert page.attributes("data-events") == ["/jobs/1/events", "/jobs/2/events"]


def test_a_run_that_was_stopped_early_is_marked() -> None:
    assert "stopped early" in shown(measured(1, 2.0, 30.0, reproducible=False)).texts


def test_only_a_release_can_be_picked_and_only_what_is_over_discarded() -> None:
    runs = [measured(1, 2.0, 30.0), ComparedRun(2, PLAN, Event("working")), ComparedRun(3, PLAN, Event("failed"))]
    posts = set(shown(*runs).attributes("data-post"))
    assert {"/runs/1/pick", "/runs/1/discard", "/runs/1/reopen", "/runs/2/reopen", "/runs/3/discard"} <= posts
    assert not {"/runs/2/pick", "/runs/2/discard", "/runs/3/pick"} & posts
    assert "/runs/1/pick" not in shown(*runs, picked=1).attributes("data-post")


def test_undo_is_there_when_it_can_be_done_even_with_no_run_left() -> None:
    assert "/compare/undo" not in shown(measured(1, 2.0, 30.0)).attributes("data-post")
    assert "/compare/undo" in shown(measured(1, 2.0, 30.0), can_undo=True).attributes("data-post")
    assert "/compare/undo" in shown(can_undo=True).attributes("data-post")


def test_a_hostile_plan_is_a_text() -> None:
    page = shown(ComparedRun(1, "<script>", Event("queued")))
    assert "plan that cannot be read" in page.texts
