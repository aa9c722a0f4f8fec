"""Example notebooks: runs their cells as Jupyter does, and writes what they show.

`python -m tests.docs.notebooks` writes the real output into every notebook. A notebook runs in its own folder, and
nothing but Kilter and the standard library is needed: no Jupyter, no kernel.
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import chdir, redirect_stdout
from typing import TYPE_CHECKING, Any

from tests.docs.pages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    Notebook = dict[str, Any]

FOLDER = ROOT / "examples" / "notebooks"


def notebooks() -> list[Path]:
    """Return the files of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: Notebook) -> Notebook:
    """Return a notebook with the real output of every cell, numbered in their order."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    with chdir(FOLDER):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = _outputs("".join(cell["source"]), names, count)
                cells.append({**cell, "execution_count": count, "outputs": outputs})
            else:
                cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return what a cell prints, and what its last line is if it is a value."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)  # noqa: S102 - our own cells
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307 - the same
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        outputs.append(
            {
                "data": _shown(value),
                "execution_count": count,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    forms = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        # What a page shows takes the place of a long text.
        forms = {"text/html": _lines(value._repr_html_()), "text/plain": [type(value).__name__]}
    return forms


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def read(path: Path) -> Notebook:
    """Return a notebook."""
    held: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return held


def written(notebook: Notebook) -> str:
    """Return the text of a notebook, as Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for each in notebooks():
        each.write_text(written(executed(read(each))), encoding="utf-8")
