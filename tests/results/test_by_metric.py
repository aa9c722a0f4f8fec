"""Results found under every spelling of a specification."""

import pytest

from kilter.results.score_result import ByMetric


@pytest.mark.parametrize("spelled", ["pef:beta=0.5", "pef:beta=0.50", "pef:gamma=0,beta=.5"])
def test_any_spelling_finds_the_shortest(spelled: str) -> None:
    assert ByMetric({"pef": 1, "pef:beta=0.5": 2})[spelled] == 2


@pytest.mark.parametrize("key", ["kendall", "nothing", "pef:beta", "pef:beta=0.7"])
def test_what_is_not_there_is_a_key_error_under_its_own_name(key: str) -> None:
    with pytest.raises(KeyError, match=key):
        ByMetric({"pef": 1})[key]
