"""`kilter tune`."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.judged_sample import TEXTS
from tests.cli.sample import PATHS, REFERENCE, written
from tests.thorough import some

Captured = pytest.CaptureFixture[str]


def tuned(capsys: Captured, *arguments: str) -> dict[str, object]:
    assert run(["tune", *TEXTS, *arguments, "-q", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document: dict[str, object] = json.loads(captured.out)
    return document


def agreement(capsys: Captured, specification: str, measure: str) -> float:
    asked = ["meta", *TEXTS, "-m", specification, "-q", "--no-controls", "--resamples", "5"]
    assert run([*asked, "--measure", measure, "--format", "json"]) == 0
    (metric,) = json.loads(capsys.readouterr().out)["metrics"].values()
    value: float = metric[measure]["value"]
    return value


@pytest.mark.parametrize("method", some(["exact", "hill-climbing", "grid"], quick=["exact"]))
@pytest.mark.parametrize(
    ("objective", "measure"), [("consistency", "consistency"), ("tau", "segment_tau")]
)
def test_the_result_agrees_as_stated(
    objective: str, measure: str, method: str, capsys: Captured
) -> None:
    document = tuned(
        capsys, "-m", "sen", "-o", "alpha", "--method", method, "--objective", objective
    )
    specification = str(document["metric"])
    assert agreement(capsys, specification, measure) == pytest.approx(document["training"])
    assert agreement(capsys, "sen", measure) == pytest.approx(document["start_value"])
    assert float(str(document["training"])) >= float(str(document["start_value"]))


def test_the_result_is_a_metric_that_score_takes(capsys: Captured) -> None:
    document = tuned(capsys, "-m", "full:order=kendall", "-o", "alpha")
    assert run(["score", "-r", REFERENCE, *PATHS, "-m", str(document["metric"]), "--details"]) == 0
    assert "full|alpha:" in capsys.readouterr().out


@pytest.mark.parametrize("objective", ["consistency", "tau"])
@pytest.mark.parametrize("name", ["lr", "full"])
def test_no_search_beats_the_exact_one(name: str, objective: str, capsys: Captured) -> None:
    asked = ["-m", name, "-o", "alpha", "--objective", objective, "--folds", "0"]
    exact, climbed, grid = (
        float(str(tuned(capsys, *asked, "--method", method)["training"]))
        for method in ("exact", "hill-climbing", "grid")
    )
    assert exact >= climbed - 1e-9
    assert exact >= grid - 1e-9


def test_folds_hold_out_every_segment_once(capsys: Captured) -> None:
    document = tuned(capsys, "-m", "full", "-o", "alpha", "--folds", "4")
    folds = document["folds"]
    assert isinstance(folds, list)
    assert len(folds) == 4
    values = [fold["held_out"] for fold in folds]
    assert min(values) <= float(str(document["held_out"])) <= max(values)
    assert tuned(capsys, "-m", "full", "-o", "alpha", "--folds", "0")["folds"] == []


def test_options_of_the_order_part_are_tuned_with_it(capsys: Captured) -> None:
    asked = ["-m", "full", "-o", "alpha=0.1..0.9", "-o", "order.beta", "--method", "grid"]
    document = tuned(capsys, *asked, "--steps", "4", "--folds", "2")
    options = document["options"]
    assert isinstance(options, dict)
    assert 0.1 <= options["alpha"] <= 0.9
    assert options["order.beta"] in (0.0, 0.25, 0.5, 0.6, 0.75, 1.0)
    curves = document["curves"]
    assert isinstance(curves, dict)
    assert [point["value"] for point in curves["order.beta"]] == [0.0, 0.25, 0.5, 0.6, 0.75, 1.0]
    assert max(point["agreement"] for point in curves["alpha"]) == pytest.approx(
        document["training"]
    )


def test_whole_numbers_stay_whole(capsys: Captured) -> None:
    document = tuned(capsys, "-m", "lr", "-o", "bleu", "--method", "hill-climbing", "--folds", "2")
    assert document["options"] in [{"bleu": float(order)} for order in range(1, 5)]


def test_curves_are_drawn(tmp_path: Path, capsys: Captured) -> None:
    for options in (["-o", "alpha"], ["-o", "alpha", "-o", "order.beta", "--method", "grid"]):
        picture = tmp_path / "curve.svg"
        tuned(capsys, "-m", "full", *options, "--steps", "2", "--plot", str(picture))
        lines = ET.fromstring(picture.read_text()).findall(".//{*}polyline")  # noqa: S314 - ours
        assert len(lines) == options.count("-o")


def test_several_metrics_are_tuned_as_each_by_itself(capsys: Captured) -> None:
    asked = ["-o", "alpha", "-o", "beta", "--method", "grid", "--steps", "3"]
    both = tuned(capsys, "-m", "full", "-m", "pef", *asked)
    assert both["schema"] == "kilter.tunes/1"
    metrics = both["metrics"]
    assert isinstance(metrics, list)
    for document, name, option in zip(metrics, ("full", "pef"), ("alpha", "beta"), strict=True):
        alone = tuned(capsys, "-m", name, "-o", option, *asked[4:])
        assert {**document, "notes": []} == {**alone, "notes": []}


def legend(picture: Path) -> list[str]:
    return [
        "".join(text.itertext())
        for text in ET.fromstring(picture.read_text()).findall(".//{*}text")  # noqa: S314 - ours
    ]


def test_one_picture_holds_all_metrics_and_options_under_their_names(
    tmp_path: Path, capsys: Captured
) -> None:
    picture = tmp_path / "curve.svg"
    asked = ["--steps", "2", "--folds", "0", "--plot", str(picture)]
    tuned(capsys, "-m", "full", "-m", "sen:order=kendall", "-o", "alpha", *asked)
    said = legend(picture)
    assert {"full", "sen:order=kendall", "alpha, 0 to 1", "consistency"} <= {*said}
    assert not any("alpha=" in text for text in said)
    grid = [*asked, "--method", "grid"]
    tuned(capsys, "-m", "full", "-m", "pef", "-o", "alpha=0.2..0.8", "-o", "beta", *grid)
    assert {"full: alpha, 0.2 to 0.8", "pef: beta, 0 to 1", "share of the range"} <= {
        *legend(picture)
    }
    tuned(capsys, "-m", "full", "-o", "alpha", "-o", "order.beta", *grid)
    assert {"alpha, 0 to 1", "order.beta, 0 to 1"} <= {*legend(picture)}


def test_the_curve_is_written_for_people(capsys: Captured) -> None:
    asked = ["-m", "full", "-o", "alpha", "--steps", "4", "--folds", "0"]
    document = tuned(capsys, *asked)
    assert run(["tune", *TEXTS, *asked, "-q"]) == 0
    assert capsys.readouterr().out.startswith("full agrees best with alpha = 0.6")
    assert run(["tune", *TEXTS, *asked, "-q", "--details"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (start,) = [k for k, line in enumerate(lines) if line.split() == ["alpha", "consistency"]]
    rows = [line.split() for line in lines[start + 1 : start + 7]]
    curves = document["curves"]
    assert isinstance(curves, dict)
    assert [row[:2] for row in rows] == [
        [f"{point['value']:.6g}", f"{point['agreement']:.2f}"] for point in curves["alpha"]
    ]
    assert [row[2:] for row in rows if row[0] == "0.5"] == [["as", "given"]]
    assert [row[1] for row in rows if row[2:] == ["best"]] == [f"{document['training']:.2f}"]


@pytest.mark.parametrize("form", ["text", "md", "latex", "tsv", "csv", "jsonl"])
def test_every_format_is_written(form: str, capsys: Captured) -> None:
    assert run(["tune", *TEXTS, "-m", "full", "-o", "alpha", "--steps", "4", "--format", form]) == 0
    out = capsys.readouterr().out
    assert "alpha" in out
    if form in ("tsv", "csv", "jsonl"):
        # Five points of the grid, of which the middle is the value as given, and the best one.
        assert len(out.splitlines()) == 6 + (form != "jsonl")


def test_the_same_seed_finds_the_same(capsys: Captured) -> None:
    asked = [
        "-m",
        "pef",
        "-o",
        "beta",
        "--method",
        "hill-climbing",
        "--restarts",
        "2",
        "--seed",
        "4",
    ]
    assert tuned(capsys, *asked) == tuned(capsys, *asked, "-j", "2")


def test_a_reader_is_told_what_the_result_rests_on() -> None:
    found = kilter("tune", *TEXTS, "-m", "full", "-o", "alpha", "--folds", "0", "--details")
    assert found.code == 0
    out = " ".join(found.out.split())
    assert "4 systems x 48 segments; judgments: 369 pairs, 84 ties, 5 missing" in out
    assert "50 identical; seed 1" in out
    assert "that the metric orders as people do; its ties count as wrong" in out
    assert "|aligner:match(" in out
    assert found.err == "kilter: 5 missing ranks or scores\n"


def judged(folder: Path, *rows: str) -> list[str]:
    lines = ["seg\tbetter\tworse\ttie", *(row.replace(" ", "\t") for row in rows)]
    path = written(folder, "pairs.tsv", "\n".join(lines) + "\n")
    return ["--judgments", path, *TEXTS[2:], "-m", "full", "-o", "alpha"]


def test_ties_leave_nothing_to_tune_and_that_is_said(tmp_path: Path) -> None:
    rows = [f"{k} local.en verb.en 1" for k in range(1, 41)]
    found = kilter("tune", *judged(tmp_path, *rows), "--format", "json")
    document = json.loads(found.out)
    assert (document["metric"], document["training"], document["held_out"]) == ("full", None, None)
    assert "consistency is undefined everywhere" in found.err


def test_what_was_not_searched_is_no_held_out_figure(tmp_path: Path) -> None:
    found = kilter("tune", *judged(tmp_path, "1 local.en verb.en 0"), "--format", "json")
    document = json.loads(found.out)
    assert document["training"] is not None
    assert [fold["training"] for fold in document["folds"]].count(None) == 1
    assert document["held_out"] is None
    assert "1 of 5 folds left out of the held-out figure" in found.err
    assert "one judged segment is no evidence" in found.err


WRONG = [
    (["-m", "pef", "-o", "beta"], "for beta use --method hill-climbing"),
    (["-m", "full", "-o", "order"], "full has no numeric option 'order'; it has alpha"),
    (["-m", "full", "-o", "order.delta"], "pef has no numeric option 'delta'"),
    (["-m", "f1", "-o", "order.beta"], "f1 has no part 'order'"),
    (["-m", "full", "-o", "alpha=0.5..2"], "the range must lie within 0..1"),
    (["-m", "full", "-o", "alpha=low..high"], "write NAME or NAME=LOW..HIGH"),
    (["-m", "full", "-o", "alpha=0.5"], "write NAME or NAME=LOW..HIGH"),
    (["-m", "full", "-o", "alpha=0.4..0.2"], "the range must rise; write alpha=LOW..HIGH"),
    (["-m", "full", "-o", "alpha=0.2..0.2"], "the range must rise; write alpha=LOW..HIGH"),
    (
        ["-m", "full", "-o", "alpha", "-o", "alpha", "--method", "grid"],
        "alpha is to be tuned twice",
    ),
    (["-o", "alpha"], "name the metric to tune with -m"),
    (
        ["-m", "full", "-m", "f1", "-o", "alpha"],
        "f1 has no numeric option with an effect among alpha",
    ),
    (
        ["-m", "full", "-m", "sen", "-o", "alpha", "-o", "beta"],
        "none of the metrics has a numeric option 'beta'",
    ),
    (["-m", "full", "-m", "sen", "-o", "alpha=0.5..2"], "the range must lie within 0..1"),
    (
        ["-m", "full:order=pef:variant=beer", "-o", "order.beta", "--method", "grid"],
        "needs a beta of 0.001 or more, and the range of order.beta holds 0; leave it out: order.beta=LOW..HIGH",
    ),
    (["-m", "full", "-o", "alpha", "--folds", "1"], "folds is 1; it must lie between 2 and 48"),
    (["-m", "all", "-o", "alpha"], "name the metrics to tune one by one, not a group such as all"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_use_is_exit_code_two(arguments: list[str], message: str) -> None:
    found = kilter("tune", *TEXTS, *arguments)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


@pytest.mark.parametrize("command", [["tune", "-m", "full", "-o", "alpha"], ["meta", "-m", "full"]])
def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_read(
    command: list[str], capsys: Captured
) -> None:
    assert run([*command, "--judgments", "absent.csv", "--plot", "curves.gif"]) == 2
    captured = capsys.readouterr()
    assert "pictures are written as .svg, .png or .pdf" in captured.err
    assert "absent.csv" not in captured.err


def test_tuned_weights_go_into_a_file_that_score_and_meta_take(
    tmp_path: Path, capsys: Captured
) -> None:
    path = str(tmp_path / "own.json")
    asked = ["-m", "kilter", "-o", "order", "-o", "words=0..2"]
    document = tuned(capsys, *asked, "--method", "grid", "--steps", "2", "--weights", path)
    measured = agreement(capsys, f"kilter:weights={path}", "consistency")
    assert measured == pytest.approx(document["training"])
    assert run(["tune", *TEXTS, "-m", "pef", "-o", "beta", "--weights", path]) == 2
    assert "pef takes no file of weights" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--plot", "--weights"])
def test_what_is_written_replaces_no_input(option: str, tmp_path: Path) -> None:
    judgments = tmp_path / "pairs.svg"
    judgments.write_text("nobody reads this\n", encoding="utf-8")
    asked = ["tune", "--judgments", str(judgments), "-m", "kilter", "-o", "order"]
    done = kilter(*asked, option, str(judgments))
    assert (done.code, "would replace an input" in done.err) == (2, True)
    assert judgments.read_text(encoding="utf-8") == "nobody reads this\n"


def test_two_outputs_have_two_names(tmp_path: Path) -> None:
    both = str(tmp_path / "both.svg")
    asked = ["tune", "--judgments", "absent", "-m", "kilter", "-o", "order"]
    done = kilter(*asked, "--plot", both, "--weights", both)
    assert (done.code, "--plot and --weights both name" in done.err) == (2, True)
