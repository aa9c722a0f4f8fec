"""The page of published tables has every table, and measured blocks hold what commands say."""

import pytest

from kilter.results.published_result import PublishedEntry
from kilter.run.published.published import published_list
from tests.docs.published_page import PAGE, measured, printed
from tests.published_data import DATA, needs_data
from tests.thorough import some

TEXT = PAGE.read_text(encoding="utf-8")
NEED_DATA = [entry.name for entry in published_list() if entry.data and not entry.unavailable]


@pytest.mark.parametrize("entry", published_list(), ids=lambda entry: entry.name)
def test_every_table_is_on_the_page(entry: PublishedEntry) -> None:
    assert f"$ kilter published {entry.name}" in TEXT or f"`{entry.name}`" in TEXT


def test_tables_that_need_data_are_measured_and_no_others() -> None:
    assert sorted(measured()) == sorted(NEED_DATA)


# Table 2 of [LR] takes minutes: python -m tests.docs.published_page measures it again.
@pytest.mark.parametrize(
    "name", some([name for name in NEED_DATA if name != "lr-2"], quick=["frs-rules"])
)
def test_measured_blocks_say_what_commands_say(name: str) -> None:
    entry = next(each for each in published_list() if each.name == name)
    missing = needs_data(entry.data[0].name)
    if missing.args[0]:
        pytest.skip(str(missing.kwargs["reason"]))
    assert measured()[name] == printed(name, DATA)
