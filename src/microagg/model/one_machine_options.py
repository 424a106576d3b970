"""Options that only one machine carries out: why a cluster does not, and what to do there instead."""

_READING = "Spark reads the records: leave it out"

NOT_ON_CLUSTER = {
    "bound": "a bound over all records is proved in one place: leave it out, or use one machine",
    "certificate": "a proof is over all records in one place: leave it out, or use one machine",
    "decimal": _READING,
    "delimiter": _READING,
    "encoding": _READING,
    "estimate": "nothing is known of the cluster before it works: try a small part of the records there",
    "header": _READING,
    "measures": "a release on a cluster is measured apart: use 'microagg spark measure', or one machine",
    "memory": "the memory of executors is a setting of Spark: use --conf spark.executor.memory=8g",
    "renumber": (
        "new numbers are drawn for all records in one place: name the column in identifiers (--identifiers), which "
        "leaves it out of the release, or use one machine"
    ),
    "resume": "nothing is kept of a run on Spark that was interrupted: leave it out, and start anew",
    "rounding": "how a group is rounded depends on all others: leave it out, or use one machine",
    "shuffle": "a random order of all records is made in one place: leave it out, or use one machine",
    "t_closeness": (
        "each group is compared with all records in one place: choose l_diversity or entropy_l_diversity "
        "(--l-diversity, --entropy-l-diversity), or use one machine"
    ),
    "table_name": _READING,
    "target_gap": (
        "a gap is one to a bound over all records: limit the work by effort, rounds or iterations (--effort, --rounds, "
        "--iterations)"
    ),
    "time_limit": (
        "the groups would depend on the speed of the machines: limit the work by effort, rounds or iterations "
        "(--effort, --rounds, --iterations)"
    ),
    "workers": "Spark divides the work: use --master 'local[4]', or --conf spark.executor.cores=4",
}
"""Why a cluster does not carry out an option, and what to do instead, by its name in Python."""
