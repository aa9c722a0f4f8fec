"""Where each page stands in the site: under the kind that docs/README.md lists it as."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LIST = "docs/README.md"
KINDS = {
    "Tutorials": "Tutorial",
    "How-to guides": "How-to guide",
    "Reference": "Reference",
    "Explanation": "Explanation",
}
"""Headings of the list of pages, and what a page below them is called."""
INSIDE = {
    "docs/metrics/README": "docs/metrics/",
    "docs/cli": "docs/cli/",
    "docs/survey/README": "docs/survey/",
    "CONTRIBUTING": "docs/contributing/",
    "ARCHITECTURE": "docs/decisions/",
    "docs/python": "reference/",
    "models/score/README": "models/score/",
    "docs/tutorial": "src/",
}
"""Pages that have the pages of a folder below them in the navigation."""
REFERENCES_INSIDE = ("docs/survey/analysis", "docs/survey/data", "docs/survey/security")
"""Pages of a guide to which people turn to look something up."""
OTHERS = ("index", "README", "docs/README")
"""Pages that lead to pages of every kind."""
_LINK = re.compile(r"\]\(([^)#\s]+)\.md[^)\s]*\)")


def sections(listed: str) -> dict[str, str]:
    """Return what the list of pages says of each kind.

    >>> sections("# All\\n\\n## Tutorials\\n\\n* [One](one.md)\\n\\n## Reference\\n\\n* [Two](two.md)\\n")
    {'Tutorials': '* [One](one.md)', 'Reference': '* [Two](two.md)'}
    """
    _, *parts = re.split(r"^## (.+)\n", listed, flags=re.MULTILINE)
    return {kind: text.strip() for kind, text in zip(parts[::2], parts[1::2], strict=True)}


def linked(text: str) -> list[str]:
    """Return the pages that a text of docs/ links to, each once, in its order, without those inside of another."""
    names = []
    for name in _LINK.findall(text):
        path = PurePosixPath("docs")
        for part in PurePosixPath(name).parts:
            path = path.parent if part == ".." else path / part
        if _parent(str(path)) is None:
            names.append(str(path))
    return [*dict.fromkeys(names)]


def _parent(name: str) -> str | None:
    """Return the page that has another below it."""
    return next(
        (page for page, folder in INSIDE.items() if name.startswith(folder) and name != page), None
    )


def kinds(listed: str, there: set[str]) -> dict[str, str]:
    """Return the kind of each page, by its name; one that is not listed, or not there, is an error."""
    found: dict[str, str] = {}
    for kind, text in sections(listed).items():
        for name in linked(text):
            if name in found:
                raise ValueError(f"{LIST} lists {name} twice")
            found[name] = KINDS[kind]
    missing = sorted(found.keys() - there)
    if missing:
        raise ValueError(f"pages of {LIST} are not there: {', '.join(missing)}")
    for name in sorted(there - found.keys() - {*OTHERS}):
        parent = _parent(name)
        if parent not in found:
            raise ValueError(f"{LIST} does not list {name}")
        is_reference = name in REFERENCES_INSIDE or name.startswith("src/")
        found[name] = "Reference" if is_reference else found[parent]
    return found


def kind_page(kind: str) -> str:
    """Return the name of the page of a kind, such as docs/how-to-guides."""
    return f"docs/{kind.lower().replace(' ', '-')}"


def arrange(source: Path, front: str) -> None:
    """Write the navigation into a staged site: the first page, a page for each kind, and what each page is."""
    there = {path.relative_to(source).with_suffix("").as_posix() for path in source.rglob("*.md")}
    listed = (source / LIST).read_text(encoding="utf-8")
    pages = kinds(listed, there)
    plural = {kind: heading for heading, kind in KINDS.items()}
    for name, kind in pages.items():
        path = source / f"{name}.md"
        up = "../" * name.count("/")
        inside = sorted(each for each in pages if each.startswith(INSIDE.get(name, "-")))
        path.write_text(
            _labelled(
                path.read_text(encoding="utf-8"), f"[{kind}]({up}{kind_page(plural[kind])}.md)"
            )
            + (_tree([f"/{each}" for each in inside if each != name]) if inside else ""),
            encoding="utf-8",
        )
    for kind, text in sections(listed).items():
        tree = _tree([f"/{name}" for name in linked(text)])
        path = source / f"{kind_page(kind)}.md"
        path.write_text(f"# {kind}\n\n{text}\n{tree}", encoding="utf-8")
    tree = _tree([*(f"/{kind_page(kind)}" for kind in KINDS), "/docs/README", "Readme </README>"])
    (source / "index.md").write_text(front + tree, encoding="utf-8")


def _labelled(text: str, label: str) -> str:
    """Return a page with what kind it is below its title."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{{.kind}}\n{label}\n{rest}"


def _tree(names: list[str]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])
