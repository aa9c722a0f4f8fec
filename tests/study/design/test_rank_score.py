"""Rank scores of a pool, against equation 6.1 written out."""

from fractions import Fraction
from pathlib import Path

import pytest

from kilter.study.design.creation import create, draw_study
from kilter.study.design.study_file import StudyFileError
from tests.study.generated import edited, write_study

HEAD = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank"


def study(folder: Path, *rows: str, head: str = HEAD, more: str = "") -> Path:
    made = write_study(folder, rest='[[composition]]\nitems = 40\nkind = "translation"\n')
    (made / "rankings.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return edited(made, ('pair = "de-en"', f'pair = "de-en"\nrankings = "rankings.csv"{more}'))


def test_a_sentence_has_the_mean_of_its_ranks_over_tasks(tmp_path: Path) -> None:
    folder = study(
        tmp_path,
        "German,English,1,a,sys0,sys1,third,1,3,2",
        "German,English,1,b,sys1,sys0,third,1,2,2",
        "German,English,4,a,third,sys0,sys1,2,-1,1",
        "Czech,English,4,a,third,sys0,sys1,1,2,3",
    )
    items = {item.id: item.rank_score for item in create(folder).design.items}
    third = Fraction(1, 3)
    wanted = {
        "made_sys0.de-en #1": (1 + (1 - third)) / 2,
        "made_sys1.de-en #1": ((1 - 2 * third) + 1) / 2,
        "made_sys1.de-en #4": Fraction(1),
    }
    found = {name: score for name, score in items.items() if score is not None}
    assert found == pytest.approx({name: float(wanted[name]) for name in found})
    assert {*found} == {*wanted} & {*items} != set()


@pytest.mark.parametrize(("is_same", "texts"), [(False, 3), (True, 2)])
def test_equal_texts_of_a_task_count_once(*, is_same: bool, texts: int, tmp_path: Path) -> None:
    folder = study(tmp_path, "German,English,1,a,sys0,sys1,third,2,2,1")
    if is_same:
        for ending in ("en", "conllu"):
            same = (folder / f"sys0.{ending}").read_bytes()
            (folder / f"sys1.{ending}").write_bytes(same)
    total = draw_study(folder).pool.total
    assert total.ranked == 2
    assert total.rank_score == pytest.approx(1 - 1 / texts)


def test_only_translations_have_rank_scores(tmp_path: Path) -> None:
    rows = [f"German,English,{line},a,sys0,sys1,x,1,2,3" for line in range(1, 41)]
    row = '[[composition]]\nitems = {}\nkind = "{}"\n'
    folder = study(tmp_path, *rows)
    rest = row.format(4, "permutation") + 'type = "order"\n' + row.format(4, "shuffled")
    edited(folder, ("items = 40", "items = 8"))
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(rest)
    kinds = {(item.kind, item.rank_score is not None) for item in create(folder).design.items}
    assert kinds == {("translation", True), ("permutation", False), ("shuffled", False)}


def test_rankings_without_languages_are_of_the_one_pair(tmp_path: Path) -> None:
    head = HEAD.removeprefix("srclang,trglang,")
    folder = study(tmp_path, "1,a,sys0,sys1,x,1,2,3", head=head)
    assert draw_study(folder).pool.total.ranked == 2


def test_a_system_may_have_another_name_in_rankings(tmp_path: Path) -> None:
    folder = study(tmp_path, "German,English,1,a,newstest2013.de-en.uedin,sys1,x,1,2,3")
    with pytest.raises(
        StudyFileError, match=r"ranks no system 'sys0' for de-en; it has .*ranked_as"
    ):
        draw_study(folder)
    edited(folder, ('system = "sys0"', 'system = "sys0"\nranked_as = "uedin"'))
    assert draw_study(folder).pool.total.ranked == 2


def test_what_is_wrong_with_rankings_is_told_beside_everything_else(tmp_path: Path) -> None:
    folder = study(tmp_path, "German,English,1,a,sys0,sys1,x,1,9,3")
    (folder / "sys1.en").unlink()
    edited(folder, ("questionnaires = 2", "questionnaires = 0"))
    with pytest.raises(StudyFileError) as raised:
        draw_study(folder)
    told = " | ".join(map(str, raised.value.problems))
    assert len(raised.value.problems) == 3
    assert "questionnaires is 0" in told
    assert "sys1.en: cannot be opened" in told
    assert "rankings.csv:2: system2rank is '9'; a rank is a whole number from 1 to 5" in told


def test_a_file_without_ranks_and_rankings_beyond_the_texts_are_told(tmp_path: Path) -> None:
    folder = study(tmp_path, "1,2", head="segment,better")
    with pytest.raises(
        StudyFileError, match=r"holds no rankings: .*its columns are segment, better"
    ):
        draw_study(folder)
    folder = study(tmp_path / "text", "a dog ran", head="the cat saw the cat")
    with pytest.raises(StudyFileError, match=r"holds no rankings: .*its columns are the, cat, saw"):
        draw_study(folder)
    folder = study(tmp_path / "long", "German,English,41,a,sys0,sys1,x,1,2,3")
    notes = draw_study(folder).design.notes
    assert any("1 ranked segment of" in note and "the first 41" in note for note in notes)
