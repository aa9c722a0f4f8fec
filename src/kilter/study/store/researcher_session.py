"""Sessions of researchers who have logged in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from kilter.study.password import new_token, token_hash
from kilter.study.store.model import SESSION

if TYPE_CHECKING:
    from kilter.study.store.database import Database

SESSION_SECONDS = 12 * 3600


class ResearcherSessions:
    """The sessions of one study; safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, account: str) -> str:
        """Return the token of a new session of an account, and forget sessions that are over."""
        token = new_token()
        now = time.time()
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.expires_at < now))
            connection.execute(
                SESSION.insert().values(
                    token_hash=token_hash(token), expires_at=now + SESSION_SECONDS, account=account
                )
            )
        return token

    def account(self, token: str) -> str | None:
        """Return whose session this is, if it is not over."""
        with self._database.reading() as connection:
            row = connection.execute(
                select(SESSION).where(SESSION.c.token_hash == token_hash(token))
            ).first()
        if row is None or row.expires_at < time.time():
            return None
        name: str | None = row.account
        return name

    def end_of(self, account: str) -> None:
        """Forget all sessions of an account."""
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.account == account))

    def end(self, token: str) -> None:
        """Forget a session."""
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.token_hash == token_hash(token)))
