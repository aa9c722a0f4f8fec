"""What every result offers: a JSON document, rows for programs, and tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from kilter import __version__
from kilter.core.table import html_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kilter.core.table import Table

Document: TypeAlias = dict[str, Any]
"""A JSON object; what it holds, and of what kind that is, stands on the result's page of the docs."""


class Result:
    """What a command returns. A subclass is a dataclass; its fields are its JSON document, under its schema."""

    __slots__ = ()
    schema: ClassVar[str] = ""

    def to_dict(self) -> Any:
        """Return the JSON document."""
        head = {"schema": self.schema, "version": __version__} if self.schema else {}
        return head | fields_document(self)

    def tables(self) -> Sequence[Table]:
        """Return what people read, the notes beneath the tables included."""
        raise NotImplementedError

    def detailed_tables(self) -> Sequence[Table]:
        """Return everything there is to read: what `--details` of a command shows."""
        return self.tables()

    def data(self) -> Table:
        """Return the one table that programs read: the first with columns, unless they need others."""
        return next(table for table in self.detailed_tables() if table.columns)

    def save(self, path: str | Path) -> None:
        """Write the result into a file, such as `run.kilter.json`, that `kilter.load` reads bit by bit."""
        # Files are written by a room further up, which knows this one.
        import_module("kilter.io.saved_result").save(self, path)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "\n".join(map(html_table, self.tables()))


def document(value: Any) -> Any:
    """Return a value as JSON holds it: a record by its fields or by its own `to_dict`.

    >>> from kilter.core.estimate import Estimate
    >>> document((Estimate(0.5), {"a": 1}))
    [{'value': 0.5, 'low': None, 'high': None}, {'a': 1}]
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return fields_document(value)
    if hasattr(value, "_asdict"):
        return document(value._asdict())
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): document(each) for key, each in value.items()}
    return [document(each) for each in value] if isinstance(value, tuple | list) else value


def fields_document(record: Any) -> Document:
    """Return a record by its fields."""
    return {field.name: document(getattr(record, field.name)) for field in fields(record)}
