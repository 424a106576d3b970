"""Control of the work: the run with its limits, clock, log, progress and workers, and the protocols of stages."""
