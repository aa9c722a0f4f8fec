"""Settings of a run that cannot be."""

from typing import Any

import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.metrics.kendall import Kendall
from kilter.run.scoring.score import score
from kilter.run.scoring.settings import Settings
from tests.run.scoring.scored import HYPOTHESIS, REFERENCE


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
