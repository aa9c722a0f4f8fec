"""Count what the house is made of: files, lines, classes, options, and the functions that one score runs.

python -m tools.house [SRC]
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

BY_HAND = ("click.option", "click.argument")
DERIVED = ("setting", "flag", "argument")
"""Calls that spell an option for click, and those that declare a field from which it is derived."""


def source_counts(folder: Path) -> dict[str, int]:
    """Return the files, lines, classes and options below a folder of sources."""
    counts: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        counts.update({"files": 1, "lines": text.count("\n")})
        for node in ast.walk(ast.parse(text)):
            counts["classes"] += isinstance(node, ast.ClassDef)
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                counts["options by hand"] += called in BY_HAND
                counts["options derived"] += called in DERIVED
    return dict(counts)


def run_counts(folder: Path) -> dict[str, int]:
    """Return how many functions in how many files one warm score by Kendall of two texts runs."""
    import kilter

    names = ("local.en", "verb.en", "reference.en")
    texts = [(Path("examples") / name).read_text(encoding="utf-8").splitlines() for name in names]
    systems = {"local": texts[0], "verb": texts[1]}
    kilter.score(systems, texts[2], metrics="kendall")
    seen: set[tuple[str, int]] = set()

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(folder)):
            seen.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sys.setprofile(watch)
    kilter.score(systems, texts[2], metrics="kendall")
    sys.setprofile(None)
    return {"functions of score": len(seen), "files of score": len({file for file, _ in seen})}


def main() -> None:
    """Print every count."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/kilter").resolve()
    for name, count in (source_counts(folder) | run_counts(folder)).items():
        print(f"{count:7,} {name}")


if __name__ == "__main__":
    main()
