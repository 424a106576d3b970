"""Shape of a problem: it answers what a problem answers."""

import numpy as np
import pytest

from microagg import Problem
from microagg.model.problem_shape import ProblemShape, Shape


def _facts(shape: ProblemShape) -> tuple[object, ...]:
    return shape.n, shape.d, shape.k, len(shape.varying), shape.weights is None, shape.missing is None


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("lacks_cells", [False, True])
def test_a_shape_stands_in_for_its_problem(is_weighted: bool, lacks_cells: bool) -> None:
    X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]])
    missing = np.array([[lacks_cells, False], [False, False], [False, False]])
    problem = Problem(X, 2, np.array([1.0, 2.0, 3.0]) if is_weighted else None, missing)
    shape = Shape(3, 2, 2, n_varying=1, is_weighted=is_weighted, lacks_cells=lacks_cells)
    assert _facts(shape) == _facts(problem)


def test_all_columns_vary_as_far_as_is_known() -> None:
    assert len(Shape(3, 2, 2).varying) == 2
    assert len(Shape(3, 2, 2, n_varying=0).varying) == 0
