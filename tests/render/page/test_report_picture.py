"""Pictures of a report for papers."""

from xml.etree import ElementTree as ET

from kilter.render.page.report_picture import report_pictures
from tests.render.page.reported import sample_report, small_report

LINES = [f"word {n} stands here now" for n in range(12)]


def test_every_metric_and_every_comparison_has_its_pictures() -> None:
    report = sample_report()
    names = [name for name, _ in report_pictures(report)]
    kinds = ("systems", "distribution", "length", "pair", "differences")
    wanted = {f"{kind}-{metric}" for kind in kinds for metric in report.metrics}
    assert set(names) == wanted | {
        "ranks",
        "word-accuracy-frequency",
        "word-accuracy-letters",
        "length-difference",
        "order-errors",
    }
    assert len(names) == len(set(names))


def test_every_picture_is_svg_that_says_its_numbers() -> None:
    report = sample_report()
    for name, picture in report_pictures(report):
        root = ET.fromstring(picture)  # noqa: S314 - our own
        description = root.find("{http://www.w3.org/2000/svg}desc")
        assert description is not None, name
        assert description.text, name
        if name.startswith(("systems", "length", "ranks", "word")):
            assert all(system in picture for system in report.systems), name


def test_one_system_has_no_pair_and_no_ranks() -> None:
    names = [name for name, _ in report_pictures(small_report(right=LINES))]
    assert not [name for name in names if name.startswith(("pair", "differences", "ranks"))]


def test_names_of_metrics_with_options_become_names_of_files() -> None:
    import kilter

    report = kilter.report(LINES, LINES, metrics=["pef:beta=0.5", "pef:beta=0.05"])
    names = {name for name, _ in report_pictures(report)}
    assert {"systems-pef-beta-0-5", "systems-pef-beta-0-05"} <= names
