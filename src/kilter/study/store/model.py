"""The tables of a survey's database. Section 12.6

Items and questionnaires never change once they are drawn and stay in the study's files; the database holds
what participants and researchers do. An answer that is missing has no row.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()


def _person() -> Column[int]:
    return Column(
        "participant",
        Integer,
        ForeignKey("participant.id", ondelete="CASCADE"),
        primary_key=True,
    )


STATE = Table(
    "state",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(64), nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("open_limit", Integer, nullable=False),
    Column("links", Integer, nullable=False),
    Column("closed_at", Float),
)
PARTICIPANT = Table(
    "participant",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("link", Integer, unique=True),
    Column("origin", String(20), nullable=False),
    Column("questionnaire", Integer, nullable=False),
    Column("consent", Text),
    Column("personal", Text),
    Column("informed_at", Float),
    Column("consented_at", Float),
    Column("described_at", Float),
    Column("sampled_at", Float),
    Column("submitted_at", Float),
    Column("withdrawn_at", Float),
    Column("created_at", Float, nullable=False),
    Column("code_seed", String(40)),
    Column("consent_version", String(64)),
    Column("recruitment_group", String(60)),
)
ANSWER = Table(
    "answer",
    METADATA,
    _person(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("question", String(100), primary_key=True),
    Column("value", Integer, nullable=False),
    Column("saved_at", Float, nullable=False),
)
COMMENT = Table(
    "comment",
    METADATA,
    _person(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
VISIT = Table(
    "visit",
    METADATA,
    _person(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("visit", String(40), primary_key=True),
    Column("opened_at", Float, nullable=False),
    Column("saved_at", Float, nullable=False),
)
ATTEMPT = Table(
    "attempt",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("address_hash", String(64), nullable=False),
    Column("made_at", Float, nullable=False),
    Index("attempt_of_address", "kind", "address_hash", "made_at"),
)
ACTION = Table(
    "action",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("done_at", Float, nullable=False),
    Column("way", String(20), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("detail", String(100), nullable=False),
    Column("account", String(60)),
)
# A row for each erasure of which PostgreSQL may still have a copy in its files.
ERASURE = Table("erasure", METADATA, Column("id", Integer, primary_key=True))
# How many responses of each kind, and errors, all processes have counted.
REQUEST_COUNT = Table(
    "request_count",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("number", BigInteger, nullable=False),
)
ANALYSIS_RUN = Table(
    "analysis_run",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("began_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("problem", Text),
)
ANALYSIS_FILE = Table(
    "analysis_file",
    METADATA,
    Column("path", String(200), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
PARTICIPANT_SESSION = Table(
    "participant_session",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column(
        "participant", Integer, ForeignKey("participant.id", ondelete="CASCADE"), nullable=False
    ),
    Column("expires_at", Float, nullable=False),
    Index("session_of_participant", "participant"),
)
SESSION = Table(
    "session",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("account", String(60), nullable=False),
    Column("expires_at", Float, nullable=False),
)
