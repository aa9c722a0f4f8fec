"""Debian's nginx before the survey, as the page on deployment has it."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trustme

PAGE = Path(__file__).parents[2] / "docs" / "survey" / "deployment.md"
_START_SECONDS = 30


def program() -> str | None:
    """Return where nginx is; Debian keeps it out of users' path."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def written_server() -> str:
    """Return the first server that the page describes: the one that encrypts."""
    found = re.search(
        r"```nginx\n(server \{\n.*?\n\})\n", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    return found[1]


@contextmanager
def nginx(folder: Path, server: str, *, port: int, backend: int) -> Iterator[ssl.SSLContext]:
    """Run a server of the page on a port of 127.0.0.1; give what trusts its certificate."""
    authority, trusts = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusts)
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_pem.write_to_path(folder / "privkey.pem")
    for pem in certificate.cert_chain_pems:
        pem.write_to_path(folder / "fullchain.pem", append=True)
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/survey.example.org", str(folder)),
        ("/var/log/nginx/survey.log", f"{folder}/error.log"),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{backend}"),
    ):
        assert old in server
        server = server.replace(old, new)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\n{places}{server}\n}}\n",
        encoding="utf-8",
    )
    command = [str(program()), "-c", str(folder / "nginx.conf"), "-e", str(folder / "start.log")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + _START_SECONDS
        while True:
            assert process.poll() is None, (folder / "start.log").read_text(encoding="utf-8")
            assert time.monotonic() < end
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
            except OSError:
                time.sleep(0.05)
            else:
                break
        yield trusts
    finally:
        process.terminate()
        process.wait(timeout=_START_SECONDS)
