"""Ctrl-C cancels once and interrupts then."""

import signal

import pytest

from microagg import Run
from microagg.terminal.interruption import Interruption


def test_first_interrupt_cancels_the_run_and_the_second_interrupts_the_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    interruption = Interruption()
    interruption.run = Run()
    interruption._handle(signal.SIGINT, None)
    assert interruption.run.cancelled
    assert "cancelled: ending with the best result so far" in capsys.readouterr().err
    interruption.check()
    with pytest.raises(KeyboardInterrupt):
        interruption._handle(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        interruption.check()


@pytest.mark.parametrize(("number", "solving"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
def test_other_signals_interrupt_the_program(number: int, solving: bool) -> None:
    interruption = Interruption()
    interruption.run = Run() if solving else None
    with pytest.raises(KeyboardInterrupt):
        interruption._handle(number, None)
    assert interruption.run is None or not interruption.run.cancelled
