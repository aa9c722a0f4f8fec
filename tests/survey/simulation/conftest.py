"""What tests of simulations share."""

import pytest

from tests.survey.running import example
from tests.survey.simulation.created import Created, created


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Created:
    return created(example(tmp_path_factory.mktemp("small") / "study"))
