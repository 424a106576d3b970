"""Checker of certificates of optimality, whoever made them: only the data are shared with what makes them.

Certified is that no partition into groups of at least k has an sse below B, the lower bound. Groups of 2k records or
more can be split without loss, so only those of k … 2k − 1 are considered. Two records are together in a partition or
apart: so one below B would obey the branching decisions of some leaf of the tree, and it is enough to show that no leaf
has one. How that is shown, `certify.dual_bound` says.
"""

from microagg.certify.certificate_check import certify

__all__ = ["certify"]
