"""When a study was closed."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; every study that is there is open."""
    op.add_column("state", sa.Column("closed_at", sa.Float))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("state", "closed_at")
