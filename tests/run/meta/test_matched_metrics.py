"""Metrics are matched with judgments: scored under the settings of the inputs, or read from files."""

from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.text import read_text
from kilter.metrics.registry import metric_class, metric_names
from kilter.render.table.segment_file import write_segment_scores
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_metrics import match_metrics
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.cli.judged_sample import RANKINGS
from tests.cli.sample import PATHS, REFERENCE
from tests.thorough import some, tried

INPUTS = {"judgments": RANKINGS, "references": (REFERENCE,), "systems": tuple(PATHS)}


OF_TEXTS = [
    name
    for name in metric_names()
    if not {"source", "source-links", "trees"} & {*map(str, metric_class(name).needs)}
]


def scores_file(folder: Path, settings: Settings, *, statistics: bool) -> str:
    """Return a file that `kilter score --segments` writes of the sample."""
    systems = {Path(path).name: read_text(path) for path in PATHS}
    made = kilter.score(systems, read_text(REFERENCE), settings=settings)
    path = str(folder / "scores.tsv")
    write_segment_scores(made, path, statistics=statistics)
    return path


@pytest.mark.parametrize(
    "aligner",
    some([("match",), ("match", "ribes")], quick=[("match", "ribes")]),
    ids="+".join,
)
def test_a_metric_is_the_same_from_texts_and_from_its_file(
    aligner: tuple[str, ...], tmp_path: Path
) -> None:
    settings = Settings(
        metrics=tuple(OF_TEXTS[tried(0, quick=1) :: tried(1, quick=3)]),
        aligner=aligner,
        resampling=Resampling(resamples=20),
    )
    path = scores_file(tmp_path, settings, statistics=True)
    texts = match_metrics(EvaluationInputs(**INPUTS, settings=settings), controls=False)  # type: ignore[arg-type]
    file = match_metrics(
        EvaluationInputs(judgments=RANKINGS, scores={"x": path}, settings=Settings(metrics=()))
    )
    assert [each.name for each in file.metrics] == [each.name for each in texts.metrics]
    assert any("@" in each.name for each in file.metrics) == (len(aligner) > 1)
    order = [texts.judgments.systems.index(name) for name in file.judgments.systems]
    everyone = np.arange(len(order))
    for one, other in zip(texts.metrics, file.metrics, strict=True):
        assert (one.scores[order] == other.scores).all(), one.name
        assert (one.system_scores()[order] == other.system_scores()).all(), one.name
        drawn = one.resampled_system_scores(settings.resampling, everyone)
        again = other.resampled_system_scores(settings.resampling, everyone)
        assert (drawn[order] == again).all(), one.name
    assert file.notes == ()


def test_a_mean_that_is_not_the_metric_is_called_a_mean(tmp_path: Path) -> None:
    settings = Settings(metrics=("sen", "kendall", "bleu"))
    path = scores_file(tmp_path, settings, statistics=False)
    found = match_metrics(
        EvaluationInputs(
            judgments=RANKINGS,
            scores={"x": path, "mine": path_of(tmp_path, "mine.tsv")},
            settings=Settings(metrics=()),
        )
    )
    assert [each.name for each in found.metrics] == ["mean(sen)", "kendall", "mean(bleu)", "mine"]
    assert found.notes == (
        (
            "sen, bleu: system scores are means of segment scores, which is not their corpus score; "
            "files that kilter score --segments FILE --statistics writes are exact"
        ),
    )
    sen = found.metrics[0]
    assert sen.system_scores() == pytest.approx(sen.scores.mean(axis=1))


def path_of(folder: Path, name: str) -> str:
    rows = [f"{Path(path).name}\t{k}\t{k % 5}\n" for path in PATHS for k in range(1, 49)]
    (folder / name).write_text("".join(rows), encoding="utf-8")
    return str(folder / name)


def test_statistics_of_another_metric_are_refused(tmp_path: Path) -> None:
    path = Path(scores_file(tmp_path, Settings(metrics=("kendall",)), statistics=True))
    path.write_text(path.read_text("utf-8").replace("\tkendall\t", "\tbleu\t"), "utf-8")
    inputs = EvaluationInputs(
        judgments=RANKINGS, scores={"x": str(path)}, settings=Settings(metrics=())
    )
    with pytest.raises(InputError, match=r"holds statistics that are not those of bleu"):
        match_metrics(inputs)


def test_a_metric_of_texts_and_of_a_file_is_refused(tmp_path: Path) -> None:
    for statistics, names in ((True, ["sen", "kendall"]), (False, ["kendall"])):
        for name in names:
            settings = Settings(metrics=(name,))
            path = scores_file(tmp_path, settings, statistics=statistics)
            inputs = EvaluationInputs(**INPUTS, scores={"x": path}, settings=settings)  # type: ignore[arg-type]
            with pytest.raises(InputError, match=f"holds scores of {name}, by which the texts"):
                match_metrics(inputs)


def test_texts_are_compared_in_the_case_that_was_asked_for(tmp_path: Path) -> None:
    texts = {"r": "One two three four.", "x": "ONE TWO THREE FOUR.", "y": "One two three four."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    judgments = tmp_path / "j.csv"
    judgments.write_text(
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n"
        "de,en,1,1,a,x,1,y,2\n",
        encoding="utf-8",
    )
    inputs = {
        "judgments": str(judgments),
        "references": (str(tmp_path / "r"),),
        "systems": (str(tmp_path / "x"), str(tmp_path / "y")),
    }
    plain, lowered = (
        match_metrics(
            EvaluationInputs(**inputs, settings=Settings(metrics="bleu", lowercase=lower)),  # type: ignore[arg-type]
            controls=False,
        )
        for lower in (False, True)
    )
    assert plain.judgments.systems == ("x", "y")
    assert np.ravel(lowered.metrics[0].scores).tolist() == pytest.approx([1.0, 1.0])
    assert plain.metrics[0].scores[0, 0] < 0.5
    assert plain.metrics[0].scores[1, 0] == pytest.approx(1.0)


def test_a_metric_is_followed_by_its_control_and_names_it() -> None:
    inputs = EvaluationInputs(**INPUTS, settings=Settings(metrics=("full", "bleu")))  # type: ignore[arg-type]
    found = match_metrics(inputs)
    assert [(each.name, each.control) for each in found.metrics] == [
        ("full", "full:order=coverage"),
        ("full:order=coverage", None),
        ("bleu", None),
    ]
    plain = match_metrics(inputs, controls=False)
    assert [(each.name, each.control) for each in plain.metrics] == [("full", None), ("bleu", None)]
    assert plain.metrics[0].scores.tolist() == found.metrics[0].scores.tolist()


def test_every_setting_of_the_inputs_reaches_the_scores() -> None:
    usual = EvaluationInputs(**INPUTS, settings=Settings(metrics="kendall"))  # type: ignore[arg-type]
    (expected, _) = match_metrics(usual).metrics
    for changed in (
        Settings(metrics="kendall", aligner="match:stages=exact"),
        Settings(metrics="kendall", tokenize="none"),
        Settings(metrics="kendall", rule="talbot"),
    ):
        (found, _) = match_metrics(EvaluationInputs(**INPUTS, settings=changed)).metrics  # type: ignore[arg-type]
        assert found.signature != expected.signature


def test_without_metrics_and_files_there_is_nothing_to_match() -> None:
    inputs = EvaluationInputs(**INPUTS, settings=Settings(metrics=()))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="there is no metric; name one, or give a file of scores"):
        match_metrics(inputs)


@pytest.mark.parametrize(
    ("name", "lower", "turned"),
    [("mine", (), False), ("mine", ("mine",), True), ("ter", (), True), ("bleu", (), False)],
)
def test_scores_of_a_file_are_turned_round_where_less_is_better(
    name: str,
    lower: tuple[str, ...],
    turned: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path: Path,
) -> None:
    usual = EvaluationInputs(**INPUTS, settings=Settings(metrics="bleu"))  # type: ignore[arg-type]
    (bleu,) = match_metrics(usual).metrics
    systems = match_metrics(usual).judgments.systems
    rows = [
        f"{system}\t{segment}\t{score!r}\n"
        for system, scores in zip(systems, bleu.scores.tolist(), strict=True)
        for segment, score in enumerate(scores, start=1)
    ]
    (tmp_path / "s").write_text("".join(rows), encoding="utf-8")
    inputs = EvaluationInputs(
        **INPUTS,  # type: ignore[arg-type]
        scores={name: str(tmp_path / "s")},
        lower_is_better=lower,
        settings=Settings(metrics=()),
    )
    (found,) = match_metrics(inputs).metrics
    assert found.scores.tolist() == (-bleu.scores if turned else bleu.scores).tolist()
    assert ("better:lower" in found.signature) == turned


def test_a_metric_without_scores_cannot_be_one_of_which_less_is_better(tmp_path: Path) -> None:
    asked = {"lower_is_better": ("theirs",), "settings": Settings(metrics="bleu")}
    with pytest.raises(OptionError, match=r"no scores of 'theirs'.*there are scores of: nothing$"):
        match_metrics(EvaluationInputs(**INPUTS, **asked))  # type: ignore[arg-type]
    (tmp_path / "s").write_text("x\t1\t0.5\n", encoding="utf-8")
    files = dict.fromkeys(("mine", "other"), str(tmp_path / "s"))
    with pytest.raises(OptionError, match=r"there are scores of: mine, other$"):
        match_metrics(EvaluationInputs(**INPUTS, **asked, scores=files))  # type: ignore[arg-type]


def test_scores_in_several_configurations_are_those_of_score() -> None:
    settings = Settings(metrics=("full", "dted"), aligner=("match", "ribes"), parser="perceptron")
    inputs = EvaluationInputs(**INPUTS, settings=settings)  # type: ignore[arg-type]
    found = match_metrics(inputs)
    assert [(each.name, each.control) for each in found.metrics][:4] == [
        ("full@match", "full:order=coverage@match"),
        ("full@ribes", "full:order=coverage@ribes"),
        ("full", "full:order=coverage"),
        ("full:order=coverage@match", None),
    ]
    systems = {Path(path).name: read_text(path) for path in PATHS}
    scores = kilter.score(systems, read_text(REFERENCE), settings=settings).systems
    for each in found.metrics:
        if "coverage" in each.name:
            continue
        by_score = [scores[name][each.name].score for name in found.judgments.systems]
        assert each.system_scores() == pytest.approx(by_score, abs=1e-8)


def test_scores_of_whole_systems_stand_beside_or_instead_of_those_of_segments(
    tmp_path: Path,
) -> None:
    names = [Path(path).name for path in PATHS]
    whole = tmp_path / "m.sys.score"
    rows = [f"m\tde-en\tnews\t{name}\t{place}" for place, name in enumerate(names)]
    whole.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    segments = tmp_path / "m.seg.score"
    rows = [f"m\tde-en\tnews\t{name}\t{k + 1}\t{-k}" for name in names for k in range(48)]
    segments.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    settings = Settings(metrics="kendall")

    def found(**scores: str) -> ScoredMetric:
        inputs = EvaluationInputs(**INPUTS, scores=scores, settings=settings)  # type: ignore[arg-type]
        return match_metrics(inputs, controls=False).metrics[-1]

    alone = found(a=str(whole))
    assert np.isnan(alone.scores).all()
    both = found(a=str(segments), b=str(whole))
    assert both.scores[0].tolist() == [-k for k in range(48)]
    mean = found(a=str(segments))
    assert mean.system_scores().tolist() == pytest.approx([-23.5] * len(names))
    assert sorted(alone.system_scores().tolist()) == list(range(len(names)))
    assert both.system_scores().tolist() == alone.system_scores().tolist()
    assert both.signature == "m|external|system:given"
    with pytest.raises(
        InputError, match="holds scores of whole systems alone; give scores of segments"
    ):
        match_metrics(
            EvaluationInputs(
                judgments=RANKINGS, scores={"a": str(whole)}, settings=Settings(metrics=())
            )
        )


def test_a_number_of_a_segment_that_is_a_name_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text("a 1 1\nb 1 2\na 1000000000 1\nb 1000000000 3\n", encoding="utf-8")
    inputs = EvaluationInputs(
        ratings=str(path), scores={"m": str(path)}, settings=Settings(metrics=())
    )
    with pytest.raises(InputError, match=r"m\.tsv:3: scores segment 1000000000; without texts"):
        match_metrics(inputs)
