"""Tasks of child processes: one module for each kind of job."""
