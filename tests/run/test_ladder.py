"""What metrics notice of references whose words were moved."""

from pathlib import Path

import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.results.ladder_result import LadderResult
from kilter.run.ladder import REFERENCE, RUNGS, ladder, ladder_of_scores, metric_ladder
from kilter.stats.resampling import Resampling
from tests.cli.command import kilter as command
from tests.cli.sample import REFERENCE as REFERENCE_FILE

LINES = Path(REFERENCE_FILE).read_text("utf-8").splitlines()
FEW = kilter.Resampling(resamples=200)


@pytest.fixture(scope="module")
def found() -> LadderResult:
    return metric_ladder(LINES, metrics=("order", "coverage", "bleu", "ter"), resampling=FEW)


def test_a_metric_of_order_notices_moves_and_one_of_words_does_not(found: LadderResult) -> None:
    moves = {"swap", "half-swap", "shuffle", "reverse", "halves"}
    noticed = {
        each.name: {rung.name for rung in each.rungs if rung.noticed} for each in found.metrics
    }
    assert moves <= noticed["order"]
    assert "drop" not in noticed["order"]
    assert noticed["coverage"] == {"drop", "substitute"}
    assert noticed["bleu"] == noticed["ter"] == {*RUNGS}
    assert found.metrics[1].verdict.startswith(
        "coverage notices substitute, drop"
    ) or found.metrics[1].verdict.startswith("coverage notices drop, substitute")
    assert not any(rung.preferred for each in found.metrics for rung in each.rungs)


def test_rungs_stand_from_the_mildest_to_the_worst_as_compare_scores_them(
    found: LadderResult,
) -> None:
    for each in found.metrics:
        scores = [rung.score.value or 0.0 for rung in each.rungs]
        assert scores == sorted(scores, reverse=each.higher_is_better)
        assert each.reference.value == (1.0 if each.higher_is_better else 0.0)
        assert {rung.name for rung in each.rungs} == {*RUNGS}
    texts = ladder(LINES)
    swapped = kilter.score(texts["swap"], LINES, metrics="order")
    (own,) = [rung for rung in found.metrics[0].rungs if rung.name == "swap"]
    assert own.score.value == swapped.system["order"].value
    below = swapped.segments["score"] < 1.0
    assert own.worse == below.mean()


def test_japanese_is_moved_by_characters() -> None:
    lines = ["猫が座った。", "犬が走った。"]
    assert ladder(lines, "char")["reverse"] == ["。たっ座が猫", "。たっ走が犬"]
    assert ladder(lines, "zh") == ladder(lines, "char")


def test_scores_of_another_tool_make_a_ladder() -> None:
    exact = {name: [1.0 - k / 10] * 30 for k, name in enumerate(RUNGS, start=1)}
    result = ladder_of_scores({REFERENCE: [1.0] * 30, **exact}, resampling=FEW)
    assert [rung.name for rung in result.metrics[0].rungs] == [*RUNGS]
    assert all(rung.noticed and rung.worse == 1.0 for rung in result.metrics[0].rungs)
    blind = {name: [1.0] * 30 for name in RUNGS}
    result = ladder_of_scores({REFERENCE: [1.0] * 30, **blind}, resampling=FEW)
    assert "score notices nothing; not" in result.metrics[0].verdict
    odd = {REFERENCE: [0.5] * 30, "swap": [0.9] * 30}
    (rung,) = ladder_of_scores(odd, resampling=FEW).metrics[0].rungs
    assert (rung.verdict, rung.preferred) == ("PREFERRED", True)
    (rung,) = ladder_of_scores(odd, resampling=FEW, lower_is_better=["score"]).metrics[0].rungs
    assert rung.verdict == "noticed"


def test_what_is_no_ladder_is_refused() -> None:
    with pytest.raises(InputError, match="'other', which is no rung"):
        ladder_of_scores({REFERENCE: [1.0] * 30, "other": [1.0] * 30})
    with pytest.raises(OptionError, match="baseline is 'reference'"):
        ladder_of_scores({"swap": [1.0] * 30, "other": [1.0] * 30})
    with pytest.raises(InputError, match="have no word"):
        metric_ladder(["", " "])


def test_too_few_references_decide_nothing() -> None:
    (each,) = metric_ladder(["a b c d"], metrics="order").metrics
    assert {rung.verdict for rung in each.rungs} == {"undecided"}


def test_too_few_resamples_decide_nothing_but_that_nothing_moved() -> None:
    lines = [f"the cat number {k} sat on a mat" for k in range(30)]
    few = Resampling(resamples=20)
    (each,) = metric_ladder(lines, metrics="order", resampling=few).metrics
    verdicts = {rung.name: rung.verdict for rung in each.rungs}
    assert {verdicts[name] for name in ("substitute", "drop")} == {"not noticed"}
    assert {verdicts[name] for name in ("swap", "reverse", "shuffle")} == {"undecided"}
    assert each.verdict.startswith(
        "order notices nothing for certain; not substitute, drop; undecided "
    )


def test_the_command_tries_metrics_and_writes_texts_for_other_tools(tmp_path: Path) -> None:
    asked = ["check", "metric", "-r", REFERENCE_FILE, "--resamples", "200"]
    done = command(*asked, "order", "coverage")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("order notices reverse")
    folder = tmp_path / "rungs"
    assert command(*asked, "--write", str(folder)).code == 0
    texts = {path.stem: path for path in folder.iterdir()}
    assert {*texts} == {REFERENCE, *RUNGS}
    scores = tmp_path / "scores.tsv"
    named = [part for name in texts for part in ("--name", name)]
    paths = [str(path) for path in texts.values()]
    given = command(
        "score",
        "-r",
        REFERENCE_FILE,
        "-m",
        "order",
        *paths,
        *named,
        "--segments",
        str(scores),
        "--statistics",
    )
    assert given.code == 0
    again = command(
        "check", "metric", "--scores", str(scores), "--resamples", "200", "--format", "tsv"
    )
    first = command(*asked, "order", "--format", "tsv")
    assert again.code == 0
    cells = [[line.split("\t")[:11] for line in each.out.splitlines()] for each in (again, first)]
    assert sorted(cells[0]) == sorted(cells[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["metric"], "name the references with -r"),
        (["metric", "-r", REFERENCE_FILE, "nothing"], "there is no metric 'nothing'"),
        (["metric", "--scores", "x.tsv", "-r", "y"], "leave --reference out"),
        (["metric", "-r", "y", "--lower-is-better", "x"], "goes with --scores"),
        (["--min", "order=1"], "name the texts of systems"),
        (["x.txt", "--min", "order=1"], "name the reference with -r"),
        (["-r", "y", "x.txt"], "nothing is checked"),
        (["-r", "y", "x.txt", "--min", "order"], "write METRIC=SCORE"),
        (["-r", "y", "x.txt", "--min", "order=nan"], "write METRIC=SCORE"),
        (["-r", "y", "x.txt", "--min", "order=1", "--min", "order=2"], "two limits of order"),
        (["-r", "y", "x.txt", "--baseline", "x.json"], "a file that ends with .kilter.json"),
        (
            ["-r", "y", "x.txt", "--update", "--min", "order=1"],
            "--update goes with --baseline FILE",
        ),
    ],
)
def test_wrong_use_is_said(arguments: list[str], message: str) -> None:
    done = command("check", *arguments)
    assert (done.code, message in done.err) == (2, True), done.err
