"""`kilter survey serve`: what its options make of the server, without listening anywhere."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.survey.web.site import Site
from tests.survey.running import example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("served") / "study")


Started = list[tuple[str, str, int, str]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Return what servers are started with: database, host, port and address."""
    found: Started = []

    def serve(site: Site, *, host: str, port: int) -> None:
        found.append((site.running.store.name, host, port, str(site.address)))

    monkeypatch.setattr("kilter.survey.web.server.serve", serve)
    return found


def test_every_option_of_the_server_reaches_it(
    study: Path, started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'other.db'}"
    runs: list[tuple[list[str], tuple[str, int, str]]] = [
        ([], ("127.0.0.1", 8000, "http://127.0.0.1:8000")),
        (["--host", "127.0.0.2"], ("127.0.0.2", 8000, "http://127.0.0.2:8000")),
        (["--port", "8123"], ("127.0.0.1", 8123, "http://127.0.0.1:8123")),
        (["--public-url", "https://survey.example.org"], ("127.0.0.1", 8000, "https://survey.example.org")),
        (["--database", database], ("127.0.0.1", 8000, "http://127.0.0.1:8000")),
        (["--quiet"], ("127.0.0.1", 8000, "http://127.0.0.1:8000")),
    ]  # fmt: skip
    for arguments, expected in runs:
        assert run(["survey", "serve", str(study), *arguments]) == 0
        name, *found = started.pop()
        assert tuple(found) == expected
        assert ("other.db" in name) == ("--database" in arguments)
        address = expected[2]
        said = f"participants: {address}/\nresearchers:  {address}/research\n"
        assert capsys.readouterr().err == ("" if arguments == ["--quiet"] else said)
    assert (tmp_path / "other.db").is_file()
