"""The end of a study: nobody answers any more, and, if people were promised so, nothing leads to them."""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update

from kilter.study.password import new_token, token_hash
from kilter.study.store.analysis_run import forget_analysis
from kilter.study.store.erasure import finish_erasures, note_erasure
from kilter.study.store.model import ANSWER, ATTEMPT, COMMENT, PARTICIPANT, STATE, VISIT

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kilter.study.store.database import Database

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
    of before could be joined, the order in which people came, and the attempts of the last hour with the hashes of
    addresses. Of times, the day is kept, and how long items were looked at. What people said about themselves stays,
    under a new code.
    """
    unlinked = 0
    with database.writing() as connection:
        connection.execute(select(STATE.c.id).with_for_update())
        connection.execute(
            update(STATE).values(closed_at=func.coalesce(STATE.c.closed_at, time.time()))
        )
        if unlink:
            forget_analysis(connection)
            connection.execute(delete(ATTEMPT))
            unlinked = _unlink(connection)
            note_erasure(connection)
    emptied = finish_erasures(database, seconds=_SETTLE_SECONDS) if unlink else True
    return Closing(unlinked, emptied)


def _unlink(connection: Connection) -> int:
    """Give everybody another number, by chance, and remove what is about the way they came; visits go with the old."""
    rows = connection.execute(
        select(PARTICIPANT).order_by(PARTICIPANT.c.id).with_for_update()
    ).mappings()
    people = [dict(row) for row in rows]
    secrets.SystemRandom().shuffle(people)
    first = 1 + max((person["id"] for person in people), default=0)
    numbers = {person["id"]: number for number, person in enumerate(people, start=first)}
    for person in people:
        days = {name: _day(person[name]) for name in _MOMENTS}
        new = {"id": numbers[person["id"]], "token_hash": token_hash(new_token()), "link": None}
        values = {**person, **days, **new, "code_seed": new_token()}
        connection.execute(PARTICIPANT.insert().values(**values))
    answers = [dict(row) for row in connection.execute(select(ANSWER)).mappings()]
    comments = [dict(row) for row in connection.execute(select(COMMENT)).mappings()]
    visits = [dict(row) for row in connection.execute(select(VISIT)).mappings()]
    connection.execute(delete(PARTICIPANT).where(PARTICIPANT.c.id < first))
    for answer in answers:
        answer["saved_at"] = _day(answer["saved_at"])
    for visit in visits:
        spent = visit["saved_at"] - visit["opened_at"]
        visit |= {"visit": new_token(), "opened_at": 0.0, "saved_at": spent}
    for table, kept in ((ANSWER, answers), (COMMENT, comments), (VISIT, visits)):
        for row in kept:
            row["participant"] = numbers[row["participant"]]
        # The order in which a database keeps rows would be that in which people answered.
        kept.sort(key=lambda row: [row[column.name] for column in table.primary_key])
        if kept:
            connection.execute(table.insert(), kept)
    return len(people)


def _day(moment: float | None) -> float | None:
    return None if moment is None else math.floor(moment / _DAY) * _DAY
