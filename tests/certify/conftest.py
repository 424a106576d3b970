"""What the tests of the checker share."""

import pytest

import naive
from certificate_cases import A_BIT_LESS, Branched, certificate, linear_programme, node, standardised, table


@pytest.fixture(scope="session")
def branched() -> Branched:
    data = table(9, 8)
    X = standardised(data, 2)
    target = A_BIT_LESS * naive.best_sse(X, 2)
    nodes = [node(linear_programme(X, 2)[0], ends="branches")]
    for together in (True, False):
        proof, proved = linear_programme(X, 2, [(1, 5, together)])
        assert proved >= target
        nodes.append(node(proof, ends="bound", decision=(1, 5, together), parent=0))
    return Branched(data, X, certificate(data, 2, target, nodes))
