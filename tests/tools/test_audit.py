"""Licences of what is shipped and needed, and the bill of materials."""

import json
from pathlib import Path

from tools.audit.bill import COMPILED, bill
from tools.audit.dependency import Dependency, dependencies

ROOT = Path(__file__).parents[2]


def test_everything_that_is_needed_has_a_licence_that_is_allowed() -> None:
    found, _ = dependencies(["kilter"])
    assert len(found) > 5
    assert {
        each.name: each.refused for each in found if each.name != "kilter" and each.refused
    } == {}


def test_a_licence_that_is_not_allowed_or_not_stated_is_refused() -> None:
    assert Dependency("a", "1", ("GPL-3.0-only", "MIT"), ()).refused == ("GPL-3.0-only",)
    assert Dependency("a", "1", (), ()).refused == ("none stated",)


def test_texts_of_what_is_compiled_in_are_shipped() -> None:
    for name in COMPILED:
        text = (ROOT / "licenses" / f"{name}.txt").read_text(encoding="utf-8")
        assert "Copyright (c)" in text
    assert '"licenses/*.txt"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_bill_names_what_is_inside_and_what_is_needed() -> None:
    root, other = (
        Dependency("kilter", "1", ("Apache-2.0",), ("numpy",)),
        Dependency("numpy", "2", ("MIT",), ()),
    )
    made = json.loads(json.dumps(bill(root, [other], {"nanobind": "3"})))
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    inside = {each["name"]: each["version"] for each in made["metadata"]["component"]["components"]}
    assert inside == {"nanobind": "3", "robin-map": "unknown"}
    assert [each["purl"] for each in made["components"]] == ["pkg:pypi/numpy@2"]
    assert made["dependencies"][0] == {
        "ref": "pkg:pypi/kilter@1",
        "dependsOn": ["pkg:pypi/numpy@2"],
    }
