"""Assessment of a release in a thread of its own, which is left behind where a stop finds it in a long computation."""

import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError

from microagg.assess import assess_release
from microagg.control.progress import Progress
from microagg.control.run import Run
from microagg.model.assessment import Assessment
from microagg.model.errors import CancelledError
from microagg.model.release import Release
from microagg.workspace import Workspace

_SECONDS_BETWEEN_LOOKS = 0.1
_PATIENCE = 5  # looks after a stop: most computations end by themselves before


class AssessmentThread:
    """Assessment that can be given up at any time; the thread ends with the process at the latest.

    Parameters
    ----------
    release
        The release.
    workspace
        Memory and folder of its run.
    progress
        Gets the reports, until the assessment is given up.

    Attributes
    ----------
    run : Run
        The run of the assessment, by which it is cancelled.
    """

    def __init__(self, release: Release, workspace: Workspace, progress: Progress) -> None:
        self._release = release
        self._progress = progress
        self._found: Future[Assessment] = Future()
        self.run = Run(progress=self._report)
        workspace.equip(self.run)

    def result(self) -> Assessment:
        """Assess the release, and wait for it.

        Raises
        ------
        CancelledError
            If the run was cancelled; a computation may then still be under way, and its result is not used.
        """
        threading.Thread(target=self._assess, daemon=True).start()
        n_looks = 0
        while n_looks < _PATIENCE:
            try:
                return self._found.result(timeout=_SECONDS_BETWEEN_LOOKS)
            except NotYetError:
                n_looks += self.run.cancelled
        raise CancelledError("cancelled: the release is not assessed")

    def _assess(self) -> None:
        try:
            self._found.set_result(assess_release(self._release, self.run))
        except BaseException as error:  # for the thread that waits
            self._found.set_exception(error)

    def _report(self, stage: str, done: float | None, note: str = "") -> None:
        if not self.run.cancelled:
            self._progress(stage, done, note)
