"""The same line on Apache Spark: for data that are in a cluster already."""

from microagg.report.document_facts import release_details
from microagg.report.facts import facts
from microagg.spark.cluster_facts import cluster_details, cluster_facts
from microagg.spark.cluster_inspect import inspect
from microagg.spark.cluster_measure import measure
from microagg.spark.cluster_protect import protect
from microagg.spark.cluster_verify import verify
from microagg.spark.executor_warm_up import warm_up
from microagg.spark.spark_release import SparkRelease, SparkSetRelease

__all__ = ["SparkRelease", "SparkSetRelease", "inspect", "measure", "protect", "verify", "warm_up"]

facts.register(SparkRelease, cluster_facts)
release_details.register(SparkRelease, cluster_details)
