"""Questionnaires obey the composition table of section 12.4."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.preordering.perturbations.word import Chance
from kilter.study.design.item import Item
from kilter.study.design.pool import Pool, read_corpus
from kilter.study.design.sampling import Design, Sampler, lazily_shuffled
from kilter.study.design.study import Study
from kilter.study.design.study_file import StudyFileError, read_study
from tests.study.generated import edited, write_study
from tests.thorough import examples, tried

TYPES = ("order", "swap", "phrase", "choice")
COUNT = tried(36, quick=6)  # questionnaires of the published study


def drawn(study: Study) -> Design:
    return Sampler(study, Pool.of(study, [read_corpus(files) for files in study.corpora])).design()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """Return the published study: 36 questionnaires of 50 items, or in `make test` fewer."""
    folder = write_study(
        tmp_path_factory.mktemp("published"),
        lines=tried(500, quick=120),
        systems=4,
        questionnaires=COUNT,
        pool=tried(450, quick=120),
    )
    return drawn(read_study(folder))


def shown(design: Design, number: int) -> list[Item]:
    items = {item.id: item for item in design.items}
    return [items[name] for name in design.questionnaires[number].items]


def test_the_published_study_satisfies_every_wish(published: Design) -> None:
    assert published.notes == published.unmet == ()
    assert len(published.questionnaires) == COUNT


@pytest.mark.parametrize("number", range(COUNT))
def test_a_questionnaire_has_every_row_of_the_table(published: Design, number: int) -> None:
    items = shown(published, number)
    assert len(items) == len({item.id for item in items}) == 50
    for shared, size, translations, others in ((True, 20, 10, 2), (False, 30, 15, 7)):
        part = [item for item in items if item.shared is shared]
        assert len(part) == size
        translated = {item.id for item in part if item.kind == "translation"}
        assert len(translated) == translations
        permuted = [item for item in part if item.kind == "permutation"]
        per_base = Counter((item.base, item.type) for item in permuted)
        double = {key for key, count in per_base.items() if count == 2}
        # One base for each type, each with its translation beside it; the rest have bases of their own.
        assert {*TYPES} <= {kind for _, kind in double}
        for kind in TYPES:
            assert any(base in translated for base, other in double if other == kind)
        assert len(permuted) == 2 * len(TYPES) + others
        # Each permutation, random ones included, stands beside the translation of its sentence.
        beside = items if not shared else part
        assert {item.base for item in permuted} <= {
            item.id for item in beside if item.kind == "translation"
        }


@pytest.mark.parametrize("number", range(COUNT))
def test_no_base_has_more_than_two_permutations(published: Design, number: int) -> None:
    permuted = [item for item in shown(published, number) if item.kind == "permutation"]
    assert max(Counter(item.base for item in permuted).values()) == 2
    degrees = Counter((item.base, item.type, item.degree) for item in permuted)
    assert set(degrees.values()) == {1}


def test_unique_items_are_in_one_questionnaire_and_shared_ones_in_all(published: Design) -> None:
    seen = Counter(name for entry in published.questionnaires for name in entry.items)
    for item in published.items:
        assert seen[item.id] == (COUNT if item.shared else 1)
    assert len(published.items) == 20 + COUNT * 30


def test_a_reference_is_shown_again_only_with_its_own_permutations(published: Design) -> None:
    for number in range(COUNT):
        owners: dict[str, set[str]] = {}
        for item in shown(published, number):
            owners.setdefault(item.reference, set()).add(item.base or item.id)
        assert {len(names) for names in owners.values()} == {1}


def test_every_questionnaire_has_an_order_of_its_own(published: Design) -> None:
    shared = {item.id for item in published.items if item.shared}
    orders = {
        tuple(name for name in entry.items if name in shared) for entry in published.questionnaires
    }
    assert len(orders) == COUNT


def test_random_permutations_are_of_all_types_and_many_degrees(published: Design) -> None:
    permuted = [item for item in published.items if item.kind == "permutation"]
    assert {item.type for item in permuted} == {*TYPES}
    assert len({item.degree for item in permuted}) >= 8
    assert all(item.steps for item in permuted)


def test_random_permutations_have_each_type_with_equal_chance(tmp_path: Path) -> None:
    rest = TRANSLATIONS.format(20) + PERMUTATIONS.format(20, "random")
    count = tried(12, quick=3)
    folder = write_study(tmp_path, lines=60, systems=4, questionnaires=count, rest=rest, pool=60)
    design = drawn(read_study(folder))
    assert design.unmet == ()
    permuted = [item for item in design.items if item.kind == "permutation"]
    counts = Counter(item.type for item in permuted)
    allowed = {  # how often a type could have been drawn
        kind: sum(kind in possible for possible in map(_possible(folder), permuted))
        for kind in TYPES
    }
    expected = Counter[str]()
    for possible in map(_possible(folder), permuted):
        expected.update(dict.fromkeys(possible, 0))
        for kind in possible:
            expected[kind] += 1 / len(possible)  # type: ignore[assignment]
    assert len(permuted) == 20 * count
    assert all(allowed[kind] > 100 * count / 12 for kind in TYPES)
    square = sum((counts[kind] - expected[kind]) ** 2 / expected[kind] for kind in TYPES)
    assert square < 16.3  # chi-squared with 3 degrees of freedom: one in a thousand


def _possible(folder: Path) -> Callable[[Item], tuple[str, ...]]:
    """Return a function that names the types of which the sentence of an item has a permutation."""
    study = read_study(folder)
    pool = Pool.of(study, [read_corpus(files) for files in study.corpora])
    sentences = {pool.id(sentence): sentence for sentence in pool.sentences}

    @cache
    def of_base(base: str) -> tuple[str, ...]:
        return tuple(
            kind
            for kind in TYPES
            if any(
                pool.permutation(sentences[base], kind, degree).text is not None
                for degree in study.degrees
            )
        )

    return lambda item: of_base(item.base or "")


def test_both_kinds_of_change_of_the_pilot_can_be_asked_for(tmp_path: Path) -> None:
    rest = TRANSLATIONS.format(4) + PERMUTATIONS.format(3, "both")
    rest += PERMUTATIONS.format(2, "both") + "same_base = true\n"
    design = drawn(read_study(write_study(tmp_path, rest=rest, pool=40)))
    assert design.unmet == ()
    assert {item.type for item in design.items if item.type} == {"both"}


def test_the_same_seed_draws_the_same_study_and_another_seed_another(tmp_path: Path) -> None:
    designs = [
        drawn(read_study(write_study(tmp_path / str(place), options=f"seed = {seed}", pool=20)))
        for place, seed in enumerate([5, 5, 6])
    ]
    assert designs[0] == designs[1]
    assert designs[0] != designs[2]


def test_a_pool_that_binds_gives_two_permutations_of_a_sentence_and_no_third(
    tmp_path: Path,
) -> None:
    row = '[[composition]]\nitems = 2\nkind = "permutation"\ntype = "order"\n'
    rest = row + "shared = true\n" + 3 * row
    study = read_study(write_study(tmp_path, lines=3, systems=1, questionnaires=2, rest=rest))
    design = drawn(study)
    for number in range(2):
        listed = shown(design, number)
        counts = Counter(item.base for item in listed)
        # Eight are wanted of three sentences, of which each has eighteen: six can be had.
        assert counts == dict.fromkeys(counts, 2)
        assert len(counts) == 3
        assert len({item.id for item in listed}) == 6
    missing = [note for note in design.notes if "the pool has not enough for 2 x" in note]
    assert {note.partition(":")[0] for note in missing} == {"questionnaire 1", "questionnaire 2"}


def test_what_a_small_pool_cannot_give_is_said(tmp_path: Path) -> None:
    design = drawn(read_study(write_study(tmp_path, lines=12, systems=1, questionnaires=3)))
    assert any("has 12 usable sentences, not the 450 of the pool" in note for note in design.notes)
    assert any("the pool has not enough for 15 x translation" in note for note in design.notes)
    seen = Counter(name for entry in design.questionnaires for name in entry.items)
    assert all(seen[item.id] == 1 for item in design.items if not item.shared)


ROWS = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(["translation", "order", "swap", "phrase", "choice", "random"]),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@examples(40)
@given(rows=ROWS, seed=st.integers(0, 1000), questionnaires=st.integers(1, 4))
def test_any_composition_is_satisfied_or_explained(
    rows: list[tuple[int, str, bool, bool]],
    seed: int,
    questionnaires: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    composition, wanted = "", Counter[tuple[str, bool]]()
    bases = Counter(shared for _, kind, base, shared in rows if base and kind in TYPES)
    for shared, count in bases.items():
        rows = [*rows, (count, "translation", False, shared)]
    for items, kind, base, shared in rows:
        same = base and kind in TYPES
        size = min(items, 2) if same else items
        wanted["translation" if kind == "translation" else "permutation", shared] += size
        composition += f"[[composition]]\nitems = {size}\nshared = {str(shared).lower()}\n"
        if kind == "translation":
            composition += 'kind = "translation"\n'
        else:
            composition += (
                f'kind = "permutation"\ntype = "{kind}"\nsame_base = {str(same).lower()}\n'
            )
    folder = write_study(
        tmp_path_factory.mktemp("any"),
        options=f"seed = {seed}",
        rest=composition,
        pool=30,
        questionnaires=questionnaires,
    )
    design = drawn(read_study(folder))
    for number in range(questionnaires):
        listed = shown(design, number)
        found = Counter((item.kind, item.shared) for item in listed)
        assert (found == wanted) == (
            not any(
                lack.startswith(f"questionnaire {number + 1}: ") and lack.endswith("are missing")
                for lack in design.unmet
            )
        )
        assert not design.unmet or design.notes
        assert all(found[key] <= wanted[key] for key in found)
        permuted = Counter(item.base for item in listed if item.kind == "permutation")
        assert max(permuted.values(), default=0) <= 2
        if any(kind == "translation" for _, kind, *_ in rows):
            for part in (listed, [item for item in listed if item.shared]):
                translated = {item.id for item in part if item.kind == "translation"}
                whole = part is listed
                assert {
                    item.base for item in part if item.type and (whole or item.shared)
                } <= translated


def test_controls_show_the_reference_itself_or_all_its_words_shuffled(tmp_path: Path) -> None:
    rows = "".join(
        f'[[composition]]\nitems = 2\nkind = "{kind}"\n'
        for kind in ("translation", "identical", "shuffled")
    )
    design = drawn(read_study(write_study(tmp_path, rest=rows, pool=30)))
    for item in design.items:
        if item.kind == "identical":
            assert item.hypothesis == item.reference
        elif item.kind == "shuffled":
            assert item.hypothesis != item.reference
            first, second = (
                sorted(text.lower().replace(".", "").split())
                for text in (item.hypothesis, item.reference)
            )
            assert first == second
    assert len({(item.base or item.id) for item in design.items}) == 12
    assert Counter(item.kind for item in design.items) == {
        "translation": 4, "identical": 4, "shuffled": 4,
    }  # fmt: skip


def test_pairs_show_two_systems_on_one_reference(tmp_path: Path) -> None:
    folder = write_study(
        tmp_path,
        options='instrument = "pairwise"',
        rest='[[composition]]\nitems = 5\nkind = "pair"\n',
        pool=40,
    )
    design = drawn(read_study(folder))
    assert design.notes == ()
    for item in design.items:
        assert item.second not in (None, item.hypothesis)
        assert item.second_system not in (None, item.system)
        system = (folder / f"{item.second_system}.en").read_text(encoding="utf-8").splitlines()
        assert system[item.line - 1] == item.second


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study whose sys0 and sys1 translate from German, sys2 from French; references are shared."""
    folder = write_study(
        tmp_path_factory.mktemp("languages"),
        lines=12,
        systems=3,
        options='instrument = "pairwise"',
        rest='[[composition]]\nitems = 6\nkind = "pair"\n',
    )
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    begin = text.index('system = "sys2"')
    text = text[:begin] + text[begin:].replace("de-en", "fr-en", 1)
    # Where both systems say the same, there is nothing to choose from.
    first, second = (folder / f"sys{number}.en" for number in (0, 1))
    lines = second.read_text(encoding="utf-8").splitlines()
    lines[:2] = first.read_text(encoding="utf-8").splitlines()[:2]
    second.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for number in (0, 1, 2):
        text = text.replace(f'trees_hypothesis = "sys{number}.conllu"\n', "")
    file.write_text(text, encoding="utf-8")
    return folder


def test_pairs_stay_within_a_language_pair(two_languages: Path) -> None:
    design = drawn(read_study(two_languages))
    texts = {
        name: (two_languages / f"{name}.en").read_text(encoding="utf-8").splitlines()
        for name in ("sys0", "sys1", "sys2", "reference")
    }
    assert len(design.items) == 12
    for item in design.items:
        assert item.pair == "de-en"
        assert {item.system, item.second_system} == {"sys0", "sys1"}
        assert item.second_system is not None
        place = item.line - 1
        assert place >= 2  # the first two lines are the same in both
        assert (item.reference, item.hypothesis, item.second) == tuple(
            texts[name][place] for name in ("reference", item.system, item.second_system)
        )


PICKS = """
[[composition]]
items = 2
kind = "translation"
shared = true
[[composition]]
items = 2
kind = "permutation"
type = "order"
same_base = true
shared = true
[[composition]]
items = 1
kind = "permutation"
type = "phrase"
shared = true
[[composition]]
items = 1
kind = "translation"
"""


def test_shared_items_can_be_picked_by_hand_with_tags(tmp_path: Path) -> None:
    pick = '[[pick]]\ncorpus = "sys0.de-en"\nline = 7\nlength = "short"\nquality = "low"\n'
    permutations = "".join(
        f'[[pick]]\ncorpus = "sys0.de-en"\nline = 7\ntype = "order"\ndegree = {degree}\n'
        for degree in (1, 3)
    )
    study = read_study(write_study(tmp_path, rest=PICKS + pick + permutations, pool=40))
    design = drawn(study)
    shared = {item.id: item for item in design.items if item.shared}
    base = "made_sys0.de-en #7"
    assert {base, f"{base} order 1", f"{base} order 3"} < {*shared}
    assert shared[base].tags == {"length": "short", "quality": "low"}
    assert len(shared) == 5
    assert design.notes == ()


@pytest.mark.parametrize(
    ("picks", "message"),
    [
        (['line = 7\ntype = "order"\ndegree = 1'], "1 of 2 permutations of type order"),
        (["line = 7", "line = 7"], "picked twice"),
        (['line = 7\ntype = "swap"\ndegree = 2'], "no shared row of the composition has a place"),
        (["line = 4000"], "has no line 4000"),
        (["line = 41"], "has no line 41"),
        (
            [f'line = 7\ntype = "order"\ndegree = {degree}' for degree in (1, 2)]
            + ['line = 7\ntype = "phrase"\ndegree = 1'],
            "#7 phrase 1 was picked, but a sentence has at most 2 permutations",
        ),
    ],
)
def test_picks_that_do_not_fit_are_refused(picks: list[str], message: str, tmp_path: Path) -> None:
    rest = "".join(f'[[pick]]\ncorpus = "sys0.de-en"\n{pick}\n' for pick in picks)
    with pytest.raises(InputError, match=message):
        drawn(read_study(write_study(tmp_path, rest=PICKS + rest, pool=40)))


def test_all_picks_that_do_not_fit_are_told_with_their_places(tmp_path: Path) -> None:
    lines = ("line = 7", "line = 7", "line = 4000", 'line = 8\ntype = "swap"\ndegree = 2')
    rest = "".join(f'[[pick]]\ncorpus = "sys0.de-en"\n{line}\n' for line in lines)
    folder = write_study(tmp_path, rest=PICKS + rest, pool=40)
    with pytest.raises(StudyFileError) as raised:
        drawn(read_study(folder))
    told = [
        str(problem).removeprefix(f"{folder}/study.toml: ") for problem in raised.value.problems
    ]
    assert [text.partition(":")[0] for text in told] == ["[[pick]] 2", "[[pick]] 3", "[[pick]] 4"]
    for text, message in zip(
        told, ("picked twice", "has no line 4000", "has a place"), strict=True
    ):
        assert message in text
    assert raised.value.exit_code == 2


def test_types_without_trees_are_left_out(tmp_path: Path) -> None:
    rest = '[[composition]]\nitems = 6\nkind = "permutation"\ntype = "random"\n'
    folder = write_study(tmp_path, rest=rest)
    file = folder / "study.toml"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if "trees_" not in line]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert {item.type for item in drawn(read_study(folder)).items} == {"order"}


TRANSLATIONS = '[[composition]]\nitems = {}\nkind = "translation"\n'
PERMUTATIONS = '[[composition]]\nitems = {}\nkind = "permutation"\ntype = "{}"\n'
SHARED = "shared = true\n"


@pytest.mark.parametrize("both", [True, False])
def test_random_draws_both_where_a_row_asks_for_it(tmp_path: Path, *, both: bool) -> None:
    rest = TRANSLATIONS.format(30) + PERMUTATIONS.format(25, "random")
    rest += PERMUTATIONS.format(2, "both" if both else "order")
    design = drawn(read_study(write_study(tmp_path, lines=60, questionnaires=1, rest=rest)))
    types = Counter(item.type for item in design.items if item.type)
    assert {*types} == {*TYPES, *(["both"] if both else [])}
    assert types["both"] > 2 or not both


def test_listed_items_come_shared_first_and_in_the_order_of_their_rows(tmp_path: Path) -> None:
    rest = PERMUTATIONS.format(2, "order") + TRANSLATIONS.format(2) + SHARED
    rest += TRANSLATIONS.format(3)
    folder = write_study(tmp_path, lines=20, options='presentation = "listed"', rest=rest)
    design = drawn(read_study(folder))
    for number in (0, 1):
        kinds = [(item.shared, item.kind) for item in shown(design, number)]
        assert (
            kinds
            == [(True, "translation")] * 2
            + [(False, "translation")] * 3
            + [(False, "permutation")] * 2
        )


def test_a_sentence_with_just_enough_degrees_is_a_base_and_all_degrees_are_drawn(
    tmp_path: Path,
) -> None:
    rest = PERMUTATIONS.format(2, "order") + "same_base = true\n" + TRANSLATIONS.format(1)
    folder = write_study(tmp_path, lines=10, rest=rest)
    design = drawn(read_study(edited(folder, ("[pool]", "[pool]\nlast_degree = 2"))))
    assert design.notes == (
        "sys0.de-en has 10 usable sentences, not the 450 of the pool",
        "sys1.de-en has 10 usable sentences, not the 450 of the pool",
    )
    for number in (0, 1):
        degrees = [item.degree for item in shown(design, number) if item.kind == "permutation"]
        assert sorted(degrees, key=str) == [1, 2]


def test_empty_lines_are_never_drawn_and_each_line_brings_its_own_source_and_year(
    tmp_path: Path,
) -> None:
    folder = write_study(tmp_path, lines=8, systems=1, rest=TRANSLATIONS.format(3), pool=6)
    sources = [f"quelle {number}" for number in range(1, 9)]
    (folder / "source.de").write_text("\n".join(sources) + "\n", encoding="utf-8")
    for name, blank in (("sys0", 2), ("reference", 5)):
        file = folder / f"{name}.en"
        lines = file.read_text(encoding="utf-8").splitlines()
        lines[blank] = " "
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    trees = [(f'trees_{kind} = "', f'# "{kind}') for kind in ("reference", "hypothesis")]
    edited(folder, *trees, ('pair = "de-en"', 'pair = "de-en"\nyear = 2019\nsource = "source.de"'))
    design = drawn(read_study(folder))
    assert design.notes == ()
    assert {item.line for item in design.items} == {1, 2, 4, 5, 7, 8}
    for item in design.items:
        assert item.source == f"quelle {item.line}"
        assert item.year == 2019
    (folder / "source.de").write_text("nur eine\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"source\.de: has 1 line, but .*reference\.en has 8"):
        drawn(read_study(folder))


def test_a_reference_that_has_to_be_shown_again_is_told_of(tmp_path: Path) -> None:
    folder = write_study(tmp_path, lines=3, questionnaires=1, rest=TRANSLATIONS.format(6), pool=3)
    design = drawn(read_study(folder))
    lines = Counter(item.line for item in design.items)
    assert lines == {1: 2, 2: 2, 3: 2}
    listed = {item.id: item.line for item in design.items}
    told = []
    for note in design.notes:
        name, _, other = note.removesuffix(" again").partition(" shows the reference of ")
        told.append((listed[name.removeprefix("questionnaire 1: ")], listed[other]))
    assert sorted(told) == [(1, 1), (2, 2), (3, 3)]


def test_permutations_of_one_row_have_bases_of_their_own(tmp_path: Path) -> None:
    rest = PERMUTATIONS.format(4, "random")
    folder = write_study(tmp_path, lines=3, systems=1, questionnaires=2, rest=rest, pool=3)
    design = drawn(read_study(folder))
    for number in range(2):
        assert sorted(item.line for item in shown(design, number)) == [1, 2, 3]
    assert design.notes == tuple(
        f"questionnaire {number}: the pool has not enough for 4 x permutation random"
        for number in (1, 2)
    )


def test_a_shuffled_control_has_words_enough_to_be_known_for_one(tmp_path: Path) -> None:
    rest = '[[composition]]\nitems = 3\nkind = "shuffled"\n'
    folder = write_study(tmp_path, lines=8, systems=1, questionnaires=1, rest=rest, pool=8)
    short = ["One two three four."] * 4 + [f"One two three four five {n}." for n in range(4)]
    (folder / "reference.en").write_text("\n".join(short) + "\n", encoding="utf-8")
    edited(folder, ('trees_reference = "', '# "'), ('trees_hypothesis = "', '# "'))
    design = drawn(read_study(folder))
    assert len(design.items) == 3
    for item in design.items:
        assert len(item.reference.split()) >= 5
        assert item.id == f"{item.base} shuffled"
        assert item.base == f"made_sys0.de-en #{item.line}"


def test_no_words_are_chosen_from_a_hypothesis_without_tags(tmp_path: Path) -> None:
    folder = write_study(tmp_path, lines=30, systems=1, rest=PERMUTATIONS.format(10, "random"))
    edited(folder, ('trees_hypothesis = "', '# "'))
    assert {item.type for item in drawn(read_study(folder)).items} == {"order", "swap", "phrase"}


@pytest.mark.parametrize(
    ("picks", "note"),
    [
        (["line = 40"], ""),
        (['line = 3\ntype = "phrase"\ndegree = 1'], "#3 phrase 1 was picked, but not its translation"),
        (["line = 3", "line = 4"], "no place for the translation of base made_sys"),
    ],
)  # fmt: skip
def test_picks_are_taken_and_what_they_leave_open_is_told(
    picks: list[str], note: str, tmp_path: Path
) -> None:
    rest = "".join(f'[[pick]]\ncorpus = "sys0.de-en"\n{pick}\n' for pick in picks)
    design = drawn(read_study(write_study(tmp_path, rest=PICKS + rest, pool=40)))
    assert [note in said for said in design.notes] == ([True] if note else [])
    assert picks[0].startswith(f"line = {design.items[0].line}")
    assert design.items[0].shared


@given(size=st.integers(0, 60), seed=st.integers())
def test_lazy_shuffling_gives_every_number_once(size: int, seed: int) -> None:
    assert sorted(lazily_shuffled(size, Chance(seed))) == list(range(size))


def test_rows_of_a_pair_draw_its_sentences_alone(tmp_path: Path) -> None:
    rows = (
        (TRANSLATIONS.format(4), "de-en"),
        (TRANSLATIONS.format(5), "en-de"),
        (PERMUTATIONS.format(2, "order") + "same_base = true\n", "en-de"),
        (PERMUTATIONS.format(3, "random"), "de-en"),
        (PERMUTATIONS.format(2, "swap"), "en-de"),
        ('[[composition]]\nitems = 1\nkind = "identical"\n', "en-de"),
    )
    rest = "".join(f'{row}pair = "{pair}"\n' for row, pair in rows)
    file = write_study(tmp_path, lines=60, systems=2, rest=rest) / "study.toml"
    head, first, second = file.read_text(encoding="utf-8").split("[[corpus]]")
    corpus, found, composition = second.partition("[[composition]]")
    corpus = corpus.replace('pair = "de-en"', 'pair = "en-de"')
    file.write_text(
        "[[corpus]]".join((head, first, corpus + found + composition)), encoding="utf-8"
    )
    design = drawn(read_study(tmp_path))
    assert design.unmet == ()
    for number in (0, 1):
        counts = Counter((item.pair, item.kind) for item in shown(design, number))
        assert counts == {
            ("de-en", "translation"): 4, ("en-de", "translation"): 5, ("de-en", "permutation"): 3,
            ("en-de", "permutation"): 4, ("en-de", "identical"): 1,
        }  # fmt: skip
