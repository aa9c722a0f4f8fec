"""Sub-reports as folders of files: tables in every form, and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.io.output import check_new_folder, make_folder, write_file
from kilter.render.chart.picture_file import check_raster, write_picture
from kilter.render.page.sub_report import report_csv, report_json, report_page
from kilter.render.table.table import TableFormat

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kilter.render.page.sub_report import SubReport


def check_report_folder(folder: Path, *, png: bool) -> None:
    """Raise before anything is computed if a report cannot appear there, or PNG cannot be drawn."""
    check_new_folder(folder)
    if png:
        check_raster()


def write_sub_report(
    report: SubReport, folder: Path, *, header: Mapping[str, object], png: bool
) -> None:
    """Write one analysis into a folder of its own; `header` says whether the data is simulated."""
    own = folder / report.name
    make_folder(own)
    simulated = bool(header["simulated"])
    texts = {
        "table.csv": report_csv(report, simulated=simulated),
        "table.json": report_json(report, header=header),
        "table.md": report_page(report, form=TableFormat.MD, simulated=simulated),
        "table.tex": report_page(report, form=TableFormat.LATEX, simulated=simulated),
    }
    for name, text in texts.items():
        write_file(own / name, text)
    for figure in report.figures:
        for form in ("svg", "png") if png else ("svg",):
            write_picture(str(own / f"{figure.name}.{form}"), figure.svg)
