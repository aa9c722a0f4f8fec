"""Participants, their answers and times, researchers' sessions, the state of the study."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _person() -> sa.ForeignKey:
    return sa.ForeignKey("participant.id", ondelete="CASCADE")


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "state",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("open_limit", sa.Integer, nullable=False),
        sa.Column("links", sa.Integer, nullable=False),
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
    )
    op.create_table(
        "answer",
        sa.Column("participant", sa.Integer, _person(), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("question", sa.String(100), primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.Float, nullable=False),
    )
    op.create_table(
        "visit",
        sa.Column("participant", sa.Integer, _person(), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("visit", sa.String(40), primary_key=True),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("saved_at", sa.Float, nullable=False),
    )
    op.create_table(
        "session",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("expires_at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop everything."""
    for table in ("session", "visit", "answer", "participant", "state"):
        op.drop_table(table)
