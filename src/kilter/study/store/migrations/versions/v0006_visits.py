"""Visits of participants, which end."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table of participants' sessions; until now the token of the link stood in the cookie."""
    op.create_table(
        "participant_session",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column(
            "participant",
            sa.Integer,
            sa.ForeignKey("participant.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.Float, nullable=False),
    )
    op.create_index("session_of_participant", "participant_session", ["participant"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("participant_session")
