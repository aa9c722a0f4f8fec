"""The stub of the compiled core, as nanobind describes it: `make stub` writes it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import kilter
from kilter import _core

FOLDER = Path(kilter.__file__).with_name("_core")
"""Where the stub lies: one file for the core, one for what only tests call."""
_ARRAY = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\((?:[^()]|\([^()]*\))*\)\]")


def stubs() -> dict[str, str]:
    """Return the text of each file of the stub by its name."""
    from nanobind.stubgen import StubGen  # type: ignore[import-untyped]

    texts = {}
    for name, module in (("__init__.pyi", _core), ("testing.pyi", _core.testing)):
        generator = StubGen(module=module, quiet=True, include_docstrings=False)
        generator.put(module)
        texts[name] = _formatted(_without_shapes(generator.get()))
    return texts


def _without_shapes(text: str) -> str:
    """Return a stub without shapes of arrays, which no type checker looks at, and in short."""
    text = _ARRAY.sub(r"\1", text).replace("import numpy\n", "import numpy as np\n")
    text = text.replace("import numpy.typing\n", "")
    return re.sub(
        r"\bnumpy\.(?=[a-z]+\d)", "np.", text.replace("numpy.typing.NDArray[", "NDArray[")
    )


def _formatted(text: str) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--fix", "--quiet", "--select=F401,I"], ["format", "--quiet"]):
        done = subprocess.run(
            [*ruff, *command, "--stdin-filename=_core.pyi", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for file, content in stubs().items():
        (folder / file).write_text(content, encoding="utf-8")
