"""A sub-report as a folder of files."""

import json
import sys
from pathlib import Path

import pytest

from kilter.core.errors import KilterError, MissingToolError
from kilter.core.table import Table
from kilter.render.page.sub_report import Figure, SubReport
from kilter.study.analysis.report_folder import check_report_folder, write_sub_report

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>Some</title></svg>'
REPORT = SubReport(
    name="some",
    title="Some",
    text=("Found.",),
    data=Table(columns=("name", "n"), rows=(("a", 3),)),
    notes=("n: three.",),
    figures=(Figure(svg=PICTURE),),
)


def test_tables_are_there_in_every_form_and_figures_as_asked(tmp_path: Path) -> None:
    for png in (False, True):
        folder = tmp_path / str(png)
        folder.mkdir()
        write_sub_report(REPORT, folder, header={"simulated": png}, png=png)
        names = {path.name for path in (folder / "some").iterdir()}
        assert {"table.csv", "table.json", "table.md", "table.tex"} <= names
        suffixes = sorted(name.rpartition(".")[2] for name in names if "table" not in name)
        assert suffixes == (["png", "svg"] if png else ["svg"])
        document = json.loads((folder / "some" / "table.json").read_text(encoding="utf-8"))
        assert document["simulated"] is png
        text = (folder / "some" / "table.csv").read_text(encoding="utf-8")
        assert ("simulated" in text) is png


def test_what_cannot_be_written_is_said_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_report_folder(tmp_path / "new", png=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "page.html").write_text("a report", encoding="utf-8")
    with pytest.raises(KilterError):
        check_report_folder(tmp_path / "full", png=False)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    check_report_folder(tmp_path / "new", png=False)
    with pytest.raises(MissingToolError):
        check_report_folder(tmp_path / "new", png=True)
