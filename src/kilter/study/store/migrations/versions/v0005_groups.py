"""By which group somebody was recruited."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; whoever is there already has no group."""
    op.add_column("participant", sa.Column("recruitment_group", sa.String(60)))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("participant", "recruitment_group")
