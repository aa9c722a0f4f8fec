"""Every problem of the inputs, found at once."""

from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import OptionError
from kilter.run.demo import SAMPLE
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.validate import validate


def written(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def test_the_sample_has_no_problem() -> None:
    report = validate(
        systems=[str(SAMPLE / "verb.en")],
        references=[str(SAMPLE / "reference.en"), str(SAMPLE / "reference2.en")],
        source=str(SAMPLE / "source.de"),
    )
    assert (report.problems, report.files, report.segments, report.empty) == ([], 4, 48, 0)


def test_problems_are_listed_file_by_file(tmp_path: Path) -> None:
    reference = written(tmp_path, "r", b"a b\nc\n")
    bad = written(tmp_path, "bad", b"a\r\n\xff\n")
    long = written(tmp_path, "long", b"a\nb\nc\n")
    report = validate(systems=[bad, long, "nowhere"], references=[reference])
    assert [problem.split(": ")[0] for problem in report.problems] == [
        f"{bad}:1",
        f"{bad}:2",
        "nowhere",
        long,
    ]
    assert report.files == 4


def test_links_are_checked_against_their_own_pair(tmp_path: Path) -> None:
    first, second = written(tmp_path, "r1", b"a b c\n"), written(tmp_path, "r2", b"a\n")
    system = written(tmp_path, "s", b"a b\n")
    links = written(tmp_path, "l", b"0-2\n")
    report = validate(systems=[system], references=[first, second], links=[links, links])
    (problem,) = report.problems
    assert problem.startswith(
        f"{links}:1: link 0-2 points past the 1 word of the reference, counted from 0; "
    )


def test_given_links_count_the_words_of_the_tokeniser(tmp_path: Path) -> None:
    text = written(tmp_path, "t", b"a, b.\n")
    other = written(tmp_path, "u", b"a, b.\n")
    links = written(tmp_path, "l", b"0-0 3-3\n")
    assert validate(systems=[text], references=[other], links=[links]).problems == []
    stand = validate(systems=[text], references=[other], links=[links], tokenize="none")
    assert len(stand.problems) == 1


def test_a_file_that_is_both_system_and_reference_is_read_once(tmp_path: Path) -> None:
    text = written(tmp_path, "t", b"a\n\n")
    report = validate(systems=[text], references=[text])
    assert (report.problems, report.files, report.segments, report.empty) == ([], 1, 2, 1)


def test_the_same_system_or_reference_twice_is_a_problem(tmp_path: Path) -> None:
    text, other = written(tmp_path, "t", b"a\n"), str(tmp_path / "." / "x" / ".." / "t")
    (tmp_path / "x").mkdir()
    (tmp_path / "link").symlink_to(text)
    assert validate(systems=[text, text]).problems == [f"{text}: is given twice"]
    assert validate(references=[text, other]).problems == [
        f"{other}: is given twice, first as {text}"
    ]
    linked = str(tmp_path / "link")
    assert validate(systems=[text, linked]).problems == [
        f"{linked}: is given twice, first as {text}"
    ]


@pytest.fixture
def pair(tmp_path: Path) -> dict[str, Any]:
    """Return a system of 2 and 1 words, its reference of 3 and 1, and a source of 1 and 1."""
    return {
        "systems": [written(tmp_path, "s", b"a b\nc\n")],
        "references": [written(tmp_path, "r", b"a b c\nd\n")],
        "source": written(tmp_path, "x", b"x\ny\n"),
    }


def test_source_links_are_checked(pair: dict[str, Any], tmp_path: Path) -> None:
    good = written(tmp_path, "good", b"0-0 0-1\n0-0\n")
    bad = written(tmp_path, "bad", b"0-0\n1-0 0-1\n")
    fine = validate(**pair, source_hypothesis=[good], source_reference=[good])
    assert (fine.problems, fine.files) == ([], 5)
    for side, noun in (("hypothesis", "system"), ("reference", "reference")):
        option = f"source_{side}"
        report = validate(**{**pair, option: [bad]})
        assert [problem.partition(", counted")[0] for problem in report.problems] == [
            f"{bad}:2: link 1-0 points past the 1 word of the source",
            f"{bad}:2: link 0-1 points past the 1 word of the {side}",
        ]
        report = validate(**{**pair, option: [good, good]})
        assert report.problems == [f"2 files of source-{side} links for 1 {noun}; give 1"]
        report = validate(**{**pair, "source": None, option: [good]})
        assert report.problems == [f"source-{side} links need the source text; add -s FILE"]


def test_source_links_count_the_words_of_the_tokeniser(tmp_path: Path) -> None:
    text, source = written(tmp_path, "t", b"a, b.\n"), written(tmp_path, "u", b"x, y.\n")
    links = written(tmp_path, "l", b"3-3\n")
    files: dict[str, Any] = {"systems": [text], "source": source, "source_hypothesis": [links]}
    assert validate(**files).problems == []
    report = validate(**files, tokenize="none")
    assert "points past the 2 words of the source" in report.problems[0]


def test_words_with_several_links_are_a_problem_of_the_default_rule(
    pair: dict[str, Any], tmp_path: Path
) -> None:
    links = written(tmp_path, "l", b"0-0 1-1 1-2\n0-0\n")
    (problem,) = validate(**pair, links=[links]).problems
    assert problem == (
        f"{links}:1: word 1 of the hypothesis is linked with words 1 and 2 of the reference, counted "
        "from 0; metrics of order take one link a word under the rule one-to-one; choose what several "
        "links mean, such as the mean of their places with --order-rule mean"
    )
    assert validate(**pair, links=[links], rule="mean").problems == []
    with pytest.raises(OptionError, match="rule is 'x'"):
        validate(**pair, links=[links], rule="x")


def test_words_with_several_links_are_reported_once_a_file(
    pair: dict[str, Any], tmp_path: Path
) -> None:
    pair["references"] = [written(tmp_path, "wide", b"a b c\nd e\n")]
    links = written(tmp_path, "l", b"0-0 0-1\n0-0 0-1\n")
    (problem,) = validate(**pair, links=[links]).problems
    assert problem.startswith(f"{links}:1: word 0 of the hypothesis ")
    assert ", counted from 0 (and in 1 more segment); " in problem


def test_links_joined_through_the_source_are_checked(pair: dict[str, Any], tmp_path: Path) -> None:
    first, second = (
        written(tmp_path, "one", b"0-0\n0-0\n"),
        written(tmp_path, "two", b"0-0 0-1\n\n"),
    )
    given = {**pair, "source_hypothesis": [first], "source_reference": [second]}
    assert validate(**given).problems == []
    (problem,) = validate(**given, through_source=True).problems
    assert problem.startswith(
        f"{first}:1 joined with {second}:1: word 0 of the hypothesis is linked"
    )
    assert validate(**given, through_source=True, rule="birch").problems == []
    with pytest.raises(OptionError, match="links through the source need source-hypothesis"):
        validate(**pair, through_source=True)


def test_source_links_of_a_broken_text_are_checked_by_themselves(
    pair: dict[str, Any], tmp_path: Path
) -> None:
    broken = written(tmp_path, "broken", b"\xff\n\n")
    links = written(tmp_path, "l", b"0-0\nx\n")
    report = validate(**{**pair, "source": broken}, source_hypothesis=[links])
    assert [problem.split(": ")[0] for problem in report.problems] == [f"{broken}:1", f"{links}:2"]


SEVERAL = b"0-0 0-1\n"


def test_words_with_several_links_stop_the_metrics_that_take_an_order(tmp_path: Path) -> None:
    text, other = written(tmp_path, "t", b"a b\n"), written(tmp_path, "u", b"a a\n")
    links = written(tmp_path, "l", SEVERAL)
    for metrics in (None, "kendall", "all", ["tau", "sen"]):
        (problem,) = validate([text], [other], links=[links], metrics=metrics).problems
        assert "word 0 of the hypothesis is linked with words 0 and 1" in problem
    assert validate([text], [other], links=[links], metrics=["tau", "bleu"]).problems == []


def test_metrics_that_lack_their_inputs_are_refused_as_score_refuses_them(tmp_path: Path) -> None:
    text, other = written(tmp_path, "t", b"a b\n"), written(tmp_path, "u", b"a a\n")
    with pytest.raises(OptionError, match="crossings needs source-links"):
        validate([text], [other], metrics="crossings")
    with pytest.raises(OptionError, match="there is no metric 'kendal'"):
        validate([text], metrics="kendal")


TREE = b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\ta\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"


def test_trees_that_are_given_are_those_of_the_run(tmp_path: Path) -> None:
    text, other = written(tmp_path, "t", b"a a\n"), written(tmp_path, "u", b"a a\n")
    tree = written(tmp_path, "v", TREE)
    given: dict[str, Any] = {"trees": [tree], "trees_reference": [written(tmp_path, "w", TREE)]}
    # German has no embedded parser: with the trees there is nothing to parse.
    assert validate([text], [other], metrics="dted", language="de", **given).problems == []
    with pytest.raises(OptionError, match="English only, not de"):
        validate([text], [other], metrics="dted", language="de")
    with pytest.raises(OptionError, match="parser model would have nothing to do"):
        validate([text], [other], parser="model", **given)


@pytest.mark.parametrize("name", ["aligner", "parser"])
def test_a_maker_that_there_is_not_is_refused_whatever_is_checked(
    name: str, tmp_path: Path
) -> None:
    chosen: dict[str, Any] = {name: "none"}
    text = written(tmp_path, "t", b"a b\n")
    with pytest.raises(OptionError, match=f"there is no {name} 'none'"):
        validate([text], **chosen)


def test_settings_are_those_of_the_run_that_score_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, other = written(tmp_path, "t", b"A b\n\n"), written(tmp_path, "u", b"a a\n\n")
    made: list[Settings] = []
    monkeypatch.setattr(Run, "of", lambda _texts, settings: made.append(settings))
    validate([text], [other], language="en", metrics=["bleu"], aligner=["match", "ribes"])
    assert made == [Settings(metrics=("bleu",), aligner=("match", "ribes"), language="en")]
    monkeypatch.undo()
    (problem,) = validate([text], [other], empty="stop").problems
    assert "the line is empty" in problem
