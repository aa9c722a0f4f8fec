"""Scores of judged sentences: one column for each configuration that matters to a metric."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kilter import score
from kilter.parsers.perceptron import Perceptron
from kilter.run.meta.hypothesis import VARIANTS
from kilter.study.analysis import tool_name
from kilter.study.analysis.report_folder import scored
from kilter.study.analysis.settings import AnalysisSettings
from kilter.study.analysis.tool_name import variant_name
from kilter.study.judgments.judgment_study import JudgmentStudy
from kilter.study.judgments.tool_scores import BASELINES, STUDY_METRICS, TREE_METRICS, study_scores
from tests.study.analysis.studies import crossed, translation

SENTENCES = [
    translation("one", hypothesis="The old man fishes saw by the sea", reference="The old man saw fishes by the sea"),
    translation("two", hypothesis="A dog barks", reference="A dog barks"),
]  # fmt: skip
STUDY = crossed([[1, 2]], sentences=SENTENCES)


def test_a_metric_has_a_column_for_each_configuration_that_matters_to_it() -> None:
    pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
    found = study_scores(STUDY, metrics=["bleu", "kendall", "dted:variant=b", "dted:flat=true"])
    assert [(tool.name, tool.configuration) for tool in found] == [
        ("bleu", ""),
        ("kendall", "match"),
        ("kendall", "ribes"),
        ("dted:variant=b", "model"),  # it looks at no links
        ("dted:variant=b", "perceptron"),
        ("dted:flat=true", "match"),
        ("dted:flat=true", "ribes"),
    ]
    for tool in found:
        assert tool.values.shape == (2,)
        assert not tool.external
    result = score(
        [sentence.hypothesis for sentence in SENTENCES],
        [sentence.reference for sentence in SENTENCES],
        metrics=["dted:variant=b"],
        parser="perceptron",
    )
    assert np.array_equal(found[4].values, np.asarray(result.segments["score"], dtype=float))


def test_what_is_scored_by_default_is_what_hypotheses_ask_for() -> None:
    names = [variant_name(*metric.partition(":")[::2]) for metric in TREE_METRICS]
    assert sorted(map(str, names)) == sorted(VARIANTS)
    assert {*BASELINES} <= {*tool_name.BASELINES}
    assert {*BASELINES} < {*STUDY_METRICS}


GERMAN = [
    translation(f"g{k}", pair="en-de", hypothesis="Der alte Mann Fische sah am Meer",
                reference="Der alte Mann sah Fische am Meer")
    for k in range(3)
]  # fmt: skip


def test_sentences_of_another_language_are_not_parsed_by_the_english_model() -> None:
    pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
    study = crossed([[1] * 5], sentences=[*GERMAN, *SENTENCES])
    made = scored_study(study, metrics=["bleu", "kendall", "dted:variant=b", "derp"])
    (note,) = made.notes
    assert note == (
        "3 sentences are in de, which model and perceptron do not know: metrics of trees are left out for them; "
        "name a parser of that language"
    )
    found = {(tool.name, tool.configuration): np.isnan(tool.values).tolist() for tool in made.tools}
    nowhere, english = [False] * 5, [True] * 3 + [False] * 2
    assert found["bleu", ""] == found["kendall", "match"] == nowhere
    assert found["dted:variant=b", "model"] == found["derp", "match+perceptron"] == english
    alone = [tool for tool in made.tools if tool.configuration == "match+perceptron"]
    (only_english,) = study_scores(
        crossed([[1] * 2], sentences=SENTENCES), metrics=["derp"], aligners=["match"], parsers=["perceptron"]
    )  # fmt: skip
    assert alone[0].values[3:].tolist() == only_english.values.tolist()


def test_a_parser_of_the_language_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
    monkeypatch.setattr(Perceptron, "known_language", property(lambda _: "de"))
    made = scored_study(crossed([[1] * 3], sentences=GERMAN), metrics=["dted:variant=b"])
    assert [tool.configuration for tool in made.tools] == ["perceptron"]
    assert not np.isnan(made.tools[0].values).any()
    assert made.notes == ()


def test_a_language_that_no_pair_names_is_guessed() -> None:
    unnamed = [replace(sentence, pair=None) for sentence in GERMAN]
    made = scored_study(crossed([[1] * 3], sentences=unnamed), metrics=["bleu", "derp"])
    assert [tool.name for tool in made.tools] == ["bleu"]
    assert len(made.notes) == 1
    assert scored_study(crossed([[1] * 3], sentences=unnamed), metrics=["bleu"]).notes == ()


def scored_study(study: JudgmentStudy, *, metrics: Sequence[str]) -> JudgmentStudy:
    return scored(study, AnalysisSettings(metrics=tuple(metrics)))


@pytest.mark.parametrize("language", ["gsw", "vi", "fin"])
def test_languages_without_stemmer_or_of_three_letters_are_scored(language: str) -> None:
    named = [replace(sentence, pair=f"en-{language}") for sentence in GERMAN]
    made = scored_study(crossed([[1] * 3], sentences=named), metrics=["bleu", "kendall", "derp"])
    assert [(tool.name, tool.configuration) for tool in made.tools] == [
        ("bleu", ""), ("kendall", "match"), ("kendall", "ribes"),
    ]  # fmt: skip
