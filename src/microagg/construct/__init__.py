"""Constructors, which make a partition: one file each, one line each in the dict below."""

from microagg.construct.cbfs import Cbfs
from microagg.construct.dba import Dba
from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import Nearest, NearestToCentroid
from microagg.construct.gsms import Gsms
from microagg.construct.k_ward import KWard
from microagg.construct.kmeans import KMeans
from microagg.construct.md import Md
from microagg.construct.mdav import Mdav
from microagg.construct.mf_tsp import MfTsp
from microagg.construct.mondrian import Mondrian
from microagg.construct.mst import Mst
from microagg.construct.mu_approx import MuApprox
from microagg.construct.ordered import Ordered, Path, Runs, Tour
from microagg.construct.record_orders import GroupByGroup, NearestNext, PrincipalComponent, ShortTour, ZScores
from microagg.construct.tfrp import Tfrp
from microagg.construct.univariate import Univariate
from microagg.construct.v_mdav import VMdav
from microagg.control.stages import Construct

_FDM = Ordered(ShortTour(), Tour())

CONSTRUCTORS: dict[str, Construct] = {
    "mdav": FixedSize(Mdav(), Nearest()),
    "mdav-nn": FixedSize(Mdav(), Nearest()),
    "mdav-nc": FixedSize(Mdav(), NearestToCentroid()),
    "cbfs-nn": FixedSize(Cbfs(), Nearest()),
    "cbfs-nc": FixedSize(Cbfs(), NearestToCentroid()),
    "tfrp-nn": FixedSize(Tfrp(), Nearest()),
    "tfrp-nc": FixedSize(Tfrp(), NearestToCentroid()),
    "gsms-nn": FixedSize(Gsms(), Nearest()),
    "dba-1": FixedSize(Dba(), Nearest()),
    "md-nn": FixedSize(Md(), Nearest()),
    "md-nc": FixedSize(Md(), NearestToCentroid()),
    "v-mdav": VMdav(),
    "mst": Mst(),
    "mu-approx": MuApprox(),
    "npn-mhm": Ordered(NearestNext(), Path()),
    "npn-mhm-tour": Ordered(NearestNext(), Tour()),
    "md-mhm": Ordered(GroupByGroup(Md()), Path()),
    "md-mhm-tour": Ordered(GroupByGroup(Md()), Tour()),
    "mdav-mhm": Ordered(GroupByGroup(Mdav()), Path()),
    "mdav-mhm-tour": Ordered(GroupByGroup(Mdav()), Tour()),
    "cbfs-mhm": Ordered(GroupByGroup(Cbfs()), Path()),
    "cbfs-mhm-tour": Ordered(GroupByGroup(Cbfs()), Tour()),
    "pca-fixed": Ordered(PrincipalComponent(), Runs()),
    "zscore-fixed": Ordered(ZScores(), Runs()),
    "pca-mhm": Ordered(PrincipalComponent(), Path()),
    "pca-mhm-tour": Ordered(PrincipalComponent(), Tour()),
    "zscore-mhm": Ordered(ZScores(), Path()),
    "zscore-mhm-tour": Ordered(ZScores(), Tour()),
    "tsp-mhm": Ordered(ShortTour(), Path()),
    "tsp-mhm-tour": _FDM,
    "fdm": _FDM,
    "mf-tsp": MfTsp(),
    "mondrian": Mondrian(),
    "k-ward": KWard(),
    "kmeans": KMeans(),
    "univariate": Univariate(),
}
