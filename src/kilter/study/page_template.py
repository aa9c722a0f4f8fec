"""Templates of HTML pages: whatever comes from outside is escaped, and what is not given is an error."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kilter.core.language import writing_direction

if TYPE_CHECKING:
    from pathlib import Path


@cache
def templates_in(*folders: Path) -> Environment:
    """Return the templates of folders, the first that has a name; each is compiled once in a process."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # would look at the files at every page
    )
    environment.globals["direction"] = writing_direction
    return environment
