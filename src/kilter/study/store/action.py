"""What researchers have done with a study: when, by which way, and what; never what anybody answered."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from kilter.core.settings import Choice
from kilter.study.store.model import ACTION

if TYPE_CHECKING:
    from kilter.study.store.database import Database


class ActionKind(Choice):
    """What was done."""

    LOGIN = "login"
    LOGOUT = "logout"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    LINKS = "links"
    EXPORT = "export"
    IMPORT = "import"
    ERASE = "erase"
    PASSWORD = "password"  # noqa: S105 - the name of a kind
    ACCOUNT = "account"
    CLOSE = "close"
    ANALYSE = "analyse"


class ActionWay(Choice):
    """Where it was done."""

    WEB = "web"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Action:
    """One action; `done_at` is in seconds since 1970, `account` that of a researcher on these pages."""

    done_at: float
    way: ActionWay
    kind: ActionKind
    detail: str
    account: str = ""


class ActionTable:
    """The actions of one study; safe to use from many threads. Nothing removes or changes them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: ActionKind, *, way: ActionWay, detail: str = "", account: str = "") -> None:
        """Write down an action, as done now."""
        values = {
            "done_at": time.time(),
            "way": str(way),
            "kind": str(kind),
            "detail": detail,
            "account": account or None,
        }
        with self._database.writing() as connection:
            connection.execute(ACTION.insert().values(**values))

    def all(self) -> list[Action]:
        """Return all actions in their order."""
        with self._database.reading() as connection:
            rows = connection.execute(select(ACTION).order_by(ACTION.c.id)).all()
        return [
            Action(
                row.done_at,
                ActionWay(row.way),
                ActionKind(row.kind),
                row.detail,
                row.account or "",
            )
            for row in rows
        ]
