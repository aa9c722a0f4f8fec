"""Attempts that are counted for an address, whichever process sees them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of attempts."""
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("address_hash", sa.String(64), nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
    )
    op.create_index("attempt_of_address", "attempt", ["kind", "address_hash", "made_at"])


def downgrade() -> None:
    """Drop the table of attempts."""
    op.drop_table("attempt")
