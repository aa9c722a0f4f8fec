"""`python -m tools.audit`: licences of everything that Kilter ships and needs, and a bill of materials.

Vulnerabilities are looked up by pip-audit where it is installed, which needs a network; without it, this is said.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from tools.audit.bill import COMPILED, bill
from tools.audit.dependency import dependencies

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Return 0 if every licence is allowed, and every text that must be shipped is there."""
    parser = argparse.ArgumentParser(prog="make audit", description=__doc__)
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "build" / "sbom.cdx.json",
        help="the bill (%(default)s)",
    )
    output = parser.parse_args().output
    found, missing = dependencies(["kilter"])
    root = next(each for each in found if each.name == "kilter")
    others = [each for each in found if each is not root]
    for each in others:
        sys.stdout.write(f"{each.name:28}{each.version:14}{', '.join(each.licences) or '-'}\n")
    faults = [f"{each.name} is under {', '.join(each.refused)}" for each in others if each.refused]
    faults += [
        f"licenses/{name}.txt is missing"
        for name in COMPILED
        if not (ROOT / "licenses" / f"{name}.txt").is_file()
    ]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(
        json.dumps(bill(root, others, _compiled()), indent=1) + "\n", encoding="utf-8"
    )
    sys.stdout.write(f"{len(others)} distributions, bill of materials in {output}\n")
    if missing:
        sys.stdout.write(f"not installed here, not looked at: {', '.join(missing)}\n")
    faults += _vulnerabilities()
    for fault in faults:
        sys.stderr.write(f"audit: {fault}\n")
    return 1 if faults else 0


def _compiled() -> dict[str, str]:
    try:
        return {"nanobind": version("nanobind")}
    except PackageNotFoundError:
        return {}


def _vulnerabilities() -> list[str]:
    if find_spec("pip_audit") is None:
        sys.stdout.write("vulnerabilities: not looked up; pip-audit is not installed here\n")
        return []
    done = subprocess.run([sys.executable, "-m", "pip_audit", "--local"], check=False)
    return ["pip-audit tells of vulnerabilities, or has no network"] if done.returncode else []


if __name__ == "__main__":
    sys.exit(main())
