"""Sub-reports as a folder of files that appears complete or not at all."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.errors import InputError
from kilter.reports.picture_file import write_picture
from kilter.reports.raster import check_raster
from kilter.reports.sub_report import report_csv, report_json, report_page
from kilter.reports.table import TableFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.reports.sub_report import SubReport


def check_report_folder(folder: Path, *, png: bool) -> None:
    """Raise before anything is computed if a report cannot appear there, or PNG cannot be drawn."""
    _check_new(folder)
    if png:
        check_raster()


def _check_new(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is not empty; name a new folder", where=str(folder))


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """Yield a folder beside the target that takes its place when all is written."""
    _check_new(target)
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        yield temporary
        temporary.chmod(0o755)
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", where=str(target)
        ) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def write_sub_report(
    report: SubReport, folder: Path, *, header: Mapping[str, object], png: bool
) -> None:
    """Write one analysis into a folder of its own; `header` says whether the data is simulated."""
    own = folder / report.name
    own.mkdir()
    simulated = bool(header["simulated"])
    texts = {
        "table.csv": report_csv(report, simulated=simulated),
        "table.json": report_json(report, header=header),
        "table.md": report_page(report, form=TableFormat.MD, simulated=simulated),
        "table.tex": report_page(report, form=TableFormat.LATEX, simulated=simulated),
    }
    for name, text in texts.items():
        (own / name).write_text(text, encoding="utf-8", newline="")
    for figure in report.figures:
        for form in ("svg", "png") if png else ("svg",):
            write_picture(str(own / f"{figure.name}.{form}"), figure.svg)
