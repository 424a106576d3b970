import pickle

from microagg.control.loss_note import LossNote
from microagg.control.run import Run


def test_a_note_is_its_text_and_carries_its_numbers() -> None:
    note = LossNote("loss 2.0000 %", loss=2.0, bound=1.5)
    assert note == "loss 2.0000 %"
    assert (note.loss, note.bound) == (2.0, 1.5)


def test_numbers_are_kept_behind_another_text_and_in_a_pickle() -> None:
    note = LossNote("loss 2.0000 %", loss=2.0, bound=1.5).after("round 3, ")
    assert note == "round 3, loss 2.0000 %"
    again = pickle.loads(pickle.dumps(note))
    assert (again, again.loss, again.bound) == (note, 2.0, 1.5)


def test_a_run_of_some_of_the_records_tells_the_text_only() -> None:
    told: list[str] = []
    run = Run(progress=lambda stage, done, note="": told.append(note))
    run.report("search", None, LossNote("loss 2.0000 %", loss=2.0))
    run.tells_loss = False
    run.share(2).report("other", None, LossNote("loss 3.0000 %", loss=3.0))
    assert told == ["loss 2.0000 %", "loss 3.0000 %"]
    assert isinstance(told[0], LossNote)
    assert not isinstance(told[1], LossNote)
