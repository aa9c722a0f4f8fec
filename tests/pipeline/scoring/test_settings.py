"""Settings of a run that cannot be."""

from typing import Any

import pytest

from kilter.errors import OptionError
from kilter.pipeline.scoring.score import score
from tests.pipeline.scoring.scored import HYPOTHESIS, REFERENCE


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
