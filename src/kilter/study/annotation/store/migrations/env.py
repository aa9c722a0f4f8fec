"""Runs migrations on the connection that the program opened."""

from alembic import context

from kilter.study.annotation.store.model import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes tables by copying them
)
with context.begin_transaction():
    context.run_migrations()
