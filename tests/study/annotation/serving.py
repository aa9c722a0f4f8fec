"""A project of word links on a real server, for tests in a browser and for pictures."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kilter.cli.main import run
from tests.study.forking import started
from tests.study.running import await_start, free_port


@dataclass(frozen=True)
class Annotated:
    """Where a project is served, and the personal link of everybody by name."""

    address: str
    links: dict[str, str]


@contextmanager
def annotated(
    folder: Path,
    source: Sequence[str],
    target: Sequence[str],
    *,
    links: str | Sequence[str],
    annotators: Sequence[str],
    languages: tuple[str, str] = ("en", "ja"),
) -> Iterator[Annotated]:
    """Create a project and serve it; `links` is an aligner, or the proposed links of each sentence."""
    for name, lines in (("source", source), ("target", target), ("links", links)):
        if not isinstance(lines, str):
            (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    project = folder / "project"
    create = ["annotate", "create", str(project), "-s", str(folder / "source")]
    create += ["-t", str(folder / "target"), "--annotators", ",".join(annotators)]
    create += ["--links", links if isinstance(links, str) else str(folder / "links")]
    create += ["--adjudicators", "Judge", "--title", "Harbour texts", "--public-url", address, "-q"]
    create += ["--source-language", languages[0], "--target-language", languages[1]]
    assert run(create) == 0
    rows = (project / "links.txt").read_text(encoding="utf-8").splitlines()
    log = folder / "log"
    process = started(["annotate", "serve", str(project), "--port", str(port), "-q"], log=log)
    await_start(process, port=port, log=log)
    try:
        yield Annotated(address, {row.split("\t")[0]: row.split("\t")[-1] for row in rows})
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.wait()
