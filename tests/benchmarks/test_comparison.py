"""The report beside peers: what it says of agreement, of peers that win, and of those that are not there."""

from pathlib import Path

import pytest

from benchmarks.comparison.contest import CONTESTS, SEPARATE, Row, agreement
from benchmarks.comparison.goals import Goal, measure_goals
from benchmarks.comparison.growth import Growth
from benchmarks.comparison.loads import bitext, permutations, trees
from benchmarks.comparison.measured import Measured, measure
from benchmarks.comparison.own import TOOLS
from benchmarks.comparison.page import Report, write_report
from benchmarks.comparison.peers import TOOLS as PEERS

NAN = float("nan")


def measured(tool: str, seconds: float, *values: float, error: str = "") -> Measured:
    return Measured(
        tool=tool,
        package=f"{tool.split(maxsplit=1)[0]}-package",
        version="" if error else "1",
        seconds=seconds,
        megabytes=50,
        values=values,
        error=error,
    )


def goal(*, bound: float, at_least: bool, measured: float, error: str = "") -> Goal:
    return Goal(
        title="It", bound=bound, unit="times", at_least=at_least, measured=measured, error=error
    )


@pytest.mark.parametrize(
    ("own", "other", "said"),
    [
        ((1.0, 0.5), (1.0, 0.5), "all 2 the same"),
        ((0.5,), (0.5,), "the same"),
        ((0.5,), (0.25,), "0.2500, Kilter 0.5000"),
        ((1.0, 0.5, 0.0), (1.0, 0.5), "2 answers, Kilter 3"),
        ((1.0, 0.5), (1.0, 0.75), "1 of 2 the same, at most 0.250 apart, r 1.000"),
        ((1.0, 1.0), (1.0, 0.75), "1 of 2 the same, at most 0.250 apart"),
    ],
)
def test_agreement_is_said_as_it_is(
    own: tuple[float, ...], other: tuple[float, ...], said: str
) -> None:
    assert agreement(own, other) == said


def test_the_page_says_who_wins_and_who_was_left_out(tmp_path: Path) -> None:
    contest = CONTESTS[0]
    rows = [
        Row(measured=measured(contest.own, 2.0, 0.5), count=100, own_rate=NAN, agreement=""),
        Row(measured=measured("quick", 1.0, 0.5), count=100, own_rate=50, agreement="the same"),
        Row(measured=measured("gone", NAN, error="no such"), count=9, own_rate=50, agreement=""),
    ]
    growth = Growth(name="g", title="It", size="words", unit="s", sizes=(1, 2, 4), costs=(1, 4, 16))
    page = tmp_path / "page.md"
    write_report(
        Report(
            contests=[(contest, rows)],
            growths=[growth],
            startup={"kilter x --help": 250.0, "import kilter": 90.0},
            goals=[
                goal(bound=7, at_least=True, measured=7.5),
                goal(bound=3, at_least=False, measured=4.25),
                goal(bound=3, at_least=False, measured=NAN, error="no such peer"),
            ],
            command="make bench",
            load=(0.5, 0.75),
        ),
        page,
    )
    text = page.read_text(encoding="utf-8")
    assert "* Versions: kilter-package 1; quick-package 1\n" in text
    assert f"* {contest.title}: quick is 2.0 times as fast as Kilter." in text
    assert "| quick | 100 | 100 | 0.5x | 50 | the same |" in text
    assert "| gone | | | | | left out: no such |" in text
    assert "| It | words: 1, 2, 4 | s: 1, 4, 16 | 2.00 | 2.00 |" in text
    assert "Over 200 ms: kilter x --help." in text
    assert "| It | at least 7 times | 7.5 | yes |" in text
    assert "| It | at most 3 times | 4.25 | no |" in text
    assert "| It | at most 3 times | | no such peer |" in text
    assert (tmp_path / "page" / f"{contest.name}.svg").read_text(encoding="utf-8").count("own") == 2
    assert (tmp_path / "page" / "growth-g.svg").is_file()


def test_every_tool_of_a_contest_is_there() -> None:
    assert {contest.own for contest in CONTESTS} == {*TOOLS}
    assert {peer for contest in CONTESTS for peer in contest.peers} == {*PEERS}
    assert {*PEERS} >= SEPARATE


def test_a_tool_that_fails_is_told_and_stops_nothing(tmp_path: Path) -> None:
    absent = measure(tmp_path / "python", "benchmarks.comparison.peers", "zss", {}, rounds=1)
    assert absent.error.startswith("there is no environment")


def test_what_kilter_is_asked_is_what_peers_answer() -> None:
    rows = {"permutations": [[1, 3, 0, 2], [0, 1, 2, 3]]}
    assert list(TOOLS["kilter simple"][1](rows)()) == [1.0, 0.0]
    assert TOOLS["kilter kendall"][1](rows)()[0] == pytest.approx(1 - 3 / 6)
    assert len(permutations(3)["permutations"]) == 3
    # One tree is the other with a leaf renamed, and one word more.
    one = (["a", "b", "c"], [[1, 2], [], []])
    other = (["a", "x", "c", "d"], [[1, 2, 3], [], [], []])
    assert list(TOOLS["kilter dted"][1]({"trees": [(one, other)]})()) == [2.0]
    for names, below in trees(2, length=12)["trees"][0]:
        assert sorted(child for children in below for child in children) == [*range(1, len(names))]
    load = bitext(5)
    for source, target, links in zip(load["source"], load["target"], load["links"], strict=True):
        for one_word, other_word in (link.split("-") for link in links):
            word = target.split()[int(other_word)]
            assert word[1:-1] == source.split()[int(one_word)][1:]


def test_every_goal_has_a_figure_or_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def values(name: str) -> tuple[dict[str, float], str]:
        asked.append(name)
        return ({}, "no scipy") if name == "scores" else ({"beside plain": 6500.0}, "")

    monkeypatch.setattr("benchmarks.comparison.goals._values", values)
    found = measure_goals({"import kilter": 900.0, "kilter x --help": 250.0}, quick=True)
    assert asked == ["scores", "pef", "bootstrap"]
    assert [each.error for each in found[:3]] == ["no scipy"] * 3
    (pef,) = (each for each in found if each.measured == 6500.0)
    assert pef.reached
    assert "quick" in next(each.error for each in found if "Parquet" in each.title)
    assert (found[-1].measured, found[-1].reached) == (250.0, False)
