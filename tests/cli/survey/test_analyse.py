"""`kilter survey analyse`: every analysis in every format, the same bytes again, and what is refused."""

import csv
import shutil
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from kilter.cli.main import run
from kilter.stats.correlation import ScaleLevel
from kilter.study.analysis.adjustment import adjust
from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.judgments.judgment_study import SentenceGroup
from kilter.study.judgments.study_table import read_export
from tests.cli.analysed import (
    METRICS,
    RESAMPLES,
    TREES,
    analysed,
    check_report,
    document,
    files,
    quick_power,  # noqa: F401 - a fixture
    rows,
    texts,
)
from tests.study import browsing
from tests.study.running import example
from tests.thorough import tried

pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
# Dozens of pictures with dots take seconds; `make test` draws one in a test of its own.
PICTURES = ["--no-png"] * tried(0, quick=1)
Captured = pytest.CaptureFixture[str]
PUBLISHED = {
    "participants", "lengths", "languages", "position", "questionnaire", "levels", "questions",
    "degrees", "scores", "words", "agreement", "leave-one-out", "adjustment", "effects",
    "correlation-translation", "correlation-order", "correlation-swap", "correlation-phrase",
    "correlation-choice", "external", "hypotheses", "subgroups", "subgroup-age",
    "subgroup-language-points", "subgroup-education", "sample-size", "power", "findings", "kinds",
    "times", "controls", "careless", "overview", "variant-size", "kind-size", "configurations",
    "hypotheses-permutations", "wording", "shared", "design",
}  # fmt: skip


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("analyse") / "study")


@pytest.fixture(scope="module")
def export(study: Path) -> Path:
    output = study.parent / "export"
    arguments = ["-o", str(output), "-q", "--participants", "12", "-m", "kendall"]
    assert run(["survey", "simulate", str(study), *arguments]) == 0
    return output


@pytest.fixture(scope="module")
def report(export: Path) -> Path:
    return analysed(export, export.parent / "report", *TREES, *PICTURES)


@pytest.fixture(scope="module")
def varied(export: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report with other options than the usual, of which each test looks at one."""
    folder = tmp_path_factory.mktemp("varied")
    study = read_export(export)
    names = [sentence.id for sentence in study.sentences if sentence.kind == "translation"]
    lines = ["sentence,tool,value", *(f"{name},mine,{k / 50}" for k, name in enumerate(names))]
    lines += [f"{name},little,0.{k}" for k, name in enumerate(names[:5])]
    scores = folder / "external.csv"
    scores.write_text("\n".join(lines) + "\n", encoding="utf-8")
    split = ("--split", "gender", "--split", "age=40", "--correction", "none")
    others = ("--adjustment", "reml", "--shared-only", "--scores", str(scores), "--no-png")
    further = ("--published", "--by-tool", "--baseline", "mine", "--min-group-size", "2")
    report = analysed(export, folder / "report", *split, *others, *further)
    check_report(report)
    return report


UNDRAWN = (
    "subgroups",
    "controls",
    "configurations",
    "wording",
    "shared",
    "design",
    "without-careless",
    "external",
)
"""Sizes of groups and configurations are in others' figures, the example has no control items and is given no external
scores, and words need no figure."""


def test_every_analysis_is_there_in_every_format(report: Path) -> None:
    analyses = {path.name for path in report.iterdir() if path.is_dir()}
    assert analyses >= PUBLISHED
    check_report(report)
    for name in analyses:
        pictures = sorted(path.name for path in (report / name).glob("*.svg"))
        few = "fewer than two groups" in document(report, name)["text"][0]
        assert pictures or few or name in UNDRAWN, name
        for picture in pictures:
            drawn = (report / name / picture).with_suffix(".png")
            assert drawn.exists() == (not PICTURES)
            assert PICTURES or drawn.read_bytes().startswith(b"\x89PNG")


def test_every_file_says_that_the_data_is_simulated(report: Path) -> None:
    for name, text in texts(report).items():
        assert "simulated" in text.lower(), name
        if name.endswith(".csv"):
            assert {row["simulated"] for row in csv.DictReader(text.splitlines())} <= {"yes"}
            assert text.splitlines()[0].endswith("simulated")
        if name.endswith((".md", ".tex")):
            assert "nobody was asked" in text
        if name.endswith(".svg"):
            assert "SIMULATED DATA" in text
    assert document(report, "effects")["simulated"] is True


def test_the_same_command_writes_the_same_bytes_for_any_number_of_threads(
    export: Path, report: Path, tmp_path: Path
) -> None:
    again = analysed(export, tmp_path / "again", "-j", "2", *TREES, *PICTURES)
    assert files(again) == files(report)
    other = analysed(export, tmp_path / "other", "--seed", "2", "--no-png")
    assert rows(other, "power") != rows(report, "power")
    assert rows(other, "levels") == rows(report, "levels")
    assert not list(other.rglob("*.png"))


def test_tables_hold_the_numbers_of_the_analyses(export: Path, report: Path) -> None:
    study = read_export(export)
    found = judge_agreement(study, "order", sentences=SentenceGroup.ALL)
    row = next(
        row for row in rows(report, "agreement")
        if (row["question"], row["sentences"]) == ("order", "all")
    )  # fmt: skip
    assert float(row["alpha_ordinal"]) == found.alpha[ScaleLevel.ORDINAL]
    assert row["leave_one_out"] == ""  # fewer than 15 sentences are shared
    assert int(row["units"]) == found.units
    adjusted = adjust(study, "holistic")
    effects = [row for row in rows(report, "effects") if row["question"] == "holistic"]
    assert [float(row["effect"]) for row in effects] == [e.effect for e in adjusted.effects]
    levels = [row for row in rows(report, "levels") if row["participant"] == "all"]
    assert sum(float(row["share"]) for row in levels) == pytest.approx(2.0)
    kendall = [row for row in rows(report, "correlation-translation") if row["tool"] == "kendall"]
    assert {row["configuration"] for row in kendall} == {
        "match",
        "ribes",
    }  # not those of the export
    assert {row["adjusted"] for row in kendall} == {"yes", "no"}
    for row in kendall:
        assert float(row["low"]) <= float(row["rho"]) <= float(row["high"])
        assert float(row["p"]) <= float(row["p_holm"])


def test_judgments_can_be_taken_as_they_are_or_adjusted_by_reml(
    export: Path, varied: Path, tmp_path: Path
) -> None:
    plain = analysed(export, tmp_path / "plain", "--adjustment", "none", "--no-png")
    check_report(plain)
    assert {row["adjusted"] for row in rows(plain, "correlation-translation")} == {"no"}
    assert rows(plain, "effects") == []
    assert "not adjusted" in document(plain, "adjustment")["text"][0]
    for row in rows(varied, "adjustment"):
        assert (row["estimator"], row["effects from"]) == ("reml", "shared")
        assert float(row["sentence variance"]) > 0


def test_participants_are_split_by_any_field(varied: Path) -> None:
    groups = {row["group"] for row in rows(varied, "subgroup-age-40")}
    assert groups == {"age < 40", "age >= 40"}
    sizes = [row for row in rows(varied, "subgroups") if row["field"] == "gender"]
    assert (
        sum(int(row["participants"]) for row in sizes)
        + int(sizes[0]["missing"])
        + int(sizes[0]["hidden"])
        == 12
    )
    assert {row["group"] for row in rows(varied, "subgroup-each-gender")} == {
        row["group"] for row in sizes
    }
    assert "not corrected" in " ".join(document(varied, "correlation-order")["notes"])


def test_options_add_what_was_published_baselines_and_adjustments_by_tool(
    report: Path, varied: Path
) -> None:
    values = {row["name"]: row for row in rows(varied, "published")}
    assert (values["participants"]["published"], values["participants"]["ours"]) == ("36", "12")
    assert not (report / "published").exists()
    tools = {row["tool"] for row in rows(varied, "tool-adjustment")}
    assert {"mine", "bleu", "kendall"} <= tools
    assert not (report / "tool-adjustment").exists()
    (said,) = [text for text in document(varied, "hypotheses")["text"] if "baselines" in text]
    assert "mine" in said
    settings = document(varied, "hypotheses")["settings"]
    assert (settings["further baselines"], settings["smallest group"]) == ("mine", "2")
    assert settings["predictor of answers"] == "each tool's scores"


def test_groups_and_answers_of_few_people_are_shown_nowhere(report: Path) -> None:
    """Five is the usual size; the study has twelve participants."""
    assert document(report, "participants")["settings"]["smallest group"] == "5"
    for row in rows(report, "participants"):
        assert not row["participants"] or int(row["participants"]) >= 5, row
    for row in rows(report, "subgroups"):
        assert int(row["participants"]) >= 5


def test_scores_of_external_tools_are_read_from_files(varied: Path) -> None:
    found = {row["tool"]: row for row in rows(varied, "external") if row["question"] == "order"}
    assert {*found} == {"mine", "little"}
    assert found["mine"]["coverage"] == "100.0"
    assert found["mine"]["rho"]
    assert found["little"]["rho"] == ""
    assert "5 sentences with answer and score" in found["little"]["undefined"]
    assert document(varied, "external")["settings"]["external tools"] == "little mine"


def test_a_running_study_gives_what_its_export_gives(tmp_path: Path) -> None:
    study = example(tmp_path / "study")
    typed = tmp_path / "typed.csv"
    answers = [
        f"{person},{1 + place % 4},{position},{1 + (position * place) % 5},{1 + position % 5}"
        for place, person in enumerate("abcde")
        for position in range(1, 16)
    ]
    header = "participant,questionnaire,position,holistic,order"
    typed.write_text("\n".join([header, *answers]) + "\n", encoding="utf-8")
    assert run(["survey", "import", str(study), str(typed), "-q"]) == 0
    assert run(["survey", "export", str(study), "-o", str(tmp_path / "x" / "study"), "-q"]) == 0
    exported = analysed(tmp_path / "x" / "study", tmp_path / "exported", "--no-png")
    options = ["-o", str(tmp_path / "running"), "-q", *RESAMPLES, "--no-png", *METRICS]
    assert run(["survey", "analyse", "--study", str(study), *options]) == 0
    assert files(tmp_path / "running") == files(exported)
    check_report(exported)
    for name, text in texts(exported).items():
        if name not in (
            "power/table.json",
            "index.html",
            "appendix.html",
            "power/table.md",
            "power/table.tex",
        ):
            assert "simulated data" not in text.lower(), name
            assert "nobody was asked" not in text, name
    assert document(exported, "levels")["simulated"] is False


def test_what_cannot_be_analysed_is_one_line_and_leaves_nothing(
    export: Path, tmp_path: Path, capsys: Captured
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "file").touch()
    new = str(tmp_path / "new")
    cases = [
        (["-o", new], 2, "name either an export or --study"),
        ([str(export), "--study", "s", "-o", new], 2, "name either an export or --study"),
        ([str(export), "--database", "sqlite:///x", "-o", new], 2, "--database goes with --study"),
        ([str(tmp_path / "none"), "-o", new], 3, "none: is not a folder"),
        ([str(export), "-o", str(full)], 3, "full: exists and is not empty; name a new folder"),
        ([str(export), "-o", new, "--split", "shoes"], 2, "there is no field 'shoes'"),
        ([str(export), "-o", new, "--split", "age=old"], 2, "--split is 'age=old'"),
        ([str(export), "-o", new, "-m", "nothing"], 2, "nothing"),
        ([str(export), "-o", new, "--scores", "none.csv"], 3, "none.csv: "),
        (
            [str(export), "-o", new, "-m", "bleu", "--baseline", "x"],
            2,
            "there is no tool 'x' to be",
        ),
        ([str(export), "-o", new, "--aligner", "none"], 2, "none"),
        ([str(export), "-o", new, "--seed", str(2**64)], 2, "--seed"),
    ]
    for arguments, code, message in cases:
        assert run(["survey", "analyse", *arguments]) == code, arguments
        said = capsys.readouterr().err
        assert message in said
        assert "Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_png_needs_a_package_and_svg_does_not(
    export: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert run(["survey", "analyse", str(export), "-o", str(tmp_path / "new")]) == 4
    assert "pip install 'kilter[figures]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    made = analysed(export, tmp_path / "deep" / "new", "--no-png")
    assert (made / "index.html").is_file()


@pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
def test_the_page_is_accessible_and_loads_nothing_from_elsewhere(
    report: Path, chromium: Browser
) -> None:
    with chromium.new_context(viewport={"width": 400, "height": 800}) as context:
        page = context.new_page()
        asked = list[str]()
        problems = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: problems.append(message.text))
        page.goto((report / "index.html").as_uri())
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        # As printed on A4 with margins of 2 cm, 17 by 25.7 cm of 37.8 pixels each.
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 643, "height": 971})
        first = page.locator("#findings").bounding_box()
        assert first is not None
        assert first["y"] + first["height"] <= 971
        folded = page.locator("#participants table").last.bounding_box()
        assert folded is not None
        assert folded["height"] > 50  # paper has nothing to click on
        page.emulate_media(media="screen")
        for width in (800, 1400, 400):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        # Beside the text where there is room, and not upon it.
        page.set_viewport_size({"width": 1400, "height": 800})
        contents, results = (page.locator(name).bounding_box() for name in ("nav", "#asked"))
        assert contents is not None
        assert results is not None
        assert contents["x"] + contents["width"] <= results["x"]
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.title() == "Word order judgments: export (simulated data)"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the results"
        assert [url for url in asked if not url.startswith("data:")] == [
            (report / "index.html").as_uri()
        ]
        assert problems == []


def test_sentences_of_another_language_are_not_parsed_and_the_report_says_so(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    german = tmp_path / "export"
    shutil.copytree(export, german)
    items = (german / "items.csv").read_text(encoding="utf-8")
    assert ",de-en," in items
    (german / "items.csv").write_text(items.replace(",de-en,", ",en-de,"), encoding="utf-8")
    chosen = ("-m", "bleu", "-m", "dted:variant=b", "--resamples", "20", "--no-png")
    assert run(["survey", "analyse", str(german), "-o", str(tmp_path / "report"), *chosen]) == 0
    told = (
        "are in de, which model and perceptron do not know: metrics of trees are left out for them"
    )
    assert told in capsys.readouterr().err
    assert told in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "dted" not in {row["tool"] for row in rows(tmp_path / "report", "scores")}
