"""The page on automatic references holds what is measured."""

from tests.docs.automatic_references import AUTOMATIC, MANUAL, Corpus, measured, rows
from tests.published_data import DATA, needs_data
from tests.thorough import tried


@needs_data("pud-aligned")
def test_the_table_is_measured() -> None:
    # Two of them take a second of the processor, all of them six.
    kinds = [MANUAL, *AUTOMATIC][: tried(len(AUTOMATIC) + 1, quick=2)]
    assert list(rows(Corpus(DATA), kinds)) == measured()[: len(kinds)]
    assert len(measured()) == len(AUTOMATIC) + 1
