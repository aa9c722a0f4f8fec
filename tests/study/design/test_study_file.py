"""Descriptions of studies: what they may say, and what is wrong with the others."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.creation import draw_study
from kilter.study.design.study import Presentation, Recruitment
from kilter.study.design.study_file import StudyFileError, mixed_languages, read_study
from tests.study.generated import edited, write_study


def changed(folder: Path, old: str, new: str) -> Path:
    file = write_study(folder) / "study.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "', 'titel = "', "title is missing; add it"),
        ("questionnaires = 2", "questionnaires = 0", "must lie between 1 and 10000"),
        ("questionnaires = 2", 'questionnaires = "2"', "it must be a whole number"),
        ("questionnaires = 2", "questionnaires = true", "it must be a whole number"),
        ('name = "made"', 'name = "Made it"', "write small letters"),
        ("sentences = 450", "sentences = 450\nsentence = 3", "sentence is unknown; did you mean sentences?"),
        ('contact = "c@example.org"', "", r"lacks contact in its table .documents., .* add contact = "),
        ('hypothesis = "sys0.en"', 'hypothesis = "../sys0.en"', "leads out of the folder"),
        ('hypothesis = "sys0.en"', 'hypothesis = "/etc/passwd"', "leads out of the folder"),
        ('system = "sys1"', 'system = "sys0"', "a system and pair of its own"),
        ('pair = "de-en"', 'pair = "German"', "languages such as de-en"),
        ("kilter.study/1", "kilter.study/9", 'schema = "kilter.study/1"'),
        ("schema =", "schema", "is no TOML"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_that_names_the_place(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message) as error:
        read_study(changed(tmp_path, old, new))
    assert str(error.value).startswith(str(tmp_path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('[[composition]]\nitems = 3\nkind = "permutation"\ntype = "order"\nsame_base = true\n',
         "at most 2, and of one type"),
        ('[[composition]]\nitems = 2\nkind = "permutation"\ntype = "order"\nsame_base = true\n',
         "there is room for 0; add translations"),
        ('[[composition]]\nitems = 2\nkind = "pair"\n', "belong together"),
        ('[[composition]]\nitems = 2\nkind = "permutation"\ntype = "turn"\n', "it can be order, swap"),
        ('[[pick]]\ncorpus = "x"\nline = 1\n', "which is no corpus; there are sys0.de-en, sys1.de-en"),
    ],
)  # fmt: skip
def test_a_composition_that_contradicts_itself_is_refused(
    rest: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        read_study(write_study(tmp_path, rest=rest))


def test_what_a_study_does_not_say_is_as_published_and_closed(tmp_path: Path) -> None:
    study = read_study(edited(write_study(tmp_path), ("[pool]\nsentences = 450\n", "")))
    assert (study.pool, study.degrees) == (450, range(1, 19))
    assert study.recruitment == Recruitment(open=False, limit=0)
    assert (study.presentation, study.size) == (Presentation.RANDOM, 50)
    assert (study.languages, study.seed, study.picks) == (("en",), 1, ())


def test_an_instrument_that_shows_sources_needs_a_source_of_every_corpus(tmp_path: Path) -> None:
    own = 'schema = "kilter.instrument/1"\nshows = ["source", "hypothesis"]\n'
    own += '[[question]]\nname = "order"\nkind = "boxes"\n[question.en]\nask = "How good?"\n'
    folder = write_study(tmp_path, options='instrument = "own.toml"')
    (folder / "own.toml").write_text(own, encoding="utf-8")
    with pytest.raises(InputError, match=r"sys0.de-en has none; add source .* 1 more problem"):
        read_study(folder)
    sourced = edited(folder, ("\nreference", '\nsource = "reference.en"\nreference'))
    assert read_study(sourced).instrument.shows == ("source", "hypothesis")


@pytest.mark.parametrize("shared", ["true", "false"])
@pytest.mark.parametrize("translations", [1, 2])
def test_every_base_needs_a_place_among_the_translations_of_its_part(
    shared: str, translations: int, tmp_path: Path
) -> None:
    row = f'[[composition]]\nshared = {shared}\nkind = "permutation"\nsame_base = true\nitems = 2\n'
    rest = row + 'type = "order"\n' + row + 'type = "swap"\n'
    rest += f'[[composition]]\nshared = {shared}\nkind = "translation"\nitems = {translations}\n'
    other = "false" if shared == "true" else "true"
    rest += f'[[composition]]\nshared = {other}\nkind = "translation"\nitems = 9\n'
    folder = write_study(tmp_path, rest=rest)
    if translations == 2:
        assert read_study(folder).size == 15
        return
    with pytest.raises(InputError, match=r"2 rows with same_base .* there is room for 1"):
        read_study(folder)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("secret\n", encoding="utf-8")
    folder = write_study(tmp_path / "study")
    (folder / "sys0.en").unlink()
    (folder / "sys0.en").symlink_to(outside)
    with pytest.raises(InputError, match="is a link out of the folder"):
        read_study(folder)


@pytest.mark.parametrize("seed", [0, 2, 2**53])
def test_a_seed_is_any_number_that_json_holds(seed: int, tmp_path: Path) -> None:
    made = changed(tmp_path, "questionnaires = 2", f"questionnaires = 2\nseed = {seed}")
    assert read_study(made).seed == seed


@pytest.mark.parametrize("seed", [-1, 2**53 + 1])
def test_another_seed_is_refused(seed: int, tmp_path: Path) -> None:
    made = changed(tmp_path, "questionnaires = 2", f"questionnaires = 2\nseed = {seed}")
    with pytest.raises(InputError, match=f"seed is {seed}; it must lie between 0 and {2**53}"):
        read_study(made)


@pytest.mark.parametrize(
    ("old", "new", "low", "high"),
    [
        ("questionnaires = 2", "questionnaires = {}", 1, 10_000),
        ("questionnaires = 2", "questionnaires = 2\nseed = {}", 0, 2**53),
        ('pair = "de-en"', 'pair = "de-en"\nyear = {}', 1900, 2200),
        ("sentences = 450", "sentences = {}", 1, 10**6),
        ("sentences = 450", "sentences = 450\nfirst_degree = 1\nlast_degree = {}", 1, 10**6),
        ("sentences = 450", "sentences = 450\n[recruitment]\nlimit = {}", 0, 10**6),
    ],
)
def test_a_number_is_taken_up_to_its_bounds_and_refused_beyond_them(
    old: str, new: str, low: int, high: int, tmp_path: Path
) -> None:
    for value in (low, high):
        read_study(changed(tmp_path, old, new.format(value)))
    for value in (low - 1, high + 1):
        with pytest.raises(InputError, match=f"is {value}; it must lie between {low} and {high}"):
            read_study(changed(tmp_path, old, new.format(value)))


WRONG = (
    ('name = "made"', 'name = "Made it"'),
    ('title = "', 'titel = "'),
    ("questionnaires = 2", "questionnaires = 0"),
    ("sentences = 450", 'sentences = 450\ntags = "penn"'),
    ('contact = "c@example.org"\ncomplaints = "d@example.org"\n', ""),
    ('hypothesis = "sys0.en"', 'hypothesis = "../sys0.en"'),
    ('reference = "reference.en"', "reference = 7"),
)


def test_everything_that_is_wrong_with_a_study_is_told_at_once(tmp_path: Path) -> None:
    row = '[[composition]]\nitems = 3\nkind = "permutation"\ntype = "order"\nsame_base = true\n'
    pick = '[[pick]]\ncorpus = "x"\nline = 0\n'
    folder = edited(write_study(tmp_path, rest=row + pick), *WRONG)
    with pytest.raises(StudyFileError) as raised:
        read_study(folder)
    where = f"{folder}/study.toml"
    assert [str(problem) for problem in raised.value.problems] == [
        f"{where}: name is 'Made it'; write small letters and perhaps a number, such as wmt14",
        f"{where}: title is missing; add it",
        f"{where}: questionnaires is 0; it must lie between 1 and 10000",
        f"{where}: [pool]: tags is 'penn'; it can be upos, xpos",
        f"{where}: [[corpus]] 1: reference is 7; it must be a text",
        f"{where}: [[corpus]] 1: '../sys0.en' leads out of the folder; copy the file there",
        f"{where}: [[corpus]] 2: reference is 7; it must be a text",
        (
            f"{where}: [[composition]] 1: permutations of one base sentence are at most 2, and of one type; "
            "write several rows"
        ),
        f"{where}: [[pick]] 1: line is 0; it must lie between 1 and 1000000000",
        f"{where}: titel is unknown; did you mean title?",
        (
            f"{where}: lacks contact, complaints in its table [documents], which the bundled documents in 'en' "
            'ask for; add contact = "...", complaints = "..."'
        ),
        (
            f"{where}: 1 rows with same_base need the translations of as many base sentences, but there is "
            "room for 0; add translations"
        ),
    ]
    assert str(raised.value).endswith("(and 11 more problems, which 'kilter survey check' lists)")
    assert raised.value.exit_code == 2


def test_a_fault_is_not_told_again_by_what_depends_on_it(tmp_path: Path) -> None:
    folder = edited(
        write_study(tmp_path), ('name = "made"\n', ""), ("questionnaires = 2", 'interface = "en"')
    )
    with pytest.raises(StudyFileError) as raised:
        read_study(folder)
    told = [
        str(problem).removeprefix(f"{folder}/study.toml: ") for problem in raised.value.problems
    ]
    assert told == [
        "interface is 'en'; it must be a list",
        "name is missing; add it",
        "questionnaires is missing; add it",
    ]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ('["a", "a"]', "groups must be different names"),
        ('["=1"]', "groups must be different names"),
        ('"a"', "it must be a list"),
    ],
)
def test_recruitment_groups_are_different_plain_names(
    groups: str, message: str, tmp_path: Path
) -> None:
    folder = changed(
        tmp_path, "sentences = 450", f"sentences = 450\n[recruitment]\ngroups = {groups}"
    )
    with pytest.raises(InputError, match=message):
        read_study(folder)


def test_a_name_in_rankings_needs_the_rankings(tmp_path: Path) -> None:
    folder = changed(tmp_path, 'system = "sys0"', 'system = "sys0"\nranked_as = "other"')
    with pytest.raises(InputError, match="name rankings, too"):
        read_study(folder)


def test_recruitment_may_say_how_many_people_it_was_advertised_to(tmp_path: Path) -> None:
    table = (
        '[recruitment]\ngroups = ["students", "staff"]\nadvertised = { students = 120, staff = 40 }'
    )
    folder = changed(tmp_path, "sentences = 450", f"sentences = 450\n{table}")
    assert read_study(folder).recruitment.advertised == {"students": 120, "staff": 40}


@pytest.mark.parametrize(
    ("advertised", "message"),
    [
        ("{ others = 3 }", "advertised names others, which is none of groups; there are: students"),
        ('{ students = "many" }', "students is 'many'; it must be a whole number"),
        ("{ students = -1 }", "students is -1; it must lie between 0 and"),
    ],
)
def test_people_advertised_to_are_counted_by_group(
    advertised: str, message: str, tmp_path: Path
) -> None:
    table = f'[recruitment]\ngroups = ["students"]\nadvertised = {advertised}'
    folder = changed(tmp_path, "sentences = 450", f"sentences = 450\n{table}")
    with pytest.raises(StudyFileError, match=re.escape(message)):
        read_study(folder)


ROW = '[[composition]]\nitems = 3\nkind = "translation"\n'


def two_targets(folder: Path, rest: str) -> Path:
    """Return the folder of a study of two corpora, into English and into German."""
    file = write_study(folder, rest=rest) / "study.toml"
    text = file.read_text(encoding="utf-8")
    old, new = (f'system = "sys1"\npair = "{pair}"' for pair in ("de-en", "en-de"))
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return folder


@pytest.mark.parametrize("rest", ["", ROW, ROW + 'pair = "de-en"\n' + ROW])
def test_target_languages_are_not_mixed_by_accident(rest: str, tmp_path: Path) -> None:
    (problem,) = mixed_languages(read_study(two_targets(tmp_path, rest)))
    assert str(problem) == (
        f"{tmp_path / 'study.toml'}: corpora are in en and de, and a questionnaire would mix them; write pair = "
        '"de-en" or "en-de" in each row of [[composition]], or pair = "any" to mix them on purpose'
    )
    with pytest.raises(StudyFileError, match="a questionnaire would mix them"):
        draw_study(tmp_path)


def test_target_languages_are_mixed_on_purpose(tmp_path: Path) -> None:
    mixed = read_study(two_targets(tmp_path / "any", ROW + 'pair = "any"\n'))
    assert mixed.target_languages == ("en", "de")
    assert mixed_languages(mixed) == []
    one = read_study(two_targets(tmp_path / "one", ROW + 'pair = "en-de"\n'))
    assert one.target_languages == ("de",)
    assert "sentences in German" in " ".join(one.documents()["en"].information)


def test_sources_of_one_target_language_need_no_pair(tmp_path: Path) -> None:
    file = two_targets(tmp_path, ROW) / "study.toml"
    text = file.read_text(encoding="utf-8").replace('pair = "en-de"', 'pair = "cs-eng"')
    file.write_text(text, encoding="utf-8")
    study = read_study(tmp_path)
    assert {corpus.pair for corpus in study.corpora} == {"de-en", "cs-eng"}
    assert mixed_languages(study) == []


def test_a_pair_without_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        StudyFileError, match="pair is 'fr-en', of which there is no corpus; it can be de-en"
    ):
        read_study(write_study(tmp_path, rest=ROW + 'pair = "fr-en"\n'))


def test_bases_need_translations_of_their_own_pair(tmp_path: Path) -> None:
    base = '[[composition]]\nitems = 2\nkind = "permutation"\ntype = "order"\nsame_base = true\n'
    rest = base + 'pair = "de-en"\n' + ROW + 'pair = "en-de"\n'
    with pytest.raises(StudyFileError, match="there is room for 0; add translations"):
        read_study(two_targets(tmp_path, rest))


def test_boxes_may_have_no_numbers(tmp_path: Path) -> None:
    usual = read_study(write_study(tmp_path / "usual"))
    plain = read_study(write_study(tmp_path / "plain", options="box_numbers = false"))
    for study, numbered in ((usual, True), (plain, False)):
        asked = [*study.instrument.questions, *study.questions]
        assert {each.numbered for each in asked} == {numbered}
    assert [replace(each, numbered=True) for each in plain.questions] == [*usual.questions]
