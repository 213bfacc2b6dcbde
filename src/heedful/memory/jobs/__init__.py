"""Kinds of memory work, one file each, found by walking this folder: a file offers `JOB = JobKind(...)`.

A file here is imported whenever messages are taken in, so what costs time to import belongs inside its functions.
"""

from functools import lru_cache
from types import MappingProxyType

from heedful.memory.jobs.kind import JobContext, JobKind, LeaseLostError, PausedError, Tools

ALL = "all"
"""The key of a stage's one job, which works off everything behind its cursor."""

__all__ = ["ALL", "JobContext", "JobKind", "LeaseLostError", "PausedError", "Tools", "job_kinds"]


@lru_cache(maxsize=1)
def job_kinds() -> MappingProxyType[str, JobKind]:
    """Every kind by its name, those that go first first."""
    from heedful.core.discovery import discover
    from heedful.memory import jobs

    found = discover(jobs, "JOB", JobKind, key=lambda kind: kind.name)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].turn, item[0]))))
