"""Tables and sentences of docs/spark.md."""

from cached_tasks import Result
from cluster_simulation import Cluster, breaks_first, needs, record_costs, simulated
from documents import table
from scale_results import NOT_THERE, ScaleResults, count_text, memory_text, number_text, time_text
from spark_data import SHAPES
from spark_runs import ENGINES, memory_limit

_NOT_MEASURED = "(Not measured yet.)"


def engine_table(results: ScaleResults, n: int) -> str:
    """Return the table of the three ways to protect the same records."""
    header = ["records", "way", "time", "CPU, s", "records/s", "loss, %", "memory", "of it Java", "in Python workers"]
    rows = []
    for engine, title in ENGINES.items():
        found = results.part(("engine", engine, n))
        limit = f", `--memory {memory_limit(n)}M`" if engine == "file" else ""
        rows.append([count_text(n), f"{title}{limit}", *_cost_cells(found, n), *_memory_cells(found, engine)])
    return table(header, rows)


def sameness(results: ScaleResults, n: int) -> str:
    """Return whether the three releases are the same."""
    found = results.part(("same", n))
    if found is None:
        return _NOT_MEASURED
    if not found["same"]:
        return "**The releases are not the same: this is a defect.**"
    return f"All three releases are the same to the last bit: {count_text(found['n_groups'])} groups."


def stage_table(results: ScaleResults, n: int) -> str:
    """Return the table of the stages on Spark."""
    found = results.part(("engine", "spark", n))
    if found is None:
        return _NOT_MEASURED
    rows = [[name, f"{seconds:.1f}", str(tasks)] for name, seconds, tasks in found["stages"]]
    spent = sum(seconds for _, seconds, _ in found["stages"])
    rows.append(["Java, Python, and what is between stages", f"{found['wall'] - spent:.1f}", ""])
    return table(["stage", "seconds", "tasks"], rows)


def shape_table(results: ScaleResults, n: int) -> str:
    """Return the table of hard shapes beside plain records."""
    plain = results.part(("shape", "plain", n))
    rows = []
    for shape, title in SHAPES.items():
        found = results.part(("shape", shape, n))
        cpu = NOT_THERE if found is None else f"{found['cpu']:.0f}"
        times = NOT_THERE if found is None or plain is None else f"{found['cpu'] / plain['cpu']:.2f}"
        rows.append([count_text(n), title, time_text(found), cpu, times, *_memory_cells(found, "spark")])
    titles = ["records", "shape", "time", "CPU, s", "in times of plain", "memory", "of it Java", "in Python workers"]
    return table(titles, rows)


def worker_memory(results: ScaleResults, n: int) -> str:
    """Return what Python workers took, in a sentence."""
    found = results.part(("engine", "spark", n))
    if found is None:
        return _NOT_MEASURED
    workers = f"{memory_text(found['peaks']['worker'])} in {found['n_workers']} processes"
    return f"Here the workers of two cores had {workers}, with ten columns."


def driver_memory(results: ScaleResults, n: int) -> str:
    """Return what the driver took, in a sentence."""
    found = results.part(("engine", "spark", n))
    if found is None:
        return _NOT_MEASURED
    sent = found["tasks"]["most_sent"] / 1e6
    peak = memory_text(found["peaks"]["driver"])
    return f"here its Python had {peak}, and no job sent it more than {sent:.1f} MB for {count_text(n)} records."


def simulation(results: ScaleResults, n_large: int, n_small: int) -> str:
    """Return the simulation of a large cluster."""
    large = results.part(("engine", "spark", n_large))
    small = results.part(("shape", "plain", n_small))
    if large is None or small is None or n_large == n_small:
        return _NOT_MEASURED
    cluster = Cluster()
    costs = record_costs(large, n_large, small, n_small)
    words = (
        f"{count_text(cluster.n)} records of {cluster.d} columns, `quick`, on {cluster.executors} executors of "
        f"{cluster.cores} cores and {cluster.memory} GB each. A record of ten columns costs {1e6 * costs.cpu:.0f} µs "
        "of a processor here, and everything is taken to grow with the number of columns."
    )
    rows = table(["what", "how much", "because"], map(list, simulated(costs, cluster)))
    return f"{words}\n\n{rows}\n\n{breaks_first(needs(costs, cluster), cluster)}"


def _cost_cells(found: Result | None, n: int) -> list[str]:
    if found is None:
        return [NOT_THERE] * 4
    return [
        time_text(found),
        f"{found['cpu']:.0f}",
        count_text(round(n / found["wall"])),
        number_text(found["loss"], ".3f"),
    ]


def _memory_cells(found: Result | None, engine: str) -> list[str]:
    if found is None:
        return [NOT_THERE] * 3
    peaks = found["peaks"]
    if engine != "spark":
        return [memory_text(found["peak"]), "", ""]
    workers = f"{memory_text(peaks['worker'])} in {found['n_workers']}"
    return [memory_text(found["peak"]), memory_text(peaks["java"]), workers]
