"""The guidelines keep their own rules."""

import pytest

import kilter
from kilter.results.links import Check
from kilter.study.annotation.guideline import WordGroup, guideline, guidelines

EXAMPLES = [
    example for each in guidelines() for section in each.sections for example in section.examples
]


def test_every_worked_example_is_what_the_linter_asks_for() -> None:
    assert len(EXAMPLES) > 15
    for example in EXAMPLES:
        links = kilter.LinkBatch.of([[link[:2] for link in example.links]])
        report = kilter.reorder.lint([list(example.source)], [list(example.target)], links)
        found = {finding.check for finding in report.findings}
        # Torn links are shown where the text speaks of them, and nothing else is ever wrong.
        is_shown = any(word in example.caption for word in ("Torn", "finding may stand"))
        assert found == ({Check.SCATTERED} if is_shown else set()), example


def test_links_in_words_tell_sure_from_possible_ones() -> None:
    groups = [example.groups for example in EXAMPLES if "close" in example.source]
    assert groups == [
        (
            WordGroup("We", "Wir", sure=True),
            WordGroup("are", "schließen", sure=False),
            WordGroup("about", "gleich", sure=True),
            WordGroup("to", "gleich", sure=False),
            WordGroup("close", "schließen", sure=True),
            WordGroup(".", ".", sure=True),
        )
    ]


@pytest.mark.parametrize(("source", "target", "name"), [("en", "ja", "en-ja"), ("fr", "ja", None)])
def test_a_pair_of_languages_has_its_own_guideline_or_none(
    source: str, target: str, name: str | None
) -> None:
    assert [each.name for each in guidelines() if each.fits(source, target)] == [
        found for found in (name,) if found
    ]
    assert guideline("fr-ja") is None
