"""Which tests stay together on one worker of xdist."""

from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).parents[1]
_SHARED = ("on_every_database", "chromium")
"""Words of test files for what takes a second or more to start: a PostgreSQL server, and a browser."""


class SharedScheduling(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Tests of one file stay together, and files that need the same server, of which one is started."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid.partition("::")[0])


@cache
def scope(path: str) -> str:
    """Return what the tests of a file stay together with: what they all need, or just the file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return next((word for word in _SHARED if word in text), path)
