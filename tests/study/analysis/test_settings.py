"""What can be asked of an analysis, and what is refused before anything is computed."""

import pytest

from kilter.core.errors import OptionError
from kilter.study.analysis.settings import AnalysisSettings
from tests.study.analysis.correlated import STUDY


def test_a_split_by_a_field_that_nobody_was_asked_for_is_refused() -> None:
    AnalysisSettings(splits=(("education", None), ("age", 40.0))).check(STUDY)
    with pytest.raises(OptionError, match=r"no field 'shoes' .* there are age, education"):
        AnalysisSettings(splits=(("shoes", None),)).check(STUDY)


def test_a_baseline_that_is_no_tool_of_the_study_is_refused() -> None:
    AnalysisSettings(baselines=("theirs", "dted:variant=b")).check_tools(STUDY)
    with pytest.raises(OptionError, match=r"no tool 'comet' to be a baseline; there are bleu, "):
        AnalysisSettings(baselines=("comet",)).check_tools(STUDY)
