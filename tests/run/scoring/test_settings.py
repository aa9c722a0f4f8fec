"""Settings of a run that cannot be."""

import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.metrics.kendall import Kendall
from kilter.metrics.registry import metric_names
from kilter.results.score_result import ScoreResult
from kilter.run.scoring.measurement import measure_streams
from kilter.run.scoring.score import score, score_texts, summarise
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_streams import TextStreams
from kilter.stats.resampling import Resampling
from tests.run.scoring.scored import HYPOTHESIS, REFERENCE
from tests.run.scoring.streamed import cut_into, resampled_in, sample, streams_of
from tests.thorough import some


@pytest.mark.parametrize("rule", [None, 5, ["mean"]])
def test_what_names_no_rule_is_refused(rule: Any) -> None:
    with pytest.raises(OptionError, match=r"rule is .*; it must be a text"):
        score(["a"], ["a"], metrics="kendall", rule=rule)


@pytest.mark.parametrize("aligner", [5, [5]])
def test_what_names_no_aligner_is_refused(aligner: Any) -> None:
    with pytest.raises(
        OptionError, match=r"aligner is .*; it must be a text, or a kilter Aligner, or a list"
    ):
        score(["a"], ["a"], metrics="kendall", aligner=aligner)
    with pytest.raises(
        OptionError, match=r"aligner is .*; it must be a text, or a kilter Aligner, or a list"
    ):
        score(["a"], ["a"], metrics="kendall", aligner=aligner, language="de")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"jobs": "2"}, "jobs is '2'; it must be a whole number"),
        ({"jobs": 0}, "jobs is 0; it must be a whole number from 1 to 2147483647"),
        ({"links": "links.txt"}, "links is 'links.txt'; it must be a kilter Links"),
        (
            {"links": [[(0, 0)]]},
            r"links is .*; kilter.LinkBatch.of makes links of pairs, kilter.LinkPath of a file",
        ),
        ({"resampling": 1000}, "resampling is 1000; it must be a kilter Resampling"),
    ],
)
def test_arguments_of_another_type_are_option_errors(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        score([HYPOTHESIS], [REFERENCE], metrics="kendall", **settings)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("field", "make", "specification"),
    [
        ("metrics", kilter.metric, "pef:beta=0.5"),
        ("metrics", kilter.metric, "kendall"),
        ("aligner", kilter.aligner, "match:language=de"),
        ("aligner", kilter.aligner, "ribes"),
        ("parser", kilter.parser, "perceptron"),
    ],
)
def test_what_a_specification_makes_may_be_given_in_its_place(
    field: str,
    make: Any,
    specification: str,
    several: bool,  # noqa: FBT001 - a case
) -> None:
    given: Any = make(specification)
    by_name: Any = specification
    if several:
        given, by_name = [given], [by_name]
    assert Settings(**{field: given}) == Settings(**{field: by_name})
    metrics = {} if field == "metrics" else {"metrics": ["kendall", "derp-reference"]}
    found, expected = (
        score([HYPOTHESIS], [REFERENCE], **{field: each, **metrics}) for each in (given, by_name)
    )
    assert found.to_dict() == expected.to_dict()


def test_a_metric_that_no_specification_makes_again_is_refused() -> None:
    class Other(Kendall):
        pass

    with pytest.raises(
        OptionError, match=r"^kendall makes another metric than the one that is given"
    ):
        Settings(metrics=Other())


# Texts of any size give what texts in memory give, to the last byte.


FEW = Resampling(resamples=20)
WORDS = ["a", "bee", "sees", "the", "oak", ",", "and", "sleeps", "there", "."]
SPECIAL = {"nist", "crossings", "anticipation", "frs"}
"""Metrics of the whole corpus, or of links with the source."""
CASES = {
    "all": Settings(metrics="all:blockwise", resampling=FEW),
    "named": Settings(
        metrics=[name for name in metric_names() if name not in SPECIAL], resampling=FEW
    ),
    "several": Settings(
        metrics=["kendall", "lr", "pef"],
        aligner=["match", "ribes"],
        resampling=FEW,
        lowercase=True,
        rule="mean",
    ),
}


def scored(streams: TextStreams, settings: Settings) -> ScoreResult:
    return summarise(measure_streams(streams, settings), settings)


@pytest.mark.parametrize("case", some(CASES, quick=["all"]))
def test_blocks_give_what_whole_texts_give(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_into(monkeypatch, 3)
    resampled_in(monkeypatch, 5)
    monkeypatch.setattr("kilter.run.scoring.resampled._RESAMPLED_NUMBERS", 100)
    settings, texts = CASES[case], sample()
    whole = score_texts(texts.whole(), settings)
    assert whole.count > 6
    found = scored(texts, settings)
    assert found.to_dict() == whole.to_dict()
    assert found.notes == whole.notes
    for (metric, system), scores in whole.segment_arrays.items():
        assert found.segment_arrays[metric, system][2:].tobytes() == scores[2:].tobytes()
        rows = found.statistic_arrays[metric, system]
        assert rows[:5].tolist() == whole.statistic_arrays[metric, system][:5].tolist()
    assert found.segment_arrays.keys() == whole.segment_arrays.keys()
    assert found.margin_arrays.keys() == whole.margin_arrays.keys()
    for key, margins in whole.margin_arrays.items():
        assert found.margin_arrays[key][:].tolist() == margins.tolist()


def test_what_is_said_of_blocks_is_said_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kilter.aligners.match.SEARCH_BOUND", 1)
    monkeypatch.setattr("kilter.aligners.match.TRIALS", 1)
    random = Random(2)
    texts = [tmp_path / name for name in ("one", "other", "reference")]
    for path in texts:
        lines = (" ".join(random.choices("ab", k=9)) for _ in range(20))
        path.write_text("".join(f"{line}\n" for line in ["x", "x y", *lines]))
    settings = Settings(metrics="kendall", resampling=FEW)
    streams = streams_of(texts[:2], texts[2:])
    whole = score_texts(streams.whole(), settings)
    assert sum("hit its search bound" in note for note in whole.notes) == 2
    cut_into(monkeypatch, 2)
    assert scored(streams, settings).notes == whole.notes


def peak(folder: Path, lines: int, settings: Settings, *, structures: bool = False) -> int:
    """Return how much memory Python takes to score so many lines, in bytes; with links and trees if asked."""
    random = Random(lines)
    paths = [folder / f"{name}{lines}" for name in ("system", "reference", "source")]
    for path in paths:
        path.write_text("".join(" ".join(random.choices(WORDS, k=6)) + "\n" for _ in range(lines)))
    given = files_beside(paths) if structures else None
    streams = streams_of(paths[:1], paths[1:2], paths[2], given)
    tracemalloc.start()
    assert scored(streams, settings).count == lines
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def files_beside(texts: list[Path]) -> StructureFiles:
    """Return links of the source with two texts, and trees of these."""
    system, reference, source = texts
    made = {name: f"{source}.{name}" for name in ("links", "system", "reference")}
    segments = len(source.read_text().splitlines())
    Path(made["links"]).write_text("0-0 1-1 2-2 3-5 4-4 5-3\n" * segments)
    for text, name in ((system, "system"), (reference, "reference")):
        trees = [
            "".join(
                f"{place + 1}\t{word}\t_\tX\t_\t_\t{place}\tdep\t_\t_\n"
                for place, word in enumerate(line.split())
            )
            for line in text.read_text().splitlines()
        ]
        Path(made[name]).write_text("\n".join([*trees, ""]))
    return StructureFiles(
        source_hypothesis=(made["links"],),
        source_reference=(made["links"],),
        through_source=True,
        trees=(made["system"],),
        trees_reference=(made["reference"],),
    )


def cut_finely(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_into(monkeypatch, 512)
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 14)
    monkeypatch.setattr("kilter.io.spool._KEPT_IN_MEMORY", 1)
    resampled_in(monkeypatch, 512)


def test_memory_does_not_grow_with_the_number_of_segments(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cut_finely(monkeypatch)
    settings = Settings(metrics=["all", "chrf"], resampling=Resampling(resamples=2))
    peak(tmp_path, 1000, settings)  # tables that are made once
    few, many = (peak(tmp_path, lines, settings) for lines in (4000, 16000))
    # All statistics take over 500 bytes a segment, and one of them 8.
    assert many - few < 40 * (16000 - 4000)


def test_memory_does_not_grow_with_links_and_trees(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cut_finely(monkeypatch)
    settings = Settings(metrics=["dted", "crossings"], resampling=Resampling(resamples=2))
    peak(tmp_path, 1000, settings, structures=True)
    few, many = (peak(tmp_path, lines, settings, structures=True) for lines in (2000, 8000))
    # Of texts in memory it is 2,900 bytes a segment.
    assert many - few < 100 * (8000 - 2000)
