"""All tables of a project."""

import sqlalchemy as sa
from alembic import op

revision = "annotation_0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "project",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("opened_at", sa.Float),
    )
    op.create_table(
        "annotation",
        sa.Column("account", sa.String(60), primary_key=True),
        sa.Column("sentence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("translation", sa.Text, nullable=False),
        sa.Column("links", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("bookmark", sa.Boolean, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("findings", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.Float, nullable=False),
    )
    op.create_table(
        "person_session",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column(
            "person", sa.Integer, sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("expires_at", sa.Float, nullable=False),
    )
    op.create_index("session_of_person", "person_session", ["person"])
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
    op.create_table(
        "request_count",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop everything."""
    for table in (
        "request_count", "action", "attempt", "person_session", "annotation", "person", "project",
    ):  # fmt: skip
        op.drop_table(table)
