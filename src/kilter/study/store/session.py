"""Sessions: what a browser holds in the place of a personal link or a password, for some hours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import delete, select, update

from kilter.study.password import new_token, token_hash

if TYPE_CHECKING:
    from sqlalchemy import Column

    from kilter.study.store.database import Database

Holder = TypeVar("Holder", int, str)


class Sessions(Generic[Holder]):
    """The sessions in one table; safe to use from many threads.

    A token of a session leads to no personal link: whoever finds a browser open can go on until the session
    is over, and not after that. The database holds hashes of tokens.
    """

    def __init__(
        self, database: Database, holder: Column[Holder], *, seconds: float, renewed: bool
    ) -> None:
        """Use the table of a column; a session ends `seconds` after its begin or, if `renewed`, its last request."""
        self._database = database
        self._table = holder.table
        self._holder: Column[Holder] = holder
        self._seconds = seconds
        self._renewed = renewed

    def begin(self, holder: Holder) -> str:
        """Return the token of a new session."""
        token = new_token()
        values: dict[str, Any] = {
            "token_hash": token_hash(token),
            self._holder.name: holder,
            "expires_at": time.time() + self._seconds,
        }
        with self._database.writing() as connection:
            connection.execute(self._table.insert().values(**values))
        return token

    def holder(self, token: str) -> Holder | None:
        """Return whose session this is, if it is not over."""
        wanted = select(self._holder, self._table.c.expires_at).where(self._own(token))
        with self._database.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None or not self._lasts(token, row[1]):
            return None
        holder: Holder = row[0]
        return holder

    def _lasts(self, token: str, expires_at: float) -> bool:
        """Return whether a session is not over; if it is renewed, a request half-way through makes it last on."""
        now = time.time()
        if expires_at < now:
            return False
        if self._renewed and expires_at < now + self._seconds / 2:
            # Not at every request: each would be a write.
            later = update(self._table).where(self._own(token))
            with self._database.writing() as connection:
                connection.execute(later.values(expires_at=now + self._seconds))
        return True

    def end(self, token: str) -> None:
        """Forget a session."""
        with self._database.writing() as connection:
            connection.execute(delete(self._table).where(self._own(token)))

    def end_of(self, holder: Holder) -> None:
        """Forget all sessions of somebody."""
        with self._database.writing() as connection:
            connection.execute(delete(self._table).where(self._holder == holder))

    def forget(self) -> None:
        """Remove sessions that are over."""
        old = self._table.c.expires_at < time.time()
        with self._database.reading() as connection:
            is_there = connection.execute(
                select(self._table.c.token_hash).where(old).limit(1)
            ).first()
        if is_there is not None:
            with self._database.writing() as connection:
                connection.execute(delete(self._table).where(old))

    def _own(self, token: str) -> Any:
        return self._table.c.token_hash == token_hash(token)
