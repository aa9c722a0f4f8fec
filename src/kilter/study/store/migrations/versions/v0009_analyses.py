"""The analysis of what a study has collected so far, as researchers' pages show it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables: when it was made, and its files."""
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


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("analysis_file")
    op.drop_table("analysis_run")
