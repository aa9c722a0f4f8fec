"""Databases and servers that the tests of the survey share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from kilter.study import password
from kilter.study.store.running_study import RunningStudy, open_study
from tests.study import postgresql
from tests.study.running import Server, example, running
from tests.thorough import some, tried


@pytest.fixture(scope="module", autouse=True)
def quick_passwords(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hash passwords quickly, other than in tests of their hashes: `make test-all` takes its time."""
    cost = password._COST
    if request.node.nodeid not in {
        "tests/study/test_password.py",
        "tests/study/test_security.py",
    }:
        cost = tried(cost, quick=2)
    with patch.object(password, "_COST", cost):
        yield


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    reason = postgresql.missing()
    if reason:
        pytest.skip(reason)
    with postgresql.server() as address:
        yield address


# Tests about the database itself ask for both in `make test` too.
on_every_database = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(params=some(["sqlite", "postgresql"], quick=["sqlite"]))
def database(request: pytest.FixtureRequest) -> Callable[[], str | None]:
    """Return what gives the URL of an empty database: None stands for the file of the study."""
    if request.param == "sqlite":
        return lambda: None
    address = request.getfixturevalue("postgresql_server")
    return lambda: postgresql.new_database(address)


@pytest.fixture(scope="session")
def created(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of one created example study, for tests with a database of their own."""
    return example(tmp_path_factory.mktemp("created") / "study")


@pytest.fixture
def running_study(
    created: Path, tmp_path: Path, database: Callable[[], str | None]
) -> Iterator[RunningStudy]:
    """Open the example study with an empty database, on each kind of it."""
    study = open_study(created, database=database() or f"sqlite:///{tmp_path / 'answers.db'}")
    yield study
    study.store.close()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve one example study for all tests of a module that do not disturb one another."""
    with running(example(tmp_path_factory.mktemp("shared") / "study")) as server:
        yield server


@pytest.fixture
def server(tmp_path: Path, database: Callable[[], str | None]) -> Iterator[Server]:
    """Serve an example study of one's own, on each database."""
    with running(example(tmp_path / "study"), database=database()) as server:
        yield server
