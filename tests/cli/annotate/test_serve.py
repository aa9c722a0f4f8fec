"""`kilter annotate serve`: what its options make of the server, without listening anywhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.study.annotation.web import server
from kilter.study.annotation.web.site import AnnotationSite
from tests.cli.annotate.annotated import annotated

Started = list[tuple[AnnotationSite, dict[str, object]]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Return what servers are started with: the site of each process, and options of all."""
    found: Started = []

    application = server.application

    def serve(
        open_site: Callable[[], AnnotationSite],
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

    def checked(site: AnnotationSite) -> AnnotationSite:
        application(site)
        return site

    monkeypatch.setattr("kilter.study.web.service.serve", serve)
    monkeypatch.setattr(server, "application", checked)
    return found


def test_every_option_of_the_server_reaches_it(
    started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = annotated(tmp_path)
    database = f"sqlite:///{tmp_path / 'other.db'}"
    usual = {"host": "127.0.0.1", "port": 8000, "workers": 1, "proxies": ()}
    local = "http://127.0.0.1:8000"
    runs: list[tuple[list[str], dict[str, object], str, int]] = [
        ([], {}, local, 40),
        (["--host", "::1"], {"host": "::1"}, "http://[::1]:8000", 40),
        (["--port", "8123"], {"port": 8123}, "http://127.0.0.1:8123", 40),
        (["--public-url", "https://links.example.org"], {}, "https://links.example.org", 40),
        (["--proxy", "10.0.0.1"], {"proxies": ("10.0.0.1",)}, local, 40),
        (["--workers", "4"], {"workers": 4}, local, 20),
        (["--connections", "9"], {}, local, 9),
        (["--database", database], {}, local, 40),
        (["--quiet"], {}, local, 40),
    ]
    for arguments, options, address, connections in runs:
        assert run(["annotate", "serve", str(project), *arguments]) == 0
        site, found = started.pop()
        assert found == usual | options
        assert str(site.address) == address
        assert site.is_public == ("--public-url" in arguments)
        assert site.store.connections == connections
        assert ("other.db" in site.store.name) == ("--database" in arguments)
        said = f"personal links begin with {address}/a/\n"
        assert capsys.readouterr().err == ("" if arguments == ["--quiet"] else said)


def test_another_address_than_that_of_the_project_is_told(
    started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = annotated(tmp_path)
    file = project / "project.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace('public_url = ""', 'public_url = "http://127.0.0.1:8194"'), encoding="utf-8"
    )
    for arguments, is_told in (([], True), (["--port", "8194"], False), (["-q"], False)):
        assert run(["annotate", "serve", str(project), *arguments]) == 0
        assert ("project.toml says http://127.0.0.1:8194" in capsys.readouterr().err) == is_told
    assert len(started) == 3


def test_what_is_wrong_is_said_before_anything_is_served(
    started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = annotated(tmp_path)
    for arguments, reason in (
        (["--proxy", "nobody"], "--proxy is 'nobody'"),
        (["--public-url", "links.example"], "--public-url"),
        (["--public-url", "https://links.example/sentences"], "one of the pages"),
    ):
        assert run(["annotate", "serve", str(project), *arguments]) == 2
        assert reason in capsys.readouterr().err
    assert run(["annotate", "serve", str(tmp_path)]) == 3
    assert "kilter annotate create" in capsys.readouterr().err
    assert started == []
