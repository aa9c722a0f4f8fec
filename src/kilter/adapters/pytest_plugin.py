"""`kilter_check`, a fixture for pytest: outputs checked against a baseline that stands beside the test."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import pytest

from kilter.core.settings import taken
from kilter.io.output import make_folder
from kilter.io.stream import exists
from kilter.run.check import CheckSettings, check_texts
from kilter.run.scoring.corpus import texts_from_api

if TYPE_CHECKING:
    from kilter.results.check_result import CheckResult

FOLDER = "baselines"
"""Beside the file of the test; its files are called as tests are."""


class KilterCheck(Protocol):
    """What the fixture gives to a test."""

    def __call__(
        self, hypotheses: object, references: object, *, source: object = None, **settings: object
    ) -> CheckResult:
        """Fail the test unless outputs reach the floors and lose nothing against its baseline; see `kilter.check`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that makes outputs the baselines of their tests."""
    parser.getgroup("kilter").addoption(
        "--kilter-update",
        action="store_true",
        help="make the outputs of tests with kilter_check their baselines",
    )


@pytest.fixture
def kilter_check(request: pytest.FixtureRequest) -> KilterCheck:
    """Check outputs against floors, and against the baseline of this test."""
    name = re.sub(r"[^\w.-]+", "_", request.node.name).strip("_")
    path = request.path.parent / FOLDER / f"{name}.kilter.json"
    update = bool(request.config.getoption("--kilter-update"))

    def check(
        hypotheses: object, references: object, *, source: object = None, **settings: object
    ) -> CheckResult:
        __tracebackhide__ = True
        options = taken(CheckSettings, None, settings)
        texts = texts_from_api(hypotheses, references, source)
        if not (update or exists(path)):
            pytest.fail(
                f"there is no baseline {path}; pytest --kilter-update writes it", pytrace=False
            )
        result, scores = check_texts(texts, options, baseline=None if update else path)
        if not result.passed:
            pytest.fail(f"\n{result}", pytrace=False)
        if update:
            make_folder(path.parent)
            scores.save(path)
        return result

    return check
