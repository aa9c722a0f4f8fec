"""Which metrics are computed: those that are asked for, and all that inputs allow."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.metrics.fitted_weight import SCHEMA
from kilter.metrics.registry import metric_class, metric_names
from kilter.run.demo import sample_texts
from kilter.run.scoring.links import Links
from kilter.run.scoring.metric_choice import available, choose_metrics
from kilter.run.scoring.score import score
from tests.run.scoring.scored import FEW, HYPOTHESIS, REFERENCE


def test_all_is_every_metric_that_the_inputs_allow() -> None:
    plain = score([HYPOTHESIS], [REFERENCE], metrics=["all"], resampling=FEW)
    allowed = metric_names()
    assert {"kilter", "order", "coverage", "chrf", "ter", "wer"} <= set(plain.system)

    def spelled(name: str) -> str:
        # Without trees, what can do without them does.
        return f"{name}:flat=true" if "trees" in metric_class(name).needs else name

    assert list(plain.system) == [
        spelled(name)
        for name in allowed
        if not {"source-links", "reference-trees"} & set(metric_class(name).needs)
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
    assert list(full.system) == [
        spelled(name) for name in allowed if "reference-trees" not in metric_class(name).needs
    ]
    assert full.system["crossings"].score == 1.0
    assert full.system["anticipation"].score == 0.0


def test_groups_are_parts_of_all() -> None:
    every = score([HYPOTHESIS], [REFERENCE], metrics="all", resampling=FEW).system
    order = score([HYPOTHESIS], [REFERENCE], metrics="order-metrics", resampling=FEW).system
    published = score([HYPOTHESIS], [REFERENCE], metrics="published", resampling=FEW).system
    assert set(every) - set(published) == {"order", "kilter"}
    assert set(order) < set(every)
    assert {"order", "kendall", "pef"} <= set(order)
    assert not {"bleu", "coverage", "kilter", "aligned"} & set(order)


def test_metrics_of_order_alone_are_1_for_the_order_of_the_reference() -> None:
    same = score([REFERENCE], [REFERENCE], metrics="order-metrics", resampling=FEW)
    scores = {name: found.score for name, found in same.system.items()}
    assert scores.pop("wer-per") == 0.0
    assert scores.pop("meteor-chunk") == pytest.approx(1.0, abs=0.01)  # one chunk costs a little
    assert set(scores.values()) == {1.0}


def test_all_takes_flat_variants_in_languages_that_the_parser_does_not_know() -> None:
    german = score([HYPOTHESIS], [REFERENCE], metrics="all", language="de", resampling=FEW)
    assert {"dted:flat=true", "derp:flat=true"} <= set(german.system)
    assert not {"dted", "derp", "derp-reference"} & set(german.system)


def test_what_is_available_follows_from_the_inputs() -> None:
    texts = sample_texts()
    links = Links(source_hypothesis=(LinkBatch.of([[]]),))
    assert available(texts) == {"words", "text", "links", "meaning", "source"}
    assert available(replace(texts, links=links)) == {
        "words",
        "text",
        "links",
        "meaning",
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


@pytest.mark.parametrize(
    ("specification", "arguments", "options"),
    [
        (
            "crossings",
            "give them beside texts with links=kilter.Links(source_hypothesis=...)",
            "give them beside texts with --links-source-hypothesis FILE",
        ),
        (
            "frs",
            "with source=... and links=kilter.Links(source_hypothesis=..., source_reference=...)",
            "with --source FILE and --links-source-hypothesis FILE and --links-source-reference FILE",
        ),
    ],
)
def test_what_a_metric_lacks_is_told_with_how_it_is_given(
    specification: str, arguments: str, options: str
) -> None:
    with pytest.raises(OptionError) as raised:
        score(["a"], ["a"], metrics=specification)
    assert arguments in str(raised.value)
    assert options in raised.value.for_command()


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
        (5, "metrics is 5; it must be a text, or a kilter Metric, or a list, each entry a text"),
        (None, "metrics is None; it must be a text, or a kilter Metric, or a list"),
        ([], "there is no metric to compute; name at least one, or all"),
        (
            [5],
            "metrics is [5]; it must be a text, or a kilter Metric, or a list, each entry a text",
        ),
        ([["pef"]], "metrics is [['pef']]; it must be a text"),
        ("", "metrics is an empty text; name something"),
    ],
)
def test_what_names_no_metric_is_refused_in_the_words_of_python(metrics: Any, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        score(["a"], ["a"], metrics=metrics)
    assert message in str(raised.value)
    assert "-m" not in str(raised.value)


def test_unspaced_scripts_are_no_matter_to_a_metric_without_words() -> None:
    texts = ["我今天去学校上课"], ["我今天去上课"]
    found = score(*texts, metrics="chrf", resampling=FEW).system["chrf"].score
    assert (
        found == score(*texts, metrics="chrf", tokenize="zh", resampling=FEW).system["chrf"].score
    )
    for specification in ("bleu", "chrf:words=2", "ter"):
        with pytest.raises(InputError, match="written without blanks"):
            score(*texts, metrics=["chrf", specification])


def test_a_default_that_is_named_against_the_language_decides_and_stays_named() -> None:
    offered = available(sample_texts())
    named = ["kilter", "kilter:encoder=none", "kilter:encoder=none,order=0"]
    chosen = choose_metrics(named, offered, language="en")
    assert {name: made.options()["encoder"] for name, made in chosen.items()} == {
        "kilter": "en",
        "kilter:encoder=none": "none",
        "kilter:encoder=none,order=0.0": "none",
    }
    again = choose_metrics(list(chosen), offered, language="en")
    assert again == chosen
    assert list(choose_metrics(named[:2], offered)) == ["kilter"]


def test_a_file_of_weights_needs_those_of_the_model_that_is_used_alone(tmp_path: Path) -> None:
    even = {"none": {"characters": 0.5, "words": 0.5, "order": 1.0}}
    soft = {"en": {"meaning": 0.5, "phrases": 0.25, "worst": 0.25, "order": 1.0}}
    paths = {}
    for model, weights in (("none", even), ("en", soft)):
        made = {"schema": SCHEMA, "version": "own", "fitted_on": "-", "weights": weights}
        paths[model] = tmp_path / f"{model}.json"
        paths[model].write_text(json.dumps(made), encoding="utf-8")
    asked = {
        f"kilter:weights={paths['en']}": "en",
        f"kilter:encoder=en,weights={paths['en']}": "en",
        f"kilter:encoder=none,weights={paths['none']}": "none",
    }
    offered = {"words", "text", "links", "meaning"}
    chosen = choose_metrics(list(asked), offered, language="en")
    assert {name: made.options()["encoder"] for name, made in chosen.items()} == asked
    with pytest.raises(InputError, match="has no weights of encoder en"):
        choose_metrics([f"kilter:weights={paths['none']}"], offered, language="en")
