"""Reports of `kilter survey analyse`, read back and checked."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from kilter.study.analysis import power
from tests.thorough import tried

TABLES = ("table.csv", "table.json", "table.md", "table.tex")
_CHOSEN = ("bleu", "kendall", "dted:variant=b", "dted:variant=b,flat=true")
_CHOICE = tuple(("-m", name) for name in _CHOSEN)
_WITHOUT_TREES = tried(4, quick=2)
METRICS = tuple(word for chosen in _CHOICE[:_WITHOUT_TREES] for word in chosen)
# Parsers take half of the time: in `make test`, those reports have trees that are about all analyses.
TREES = tuple(word for chosen in _CHOICE[_WITHOUT_TREES:3] for word in chosen)
RESAMPLES = ("--resamples", str(tried(50, quick=20)))
_NOT_A_NUMBER = re.compile(r"(?<![\w./-])[-+]?(nan|inf|infinity)(?![\w-])", re.IGNORECASE)
_VOID = {"meta", "img", "br", "hr", "link", "input"}


@pytest.fixture(scope="module", autouse=True)
def quick_power() -> Iterator[None]:
    """Let reports simulate fewer studies in `make test`: no test here is about how many there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(power, "REPETITIONS", tried(power.REPETITIONS, quick=6))
        yield


def analysed(export: Path, output: Path, *arguments: str) -> Path:
    """Analyse an export with few metrics and resamples and return the report's folder."""
    options = ["-o", str(output), "-q", *RESAMPLES, *METRICS, *arguments]
    assert run(["survey", "analyse", str(export), *options]) == 0
    return output


def rows(report: Path, analysis: str) -> list[dict[str, str]]:
    text = (report / analysis / "table.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def document(report: Path, analysis: str) -> dict[str, Any]:
    text = (report / analysis / "table.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text, parse_constant=_refused)
    return found


def _refused(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def texts(report: Path) -> dict[str, str]:
    """Return every file of a report that holds text."""
    return {
        str(path.relative_to(report)): path.read_text(encoding="utf-8")
        for path in sorted(report.rglob("*"))
        if path.is_file() and path.suffix != ".png"
    }


def files(report: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(report)): path.read_bytes()
        for path in sorted(report.rglob("*"))
        if path.is_file()
    }


def check_report(report: Path) -> None:
    """Assert what every report holds: all formats, no NaN, a reason for each gap, a valid page."""
    found = texts(report)
    for name, text in found.items():
        if name in ("index.html", "appendix.html"):
            # Pictures are in the page as base64, where any three letters may meet.
            text = re.sub(r'base64,[^"]*', "", text)  # noqa: PLW2901
        assert not _NOT_A_NUMBER.search(text), (name, _NOT_A_NUMBER.search(text))
    analyses = [path.name for path in report.iterdir() if path.is_dir()]
    for name in analyses:
        assert {*TABLES} <= {path.name for path in (report / name).iterdir()}
        told = document(report, name)
        assert told["analysis"] == name
        assert told["text"]
        assert all(told["text"])
        assert any(note.startswith("n:") for note in told["notes"]), name
        listed = rows(report, name)
        assert len(listed) == len(told["rows"])
        for row in told["rows"]:
            for value in row.values():
                assert not isinstance(value, float) or value == value  # noqa: PLR0124
    pages = {name: Page() for name in ("index.html", "appendix.html")}
    for name, page in pages.items():
        page.feed(found[name])
        page.check()
    assert {*analyses} <= {name for page in pages.values() for name in page.ids}
    for name, page in pages.items():
        for link in page.links:
            file, _, place = link.partition("#")
            assert place in pages[file or name].ids if place else (report / file).is_file(), link


class Page(HTMLParser):
    """A page whose elements must be closed, named and described."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.tables = 0
        self.captions = 0
        self.pictures = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in _VOID:
            self.open.append(tag)
        if given.get("id") is not None:
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        if tag == "th":
            assert given.get("scope") in ("col", "row", "rowgroup")
        if tag == "img":
            self.pictures += 1
            assert str(given["src"]).startswith("data:image/svg+xml;base64,")
            assert len(given.get("alt") or "") > 20
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table"
        self.captions += tag == "caption"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def check(self) -> None:
        assert not self.open
        assert len({*self.ids}) == len(self.ids)
        assert self.tables == self.captions > 0
        assert self.headings[0] == 1
        for before, after in zip(self.headings, self.headings[1:], strict=False):
            assert after <= before + 1
