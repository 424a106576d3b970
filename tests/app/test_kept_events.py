from microagg.app.job import Event
from microagg.app.kept_events import KeptEvents


def test_events_are_numbered_from_one() -> None:
    kept = KeptEvents()
    for state in ("queued", "working", "done"):
        kept.add(Event(state))
    assert [event.number for event in kept.events] == [1, 2, 3]
    assert [event.state for event in kept.after(1)] == ["working", "done"]


def test_a_long_run_is_thinned_out_and_keeps_its_states_stages_and_numbers() -> None:
    kept = KeptEvents(most=40)
    kept.add(Event("queued"))
    for stage in ("encode", "search"):
        for number in range(500):
            kept.add(Event("working", stage, number / 500))
    kept.add(Event("released"))
    kept.add(Event("done"))
    assert len(kept.events) <= 40
    numbers = [event.number for event in kept.events]
    assert numbers == sorted(set(numbers))
    assert (kept.events[0].state, kept.events[-1].state) == ("queued", "done")
    assert kept.has_state("released")
    assert {event.stage for event in kept.events} == {"", "encode", "search"}
    assert next(event for event in reversed(kept.events) if event.stage == "encode").done == 499 / 500


def test_stages_that_alternate_are_thinned_out_too() -> None:
    kept = KeptEvents(most=40)
    for number in range(1000):
        kept.add(Event("working", ("search", "bound")[number % 2]))
    assert len(kept.events) <= 40
