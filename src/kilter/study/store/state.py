"""What the researcher has set for a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from kilter.study.store.model import STATE

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class State:
    """What the researcher has set."""

    paused: bool
    open_limit: int
    links: int
    closed_at: float | None = None


def read_state(connection: Connection, *, keep: bool = False) -> State:
    """Return what the researcher has set; with `keep`, nobody sets anything else until the transaction is over."""
    columns = (STATE.c.paused, STATE.c.open_limit, STATE.c.links, STATE.c.closed_at)
    wanted = select(*columns)
    row = connection.execute(wanted.with_for_update(read=True) if keep else wanted).one()
    return State(bool(row.paused), row.open_limit, row.links, row.closed_at)
