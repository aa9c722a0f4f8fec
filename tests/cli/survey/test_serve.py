"""`kilter survey serve`: what its options make of the server, without listening anywhere."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.study.web import server
from kilter.study.web.site import Site
from tests.study.running import example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("served") / "study")


Started = list[tuple[Site, dict[str, object]]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Return what servers are started with: the site of each process, and options of all."""
    found: Started = []

    application = server.application

    def serve(
        open_site: Callable[[], Site],
        _headers: object,
        *,
        ready: Callable[[], None],
        **options: object,
    ) -> int:
        ready()
        site = open_site()
        site.store.close()
        found.append((site, options))
        return 0

    def checked(site: Site) -> Site:
        application(site)
        return site

    monkeypatch.setattr("kilter.study.web.service.serve", serve)
    monkeypatch.setattr(server, "application", checked)
    return found


def test_every_option_of_the_server_reaches_it(
    study: Path, started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'other.db'}"
    usual = {"host": "127.0.0.1", "port": 8000, "workers": 1, "proxies": ()}
    local = "http://127.0.0.1:8000"
    runs: list[tuple[list[str], dict[str, object], str, int]] = [
        ([], {}, local, 40),
        (["--host", "127.0.0.2"], {"host": "127.0.0.2"}, "http://127.0.0.2:8000", 40),
        (["--host", "::1"], {"host": "::1"}, "http://[::1]:8000", 40),
        (["--port", "8123"], {"port": 8123}, "http://127.0.0.1:8123", 40),
        (["--public-url", "https://survey.example.org"], {}, "https://survey.example.org", 40),
        (["--proxy", "10.0.0.1", "--proxy", "10.0.0.2"], {"proxies": ("10.0.0.1", "10.0.0.2")}, local, 40),
        (["--workers", "4"], {"workers": 4}, local, 20),
        (["--workers", "64"], {"workers": 64}, local, 4),
        (["--workers", "4", "--connections", "9"], {"workers": 4}, local, 9),
        (["--joins", "7"], {}, local, 40),
        (["--database", database], {}, local, 40),
        (["--quiet"], {}, local, 40),
    ]  # fmt: skip
    for arguments, options, address, connections in runs:
        assert run(["survey", "serve", str(study), *arguments]) == 0
        site, found = started.pop()
        assert found == usual | options
        assert str(site.address) == address
        assert site.is_public == ("--public-url" in arguments)
        assert site.store.connections == connections
        assert site.joins.most == (7 if "--joins" in arguments else 120)
        assert ("other.db" in site.running.store.name) == ("--database" in arguments)
        said = f"participants: {address}/\nresearchers:  {address}/research\n"
        assert capsys.readouterr().err == ("" if arguments == ["--quiet"] else said)
    assert (tmp_path / "other.db").is_file()


def test_a_port_that_somebody_has_is_said(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["survey", "serve", str(study), "--port", str(port)]) == 3
    said = f"cannot listen on 127.0.0.1, port {port}: Address already in use"
    err = capsys.readouterr().err
    assert said in err
    assert "participants" not in err, "nobody finds it there"


@pytest.mark.parametrize("proxy", ["localhost", "127.0.0.1:80", "10.0.0.1/8", "*", ""])
def test_a_proxy_that_is_no_address_is_refused_before_anything_is_served(
    proxy: str, study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kilter.study.web.service.serve", lambda *_, **__: 0)
    assert run(["survey", "serve", str(study), "--proxy", "127.0.0.1", "--proxy", proxy]) == 2
    assert capsys.readouterr().err == (
        f"kilter: --proxy is {proxy!r}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8\n"
    )
