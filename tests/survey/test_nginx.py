"""A survey behind nginx with TLS, as the page on deployment says."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.survey.nginx import nginx, program, written_server
from tests.survey.running import Person, example, free_port, running

PATHS: dict[str, Callable[[str], str]] = {
    "": lambda server: server,
    # Below a path, which the proxy leaves or takes away.
    "/survey": lambda server: server.replace("location / {", "location /survey/ {"),
    "/survey/": lambda server: re.sub(
        r"location / \{(\s+proxy_pass http://127\.0\.0\.1:8000)", r"location /survey/ {\1/", server
    ),
}


@pytest.mark.skipif(program() is None, reason="nginx is not installed; apt install nginx-light")
@pytest.mark.parametrize("path", PATHS)
def test_a_participant_and_a_researcher_work_behind_nginx(tmp_path: Path, path: str) -> None:
    port, folder = free_port(), example(tmp_path / "study")
    (tmp_path / "nginx").mkdir()
    prefix = path.rstrip("/")
    origin = f"https://127.0.0.1:{port}"
    options = ["--proxy", "127.0.0.1", "--joins", "1"]
    with (
        running(folder, public_url=origin + prefix, options=options) as server,
        nginx(
            tmp_path / "nginx", PATHS[path](written_server()), port=port, backend=server.port
        ) as trusts,
        Person(origin + prefix, trusts=trusts) as person,
    ):
        assert person.page.status_code == 200
        assert "max-age" in person.page.headers["strict-transport-security"]
        person.client.headers["origin"] = origin
        assert person.post("/join").url.path == f"{prefix}/information"
        assert f"{origin}{prefix}/p/" in person.page.text
        assert person.post("/information").url.path == f"{prefix}/consent"
        assert person.get("/static/survey.css").status_code == 200
        assert person.get("/information/").url.path == f"{prefix}/information"
        if not prefix:
            assert person.get("/metrics").status_code == 404
        assert person.login().url.path == f"{prefix}/research"
        person.get("/withdraw")
        token = person.form_token
        person.client.headers["origin"] = (
            f"http://127.0.0.1:{port}"  # the same host without encryption
        )
        refused = person.client.post("/withdraw", data={"form_token": token, "erase": "all"})
        assert refused.status_code == 403
