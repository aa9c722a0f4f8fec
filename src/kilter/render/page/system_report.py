"""A report on systems that can be read: as a page, in a file, as pictures for papers."""

from __future__ import annotations

from pathlib import Path

from kilter.io.output import make_folder, write_file
from kilter.render.chart.picture_file import check_pdf, write_picture
from kilter.render.page.report_page import report_page
from kilter.render.page.report_picture import report_pictures
from kilter.results.reported_systems import ReportedSystems


class SystemReport(ReportedSystems):
    """What `kilter report` found: numbers of all systems, and the page that shows them."""

    def __str__(self) -> str:
        return str(self.comparison)

    def _repr_html_(self) -> str:
        return self.comparison._repr_html_()

    def to_html(self, *, live: bool = False) -> str:
        """Return the page: one HTML document that needs nothing but itself.

        A `live` one asks the server that it came from every second whether there is a newer one.
        """
        return report_page(self, live=live)

    def write(self, path: str | Path) -> None:
        """Write the page into a file, which may be there already."""
        write_file(path, self.to_html())

    def write_figures(self, folder: str | Path, *, pdf: bool = True) -> list[Path]:
        """Write every picture into a folder, as SVG and as PDF unless not wanted; return the files.

        The folder is made where there is none. PDF needs the extra `figures`.
        """
        if pdf:
            check_pdf()
        place = Path(folder)
        make_folder(place)
        written = []
        for name, picture in report_pictures(self):
            for form in ("svg", "pdf") if pdf else ("svg",):
                path = place / f"{name}.{form}"
                write_picture(str(path), picture)
                written.append(path)
        return written
