"""The same line on Apache Spark: for data that are in a cluster already."""
