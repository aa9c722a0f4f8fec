"""Scores over configurations: every aligner with every parser, and the mean of their scores."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import OptionError
from kilter.parsers.encoder.model_folder import model_folder
from kilter.results.comparison import SignificanceTest
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.score import score
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import compare_measured
from kilter.run.scoring.trees import Trees
from tests.run.scoring.scored import FEW, HYPOTHESIS, REFERENCE

HYPOTHESES = ["the mat sat on the cat", "The cellist of the town began her career ."]
REFERENCES = ["the cat sat on the mat", "Ms Brown started her career as a cellist ."]
ALIGNERS = ("match", "embedding")
PARSERS = ("model", "perceptron")


def test_tree_metrics_take_the_embedded_parser_where_no_trees_are_given() -> None:
    named = score(HYPOTHESES, REFERENCES, metrics=["dted", "derp", "derp-reference"])
    asked = score(HYPOTHESES, REFERENCES, metrics=["dted", "derp"], parser="model")
    assert named.system["dted"] == asked.system["dted"]
    assert "|trees:model(version:" in named.signatures["derp-reference"]
    assert "|aligner:match(" in named.signatures["derp"]


def test_all_metrics_parse_nothing_unless_asked_to() -> None:
    assert "dted" not in score(HYPOTHESES, REFERENCES, metrics="all").metrics
    assert {"dted", "derp"} <= set(
        score(HYPOTHESES, REFERENCES, metrics="all", parser="perceptron").metrics
    )


@pytest.mark.parametrize("language", ["en", "en-US", "en_GB", "EN"])
def test_the_embedded_parser_takes_every_english(language: str) -> None:
    result = score(HYPOTHESES, REFERENCES, metrics="dted", language=language)
    assert "|trees:model(" in result.signatures["dted"]
    assert "language:en," in result.signatures["dted"]


@pytest.mark.parametrize(
    "tools", [{"parser": "model"}, {"parser": "perceptron"}, {"aligner": "embedding"}]
)
def test_english_tools_are_refused_for_other_languages(tools: dict[str, Any]) -> None:
    (name,) = tools.values()
    with pytest.raises(OptionError, match=f"{name} knows only the language en, not de"):
        score(HYPOTHESES, REFERENCES, metrics="derp:flat=true", language="de-AT", **tools)


def test_signatures_tell_models_apart(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder().path, folder)
    own = [f"perceptron:folder={folder}", f"model:folder={folder}"]
    result = score(
        HYPOTHESES,
        REFERENCES,
        metrics="dted",
        parser=own,
        aligner=["embedding", f"embedding:folder={folder}"],
    )
    signature = result.signatures["dted"]
    for made in (
        "aligner:embedding(context:0.3,position:0.05,threshold:0.6,version:1.0.0)",
        f"threshold:0.6,folder:{folder},version:1.0.0)",
        f"trees:perceptron(folder:{folder},version:1.0.0)+model(folder:{folder},version:1.0.0)",
    ):
        assert made in signature


def test_the_embedded_parser_is_not_taken_for_other_languages() -> None:
    with pytest.raises(OptionError, match="English only, not de"):
        score(HYPOTHESES, REFERENCES, metrics="dted", language="de")


@pytest.mark.parametrize("metric", ["dted", "dted:variant=cl,corpus=linked", "derp:flat=true"])
def test_a_metric_has_a_score_for_each_configuration_and_their_mean(metric: str) -> None:
    result = score(HYPOTHESES, REFERENCES, metrics=[metric], aligner=ALIGNERS, parser=PARSERS)
    parsers = ("",) if "flat" in metric else tuple(f"+{parser}" for parser in PARSERS)
    labels = [f"{metric}@{aligner}{parser}" for aligner in ALIGNERS for parser in parsers]
    assert list(result.metrics) == [*labels, metric]
    parts: list[float] = []
    for aligner in ALIGNERS:
        for parser in PARSERS[: len(parsers)]:
            alone = score(HYPOTHESES, REFERENCES, metrics=[metric], aligner=aligner, parser=parser)
            label = labels[len(parts)]
            assert result.system[label] == alone.system[metric]
            parts.append(alone.system[metric].score or 0.0)
            assert np.array_equal(
                result.segment_arrays[label, "system"], alone.segment_arrays[metric, "system"]
            )
    assert result.system[metric].score == pytest.approx(np.mean(parts))
    segments = [result.segment_arrays[label, "system"] for label in labels]
    found = result.segment_arrays[metric, "system"]
    assert found == pytest.approx(np.mean(segments, axis=0))


def test_metrics_differ_by_what_they_look_at_only() -> None:
    result = score(
        HYPOTHESES, REFERENCES, metrics=["bleu", "kendall"], aligner=ALIGNERS, parser=PARSERS
    )
    assert list(result.metrics) == ["bleu", "kendall@match", "kendall@embedding", "kendall"]


def test_a_configuration_is_called_by_a_path_only_where_nothing_else_tells_it_apart(
    tmp_path: Path,
) -> None:
    files = [str(tmp_path / name) for name in ("one", "other")]
    for file in files:
        Path(file).write_text("cellist musician\n", encoding="utf-8")
    one, other = (f"match:stages=exact+synonym,synonyms={file}" for file in files)
    found = score(HYPOTHESES, REFERENCES, metrics="kendall", aligner=[one, "match"])
    assert list(found.metrics)[:2] == ["kendall@match:stages=exact+synonym", "kendall@match"]
    found = score(HYPOTHESES, REFERENCES, metrics="kendall", aligner=[one, other])
    assert list(found.metrics)[:2] == [f"kendall@{one}", f"kendall@{other}"]


def test_the_mean_over_configurations_is_tested_like_any_other_mean() -> None:
    systems = {"a": HYPOTHESES * 4, "b": REFERENCES * 4}
    texts = Texts(systems=systems, references={"r": REFERENCES * 4})
    measured = measure(texts, Settings(metrics="kendall", aligner=ALIGNERS)).measured
    (found,) = compare_measured(["a", "b"], measured[-1:]).metrics
    (pair,) = found.pairs
    assert pair.effect.better == 8
    p = pair.p[SignificanceTest.PERMUTATION]
    assert p == 2 / 2**8
    assert pair.exact


def test_a_choice_made_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="aligner match is chosen twice"):
        score(HYPOTHESES, REFERENCES, aligner=["match", "match"])


def test_a_parser_beside_given_trees_of_all_texts_is_refused() -> None:
    chain = DependencyTree(["a"], [-1])
    trees = Trees(systems=[[chain]], references=[[chain]])
    with pytest.raises(OptionError, match="parser model would have nothing to do"):
        score(["a"], ["a"], metrics="dted", trees=trees, parser="model")


def test_a_parser_makes_the_trees_that_are_not_given() -> None:
    given = Trees(references=[[DependencyTree(["a", "cat"], [1, -1], labels=["det", "root"])]])
    result = score(["a cat"], ["a cat"], metrics="dted", trees=given, parser="model")
    assert "|trees:given(references),model(" in result.signatures["dted"]
    assert result.system["dted"].score == 1.0
    with pytest.raises(OptionError, match="dependency trees of each system"):
        score(["a cat"], ["a cat"], metrics="dted", trees=given)


def test_a_metric_that_looks_at_no_links_has_one_row_and_no_aligner() -> None:
    found = score(
        [HYPOTHESIS],
        [REFERENCE],
        metrics=["dted:variant=fb", "dted:variant=fc"],
        aligner=["match", "ribes"],
        resampling=FEW,
    )
    rows = [(name, each.signature) for name, each in found.system.items() if "variant" in name]
    assert [name for name, _ in rows] == ["dted:variant=b,flat=true"]
    assert "aligner" not in rows[0][1]
    alone = score([HYPOTHESIS], [REFERENCE], metrics="dted:variant=fb", resampling=FEW)
    assert alone.system["dted:variant=b,flat=true"] == found.system["dted:variant=b,flat=true"]
    weighted = "dted:variant=b,corpus=linked,flat=true"
    aligned = score([HYPOTHESIS], [REFERENCE], metrics=weighted, resampling=FEW)
    assert "aligner:match" in aligned.system[weighted].signature
