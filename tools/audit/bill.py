"""A bill of materials in the JSON of CycloneDX 1.6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.audit.dependency import Dependency

COMPILED = {"nanobind": "BSD-3-Clause", "robin-map": "MIT"}
"""What is compiled into the extension; their texts are in licenses/, and in the wheel."""


def bill(
    root: Dependency, others: Sequence[Dependency], compiled: dict[str, str]
) -> dict[str, Any]:
    """Return the bill of a distribution: what is inside it, with `compiled` versions, and what it needs.

    There is no time and no serial number in it, so that equal environments have equal bills.
    """
    inside = [
        {
            "type": "library",
            "bom-ref": f"compiled:{name}",
            "name": name,
            "version": compiled.get(name, "unknown"),
            "licenses": [{"license": {"id": licence}}],
            "scope": "required",
        }
        for name, licence in COMPILED.items()
    ]
    known = {each.name for each in others}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**_component(root), "components": inside}},
        "components": [_component(each) for each in others],
        "dependencies": [
            {
                "ref": _reference(each),
                "dependsOn": sorted(
                    f"pkg:pypi/{n}@{_version(others, n)}" for n in each.needs if n in known
                ),
            }
            for each in (root, *others)
        ],
    }


def _version(others: Sequence[Dependency], name: str) -> str:
    return next(each.version for each in others if each.name == name)


def _reference(each: Dependency) -> str:
    return f"pkg:pypi/{each.name}@{each.version}"


def _component(each: Dependency) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": _reference(each),
        "name": each.name,
        "version": each.version,
        "description": each.summary,
        "licenses": [{"license": {"name": licence}} for licence in each.licences],
        "purl": _reference(each),
    }
