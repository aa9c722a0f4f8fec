"""Builds the site: `python -m tests.docs.site FOLDER`; a warning, such as a link that leads nowhere, is an error."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from tests.docs.pages import ROOT, pages
from tests.docs.site.metric_page import framed, picture
from tests.docs.site.navigation import arrange
from tests.docs.site.python_reference import python_reference

_HERE = Path(__file__).parent
_OUTSIDE = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def stage(source: Path) -> None:
    """Write all that Sphinx reads into a new folder, where pages stand as they do in the repository."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source / "docs")
    others = [*sorted((ROOT / "models").glob("*/*.md")), *(p for p in pages() if p.parent == ROOT)]
    for path in others:
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for path in (source / "docs" / "metrics").glob("[!R]*.md"):
        path.write_text(framed(path.stem, path.read_text(encoding="utf-8")), encoding="utf-8")
        path.with_suffix(".svg").write_text(picture(path.stem), encoding="utf-8")
    (source / "reference").mkdir()
    (source / "reference" / "python.md").write_text(python_reference(), encoding="utf-8")
    for path in source.rglob("*.md"):
        _bring_files(path, source)
    shutil.copytree(_HERE / "static", source / "_static")
    shutil.copyfile(_HERE / "conf.py", source / "conf.py")
    arrange(source, (_HERE / "front.md").read_text(encoding="utf-8"))


def _bring_files(page: Path, source: Path) -> None:
    """Copy what a page links to and the site would lack, such as a licence, or a file of examples."""
    for name in _OUTSIDE.findall(page.read_text(encoding="utf-8")):
        wanted = (page.parent / name).resolve()
        original = ROOT / wanted.relative_to(source.resolve())
        if not wanted.exists() and original.is_file():
            wanted.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, wanted)


def main(target: Path) -> int:
    """Build the site and return Sphinx's exit code."""
    from sphinx.cmd.build import main as build

    source = target.parent / f"{target.name}-source"
    stage(source)
    kept = target.parent / f"{target.name}-kept"
    options = ["-q", "-W", "--keep-going", "-n", "-d", str(kept), "-b", "html"]
    return int(build([*options, str(source), str(target)]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.docs.site FOLDER")
    sys.exit(main(Path(sys.argv[1]).resolve()))
