"""What tests of simulations share."""

import pytest

from tests.study.running import example
from tests.study.simulation.created import Created, created


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Created:
    return created(example(tmp_path_factory.mktemp("small") / "study"))
