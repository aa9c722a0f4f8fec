"""Rule sets on trees with manual links."""

import json
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.published.published import published
from kilter.run.published.worked_table import read_parallel_links
from kilter.stats.resampling import Resampling
from tests.conllu_text import CATS, DOGS, conllu


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
