"""The worked numbers of the papers and the test vectors of the specification, section 18."""

import json
from pathlib import Path
from typing import Any

Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    """Return the cases of `<name>.json`; rows of a table become dictionaries by its columns."""
    table = json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))
    if "columns" not in table:
        return list(table["cases"])
    return [dict(zip(table["columns"], row, strict=True)) for row in table["cases"]]
