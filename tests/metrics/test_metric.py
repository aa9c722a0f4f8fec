"""The brevity penalty, which metrics share."""

import numpy as np
import pytest

from kilter.metrics.metric import brevity_penalty
from tests.golden import Case, cases


@pytest.mark.parametrize("case", [c for c in cases("lexical") if c["kind"] == "brevity"], ids=str)
def test_golden_brevity_penalties(case: Case) -> None:
    found = brevity_penalty(np.array([case["length"]]), np.array([case["reference"]]))
    assert found.tolist() == pytest.approx([case["value"]], abs=1e-9)
