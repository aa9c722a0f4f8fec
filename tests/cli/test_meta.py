"""`kilter meta`."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.sample import PATHS, REFERENCE, written
from tests.cli.studies import RANKINGS, SYSTEMS, TEXTS

Captured = pytest.CaptureFixture[str]
ASKED = ["meta", *TEXTS, "--resamples", "50", "-q"]
METRICS = ["-m", "pef", "-m", "bleu"]


def ran(capsys: Captured, *arguments: str) -> str:
    assert run([*ASKED, *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(*arguments: str) -> tuple[int, str]:
    found = kilter("meta", *arguments)
    assert found.out == ""
    assert found.err.count("\n") == 1
    return found.code, found.err


def test_json_is_that_of_the_contract(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *METRICS, "--format", "json"))
    assert document["schema"] == "kilter.meta/1"
    assert list(document["metrics"]) == ["pef", "coverage", "bleu"]
    pef = document["metrics"]["pef"]
    assert pef["control"] == "coverage"
    assert {"value", "low", "high", "concordant", "discordant", "ties"} <= set(pef["segment_tau"])
    assert {"value", "low", "high"} <= set(pef["consistency"])
    assert {"value", "low", "high", "systems"} <= set(pef["system_spearman"])
    assert set(pef["system_pearson"]) == set(pef["system_spearman"])
    tau = pef["segment_tau"]
    agree, differ = tau["concordant"], tau["discordant"]
    assert tau["value"] == pytest.approx((agree - differ) / (agree + differ))
    assert tau["low"] <= tau["value"] <= tau["high"]
    assert pef["system_spearman"]["systems"] == document["systems"] == 4
    counts = document["judgments"]
    decided = agree + differ + tau["ties"]
    assert counts["pairs"] == decided + counts["ties"]
    compared = [(row["measure"], row["first"], row["second"]) for row in document["comparisons"]]
    assert ("segment_tau", "pef", "coverage") in compared


def test_every_measure_can_be_asked_for(capsys: Captured) -> None:
    from kilter.meta.agreement import Measure

    asked = [part for measure in Measure for part in ("--measure", str(measure))]
    document = json.loads(ran(capsys, "-m", "f1", *asked, "--format", "json"))
    found = document["metrics"]["f1"]
    assert set(map(str, Measure)) <= set(found)
    assert all(-1 <= found[measure]["value"] <= 100 for measure in Measure)


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_show_metrics_beside_their_controls(form: str, capsys: Captured) -> None:
    lines = ran(capsys, *METRICS, "--format", form).splitlines()
    rows = [line for line in lines if "pef" in line or "coverage" in line]
    assert "control coverage" in rows[1]
    assert ("\\pm" if form == "latex" else "±") in rows[0]


def test_tsv_csv_and_jsonl_hold_the_same_rows(capsys: Captured) -> None:
    tsv, comma, lines = (
        ran(capsys, *METRICS, "--format", form) for form in ("tsv", "csv", "jsonl")
    )
    rows = [json.loads(line) for line in lines.splitlines()]
    assert len(rows) == 3 * 4
    for text, delimiter in ((tsv, "\t"), (comma, ",")):
        table = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
        assert [row["metric"] for row in table] == [row["metric"] for row in rows]
        assert [float(row["value"]) for row in table] == [row["value"] for row in rows]


def test_the_number_of_threads_changes_no_byte(capsys: Captured) -> None:
    one, two = (ran(capsys, *METRICS, "--format", "json", "-j", jobs) for jobs in "12")
    assert one == two


def test_without_controls_only_what_was_asked_for_is_shown(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *METRICS, "--no-controls", "--format", "json"))
    assert list(document["metrics"]) == ["pef", "bleu"]


def test_scores_from_a_file_agree_as_the_metric_that_made_them(
    tmp_path: Path, capsys: Captured
) -> None:
    scores = str(tmp_path / "mine.tsv")
    assert run(["score", "-r", REFERENCE, *PATHS, "-m", "kendall", "--segments", scores]) == 0
    capsys.readouterr()
    direct = json.loads(ran(capsys, "-m", "kendall", "--format", "json"))
    judged = ["meta", "--judgments", RANKINGS, "--resamples", "50", "-q", "--format", "json"]
    assert run([*judged, "--scores", scores]) == 0
    from_file = json.loads(capsys.readouterr().out)
    for measure in ("segment_tau", "consistency", "system_spearman"):
        found, expected = (doc["metrics"]["kendall"][measure] for doc in (from_file, direct))
        assert found["value"] == pytest.approx(expected["value"])
        assert found["low"] == pytest.approx(expected["low"])


def test_a_plain_score_file_is_called_as_asked(tmp_path: Path, capsys: Captured) -> None:
    names = [Path(path).name for path in PATHS]
    rows = [f"{name} {k} {k % 7 + j}" for j, name in enumerate(names) for k in range(1, 49)]
    path = written(tmp_path, "s.txt", "\n".join(rows) + "\n")
    judged = ["meta", "--judgments", RANKINGS, "-q", "--resamples", "9", "--format", "json"]
    assert run([*judged, "--scores", f"mine={path}"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["metrics"]["mine"]["system_pearson"]["value"] < -0.5


def study(folder: Path, *, extra: str = "") -> str:
    listed = ", ".join(f'"{path}"' for path in PATHS)
    text = 'metrics = ["kendall", "bleu", "f1"]\nmeasures = ["segment_tau"]\n'
    for name in ("first", "second"):
        text += (
            f'[pairs.{name}]\njudgments = "{RANKINGS}"\nreference = "{REFERENCE}"\n'
            f"systems = [{listed}]\n{extra}"
        )
    return written(folder, "study.toml", text)


def test_a_study_has_tables_over_language_pairs(tmp_path: Path, capsys: Captured) -> None:
    asked = ["meta", "--study", study(tmp_path), "--resamples", "50", "-q", "--baseline", "bleu"]
    assert run([*asked, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["pairs"]) == ["first", "second"]
    first, second = document["pairs"].values()
    assert first == second
    value = first["metrics"]["kendall"]["segment_tau"]["value"]
    assert document["averages"]["segment_tau"]["kendall"]["score"] == pytest.approx(value)
    cell = document["new_baseline_draw"]["segment_tau"]["kendall"]["bleu"]
    assert sum(map(int, cell.split("/"))) == 2
    picture = tmp_path / "scaled.svg"
    assert run([*asked, "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "average rank" in out
    assert "segment_tau N/B/D" in out
    assert len(ET.fromstring(picture.read_text()).findall(".//{*}polyline")) == 4  # noqa: S314 - ours


def test_a_plot_has_a_row_per_metric(tmp_path: Path, capsys: Captured) -> None:
    picture = tmp_path / "tau.svg"
    ran(capsys, *METRICS, "--plot", str(picture))
    assert len(ET.fromstring(picture.read_text()).findall(".//{*}circle")) == 3  # noqa: S314 - ours


def test_the_published_test_comes_with_its_warning() -> None:
    found = kilter(
        "meta", *TEXTS, "-m", "f1", "-m", "bleu", "--test", "t-test", "--resamples", "20"
    )
    assert found.code == 0
    assert "the t-test takes resamples for observations" in found.err


def test_what_is_left_out_is_said() -> None:
    fewer = [part for path in PATHS[:3] for part in ("--systems", path)]
    found = kilter(
        "meta", "--judgments", RANKINGS, "-r", REFERENCE, *fewer, "-m", "f1", "--unscored", "skip",
        "--resamples", "20",
    )  # fmt: skip
    assert found.code == 0
    assert "judgments left out because a system has no output" in found.err


def test_data_that_people_all_tied_is_undefined_and_says_so(tmp_path: Path) -> None:
    rows = [f"{k}\tlocal.en\tverb.en\t1" for k in range(1, 9)]
    path = written(tmp_path, "ties.tsv", "\n".join(["seg\tbetter\tworse\ttie", *rows]) + "\n")
    found = kilter(
        "meta", "--judgments", path, "-r", REFERENCE, *SYSTEMS, "-m", "f1", "--format", "json"
    )
    assert found.code == 0
    assert json.loads(found.out)["metrics"]["f1"]["segment_tau"]["value"] is None
    assert "segment_tau is undefined for f1" in found.err
    assert "NaN" not in found.out


def test_a_system_without_output_is_refused() -> None:
    code, err = refused("--judgments", RANKINGS, "-r", REFERENCE, *SYSTEMS[:4], "-m", "f1")
    assert code == 3
    assert f"{RANKINGS}: judges 'phrase.en', 'lexical.en', of which there is no output" in err
    assert "leave the judgments out with --unscored skip" in err


def test_an_output_that_nobody_judged_is_counted(capsys: Captured) -> None:
    extra = ["--systems", str(Path(REFERENCE).with_name("reference2.en"))]
    document = json.loads(ran(capsys, "-m", "f1", *extra, "--format", "json"))
    assert document["judgments"]["systems_without_judgment"] == 1
    assert document["systems"] == 4


BAD_ROWS = [
    ("seg\tbetter\tworse\n49\tlocal.en\tverb.en\n", ":2: judges segment 49, but the texts have 48"),
    ("seg\tbetter\tworse\nx\tlocal.en\tverb.en\n", ":2: seg is 'x'; it must be a whole number"),
    ("system\tsegment\tscore\nlocal.en\t1\tgood\n", ":2: score is 'good', which is no number"),
    ("first line\n", ":1: is no table of judgments"),
]


@pytest.mark.parametrize(("text", "message"), BAD_ROWS, ids=[message for _, message in BAD_ROWS])
def test_bad_judgments_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "bad.tsv", text)
    code, err = refused("--judgments", path, "-r", REFERENCE, *SYSTEMS, "-m", "f1")
    assert code == 3
    assert f"{path}{message}" in err


def test_scores_given_twice_are_refused(tmp_path: Path) -> None:
    names = [Path(path).name for path in PATHS]
    rows = [f"{name} {k} 1" for name in names for k in range(1, 49)]
    path = written(tmp_path, "s.txt", "\n".join([*rows, rows[0]]) + "\n")
    code, err = refused("--judgments", RANKINGS, "--scores", path)
    assert code == 3
    assert f"{path}:193: scores segment 1 of local.en a second time" in err


def test_scores_of_too_few_systems_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "s.txt", "local.en 1 0.5\n")
    code, err = refused(*TEXTS, "-m", "f1", "--scores", path)
    assert code == 3
    assert f"{path}: has no score of 'verb.en', 'phrase.en', 'lexical.en'" in err


USAGE = [
    ([], "name the human judgments with --judgments FILE"),
    (["--judgments", RANKINGS], "metrics over text need --reference and --systems"),
    ([*TEXTS, "-m", "nothing"], "there is no metric 'nothing'"),
    ([*TEXTS, "-m", "f1", "--published", "moon"], "nothing is printed about 'moon'"),
    ([*TEXTS, "-m", "f1", "--baseline", "bleu"], "the baseline 'bleu' is none of the metrics"),
    ([*TEXTS, "-m", "f1", "--plot", "tau.gif"], "pictures are written as .svg or .png"),
    ([*TEXTS, "--study", "x.toml"], "leave out --judgments"),
    (["--judgments", RANKINGS, "--scores", "a.x", "--scores", "b/a.y"], "are called 'a'"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[message for _, message in USAGE])
def test_wrong_use_is_exit_code_two(arguments: list[str], message: str) -> None:
    code, err = refused(*arguments)
    assert (code, message in err) == (2, True), err


BAD_STUDIES = [
    ("[pairs.a]\n", "pairs.a: names no judgments"),
    ("metrics = 3\n[pairs.a]\njudgments = 'x'\n", "metrics is 3; it must be a text or a list"),
    ("colour = 'red'\n[pairs.a]\njudgments = 'x'\n", "there is no setting 'colour'"),
    ("[pairs.a]\njudgments = 'x'\ncolour = 1\n", "pairs.a: there is no setting 'colour'"),
    ("[pairs.a]\njudgments = 1\n", "judgments is 1; it must be a text"),
    ("[pairs.a]\njudgments = 'x'\nthreshold = 'y'\n", "threshold is 'y'; it must be float"),
    ("[pairs.a]\njudgments = 'x'\nscores = 'y'\n", "write scores = {METRIC = FILE, ...}"),
    ("pairs = 1\n", "has no table [pairs.NAME]"),
    ("[pairs\n", "is no TOML file"),
]


@pytest.mark.parametrize(("text", "message"), BAD_STUDIES, ids=[m for _, m in BAD_STUDIES])
def test_a_bad_study_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "study.toml", text)
    code, err = refused("--study", path)
    assert code == 3
    assert err.startswith(f"kilter: {path}")
    assert message in err
