"""Page of the methods that the five papers compare with: figures of other papers."""

from classics import CLASSICS
from reproduction.loss_tables import Line, LossTable
from reproduction.page import Page

_QUOTED = "quoted by later papers"


def _table(source: str, methods: dict[str, str]) -> LossTable:
    return LossTable(source, CLASSICS, [Line(published, (ours,)) for published, ours in methods.items()], 2.0)


PAGE = Page(
    "compared",
    "methods that the five papers compare with",
    {
        "mu_approx": _table("Domingo-Ferrer, Sebé & Solanas 2008", {"µ-Approx": "mu-approx(order=index)"}),
        "dba": _table(f"Lin et al. 2010, {_QUOTED}", {"DBA-1": "dba-1", "DBA-2": "dba-2", "MDAV-2": "mdav-2"}),
        "tree": _table(f"Laszlo & Mukherjee 2005, {_QUOTED}", {"M-d": "mst"}),
        "tfrp": _table(f"Chang, Li & Huang 2007, {_QUOTED}", {"TFRP-1": "tfrp-1", "TFRP-2": "tfrp-2"}),
        "v_mdav": _table(f"Solanas & Martínez-Ballesté 2006, {_QUOTED}", {"V-MDAV": "v-mdav"}),
        "mhm": _table(
            f"Domingo-Ferrer et al. 2006, {_QUOTED}",
            {"NPN-MHM": "npn-mhm", "MD-MHM": "md-mhm", "MDAV-MHM": "mdav-mhm", "CBFS-MHM": "cbfs-mhm"},
        ),
        "mhm_outermost": _table(f"Domingo-Ferrer et al. 2006, {_QUOTED}", {"NPN-MHM": "npn-mhm(start=outermost)"}),
        "imhm": _table("Mortazavi, Jalili & Gohargazi 2013", {"IMHM": "imhm"}),
        "imhm_quoted": _table(f"Mortazavi, Jalili & Gohargazi 2013, {_QUOTED}", {"IMHM": "imhm"}),
    },
    [],
    {},
)
