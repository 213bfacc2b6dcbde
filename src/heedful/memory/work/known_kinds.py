"""Every kind of memory work there is: the files of `memory/jobs/`, found by walking that folder."""

from functools import lru_cache
from types import MappingProxyType

from heedful.memory.work.kind import JobKind


@lru_cache(maxsize=1)
def job_kinds() -> MappingProxyType[str, JobKind]:
    """Every kind by its name, those that go first first."""
    from heedful.core.discovery import discover
    from heedful.memory import jobs

    found = discover(jobs, "JOB", JobKind, key=lambda kind: kind.name)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].turn, item[0]))))
