"""Results of the tasks of the pages, some of which may not be there yet."""

from cached_tasks import Result, Task

NOT_YET = "Not computed yet: `make reproduce` goes on."


class MissingResultError(LookupError):
    """A task has no result yet."""


class Results(dict[Task, Result]):
    """Result of each task that has one."""

    def __missing__(self, task: Task) -> Result:
        raise MissingResultError(task)
