"""Server that carries out a job until it is killed: prints the numbers of its children once the job is under way."""

import asyncio
import json
import sys

from microagg.app.job import Job
from microagg.app.job_queue import JobQueue


async def main(line: str) -> None:
    """Carry out a job, and wait."""
    queue = JobQueue(warm_up=False)
    await queue.start()
    process = queue.submit(Job.from_line(line))
    async for event in process.follow():
        if event.stage == "search":
            print(json.dumps([child.pid for child in queue._children]), flush=True)
            break
    await asyncio.Event().wait()


asyncio.run(main(sys.argv[1]))
