"""A copy of the package in which code is changed, so that the working tree is never touched."""

import compileall
import hashlib
import importlib.util
import os
import shutil
from pathlib import Path
from py_compile import PycInvalidationMode

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
BUILD = ROOT / "build" / "mutation"
TEXTS = BUILD / "texts"


class Workspace:
    """The package under `build/mutation/src`, compiled module and all."""

    def __init__(self) -> None:
        self.path = BUILD / "src"
        shutil.rmtree(self.path, ignore_errors=True)
        self.texts = sources()
        keep(self.texts)
        package = self.path / "kilter"
        shutil.copytree(
            SOURCE / "kilter", package, ignore=shutil.ignore_patterns("__pycache__", "*.so")
        )
        shutil.copy2(_compiled(), package)
        # Checked by hash: a changed file of the same size and second is still compiled again.
        compileall.compile_dir(package, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    def write(self, file: str, code: str) -> None:
        """Put this code in the place of a file, whose path begins with `kilter/`."""
        (self.path / file).write_text(code, encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """Return what makes this process and its children import the copy."""
        paths = [str(self.path), str(ROOT)]
        return {
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }


def sources() -> dict[str, str]:
    """Return the text of every file of the package, by its path from `src/`."""
    return {
        path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((SOURCE / "kilter").rglob("*.py"))
    }


def digest(text: str) -> str:
    """Return a name for this text."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep(texts: dict[str, str]) -> None:
    """Keep these texts, for the lines of records to be found again when files have changed."""
    TEXTS.mkdir(parents=True, exist_ok=True)
    for text in texts.values():
        path = TEXTS / digest(text)
        if not path.exists():
            path.write_text(text, encoding="utf-8")


def kept(name: str) -> str:
    """Return the text of this digest."""
    return (TEXTS / name).read_text(encoding="utf-8")


def _compiled() -> Path:
    beside = sorted((SOURCE / "kilter").glob("_core*.so"))
    if beside:
        return beside[0]
    spec = importlib.util.find_spec("kilter")
    if spec is None or spec.origin is None:
        raise SystemExit("kilter is not installed, so its compiled module is missing: make demo")
    found = sorted(Path(spec.origin).parent.glob("_core*.so"))
    if not found:
        raise SystemExit(f"no compiled module beside {spec.origin}: make demo")
    return found[0]
