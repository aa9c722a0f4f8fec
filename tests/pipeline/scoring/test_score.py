"""Scores of systems from texts, links and sources."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.errors import InputError, OptionError
from kilter.metrics.registry import metric_class, metric_names
from kilter.pipeline.demo import SAMPLE, SYSTEMS, sample_texts
from kilter.pipeline.scoring.links import Links
from kilter.pipeline.scoring.metric_choice import available, choose_metrics
from kilter.pipeline.scoring.score import score, score_texts
from kilter.pipeline.scoring.settings import DEFAULT_METRICS, Settings
from kilter.statistics.resampling import Resampling
from kilter.structures.link.link_batch import LinkBatch
from tests.thorough import examples

HYPOTHESIS, REFERENCE = "the mat sat on the cat", "the cat sat on the mat"
FEW = Resampling(resamples=20)
ORDER_METRICS = [
    name for name in metric_names() if metric_class(name).needs == ("links",) and name != "tau"
]
sentences = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=9).map(" ".join)


def sample(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def scores(hypotheses: Any, references: Any, metrics: Sequence[str], **settings: Any) -> list[Any]:
    result = score(hypotheses, references, metrics=metrics, resampling=FEW, **settings)
    return [found.score for found in result.system.values()]


def test_the_worked_example_comes_out_as_by_hand() -> None:
    # Given links 0-0 1-5 2-2 3-3 4-4 5-1 the permutation is 1 6 3 4 5 2: 7 of 15 pairs are inverted,
    # 4 of 6 words are in place, and the longest rising run 1 3 4 5 has 4 words.
    links = Links(
        hypothesis_reference=((LinkBatch.of([[(0, 0), (1, 5), (2, 2), (3, 3), (4, 4), (5, 1)]]),),)
    )
    found = scores(
        [HYPOTHESIS], [REFERENCE], ["kendall", "hamming", "ulam", "f1", "aligned"], links=links
    )
    assert found == pytest.approx([8 / 15, 4 / 6, (4 - 1) / (6 - 1), 1.0, 1.0])


def test_the_aligner_prefers_few_chunks_in_the_worked_example() -> None:
    # "the mat", "sat on", "the cat" are three chunks: 5 6 3 4 1 2 has 12 of 15 pairs inverted.
    found = scores([HYPOTHESIS], [REFERENCE], ["kendall", "meteor", "bleu:order=1"])
    assert found == pytest.approx([3 / 15, 1 - 0.5 * (3 / 6) ** 3, 1.0])


def test_ribes_of_the_worked_example_is_that_of_its_authors() -> None:
    assert scores([HYPOTHESIS], [REFERENCE], ["ribes"]) == pytest.approx([4 / 15])


def test_the_public_function_is_the_pipelines() -> None:
    assert kilter.score is score
    assert kilter.ScoreResult.__module__ == "kilter.structures.result.score_result"


def test_the_defaults_are_the_documented_metrics() -> None:
    result = score([HYPOTHESIS], [REFERENCE], resampling=FEW)
    assert tuple(result.system) == DEFAULT_METRICS == tuple(result.metrics)
    for found in result.system.values():
        assert found.score is not None
        assert (found.low, found.high, found.segments) == (None, None, 1)


def test_several_systems_are_scored_side_by_side() -> None:
    systems = {name: sample(f"{name}.en") for name in SYSTEMS}
    together = score(systems, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
    assert list(together.systems) == list(SYSTEMS)
    for name, lines in systems.items():
        alone = score(lines, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
        assert alone.system == together.systems[name]
    assert together.system == together.systems["local"]


def test_the_best_of_several_references_counts() -> None:
    two = [[REFERENCE, HYPOTHESIS]] * 2
    lines = [HYPOTHESIS, REFERENCE]
    assert scores(lines, two, ["kendall", "bleu", "f1", "ribes"]) == pytest.approx([1.0] * 4)
    result = score(lines, two, metrics=["kendall"], resampling=FEW)
    assert "|nrefs:2|refs:best|" in result.system["kendall"].signature


def test_all_is_every_metric_that_the_inputs_allow() -> None:
    plain = score([HYPOTHESIS], [REFERENCE], metrics=["all"], resampling=FEW)
    allowed = [name for name in metric_names() if metric_class(name).in_all]
    assert list(plain.system) == [
        name
        for name in allowed
        if not {"source-links", "trees", "reference-trees"} & set(metric_class(name).needs)
    ]
    straight = LinkBatch.of([[(place, place) for place in range(6)]])
    full = score(
        [HYPOTHESIS],
        [REFERENCE],
        source=[REFERENCE],
        links=Links(source_hypothesis=(straight,), source_reference=(straight,)),
        metrics=["all"],
        resampling=FEW,
    )
    trees = {"trees", "reference-trees"}
    assert list(full.system) == [
        name for name in allowed if not trees & set(metric_class(name).needs)
    ]
    assert full.system["crossings"].score == 1.0
    assert full.system["anticipation"].score == 0.0


def test_what_is_available_follows_from_the_inputs() -> None:
    texts = sample_texts()
    links = Links(source_hypothesis=(LinkBatch.of([[]]),))
    assert available(texts) == {"words", "text", "links", "source"}
    assert available(replace(texts, links=links)) == {
        "words",
        "text",
        "links",
        "source",
        "source-links",
    }


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("kendal", "did you mean kendall"),
        ("nothing", "there is no metric 'nothing'"),
        ("pef:delta=1", "pef has no option 'delta'"),
        ("pef:beta", "write options as name=value"),
        ("pef:beta=2", "beta is 2.0; it must lie between 0 and 1"),
        (
            "crossings",
            r"crossings needs source-links \(links of source and hypothesis\), which are not given",
        ),
        (
            "lr:through=source",
            r"lr needs reference-links .* and source \(the source text\) and source-links .* are not given",
        ),
    ],
)
def test_a_metric_that_cannot_be_computed_is_refused(specification: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        score(["a"], ["a"], metrics=["bleu", specification])


def test_no_metric_at_all_is_refused() -> None:
    with pytest.raises(OptionError, match=r"there is no metric to compute"):
        choose_metrics([], {"words"})
    with pytest.raises(OptionError, match=r"there is no metric to compute"):
        choose_metrics(["all"], set())


def test_one_metric_may_be_named_without_a_list() -> None:
    alone = score([HYPOTHESIS], [REFERENCE], metrics="pef:beta=0.5", resampling=FEW)
    assert alone.system == score([HYPOTHESIS], [REFERENCE], metrics=["pef:beta=0.5"]).system
    assert set(score(["a"], ["a"], metrics="all", resampling=FEW).system) >= {"pef", "bleu"}


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (5, "metrics is 5; it must be a text, or a list, each entry a text"),
        (None, "metrics is None; it must be a text, or a list"),
        ([], "there is no metric to compute; name at least one, or all"),
        ([5], "metrics is [5]; it must be a text, or a list, each entry a text"),
        ([["pef"]], "metrics is [['pef']]; it must be a text"),
        ("", "metrics is an empty text; name something"),
    ],
)
def test_what_names_no_metric_is_refused_in_the_words_of_python(metrics: Any, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        score(["a"], ["a"], metrics=metrics)
    assert message in str(raised.value)
    assert "-m" not in str(raised.value)


@pytest.mark.parametrize("rule", [None, 5, ["mean"]])
def test_what_names_no_rule_is_refused(rule: Any) -> None:
    with pytest.raises(OptionError, match=r"rule is .*; it must be a text"):
        score(["a"], ["a"], metrics="kendall", rule=rule)


@pytest.mark.parametrize("aligner", [5, [5]])
def test_what_names_no_aligner_is_refused(aligner: Any) -> None:
    with pytest.raises(OptionError, match=r"aligner is .*; it must be a text, or a list"):
        score(["a"], ["a"], metrics="kendall", aligner=aligner)
    with pytest.raises(OptionError, match=r"aligner is .*; it must be a text, or a list"):
        score(["a"], ["a"], metrics="kendall", aligner=aligner, language="de")


def test_empty_segments_can_stop_the_run() -> None:
    assert score(["a", ""], ["a", "b"], metrics="f1").count == 2
    with pytest.raises(InputError, match=r"system:2: the line is empty; .* empty='keep'$"):
        score(["a", ""], ["a", "b"], metrics="f1", empty="stop")
    with pytest.raises(OptionError, match=r"empty is .drop.; it must be one of keep, stop"):
        score(["a", ""], ["a", "b"], metrics="f1", empty="drop")


def test_the_same_metric_with_other_options_is_another_column() -> None:
    result = score(
        [HYPOTHESIS], [REFERENCE], metrics=["pef", "pef:beta=0.5", "pef:beta=0.6"], resampling=FEW
    )
    assert list(result.system) == ["pef", "pef:beta=0.5"]


def test_signatures_say_what_was_done() -> None:
    result = score(
        ["The cat."], ["the cat ."], metrics=["bleu", "kendall"], language="de", lowercase=True
    )
    bleu, kendall = result.signatures["bleu"], result.signatures["kendall"]
    assert "aligner" not in bleu
    assert bleu.endswith(f"|tok:13a|case:lower|v:{kilter.__version__}")
    assert "|aligner:match(" in kendall
    assert "language:de" in kendall
    given = Links(hypothesis_reference=((LinkBatch.of([[(0, 0)]]),),))
    linked = score(["a"], ["a"], metrics=["kendall"], links=given, resampling=FEW)
    assert "|aligner:given|tok:none|" in linked.signatures["kendall"]


def test_given_links_count_the_words_as_they_stand() -> None:
    links = Links(hypothesis_reference=((LinkBatch.of([[(0, 1), (1, 0)]]),),))
    assert scores(["b, a."], ["a. b,"], ["kendall", "aligned"], links=links) == [0.0, 1.0]


def test_source_links_decide_the_source_metrics() -> None:
    crossed = LinkBatch.of([[(0, 2), (1, 0), (2, 1)]])
    found = scores(
        ["a b c"],
        ["a b c"],
        ["crossings", "lr:alpha=1"],
        source=["x y z"],
        links=Links(source_hypothesis=(crossed,), source_reference=(crossed,)),
    )
    assert found == pytest.approx([1 / 3, 1.0])


def test_the_segments_table_is_ordered_by_metric_system_segment() -> None:
    systems = {"A": [REFERENCE, HYPOTHESIS], "B": [HYPOTHESIS, REFERENCE]}
    result = score(systems, [REFERENCE] * 2, metrics=["bleu", "f1"], resampling=FEW)
    table = result.segments
    assert table.names == ("system", "segment", "metric", "score")
    rows = list(zip(table["metric"], table["system"], table["segment"].tolist(), strict=True))
    assert rows == [(m, s, n) for m in ("bleu", "f1") for s in ("A", "B") for n in (1, 2)]
    assert table["score"][4:].tolist() == [1.0] * 4
    assert table["score"][0] == 1.0
    assert table["score"][:2].tolist() == table["score"][3:1:-1].tolist()


def test_the_document_is_versioned_json() -> None:
    result = score(
        {"A": [REFERENCE], "B": [HYPOTHESIS]},
        [REFERENCE],
        metrics=["kendall", "ter"],
        resampling=Resampling(resamples=20, seed=7),
    )
    document = result.to_dict()
    assert json.loads(json.dumps(document)) is not None
    assert {key: document[key] for key in ("schema", "version", "segments", "seed")} == {
        "schema": "kilter.score/1",
        "version": kilter.__version__,
        "segments": 1,
        "seed": 7,
    }
    assert document["metrics"]["kendall"] == {
        "signature": result.signatures["kendall"],
        "higher_is_better": True,
        "range": [0.0, 1.0],
    }
    assert [system["name"] for system in document["systems"]] == ["A", "B"]
    assert document["systems"][0]["scores"]["kendall"] == {
        "score": 1.0,
        "low": None,
        "high": None,
        "segments": 1,
    }


def test_the_document_holds_nothing_that_json_cannot_say() -> None:
    document = score(["a"], ["b"], metrics=["ter", "kendall"], resampling=FEW).to_dict()
    assert "Infinity" not in json.dumps(document)


def test_the_number_of_threads_changes_nothing() -> None:
    documents = [
        score_texts(
            sample_texts(), Settings(metrics=["all"], language="en", jobs=jobs, resampling=FEW)
        )
        for jobs in (1, 2)
    ]
    assert documents[0].to_dict() == documents[1].to_dict()
    assert (documents[0].segments["score"] == documents[1].segments["score"]).all()
    with pytest.raises(OptionError, match=r"jobs is 0"):
        score(["a"], ["a"], jobs=0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_bleu_is_sacrebleus_on_the_sample(system: str) -> None:
    lines, references = sample(f"{system}.en"), [sample("reference.en"), sample("reference2.en")]
    theirs = sacrebleu.corpus_bleu(lines, references).score / 100
    ours = scores(lines, [list(pair) for pair in zip(*references, strict=True)], ["bleu"])
    assert ours == [theirs]


def test_chrf_and_ter_are_sacrebleus_on_the_sample() -> None:
    lines, references = sample("verb.en"), sample("reference.en")
    theirs = [
        sacrebleu.corpus_chrf(lines, [references]).score / 100,
        sacrebleu.corpus_ter(lines, [references]).score / 100,
    ]
    assert scores(lines, references, ["chrf", "ter"]) == pytest.approx(theirs)


def test_order_metrics_see_order_and_lexical_ones_see_words_on_the_sample() -> None:
    names = ["f1", "kendall", "ribes", "meteor"]
    result = score_texts(sample_texts(), Settings(metrics=names, language="en", resampling=FEW))
    found = {
        system: {name: rows[name].score or 0.0 for name in names}
        for system, rows in result.systems.items()
    }
    assert found["local"]["f1"] > 0.99 > found["lexical"]["f1"]
    for name in ("kendall", "ribes"):
        assert 0.3 < found["phrase"][name] < found["local"][name] < 1.0
    for rows in found.values():
        assert 0.5 < rows["meteor"] < 1.0


def test_intervals_hold_the_score_and_depend_on_the_seed() -> None:
    found = []
    for seed in (1, 1, 2):
        resampling = Resampling(resamples=200, seed=seed)
        result = score_texts(sample_texts(), Settings(metrics=["pef"], resampling=resampling))
        found.append(result.systems["verb"]["pef"])
    assert found[0] == found[1]
    assert (found[0].low, found[0].high) != (found[2].low, found[2].high)
    for each in found:
        assert each.low is not None
        assert each.score is not None
        assert each.high is not None
        assert each.low < each.score < each.high


@pytest.mark.parametrize(
    ("segments", "notes"),
    [
        (
            1,
            (
                "one segment is no evidence: intervals and tests need 2 or more, and are rough below 30",
            ),
        ),
        (2, ("2 segments are few: intervals and tests are rough below 30",)),
        (29, ("29 segments are few: intervals and tests are rough below 30",)),
        (30, ()),
    ],
)
def test_few_segments_are_noted(segments: int, notes: tuple[str, ...]) -> None:
    result = score([REFERENCE] * segments, [REFERENCE] * segments, metrics="f1", resampling=FEW)
    assert result.notes == notes


def test_empty_lines_are_scored() -> None:
    result = score(["", "", "a b"], ["", "a b", "a b"], metrics=["kendall", "bleu"], resampling=FEW)
    assert result.segment_arrays["kendall", "system"].tolist() == [0.0, 0.0, 1.0]
    assert result.segment_arrays["bleu", "system"].tolist() == [0.0, 0.0, 1.0]


def test_progress_is_told_system_by_system() -> None:
    told: list[tuple[int, int]] = []
    score_texts(
        sample_texts(),
        Settings(metrics=["bleu"], resampling=FEW),
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@examples(25)
@given(
    pairs=st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6),
    chance=st.randoms(use_true_random=False),
)
def test_the_order_of_segments_changes_no_score(pairs: list[tuple[str, str]], chance: Any) -> None:
    order = list(range(len(pairs)))
    chance.shuffle(order)
    results = [
        score(
            [pairs[place][0] for place in places],
            [pairs[place][1] for place in places],
            metrics=["all"],
            resampling=Resampling(resamples=1),
        )
        for places in (range(len(pairs)), order)
    ]
    for name in results[0].system:
        assert results[0].system[name].score == results[1].system[name].score
        straight, mixed = (result.segment_arrays[name, "system"] for result in results)
        assert np.array_equal(straight[order], mixed)


@examples(25)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_an_identical_reference_changes_no_score(pairs: list[tuple[str, str]]) -> None:
    hypotheses, references = zip(*pairs, strict=True)
    once = scores(hypotheses, [[line] for line in references], ["all"])
    twice = scores(hypotheses, [[line, line] for line in references], ["all"])
    assert once == twice


@examples(25)
@given(st.lists(sentences, min_size=1, max_size=5))
def test_a_system_equal_to_its_reference_scores_one_on_every_order_metric(lines: list[str]) -> None:
    assert scores(lines, lines, ORDER_METRICS) == pytest.approx([1.0] * len(ORDER_METRICS))


def test_the_sample_is_part_of_the_package() -> None:
    assert Path(kilter.__file__).parent / "sample" == SAMPLE
    assert len(sample_texts().named()) == 6


def test_several_systems_share_no_model_that_is_not_trained_yet(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    aligner = f"ibm1:symmetrize=intersection,model={path}"
    systems = {"one": [HYPOTHESIS, "a cat"], "other": [REFERENCE, "the mat"]}
    references = [REFERENCE, "a mat"]
    for hypotheses, pairs in (
        (systems, references),
        (systems["one"], [[each, each] for each in references]),
    ):
        with pytest.raises(OptionError, match="2 pairs of texts would share"):
            score(hypotheses, pairs, metrics="kendall", aligner=aligner)
        assert not path.exists()
    assert score(systems, references, metrics="bleu", aligner=aligner).systems.keys() == {*systems}


def test_a_model_is_signed_alike_when_it_is_trained_and_when_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    aligner = f"ibm1:symmetrize=intersection,model={path}"
    texts = [HYPOTHESIS, "a cat"], [REFERENCE, "a mat"]
    first, again = (
        score(*texts, metrics="kendall", aligner=aligner, resampling=FEW).system["kendall"]
        for _ in range(2)
    )
    assert first == again
    assert f"model:{path}#" in first.signature


def test_unspaced_scripts_are_no_matter_to_a_metric_without_words() -> None:
    texts = ["我今天去学校上课"], ["我今天去上课"]
    found = score(*texts, metrics="chrf", resampling=FEW).system["chrf"].score
    assert (
        found == score(*texts, metrics="chrf", tokenize="zh", resampling=FEW).system["chrf"].score
    )
    for specification in ("bleu", "chrf:words=2", "ter"):
        with pytest.raises(InputError, match="written without blanks"):
            score(*texts, metrics=["chrf", specification])


@pytest.mark.parametrize("spelled", ["pef:beta=0.60", "pef:gamma=0,beta=.6", "pef"])
def test_results_are_found_under_every_spelling_of_a_specification(spelled: str) -> None:
    result = score([HYPOTHESIS], [REFERENCE], metrics=[spelled, "bleu"], resampling=FEW)
    assert list(result.system) == list(result.metrics) == ["pef", "bleu"]
    assert result.system[spelled] is result.systems["system"]["pef"]
    assert result.metrics[spelled] is result.metrics["pef"]
    assert result.signatures[spelled] == result.system[spelled].signature
    for other in ("pef:beta=0.5", "kendall", "nothing", "pef:nothing=1"):
        with pytest.raises(KeyError, match=other):
            result.system[other]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"jobs": "2"}, "jobs is '2'; it must be a whole number"),
        ({"jobs": 0}, "jobs is 0; it must be a whole number from 1 to 2147483647"),
        ({"links": "links.txt"}, "links is 'links.txt'; it must be a kilter Links"),
        ({"resampling": 1000}, "resampling is 1000; it must be a kilter Resampling"),
    ],
)
def test_arguments_of_another_type_are_option_errors(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        score([HYPOTHESIS], [REFERENCE], metrics="kendall", **settings)
