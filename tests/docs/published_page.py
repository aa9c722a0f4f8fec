"""Writes the measured blocks of docs/published.md: `python -m tests.docs.published_page DATA`.

A block that is only to be read and begins with `$ kilter published NAME --data ../shared/data` is run with that
data; the others are run by `make docs`.
"""

import io
import re
import sys
from contextlib import redirect_stdout

from kilter.cli.main import run
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "published.md"
MEASURED = re.compile(
    r"^```text\n(\$ kilter published (\S+) --data \S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def measured() -> dict[str, str]:
    """Return the output of every measured block, by the name of its table."""
    text = PAGE.read_text(encoding="utf-8")
    return {name: output for _, name, output in MEASURED.findall(text)}


def printed(name: str, data: str) -> str:
    """Return what the command says."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert run(["published", name, "--data", data]) == 0
    return out.getvalue()


def main(data: str, *names: str) -> None:
    """Measure tables, or all, and write what they say into the page."""
    text = PAGE.read_text(encoding="utf-8")

    def block(found: re.Match[str]) -> str:
        if names and found[2] not in names:
            return found[0]
        return f"```text\n{found[1]}\n{printed(found[2], data)}```"

    PAGE.write_text(MEASURED.sub(block, text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
