"""The linter of reference links: each check by itself, severities, lists, counts."""

import pytest

from kilter.aligners.lint import LINT_WORDS, is_punctuation, lint
from kilter.core.errors import OptionError
from kilter.core.links import LinkBatch
from kilter.results.links import Check, LintReport, Severity

Link = tuple[int, int]


def one(source: str, target: str, links: list[Link], **options: object) -> LintReport:
    return lint([source.split()], [target.split()], LinkBatch.of([links]), **options)  # type: ignore[arg-type]


def found(report: LintReport) -> list[tuple[str, int, str, str]]:
    return [
        (str(finding.check), finding.position, finding.word, str(finding.severity))
        for finding in report.findings
    ]


def test_a_source_word_without_link_is_an_error() -> None:
    report = one("old cats sleep", "x y", [(1, 0), (2, 1)])
    assert found(report) == [("source-unaligned", 0, "old", "error")]
    assert report.errors == 1
    assert report.clean == 0


def test_articles_and_punctuation_need_no_link() -> None:
    assert found(one("The cat sleeps .", "x y", [(1, 0), (2, 1)])) == []
    assert found(one("Die Katze schläft !", "x y", [(1, 0), (2, 1)], language="de")) == []
    assert found(one("猫 が 寝る 。", "x y", [(0, 0), (2, 1)], language="ja")) == []


def test_no_language_allows_only_punctuation_and_words_of_ones_own() -> None:
    report = one("The cat .", "x", [(1, 0)], language=None)
    assert found(report) == [("source-unaligned", 0, "The", "error")]
    assert found(one("The cat .", "x", [(1, 0)], language=None, allowed=["the"])) == []


def test_a_particle_has_a_source_word_in_common_with_its_content_word() -> None:
    words = ("I read books", "私 は 本 を 読む")
    together = [(0, 0), (0, 1), (2, 2), (2, 3), (1, 4)]
    apart = [(0, 0), (0, 1), (2, 2), (1, 3), (1, 4)]
    particle = ("particle-apart", 3, "を", "warning")
    assert found(one(*words, together, target_language="ja")) == []
    assert found(one(*words, apart, target_language="ja")) == [particle]
    assert found(one(*words, apart)) == []
    unlinked = [link for link in together if link != (2, 3)]
    alone = ("target-unaligned", 3, "を", "error")
    assert found(one(*words, unlinked, target_language="ja")) == [alone, particle]


def test_a_particle_whose_content_word_has_no_link_or_is_missing_is_no_finding() -> None:
    assert found(one("read", "本 を 読む", [(0, 1), (0, 2)], target_language="ja")) == [
        ("target-unaligned", 0, "本", "error")
    ]
    assert found(one("read", "、 を 読む", [(0, 0), (0, 1), (0, 2)], target_language="ja")) == []


def test_a_target_word_without_link_is_an_error() -> None:
    assert found(one("cats", "x y .", [(0, 0)])) == [
        ("target-unaligned", 1, "y", "error"),
        ("target-unaligned", 2, ".", "error"),
    ]


@pytest.mark.parametrize(
    ("targets", "scattered"), [([0, 1, 2], False), ([0, 2], True), ([1], False)]
)
def test_target_words_of_a_source_word_stand_together(targets: list[int], scattered: bool) -> None:  # noqa: FBT001
    others = [place for place in range(3) if place not in targets]
    links = [(0, place) for place in targets] + [(1, place) for place in others]
    report = one("a b", "x y z", links, severities={Check.SOURCE: Severity.OFF})
    assert ("scattered", 0, "a", "warning") in found(report) or not scattered
    assert any(row[:2] == ("scattered", 0) for row in found(report)) == scattered
    assert report.errors == 0


def test_a_pronoun_without_link_has_a_warning_beside_the_error_of_every_word() -> None:
    words = ("She sleeps", "x", [(1, 0)])
    missing = ("source-unaligned", 0, "She", "error")
    assert found(one(*words)) == [missing, ("pronoun-unaligned", 0, "She", "warning")]
    assert found(one(*words, severities={Check.PRONOUN: Severity.OFF})) == [missing]


def test_a_pronoun_that_is_allowed_needs_no_link() -> None:
    assert found(one("She sleeps", "x", [(1, 0)], allowed=["she"])) == []


def test_severities_are_chosen_by_check() -> None:
    words = ("She sleeps well", "x y", [(1, 0)])
    everything = dict.fromkeys(Check, Severity.WARNING)
    assert {row[3] for row in found(one(*words, severities=everything))} == {"warning"}
    assert found(one(*words, severities=dict.fromkeys(Check, Severity.OFF))) == []


def test_counts_are_those_of_findings_and_of_sentences() -> None:
    report = lint(
        [["big", "cats"], ["cats"], ["cats"]],
        [["x"], ["x"], ["x", "y"]],
        LinkBatch.of([[], [(0, 0)], [(0, 0)]]),
    )
    assert report.counts()[Check.SOURCE] == (2, 1)
    assert report.counts()[Check.TARGET] == (2, 2)
    assert report.counts()[Check.SCATTERED] == (0, 0)
    assert report.clean == 1
    document = report.to_dict()
    assert document["clean_share"] == pytest.approx(1 / 3)
    assert document["checks"]["target-unaligned"]["segments"] == 2


def test_nothing_at_all_is_clean() -> None:
    assert lint([], [], LinkBatch.of([])).to_dict()["clean_share"] == 1.0


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(
        OptionError, match="no word lists for the language 'xx'; there are en, de, ja"
    ):
        one("a", "b", [], language="xx")


def test_lists_are_lower_case_and_keep_pronouns_apart() -> None:
    for words in LINT_WORDS.values():
        assert words.allowed
        assert words.pronouns
        assert not words.allowed & words.pronouns
        assert all(word == word.lower() for word in words.allowed | words.pronouns)


def test_punctuation_holds_neither_letters_nor_digits() -> None:
    assert all(map(is_punctuation, [".", "...", "--", "、", "。", "«"]))
    assert not any(map(is_punctuation, ["a", "3", "$", "+", "a."]))


def test_a_report_shows_how_much_was_found() -> None:
    words = ["the cat sat", "a b"], ["neko x", "c d"]
    links = LinkBatch.of([[(1, 0)], [(0, 0), (1, 1)]])
    report = lint([text.split() for text in words[0]], [text.split() for text in words[1]], links)
    assert repr(report) == (
        "LintReport(segments=2, clean=1, errors=2, findings=2 (source-unaligned=1, "
        "target-unaligned=1))"
    )
    assert repr(one("a", "b", [(0, 0)])) == "LintReport(segments=1, clean=1, errors=0, findings=0)"


def test_a_check_that_did_not_run_has_no_count_and_a_reason() -> None:
    report = one("I read books", "x y z", [(0, 0), (1, 1), (2, 2)], severities={"scattered": "off"})
    assert report.skipped == {
        Check.PARTICLE: "it needs --target-language ja",
        Check.SCATTERED: "its severity is off",
    }
    assert not set(report.skipped) & set(report.counts())
    checks = report.to_dict()["checks"]
    assert checks["particle-apart"]["findings"] is None
    assert checks["source-unaligned"]["findings"] == 0
    plain = one("x", "y", [(0, 0)], language=None, target_language="ja")
    assert plain.skipped == {Check.PRONOUN: "it needs --language en or de or ja"}
