"""Tests that need the same server stay on one worker."""

import pytest

from tests.scheduling import scope


@pytest.mark.parametrize(
    ("path", "together"),
    [
        ("tests/study/test_crash.py", "on_every_database"),
        ("tests/study/store/test_database.py", "on_every_database"),
        ("tests/study/test_browser.py", "chromium"),
        ("tests/test_errors.py", "tests/test_errors.py"),
    ],
)
def test_files_stay_together_with_those_that_need_the_same(path: str, together: str) -> None:
    assert scope(path) == together
