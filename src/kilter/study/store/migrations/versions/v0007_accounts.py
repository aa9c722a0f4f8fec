"""Which researcher a session and an action belong to."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns; a session without an account is one that has ended."""
    op.add_column("session", sa.Column("account", sa.String(60)))
    op.add_column("action", sa.Column("account", sa.String(60)))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("action", "account")
    op.drop_column("session", "account")
