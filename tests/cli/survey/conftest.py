"""What tests of these commands share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.survey.typed import Study
from tests.study.conftest import (  # noqa: F401 - fixtures
    database,
    postgresql_server,
    quick_passwords,
)
from tests.study.running import example


@pytest.fixture
def study(tmp_path: Path, database: Callable[[], str | None]) -> Study:  # noqa: F811
    return Study(example(tmp_path / "study"), database())
