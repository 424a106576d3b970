"""Published names of methods that have another name here."""

from typing import NamedTuple

from microagg.methods.grammar import StageName, read_method


class Alias(NamedTuple):
    """Published name of a method.

    Parameters
    ----------
    name
        The published name, in small letters.
    method
        The method that it stands for.
    reference
        The paper that uses the name.
    """

    name: str
    method: str
    reference: str


_IGD_PAPER = "Khomnotai, Lin, Peng & Santra 2018"
_FIXED_SIZE = ("cbfs-nn", "cbfs-nc", "mdav-nn", "mdav-nc", "tfrp-nn", "tfrp-nc", "gsms-nn")  # of the IGD paper
_REFINED = {"2": "tfrp2", "3": "igd"}  # the last figure of a name, in its table 1

_LISTED = (
    # The IGD paper, section 5.2: "MDAV-NN, CBFS-NC, TFRP-NN, and GSMS-NN are the same as MDAV, CBFS, TFRP, and GSMS in
    # the literature"; "TFRP-NN2 and GSMS-NN2 are the same as TFRP2 and GSMS-T2".
    Alias("cbfs", "cbfs-nc", "Laszlo & Mukherjee 2005"),
    Alias("tfrp", "tfrp-nn", "Chang, Li & Huang 2007"),
    Alias("tfrp-1", "tfrp-nn(points=left)", "Chang, Li & Huang 2007"),
    Alias("tfrp-2", "tfrp-nn(points=left)+tfrp2", "Chang, Li & Huang 2007"),
    Alias("gsms", "gsms-nn", "Panagiotakis & Tziritas 2013"),
    Alias("gsms-t2", "gsms-nn+tfrp2", "Panagiotakis & Tziritas 2013"),
    *(
        Alias(f"{first}{figure}", f"{first}+{refiner}", f"{_IGD_PAPER}, table 1")
        for first in _FIXED_SIZE
        for figure, refiner in _REFINED.items()
    ),
    Alias("dbfs", "md-nc", "Laszlo & Mukherjee 2005"),  # grown as CBFS is: the IGD paper, section 3.1
    Alias("m-d", "mst", "Laszlo & Mukherjee 2005"),
    Alias("md", "md-nn", "Domingo-Ferrer & Mateo-Sanz 2002"),
    Alias("mhm", "univariate", "Hansen & Mukherjee 2003"),
    Alias("dba", "dba-2", "Lin et al. 2010"),
    Alias("μ-approx", "mu-approx", "Domingo-Ferrer, Sebé & Solanas 2008"),
    Alias("onedims", "individual-ranking", "R's sdcMicro"),
    Alias("repordmic", "reporder", "Mortazavi 2020"),
    Alias("microaggregationheuristicmp", "column-generation", "column generation paper, section 5.2"),
    Alias("msth", "column-generation(rounding=tree)", "column generation paper, section 5.2"),
    Alias("srh", "column-generation(rounding=simple)", "column generation paper, section 5.2"),
)

ALIASES: dict[str, Alias] = {alias.name: alias for alias in _LISTED}
"""Every published name that is not the name of a method here."""


def without_alias(written: StageName) -> list[StageName]:
    """Return the stages that a published name stands for, or else the stage itself.

    Parameters that were written after the name are those of the last of the stages.
    """
    alias = ALIASES.get(written.name)
    if alias is None:
        return [written]
    *first, last = read_method(alias.method)
    return [*first, last._replace(values={**last.values, **written.values})]


def aliases_of(name: str) -> tuple[Alias, ...]:
    """Return the published names of a method, and of what refiners make of it."""
    return tuple(alias for alias in ALIASES.values() if read_method(alias.method)[0].name == name)
