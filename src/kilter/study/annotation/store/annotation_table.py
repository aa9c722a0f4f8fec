"""Annotations as they are stored: the newest version of each, saved by nobody unseen."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from kilter.core.errors import KilterError
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.store.model import ANNOTATION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

    from kilter.study.store.database import Database


class OtherVersionError(KilterError):
    """Somebody has saved this annotation meanwhile; `stored` is what is there, if anything."""

    def __init__(self, stored: Annotation | None) -> None:
        super().__init__("the annotation was saved by somebody else meanwhile")
        self.stored = stored


class AnnotationTable:
    """The annotations of one project; safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, account: str, sentence: int) -> Annotation | None:
        """Return what an account has made of a sentence."""
        with self._database.reading() as connection:
            return _stored(connection, account, sentence)

    def of_account(self, account: str) -> dict[int, Annotation]:
        """Return what an account has made of every sentence that it has begun."""
        return {each.sentence: each for each in self._where(ANNOTATION.c.account == account)}

    def done(self, account: str) -> set[int]:
        """Return the sentences that an account is done with; what it drew is not read for that."""
        wanted = select(ANNOTATION.c.sentence).where(
            ANNOTATION.c.account == account, ANNOTATION.c.done
        )
        with self._database.reading() as connection:
            return {*connection.execute(wanted).scalars()}

    def of_sentence(self, sentence: int) -> dict[str, Annotation]:
        """Return what everybody has made of a sentence, by account."""
        return {each.account: each for each in self._where(ANNOTATION.c.sentence == sentence)}

    def all(self) -> list[Annotation]:
        """Return everything, account by account, in the order of sentences."""
        return self._where()

    def _where(self, *conditions: Any) -> list[Annotation]:
        wanted = select(ANNOTATION).order_by(ANNOTATION.c.account, ANNOTATION.c.sentence)
        with self._database.reading() as connection:
            return [_annotation(row) for row in connection.execute(wanted.where(*conditions)).all()]

    def save(self, annotation: Annotation) -> Annotation:
        """Write an annotation over the version that it names, and return it as stored.

        `version` is the one that it was made from, 0 for a new one, `seconds` the time since then. Another
        version in the database is an `OtherVersionError`, and nothing is written.
        """
        with self._database.writing() as connection:
            self._database.lock(
                connection, f"annotation {annotation.account} {annotation.sentence}"
            )
            return _saved(connection, annotation)

    def enter(self, annotations: Sequence[Annotation]) -> None:
        """Write annotations as new versions of what is there: all of them, or none."""
        with self._database.writing() as connection:
            for each in annotations:
                self._database.lock(connection, f"annotation {each.account} {each.sentence}")
                stored = _stored(connection, each.account, each.sentence)
                version = 0 if stored is None else stored.version
                _saved(connection, _with_version(each, version))


def _saved(connection: Connection, annotation: Annotation) -> Annotation:
    stored = _stored(connection, annotation.account, annotation.sentence)
    if annotation.version != (0 if stored is None else stored.version):
        raise OtherVersionError(stored)
    before = 0.0 if stored is None else stored.seconds
    new = Annotation(
        account=annotation.account,
        sentence=annotation.sentence,
        version=annotation.version + 1,
        translation=annotation.translation,
        links=annotation.links,
        comment=annotation.comment,
        bookmark=annotation.bookmark,
        done=annotation.done,
        seconds=before + annotation.seconds,
        findings=annotation.findings,
        saved_at=time.time(),
    )
    values = {name: getattr(new, name) for name in _COLUMNS} | {"links": _written(new.links)}
    if stored is None:
        connection.execute(ANNOTATION.insert().values(**values))
    else:
        connection.execute(
            update(ANNOTATION).where(*_own(new.account, new.sentence)).values(values)
        )
    return new


_COLUMNS = tuple(column.name for column in ANNOTATION.columns)


def _own(account: str, sentence: int) -> tuple[Any, Any]:
    return ANNOTATION.c.account == account, ANNOTATION.c.sentence == sentence


def _stored(connection: Connection, account: str, sentence: int) -> Annotation | None:
    row = connection.execute(select(ANNOTATION).where(*_own(account, sentence))).first()
    return None if row is None else _annotation(row)


def _with_version(annotation: Annotation, version: int) -> Annotation:
    values = {name: getattr(annotation, name) for name in _COLUMNS}
    return Annotation(**values | {"version": version})


def _written(links: Iterable[DrawnLink]) -> str:
    rows = [[link.source, link.target, link.sure, link.proposed, link.certainty] for link in links]
    return json.dumps(rows)


def _annotation(row: Row[Any]) -> Annotation:
    values = {name: getattr(row, name) for name in _COLUMNS}
    return Annotation(
        **values | {"links": tuple(DrawnLink(*link) for link in json.loads(row.links))}
    )
