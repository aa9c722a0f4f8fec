"""Where each page stands in the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS = {
    "First steps": ["docs/tutorial", "docs/which-score", "docs/recipes"],
    "For whom": [
        "docs/for/mt-engineer",
        "docs/for/metric-researcher",
        "docs/for/preordering-developer",
        "docs/for/survey-researcher",
        "docs/for/linguist",
    ],
    "Scores and their reasons": [
        "docs/explain",
        "docs/report",
        "docs/significance",
        "docs/nbest",
        "docs/permutations",
    ],
    "Links, trees, orders": [
        "docs/aligners",
        "docs/links",
        "docs/annotation",
        "docs/trees",
        "docs/parsers",
        "docs/reordering",
        "docs/preordering",
        "docs/preordering-tutorial",
        "docs/automatic-references",
        "docs/perturb",
    ],
    "Agreement with people": ["docs/meta", "docs/judgments", "docs/published", "docs/wmt13"],
    "Reference": [
        "docs/cli",
        "reference/commands",
        "docs/python",
        "reference/python",
        "docs/adapters",
        "docs/specification",
        "docs/disagreements",
        "docs/misprints",
    ],
    "Project": [
        "docs/README",
        "README",
        "ARCHITECTURE",
        "CONTRIBUTING",
        "docs/kernels",
        "docs/release",
        "CHANGELOG",
    ],
}
"""Pages by the heading under which they stand, in their order; others of docs/ come last."""
GROUPS = {
    "Metrics": "docs/metrics",
    "The survey": "docs/survey",
    "Contributing": "docs/contributing",
    "Decisions": "docs/decisions",
    "Models": "models",
}
"""Folders all of whose pages stand under a heading."""


def index(source: Path, introduction: str) -> str:
    """Return the first page, with every page that is there in its navigation."""
    there = {path.relative_to(source).with_suffix("").as_posix() for path in source.rglob("*.md")}
    listed = {name for names in SECTIONS.values() for name in names}
    missing = sorted(listed - there)
    if missing:
        raise ValueError(f"pages of the navigation are not there: {', '.join(missing)}")
    grouped = {
        heading: sorted(name for name in there if name.startswith(f"{folder}/"))
        for heading, folder in GROUPS.items()
    }
    others = there - listed - {name for names in grouped.values() for name in names} - {"index"}
    sections = {
        "First steps": SECTIONS["First steps"],
        "For whom": SECTIONS["For whom"],
        "Metrics": grouped.pop("Metrics"),
        **{
            name: pages
            for name, pages in SECTIONS.items()
            if name not in {"First steps", "For whom"}
        },
        **grouped,
        "More": sorted(others),
    }
    trees = [_tree(heading, names) for heading, names in sections.items() if names]
    return "\n".join([introduction, *trees])


def _tree(heading: str, names: list[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *names, "```", ""])
