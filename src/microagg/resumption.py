"""Resume a run that was killed: with the same plan, input and version, from the checkpoint that it has left."""

import json
import logging
import tomllib

from microagg.control.checkpoint import Checkpoint, FolderCheckpoint, NoCheckpoint
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import InputError
from microagg.model.location import Location
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.run_pipeline import known_random_state
from microagg.version import __version__

_log = logging.getLogger("microagg")


def resumable(
    plan: Plan, table: Table, folder: WorkFolder, output: Location, *, resume: bool
) -> tuple[Plan, Checkpoint]:
    """Return the plan of a run with a known random state, and the checkpoint by which it can be resumed.

    Parameters
    ----------
    plan
        The plan, as it is given.
    table
        The input.
    folder
        The work folder, in use.
    output
        The file that is to be written.
    resume
        Whether a run that was killed is to go on; where none was, a notice is logged.

    Returns
    -------
    plan : Plan
        The plan; where its random state is not given, with a fresh one, or that of the run that was killed.
    checkpoint : Checkpoint
        The checkpoint; one that keeps nothing where a stage of the user's own cannot be compared later.

    Raises
    ------
    InputError
        If plan, input or version are not those of the run that was killed: what differs is named. If a run with a stage
        of the user's own is to be resumed.
    """
    drawn = plan.random_state is None
    random_state = known_random_state(plan.random_state)
    try:
        known = fingerprint(plan, table)
    except InputError:  # a stage of the user's own, which cannot be written down
        if resume:
            raise InputError(
                "a run whose plan holds a function cannot be resumed: name the method in its place"
            ) from None
        return plan, NoCheckpoint()
    checkpoint = FolderCheckpoint(folder, known, random_state)
    folder.take_over()  # not before: whoever resumes with the wrong plan can still resume with the right one
    if resume and checkpoint.found:
        _log.warning("resuming the run that was interrupted")
    elif resume:
        _log.warning("there is no run to resume for %s: starting from the beginning", output)
    return (Plan(**{**plan.given, "random_state": checkpoint.random_state}) if drawn else plan), checkpoint


def fingerprint(plan: Plan, table: Table) -> dict[str, str]:
    """Return all that the groups depend on, by its name: each option of the plan, the input, the version."""
    options = tomllib.loads(plan.to_toml())
    return {
        "the version of microagg": __version__,
        "the input": " ".join(filter(None, [table.source.sha256, getattr(table.source, "table", None)])),
        **{f"option {name}": json.dumps(value, default=str, sort_keys=True) for name, value in options.items()},
    }
