"""The end of a study: nobody answers any more, and, if people were promised so, nothing leads to them."""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Integer, cast, delete, func, select, update

from kilter.survey.password import new_token, token_hash
from kilter.survey.store.analysis_run import forget_analysis
from kilter.survey.store.model import ANSWER, PARTICIPANT, PARTICIPANT_SESSION, STATE, VISIT

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kilter.survey.store.database import Database

_SETTLE_SECONDS = 5.0
_DAY = 24 * 3600.0
_MOMENTS = [column.name for column in PARTICIPANT.columns if column.name.endswith("_at")]


@dataclass(frozen=True, slots=True)
class Closing:
    """How many people's links were destroyed, and whether nothing of them is left in the database's files."""

    unlinked: int
    log_emptied: bool


def close(database: Database, *, unlink: bool) -> Closing:
    """Close a study for good; with `unlink`, destroy what leads from a person to answers.

    That is the hash of a personal link, its number, the number and the code of a participant, by which exports
    of before could be joined, and the order in which people came. Of times, the day is kept, and how long items
    were looked at. What people said about themselves stays, under a new code.
    """
    unlinked = 0
    with database.writing() as connection:
        connection.execute(select(STATE.c.id).with_for_update())
        connection.execute(
            update(STATE).values(closed_at=func.coalesce(STATE.c.closed_at, time.time()))
        )
        if unlink:
            forget_analysis(connection)
            unlinked = _unlink(connection)
    tables = [table.name for table in (PARTICIPANT, PARTICIPANT_SESSION, ANSWER, VISIT)]
    emptied = database.forget(tables, seconds=_SETTLE_SECONDS) if unlink else True
    return Closing(unlinked, emptied)


def _unlink(connection: Connection) -> int:
    """Give everybody another number, by chance, and remove what is about the way they came; visits go with the old."""
    rows = connection.execute(
        select(PARTICIPANT).order_by(PARTICIPANT.c.id).with_for_update()
    ).mappings()
    people = [dict(row) for row in rows]
    secrets.SystemRandom().shuffle(people)
    first = 1 + max((person["id"] for person in people), default=0)
    for number, person in enumerate(people, start=first):
        days = {name: _day(person[name]) for name in _MOMENTS}
        new = {"id": number, "token_hash": token_hash(new_token()), "link": None}
        values = {**person, **days, **new, "code_seed": new_token()}
        connection.execute(PARTICIPANT.insert().values(**values))
        for table in (ANSWER, VISIT):
            own = table.c.participant == person["id"]
            connection.execute(update(table).where(own).values(participant=number))
        connection.execute(delete(PARTICIPANT).where(PARTICIPANT.c.id == person["id"]))
    connection.execute(
        update(VISIT).values(opened_at=0.0, saved_at=VISIT.c.saved_at - VISIT.c.opened_at)
    )
    since = ANSWER.c.saved_at / _DAY
    # SQLite may be built without floor, and cuts off what PostgreSQL would round.
    whole = cast(since, Integer) if connection.dialect.name == "sqlite" else func.floor(since)
    connection.execute(update(ANSWER).values(saved_at=whole * _DAY))
    return len(people)


def _day(moment: float | None) -> float | None:
    return None if moment is None else math.floor(moment / _DAY) * _DAY
