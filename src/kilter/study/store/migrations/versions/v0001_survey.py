"""All tables of a survey."""

import sqlalchemy as sa
from alembic import op

revision = "survey_0001"
down_revision = None


def _participant(*, is_key: bool) -> sa.Column[int]:
    return sa.Column(
        "participant",
        sa.Integer,
        sa.ForeignKey("participant.id", ondelete="CASCADE"),
        primary_key=is_key,
        nullable=False,
    )


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "state",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("open_limit", sa.Integer, nullable=False),
        sa.Column("links", sa.Integer, nullable=False),
        sa.Column("closed_at", sa.Float),
    )
    op.create_table(
        "participant",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("link", sa.Integer, unique=True),
        sa.Column("origin", sa.String(20), nullable=False),
        sa.Column("questionnaire", sa.Integer, nullable=False),
        sa.Column("consent", sa.Text),
        sa.Column("personal", sa.Text),
        sa.Column("informed_at", sa.Float),
        sa.Column("consented_at", sa.Float),
        sa.Column("described_at", sa.Float),
        sa.Column("sampled_at", sa.Float),
        sa.Column("submitted_at", sa.Float),
        sa.Column("withdrawn_at", sa.Float),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("code_seed", sa.String(40)),
        sa.Column("consent_version", sa.String(64)),
        sa.Column("recruitment_group", sa.String(60)),
    )
    op.create_table(
        "answer",
        _participant(is_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("question", sa.String(100), primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.Float, nullable=False),
    )
    op.create_table(
        "comment",
        _participant(is_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "visit",
        _participant(is_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("visit", sa.String(40), primary_key=True),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("saved_at", sa.Float, nullable=False),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("address_hash", sa.String(64), nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
    )
    op.create_index("attempt_of_address", "attempt", ["kind", "address_hash", "made_at"])
    op.create_table(
        "action",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("done_at", sa.Float, nullable=False),
        sa.Column("way", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("detail", sa.String(100), nullable=False),
        sa.Column("account", sa.String(60)),
    )
    op.create_table("erasure", sa.Column("id", sa.Integer, primary_key=True))
    op.create_table(
        "request_count",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "analysis_run",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("began_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float),
        sa.Column("problem", sa.Text),
    )
    op.create_table(
        "analysis_file",
        sa.Column("path", sa.String(200), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "participant_session",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        _participant(is_key=False),
        sa.Column("expires_at", sa.Float, nullable=False),
    )
    op.create_index("session_of_participant", "participant_session", ["participant"])
    op.create_table(
        "session",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(60), nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table, columns in _ERASED.items():
            changes = ", ".join(f"ALTER {name} SET STATISTICS 0" for name in columns)
            op.execute(f"ALTER TABLE {table} {changes}")


_ERASED = {
    "participant": (
        "token_hash", "consent_version", "consent", "personal", "code_seed", "recruitment_group", "informed_at",
        "consented_at", "described_at", "sampled_at", "submitted_at", "withdrawn_at", "created_at",
    ),
    "participant_session": ("token_hash", "expires_at"),
    "answer": ("saved_at",),
    "comment": ("text",),
    "visit": ("visit", "opened_at", "saved_at"),
    "attempt": ("address_hash", "made_at"),
    "analysis_run": ("problem",),
    "analysis_file": ("content",),
}  # fmt: skip
"""Columns that can be erased: PostgreSQL keeps no samples of them in its statistics."""


def downgrade() -> None:
    """Drop all tables."""
    for table in (
        "session", "participant_session", "analysis_file", "analysis_run", "request_count", "erasure", "action",
        "attempt", "visit", "comment", "answer", "participant", "state",
    ):  # fmt: skip
        op.drop_table(table)
