"""Printed tables that need no data, when what is printed or given changes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.published import PrintedTable, printed_table
from kilter.run.published.published import published
from kilter.run.published.recipe import RecipeRun
from kilter.run.published.worked_table import (
    edit_table,
    linked_table,
    meteor_table,
    order_table,
    path_table,
    perturbation_table,
    precision_table,
    rank_table,
    read_parallel_links,
    reordering_table,
    scaled_table,
    verdict_table,
)
from kilter.stats.resampling import Resampling
from tests.conllu_text import CATS, DOGS, conllu


def run(table: PrintedTable) -> RecipeRun:
    return RecipeRun(table=table, folder=None, resampling=Resampling())


def given(name: str, **changes: object) -> RecipeRun:
    table = printed_table(name)
    return run(replace(table, given={**table.given, **changes}))


def test_orders_are_compared_with_that_of_the_first_row() -> None:
    table = printed_table("lr-1")
    turned = run(replace(table, rows=table.rows[::-1]))
    figures = order_table(turned).figures
    assert figures["d", "kendall"] == figures["d", "hamming"] == 1.0
    assert figures["a", "kendall"] == 0.8


def test_links_decide_tau_and_the_share_of_linked_words() -> None:
    figures = linked_table(given("th-3.2", links="0-0 1-1")).figures
    assert figures["tau", "value"] == 1.0
    assert figures["aligned percentage", "value"] == 4 / 13


def test_precisions_are_those_of_the_given_words() -> None:
    figures = precision_table(given("th-3.3", hypothesis="a b c d", reference="a b c x")).figures
    found = [round(float(str(figures[name, "value"])), 9) for name in ("p1", "p2", "p3")]
    assert found == [0.75, round(2 / 3, 9), 0.5]


def test_meteor_of_equal_sentences_keeps_the_penalty_of_one_chunk() -> None:
    run_of_two = given("th-3.4", links="0-0 1-1", lengths=[2, 2])
    figures = {row: cell for (row, _), cell in meteor_table(run_of_two).figures.items()}
    assert (figures["P"], figures["R"], figures["Fmean"]) == (1.0, 1.0, 1.0)
    assert figures["penalty, exponent 3"] == 0.5 * 0.5**3
    assert figures["score, exponent 1"] == 0.75


def test_equal_trees_take_no_edit_where_links_count() -> None:
    tree = {"words": "a b", "heads": [1, -1]}
    same = given("th-4.2", hypothesis=tree, reference=tree, links="0-0 1-1")
    figures = edit_table(same).figures
    assert [figures[row, "distance"] for row in ("c", "fc", "co", "cl")] == [0] * 4
    assert figures["co", "score"] == 1.0


def test_paths_are_compared_by_their_labels() -> None:
    reference = printed_table("th-5.1").given["reference"]
    flat = {**reference, "labels": " ".join(["X"] * 7)}
    figures = path_table(given("th-5.1", reference=flat)).figures
    assert figures["detective-the", "L"] == 1


def test_sentences_are_reordered_by_their_own_links() -> None:
    table = printed_table("frs-2")
    rows = tuple(replace(row, given={"source": "a b", "links": "1,0"}) for row in table.rows)
    assert reordering_table(run(replace(table, rows=rows))).figures[rows[0].name, "reordering"] == (
        "b a"
    )


def test_steps_are_applied_in_order() -> None:
    table = printed_table("th-6.1")
    rows = tuple(replace(row, given={"steps": [["order", 0, 1]]}) for row in table.rows)
    changed = replace(
        table, rows=rows, given={"text": "one two three.", "capital": {}, "plain": {}}
    )
    figures = perturbation_table(run(changed)).figures
    assert set(figures.values()) == {"Two one three."}


def test_ranks_and_wins_are_taken_over_all_language_pairs() -> None:
    ranks = rank_table(run(printed_table("pef-3"))).figures
    values = [float(str(ranks[row.name, "rank"])) for row in printed_table("pef-3").rows]
    assert sum(values) == 28.0  # of seven metrics: 1 + 2 + ... + 7
    wins = verdict_table(run(printed_table("pc-3"))).figures
    assert all(sum(map(int, str(cell).split("/"))) == 10 for cell in wins.values())


def test_tau_is_scaled_from_the_worst_to_the_best_of_each_language_pair() -> None:
    """Section 14.6: (score - worst) / (best - worst); the first printed column is .160 .157 .150 ... .156."""
    scaled = scaled_table(run(printed_table("pef-scaled"))).figures
    first = {name: figure for (name, column), figure in scaled.items() if column == "1"}
    assert first["Kendall"] == 1.0
    assert first["Hamming"] == 0.0
    assert first["PEFs"] == pytest.approx(0.6)
    assert first["Ulam"] == pytest.approx(0.9)
    eighth = {name: figure for (name, column), figure in scaled.items() if column == "de-en"}
    assert eighth["PEFs"] == 1.0
    assert eighth["FuzzyScore"] == pytest.approx(13 / 22)


# Rule sets on trees with manual links.


def test_rule_sets_are_scored_over_both_parsers(tmp_path: Path) -> None:
    folder = tmp_path / "pud-aligned" / "en-jp"
    folder.mkdir(parents=True)
    (folder / "en.conllu").write_text(conllu(CATS, DOGS), encoding="utf-8")
    straight = [{str(k): [str(k)] for k in range(1, len(each) + 1)} for each in (CATS, DOGS)]
    (folder / "alignment.json").write_text(json.dumps(straight), encoding="utf-8")
    found = published("frs-rules", data=str(tmp_path), resampling=Resampling(resamples=20))
    for column in found.columns:
        assert found.cell("R1 no reordering", column).value == 1.0
        assert found.cell("R2 reverse", column).value == 0.0
    assert found.notes == ("2 sentences",)


def test_links_count_from_one_and_x_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "links.json"
    path.write_text('[{"1": ["2", "3"], "2": ["X"], "X": ["1"]}, {}]', encoding="utf-8")
    links = read_parallel_links(str(path))
    assert [links.segment(k) for k in range(2)] == [[(0, 1), (0, 2)], []]


@pytest.mark.parametrize(
    "text", ["{", '["a"]', '[{"a": ["1"]}]', "3", '[{"1": 2}]', '[{"0": ["1"]}]']
)
def test_what_is_no_list_of_links_is_an_input_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "links.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_parallel_links(str(path))
