"""Erasures that are not finished, and no statistics of what can be erased."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ERASED = {
    "participant": {
        **dict.fromkeys(("token_hash", "consent_version"), "varchar(64)"),
        **dict.fromkeys(("consent", "personal"), "text"),
        "code_seed": "varchar(40)",
        "recruitment_group": "varchar(60)",
        **dict.fromkeys(
            ("informed_at", "consented_at", "described_at", "sampled_at", "submitted_at",
             "withdrawn_at", "created_at"),
            "double precision",
        ),
    },
    "participant_session": {"token_hash": "varchar(64)", "expires_at": "double precision"},
    "answer": {"saved_at": "double precision"},
    "visit": {
        "visit": "varchar(40)",
        "opened_at": "double precision",
        "saved_at": "double precision",
    },
    "attempt": {"address_hash": "varchar(64)", "made_at": "double precision"},
    "analysis_run": {"problem": "text"},
    "analysis_file": {"content": "bytea"},
}  # fmt: skip


def upgrade() -> None:
    """Make the table, and let PostgreSQL keep no samples of these columns in its statistics.

    To set the type that a column has removes the statistics of before, and changes nothing else.
    """
    op.create_table("erasure", sa.Column("id", sa.Integer, primary_key=True))
    if op.get_bind().dialect.name == "postgresql":
        for table, columns in _ERASED.items():
            changes = ", ".join(
                f"ALTER {name} TYPE {kind}, ALTER {name} SET STATISTICS 0"
                for name, kind in columns.items()
            )
            op.execute(f"ALTER TABLE {table} {changes}")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("erasure")
