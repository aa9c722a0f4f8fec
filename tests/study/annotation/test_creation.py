"""Projects made of texts: what is proposed, who has what, and everything that is wrong at once."""

import json
import stat
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterError, KilterWarning, OptionError
from kilter.study.annotation.creation import create_project, named_people
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import KEY_FILE, Role
from tests.study.annotation.projects import SOURCE, TARGET, texts


def test_an_aligner_proposes_links_with_its_certainty(tmp_path: Path) -> None:
    new = replace(texts(tmp_path, source=["the old cat"], target=["a cat"]), links="match")
    (sentence,) = create_project(tmp_path / "project", new).sentences
    assert sentence.proposals == (DrawnLink(2, 1, proposed=True, certainty=1.0),)
    hmm = create_project(tmp_path / "other", replace(new, links="hmm:iterations=2"))
    assert hmm.sentences[0].proposals
    assert all(0 < (link.certainty or 0) <= 1 for link in hmm.sentences[0].proposals)


def test_a_file_proposes_sure_and_possible_links(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-1 1p0\n\n1-2\n", encoding="utf-8")
    new = replace(texts(tmp_path), links=str(tmp_path / "links"), link_format="sure-possible")
    made = create_project(tmp_path / "project", new)
    assert made.sentences[0].proposals == (
        DrawnLink(0, 1, proposed=True),
        DrawnLink(1, 0, sure=False, proposed=True),
    )
    assert made.sentences[1].proposals == ()


def test_without_translations_annotators_write_them(tmp_path: Path) -> None:
    new = replace(texts(tmp_path), target=None, tokenize="13a")
    made = create_project(tmp_path / "project", new)
    assert [each.translation for each in made.sentences] == ["", "", ""]
    assert [each.source for each in made.sentences] == SOURCE


def test_annotators_write_the_translations_of_empty_lines(tmp_path: Path) -> None:
    target = ["", "a cat", ""]
    new = replace(texts(tmp_path, source=["a dog", "a cat", "birds"], target=target), links="match")
    made = create_project(tmp_path / "project", new)
    assert [each.translation for each in made.sentences] == target
    assert [len(each.proposals) for each in made.sentences] == [0, 2, 0]
    hmm = create_project(tmp_path / "other", replace(new, links="hmm"))
    assert [bool(each.proposals) for each in hmm.sentences] == [False, True, False]
    with pytest.raises(InputError, match="is empty"):
        create_project(tmp_path / "third", replace(new, fixed_translation=True))


def test_words_are_those_of_the_tokenisers(tmp_path: Path) -> None:
    new = texts(tmp_path, source=["Cats, dogs."], target=["猫と 犬"])
    made = create_project(
        tmp_path / "project", replace(new, tokenize="13a", target_tokenize="char")
    )
    assert made.sentences[0].words == ("Cats", ",", "dogs", ".")
    assert made.target_words(made.sentences[0].translation) == ["猫", "と", "犬"]


def test_everything_that_is_wrong_is_told_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    new = replace(
        texts(tmp_path, target=TARGET[:2]),
        annotators=("A", "a b"),
        adjudicators=("A",),
        per_sentence=3,
        tokenize="nothing",
        links=str(tmp_path / "no-links"),
    )
    with pytest.raises(KilterError) as error:
        create_project(tmp_path / "project", new)
    told = "\n".join([str(error.value), *error.value.__notes__])
    for reason in ("'a b' is no name", "A stands there twice", "--per-sentence is 3",
                   "no tokeniser 'nothing'", "has 2 lines", "there is no such file, and no such aligner"):  # fmt: skip
        assert reason in told
    assert told.count("a b") == 1
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize(
    ("per_sentence", "fits"), [(0, False), (1, True), (2, True), (3, False), (None, True)]
)
def test_a_sentence_has_one_annotator_or_all_of_them_or_so_many(
    per_sentence: int | None, *, fits: bool, tmp_path: Path
) -> None:
    new = replace(texts(tmp_path), annotators=("A", "B"), per_sentence=per_sentence)
    with nullcontext() if fits else pytest.raises(OptionError, match="there are 2 annotators"):
        create_project(tmp_path / "project", new)


def test_sentences_and_links_that_cannot_be_annotated_are_all_told(tmp_path: Path) -> None:
    source = ["a", "", "b " * 501, "x" * 10_001]
    (tmp_path / "links").write_text("5-0\n\n\n0-9\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        create_project(tmp_path / "project", texts(tmp_path, source=source, target=["y"] * 4))
    told = [str(error.value), *error.value.__notes__]
    assert [line.partition("source:")[2].partition(" ")[0] for line in told] == ["2:", "3:", "4:"]
    good = replace(
        texts(tmp_path, source=["a"] * 4, target=["y"] * 4), links=str(tmp_path / "links")
    )
    with pytest.raises(InputError, match="5-0") as error:
        create_project(tmp_path / "project", replace(good, link_format="pharaoh"))
    assert "0-9" in error.value.__notes__[0]
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"target": None, "links": "hmm"}, "--links needs -t"),
        ({"target": None, "fixed_translation": True}, "--fixed-translation goes with -t"),
        ({"links": "hmm:nothing=1"}, "nothing"),
        ({"links": "hmm", "link_format": "pharaoh"}, "--link-format"),
        ({"annotators": ()}, "nobody annotates"),
        ({"source_language": "klingon"}, "--source-language is 'klingon'"),
        ({"target_language": ""}, "--target-language is ''"),
        ({"links": "hm"}, "'hm': there is no such file, and no such aligner; aligners are .*hmm"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    with pytest.raises(OptionError, match=reason):
        create_project(tmp_path / "project", replace(texts(tmp_path), **change))  # type: ignore[arg-type]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "mine").touch()
    with pytest.raises(InputError, match="not empty"):
        create_project(tmp_path / "project", texts(tmp_path))
    assert [path.name for path in (tmp_path / "project").iterdir()] == ["mine"]


def test_a_language_that_the_linter_does_not_know_is_warned_of(tmp_path: Path) -> None:
    new = replace(texts(tmp_path), source_language="en_GB", target_language="fi")
    with pytest.warns(KilterWarning, match="--target-language fi: .* it knows en, de, ja"):
        create_project(tmp_path / "project", new)


def test_each_project_has_a_secret_of_its_own(tmp_path: Path) -> None:
    found = set()
    for name in ("one", "other"):
        create_project(tmp_path / name, texts(tmp_path))
        path = tmp_path / name / KEY_FILE
        found.add(json.loads(path.read_text(encoding="utf-8"))["secret"])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(found) == 2


def test_people_are_numbered_or_named() -> None:
    assert named_people("3", Role.ANNOTATOR) == ("annotator-1", "annotator-2", "annotator-3")
    assert named_people("1", Role.ADJUDICATOR) == ("adjudicator",)
    assert named_people("0", Role.ADJUDICATOR) == ()
    assert named_people("Ada, Bo", Role.ANNOTATOR) == ("Ada", "Bo")
    with pytest.raises(OptionError, match="up to 1000"):
        named_people("9" * 5000, Role.ANNOTATOR)
