"""Databases that tests of annotation share with those of the survey."""

from tests.study.conftest import database, postgresql_server

__all__ = ["database", "postgresql_server"]
