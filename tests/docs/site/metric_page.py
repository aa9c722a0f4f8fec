"""The page of a metric: as it is written, with its facts, a picture, an example worked out, and BibTeX."""

from __future__ import annotations

import json
import re
from contextlib import chdir
from typing import TYPE_CHECKING, Any

from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import METRICS
from tests.cli.command import kilter
from tests.docs.pages import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

HYPOTHESIS = "I will you tomorrow morning call before I to the office go ."
REFERENCE = "I will call you tomorrow morning before I go to the office ."
_GOLD = "examples/gold.source-reference.links"
_FILES = ["-r", "examples/reference.tok.en", "examples/reference.tok.en", "--tokenize", "none"]
_SOURCE = [*_FILES, "-s", "examples/source.tok.de", "--segment", "2"]
_LINKS = ["--links-source-hypothesis", _GOLD, "--links-source-reference", _GOLD]
_TREES = [
    *("-r", "examples/worked.reference.en", "examples/worked.hypothesis.en", "--tokenize", "none", "--segment", "2"),
    *("--trees", "examples/worked.hypothesis.conllu", "--trees-reference", "examples/worked.reference.conllu"),
]  # fmt: skip


def asked(name: str) -> list[str]:
    """Return how `kilter explain` is asked for an example of a metric: by what it needs."""
    needed = described(name)["needs"]
    if "source-links" in needed:
        return [*_SOURCE, *_LINKS, "-m", name]
    if "trees" in " ".join(needed):
        return [*_TREES, "-m", name]
    return [HYPOTHESIS, REFERENCE, "-m", name]


def described(name: str) -> dict[str, Any]:
    """Return what the registry knows of a metric, as `kilter metrics` writes it."""
    (found,) = json.loads(kilter("metrics", name, "--format", "json").out)
    held: dict[str, Any] = found
    return held


def facts(name: str) -> str:
    """Return the facts of a metric as a table."""
    found = described(name)
    low, high = ("any number" if bound is None else f"{bound:g}" for bound in found["range"])
    rows = {
        "formula": f"`{found['formula']}`",
        "range": f"{low} to {high}, {'more' if found['higher_is_better'] else 'less'} is better",
        "needs": ", ".join(found["needs"]) or "the words",
        "signature": f"`{found['signature']}`",
    }
    lines = [f"| {key} | {value.replace('|', chr(92) + '|')} |" for key, value in rows.items()]
    return "\n".join(["|  |  |", "| --- | --- |", *lines])


def explained(name: str, *more: str) -> str:
    """Return what `kilter explain` says of the example of a metric."""
    with chdir(ROOT):
        found = kilter("explain", *asked(name), *more)
    if found.code:
        raise ValueError(f"{name}: {found.err}")
    return found.out


def picture(name: str) -> str:
    """Return the example of a metric as SVG."""
    return explained(name, "--format", "svg")


def worked(name: str) -> str:
    """Return the steps that lead to the score of the example."""
    told = explained(name)
    return told[told.index(f"\n{name} = ") + 1 :].rstrip()


def framed(name: str, page: str) -> str:
    """Return a metric's page with what the code knows about it."""
    title, _, rest = page.partition("\n\n")
    lead, _, rest = rest.partition("\n## Definition\n")
    shown = " ".join(f"'{word}'" if " " in word else word for word in asked(name))
    example = (
        f"\n### A picture\n\n![The example of {name}]({name}.svg)\n\n"
        f"`kilter explain {shown}` works it out:\n\n```text\n{worked(name)}\n```\n"
    )
    cited = "\n\n".join(PUBLICATIONS[key] for key in METRICS.find(name).citations)
    rest = rest.replace("\n## Range and invariances\n", f"{example}\n## Range and invariances\n", 1)
    return f"{title}\n\n{lead}\n{facts(name)}\n\n## Definition\n{rest}\n\n```bibtex\n{cited}\n```\n"


def missing(page: str) -> Sequence[str]:
    """Return what the finished page of a metric lacks."""
    wanted = {
        "a formula": r"\| formula \| `.+`",
        "a definition": r"^## Definition\n+\S",
        "edge cases": r"^## Edge cases\n+\S",
        "options": r"^## Options\n+\S",
        "an example": r"^## Example\n+\S",
        "a picture": r"^### A picture\n+!\[.+\]\(.+\.svg\)",
        "the steps of a score": r"^  score .+\d",
        "other tools": r"^## Other tools\n+\S",
        "a citation": r"^## Citation\n+\S[\s\S]+```bibtex\n@",
    }
    return [name for name, pattern in wanted.items() if not re.search(pattern, page, re.MULTILINE)]
