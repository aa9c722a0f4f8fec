"""The tables of a project's database.

Sentences and proposals never change and stay in the project's files; the database holds what people do. A
sentence that nobody has begun has no row. Attempts and actions are counted as those of a survey are.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

PROJECT = Table(
    "project",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(64), nullable=False),
)
PERSON = Table(
    "person",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("opened_at", Float),
)
ANNOTATION = Table(
    "annotation",
    METADATA,
    Column("account", String(60), primary_key=True),
    Column("sentence", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("translation", Text, nullable=False),
    Column("links", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("bookmark", Boolean, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("findings", Integer, nullable=False),
    Column("saved_at", Float, nullable=False),
)
PERSON_SESSION = Table(
    "person_session",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("person", Integer, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("session_of_person", "person"),
)
