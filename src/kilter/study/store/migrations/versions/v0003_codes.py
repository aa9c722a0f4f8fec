"""What a participant's code is made of once it was renewed, and which text was consented to."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("participant", sa.Column("code_seed", sa.String(40)))
    op.add_column("participant", sa.Column("consent_version", sa.String(64)))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("participant", "consent_version")
    op.drop_column("participant", "code_seed")
