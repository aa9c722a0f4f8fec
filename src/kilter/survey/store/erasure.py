"""What somebody who withdraws takes back: everything about them, and their judgments on request."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, func, select, update

from kilter.survey.password import new_token, token_hash
from kilter.survey.store.analysis_run import forget_analysis
from kilter.survey.store.model import (
    ANALYSIS_FILE,
    ANALYSIS_RUN,
    ANSWER,
    PARTICIPANT,
    PARTICIPANT_SESSION,
    VISIT,
)
from kilter.survey.store.participant import STEPS

if TYPE_CHECKING:
    from kilter.survey.store.database import Database

_SETTLE_SECONDS = 5.0


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
    about = (PARTICIPANT, PARTICIPANT_SESSION, ANSWER, VISIT, ANALYSIS_RUN, ANALYSIS_FILE)
    tables = [table.name for table in about]
    emptied = database.forget(tables, seconds=_SETTLE_SECONDS)
    return Erasure(removed, left, emptied)
