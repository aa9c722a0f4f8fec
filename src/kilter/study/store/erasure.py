"""What somebody who withdraws takes back: everything about them, and their judgments on request."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, func, select, update

from kilter.study.password import new_token, token_hash
from kilter.study.store.analysis_run import forget_analysis
from kilter.study.store.model import (
    ANALYSIS_FILE,
    ANALYSIS_RUN,
    ANSWER,
    ATTEMPT,
    COMMENT,
    ERASURE,
    PARTICIPANT,
    PARTICIPANT_SESSION,
    VISIT,
)
from kilter.study.store.participant import STEPS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kilter.study.store.database import Database

_SETTLE_SECONDS = 5.0
_RETRY_SECONDS = 1.0  # on a busy server somebody reads at every moment, but nobody for long
_ABOUT_PEOPLE = (
    PARTICIPANT,
    PARTICIPANT_SESSION,
    ANSWER,
    COMMENT,
    VISIT,
    ATTEMPT,
    ANALYSIS_RUN,
    ANALYSIS_FILE,
)
_REWRITTEN = tuple(table.name for table in _ABOUT_PEOPLE)


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure removed, and what is left.

    `log_emptied` is False if somebody who reads the database keeps what was erased in its files: in the
    write-ahead log of SQLite, or in the tables of PostgreSQL.
    """

    judgments_removed: int
    judgments_left: int
    log_emptied: bool


def erase(database: Database, participant: int, *, judgments: bool) -> Erasure:
    """Remove what is about a participant and the token; on request the judgments, too.

    With the judgments go all times. Of the row there stay the questionnaire, the way in, and that
    somebody has begun and withdrawn, at the time of the withdrawal: what progress and places count.
    """
    own = PARTICIPANT.c.id == participant
    with database.writing() as connection:
        connection.execute(select(PARTICIPANT.c.id).where(own).with_for_update())
        connection.execute(
            delete(PARTICIPANT_SESSION).where(PARTICIPANT_SESSION.c.participant == participant)
        )
        # Whatever a person has written in free words may tell who they are.
        connection.execute(delete(COMMENT).where(COMMENT.c.participant == participant))
        forget_analysis(connection)
        removed = 0
        if judgments:
            removed = connection.execute(
                delete(ANSWER).where(ANSWER.c.participant == participant)
            ).rowcount
            connection.execute(delete(VISIT).where(VISIT.c.participant == participant))
        withdrawn = func.coalesce(PARTICIPANT.c.withdrawn_at, time.time())
        begun = case((PARTICIPANT.c.informed_at.is_not(None), withdrawn))
        times = {
            **dict.fromkeys(STEPS, None),
            "informed_at": begun,
            "created_at": withdrawn,
        }
        connection.execute(
            update(PARTICIPANT)
            .where(own)
            .values(
                token_hash=token_hash(new_token()),
                link=None,
                personal=None,
                consent=None,
                consent_version=None,
                recruitment_group=None,
                code_seed=new_token(),  # so that exports of before do not lead to what is left
                withdrawn_at=withdrawn,
                **(times if judgments else {}),
            )
        )
        left = connection.execute(
            select(func.count()).where(ANSWER.c.participant == participant)
        ).scalar_one()
        note_erasure(connection)
    emptied = finish_erasures(database, seconds=_SETTLE_SECONDS)
    return Erasure(removed, left, emptied)


def note_erasure(connection: Connection) -> None:
    """Write down, in the transaction that erases, that the database's files are to be rewritten.

    Whoever finds the note later finishes the erasure: another process, or this one after a restart.
    """
    connection.execute(ERASURE.insert())


def finish_erasures(database: Database, *, seconds: float) -> bool:
    """Remove what was erased from the database's files; return whether nothing is left of it.

    Somebody who reads an older state is in the way: try until the seconds are over, and for a second at least.
    """
    with database.reading() as connection:
        noted = connection.execute(select(ERASURE.c.id)).scalars().all()
    if not noted:
        return database.settle(seconds=seconds)
    if not database.forget(_REWRITTEN, seconds=max(seconds, _RETRY_SECONDS)):
        return False
    with database.writing() as connection:
        # Only those of before: another erasure may have been noted in the meantime.
        connection.execute(delete(ERASURE).where(ERASURE.c.id.in_(noted)))
    return database.settle(seconds=seconds)
