"""Reports as files."""

from pathlib import Path

from tests.render.page.reported import sample_report, small_report


def test_a_report_is_written_as_its_page(tmp_path: Path) -> None:
    report = small_report(right=["a b", "c d"])
    report.write(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.to_html()


def test_the_same_report_gives_the_same_page() -> None:
    lines = ["a b c", "d e"]
    assert small_report(right=lines).to_html() == small_report(right=lines).to_html()


def test_figures_are_written_into_a_folder_that_need_not_be_there(tmp_path: Path) -> None:
    written = sample_report().write_figures(tmp_path / "new" / "figures")
    assert sorted(written) == sorted((tmp_path / "new" / "figures").iterdir())
    starts = {".svg": b"<svg", ".pdf": b"%PDF"}
    assert all(path.read_bytes().startswith(starts[path.suffix]) for path in written)
    names = {path.stem for path in written}
    assert len(written) == 2 * len(names)


def test_figures_can_be_svg_alone(tmp_path: Path) -> None:
    written = sample_report().write_figures(tmp_path, pdf=False)
    assert {path.suffix for path in written} == {".svg"}
