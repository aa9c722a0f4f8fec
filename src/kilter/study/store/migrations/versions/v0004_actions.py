"""What researchers have done."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of actions."""
    op.create_table(
        "action",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("done_at", sa.Float, nullable=False),
        sa.Column("way", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("detail", sa.String(100), nullable=False),
    )


def downgrade() -> None:
    """Drop the table of actions."""
    op.drop_table("action")
