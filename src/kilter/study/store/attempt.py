"""Attempts that are limited for an address: wrong links, wrong passwords, joins. All processes share them."""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from kilter.core.settings import Choice
from kilter.study.store.model import ATTEMPT

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kilter.study.store.database import Database

KEPT_SECONDS = 3600.0
"""How long an attempt is remembered: as long as any limit looks back."""


class AttemptKind(Choice):
    """What is counted."""

    WRONG_LINK = "wrong link"
    WRONG_PASSWORD = "wrong password"  # noqa: S105 - the name of a kind
    JOIN = "join"


class AttemptTable:
    """The attempts of the last hour; addresses are there as hashes that only the study's secret leads to."""

    def __init__(self, database: Database, *, secret: bytes) -> None:
        self._database = database
        self._secret = secret

    def attempt(self, kind: AttemptKind, address: str, *, most: int, seconds: float) -> bool:
        """Count an attempt and return whether it is among so many in so many seconds."""
        hashed = self._hashed(address)
        with self._database.writing() as connection:
            self._database.lock(connection, f"{kind} {hashed}")
            if self._count(connection, kind, hashed, seconds) >= most:
                return False
            self._add(connection, kind, hashed)
        return True

    def add(self, kind: AttemptKind, address: str) -> None:
        """Count an attempt."""
        with self._database.writing() as connection:
            self._add(connection, kind, self._hashed(address))

    def count(self, kind: AttemptKind, address: str, *, seconds: float) -> int:
        """Return how many attempts there were in so many seconds."""
        with self._database.reading() as connection:
            return self._count(connection, kind, self._hashed(address), seconds)

    def forget(self) -> None:
        """Remove what is no longer looked at."""
        old = ATTEMPT.c.made_at < time.time() - KEPT_SECONDS
        with self._database.reading() as connection:
            is_there = connection.execute(select(ATTEMPT.c.id).where(old).limit(1)).first()
        if is_there is not None:
            with self._database.writing() as connection:
                connection.execute(delete(ATTEMPT).where(old))

    def _hashed(self, address: str) -> str:
        return hmac.new(self._secret, f"address {address}".encode(), hashlib.sha256).hexdigest()

    @staticmethod
    def _count(connection: Connection, kind: AttemptKind, hashed: str, seconds: float) -> int:
        wanted = select(func.count()).where(
            ATTEMPT.c.kind == str(kind),
            ATTEMPT.c.address_hash == hashed,
            ATTEMPT.c.made_at > time.time() - seconds,
        )
        return int(connection.execute(wanted).scalar_one())

    @staticmethod
    def _add(connection: Connection, kind: AttemptKind, hashed: str) -> None:
        connection.execute(
            ATTEMPT.insert().values(kind=str(kind), address_hash=hashed, made_at=time.time())
        )
