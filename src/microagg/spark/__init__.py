"""The same line on Apache Spark: for data that are in a cluster already."""

from microagg.spark.cluster_protect import protect
from microagg.spark.spark_release import SparkRelease, SparkSetRelease

__all__ = ["SparkRelease", "SparkSetRelease", "protect"]
