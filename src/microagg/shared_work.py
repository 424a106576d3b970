"""Work that runs on one table share: encodings, and orders of the records that do not depend on k."""

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from microagg.construct.ordered import KnownOrder, Ordered
from microagg.control.mapped_arrays import MappedArrays
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.encode import EncodedTable, encode_table
from microagg.methods import Pipeline
from microagg.model.arrays import IntArray
from microagg.model.problem import Problem
from microagg.model.table import Table
from microagg.model.treatment import Treatment


class SharedWork:
    """What is made once for several runs on the same table, side by side or one after another.

    Examples
    --------
    >>> from microagg.read import read
    >>> shared = SharedWork()
    >>> table = read([[1.0], [2.0], [8.0]])
    >>> first = shared.encoded(table, ["0"], may_miss=False)
    >>> shared.encoded(table, ["0"], may_miss=False).X is first.X
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[Hashable, Future[Any]] = {}
        self._used: list[object] = []  # the keys hold the ids of these

    def encoded(
        self,
        table: Table,
        names: Sequence[str],
        treatment: Treatment | None = None,
        arrays: MappedArrays | None = None,
        *,
        may_miss: bool,
    ) -> EncodedTable:
        """Encode columns of a table, unless that was done before.

        Parameters
        ----------
        table, names, treatment, arrays, may_miss
            As in `encode_table`.

        Returns
        -------
        EncodedTable
            The encoded columns; the arrays are the same in each call.
        """
        key = (id(table), tuple(names), treatment, may_miss)
        encoded: EncodedTable = self._once(
            key, table, lambda: encode_table(table, names, treatment, arrays, may_miss=may_miss)
        )
        return encoded

    def with_known_order(self, chosen: Pipeline, problem: Problem, run: Run) -> Pipeline:
        """Return a pipeline in which the records are already in order, where that order does not depend on k.

        Parameters
        ----------
        chosen
            The pipeline; one whose order depends on k, or that divides the records, is returned as it is.
        problem
            The problem: others have the same points, and another k.
        run
            The run in which the records are put in order, if that was not done before.

        Returns
        -------
        Pipeline
            The same stages; it makes the same groups.
        """
        stage = chosen.construct
        if chosen.block_size is not None or not isinstance(stage, Ordered) or getattr(stage.order, "uses_k", True):
            return chosen
        put_in_order = stage.order
        order = self._once((id(problem.X), put_in_order), problem.X, lambda: _order(put_in_order, problem, run))
        return chosen if order is None else replace(chosen, construct=replace(stage, order=KnownOrder(order)))

    def _once(self, key: Hashable, used: object, make: Callable[[], Any]) -> Any:
        """Return what is made under a key: by the first who asks for it, while others wait."""
        with self._lock:
            is_first = key not in self._made
            if is_first:
                self._made[key] = Future()
                self._used.append(used)
        future = self._made[key]
        if is_first:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
        return future.result()


def _order(put_in_order: Callable[[Problem, Run], IntArray], problem: Problem, run: Run) -> IntArray | None:
    """Return the records in order; None where the run ended that: it ends for every other k, too."""
    try:
        return put_in_order(problem, run)
    except StoppedError:
        return None
