"""The designs of [TH], told in its words (section 12.4) and recomputed from the files of a created study alone.

Nothing of the code that draws or checks questionnaires is used here: only the lines of `items.jsonl` and
`questionnaires.jsonl`, the texts, and the table of the thesis.
"""

import json
import re
from collections import Counter
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from kilter.cli.main import run
from kilter.study.design.creation import write_example
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.instrument.instrument import read_instrument
from tests.docs.pages import ROOT
from tests.study.generated import write_study
from tests.thorough import tried

Entry = dict[str, Any]

# items, kind, type, "same base sentence", "shared by all questionnaires": the rows as they are printed.
TABLE = """
10 | translation |        |     | yes
2  | permutation | order  | yes | yes
2  | permutation | swap   | yes | yes
2  | permutation | phrase | yes | yes
2  | permutation | choice | yes | yes
2  | permutation | random | no  | yes
15 | translation |        |     | no
2  | permutation | order  | yes | no
2  | permutation | swap   | yes | no
2  | permutation | phrase | yes | no
2  | permutation | choice | yes | no
7  | permutation | random | no  | no
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]
COUNT = tried(36, quick=3)
PILOT = """
[[composition]]
items = 8
kind = "translation"
[[composition]]
items = 2
kind = "permutation"
type = "both"
same_base = true
[[composition]]
items = 3
kind = "permutation"
type = "both"
[[composition]]
items = 3
kind = "permutation"
type = "order"
"""


class Created:
    """A study as its files tell it."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = write_study(folder, **options)
        password = folder / "password"
        password.write_text("a password for tests\n", encoding="utf-8")
        code = run(["survey", "create", str(folder), "-q", "--password-file", str(password)])
        assert code == 0
        self.items: dict[str, Entry] = {item["id"]: item for item in self._lines("items")}
        self.lists = [
            [self.items[name] for name in entry["items"]] for entry in self._lines("questionnaires")
        ]
        self.texts = {
            path.stem: path.read_text(encoding="utf-8").splitlines() for path in folder.glob("*.en")
        }

    def _lines(self, name: str) -> list[Entry]:
        text = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Created:
    return Created(
        tmp_path_factory.mktemp("published") / "study",
        lines=tried(500, quick=90),
        systems=4,
        questionnaires=COUNT,
        pool=tried(450, quick=90),
    )


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Created:
    folder = tmp_path_factory.mktemp("pilot") / "study"
    return Created(folder, lines=60, systems=2, questionnaires=3, rest=PILOT)


def words(text: str) -> list[str]:
    """Return the words of a sentence without punctuation and case, which permutations may change."""
    return [word.strip(".,;:!?()\"'`").lower() for word in text.split()]


def test_the_table_adds_up_as_the_thesis_says() -> None:
    assert sum(int(row[0]) for row in ROWS) == 50
    assert sum(int(row[0]) for row in ROWS if row[4] == "yes") == 20
    halves = Counter[str]()
    for count, kind, *_ in ROWS:
        halves[kind] += int(count)
    assert halves == {"translation": 25, "permutation": 25}


@pytest.mark.parametrize("number", range(COUNT))
def test_every_row_of_the_table_is_in_every_questionnaire(published: Created, number: int) -> None:
    """Items are taken away row by row, those of one base first; at the end nothing is missing or left."""
    shown = published.lists[number]
    assert len(shown) == len({item["id"] for item in shown}) == 50
    left = list(shown)
    bases: dict[str, set[str]] = {"yes": set(), "no": set()}
    for count, kind, type_, same, shared in sorted(
        ROWS, key=lambda row: (row[3] != "yes", row[2] == "random")
    ):
        part = [
            item for item in left if item["shared"] is (shared == "yes") and item["kind"] == kind
        ]
        if same == "yes":
            by_base: dict[str, list[Entry]] = {}
            for item in part:
                if item["type"] == type_:
                    by_base.setdefault(item["base"], []).append(item)
            fitting = [
                (base, found)
                for base, found in by_base.items()
                if len(found) == int(count) and base not in bases[shared]
            ]
            assert fitting, f"no base sentence with {count} x {type_}, shared {shared}"
            base, taken = fitting[0]
            assert len({item["degree"] for item in taken}) == int(count)
            bases[shared].add(base)
        else:
            taken = [item for item in part if type_ in ("", "random", item["type"])][: int(count)]
            assert len(taken) == int(count)
            if type_ == "random":
                assert len({item["base"] for item in taken}) == int(count)
        left = [item for item in left if item not in taken]
    assert left == []
    assert len(bases["yes"] | bases["no"]) == 8  # each row uses another sentence


@pytest.mark.parametrize("number", range(COUNT))
def test_the_translation_of_every_base_is_in_the_same_questionnaire(
    published: Created, number: int
) -> None:
    """All permutations, random ones too; those of shared permutations are among the shared items."""
    shown = published.lists[number]
    translations = {item["id"]: item for item in shown if item["kind"] == "translation"}
    permuted = [item for item in shown if item["kind"] == "permutation"]
    assert len(permuted) == 25
    for item in permuted:
        base = translations[item["base"]]
        assert base["reference"] == item["reference"]
        assert (base["system"], base["pair"], base["line"]) == (
            item["system"], item["pair"], item["line"],
        )  # fmt: skip
        if item["shared"]:
            assert base["shared"]
    assert max(Counter(item["base"] for item in permuted).values()) == 2


def test_every_translation_is_the_line_of_its_system_and_every_base_its_reference(
    published: Created,
) -> None:
    for item in published.items.values():
        at = item["line"] - 1
        assert item["reference"] == published.texts["reference"][at]
        if item["kind"] == "translation":
            assert item["hypothesis"] == published.texts[item["system"]][at]
            assert item["id"] == f"made_{item['system']}.de-en #{item['line']}"


def test_every_permutation_changes_as_many_words_of_the_reference_as_its_degree(
    published: Created,
) -> None:
    for item in published.items.values():
        if item["kind"] != "permutation":
            continue
        new, old = words(item["hypothesis"]), words(item["reference"])
        degree, steps = item["degree"], item["steps"]
        if item["type"] == "choice":
            places = [place for place, (a, b) in enumerate(zip(new, old, strict=True)) if a != b]
            assert len(places) == degree
            offered = words(published.texts[item["system"]][item["line"] - 1])
            assert {new[place] for place in places} <= {*offered}
            continue
        assert Counter(new) == Counter(old)
        moved = {
            "order": [abs(distance) for _, distance in steps] if item["type"] == "order" else [],
            "swap": [2] * len(steps),
            "phrase": [step[1] for step in steps],
        }[item["type"]]
        if item["type"] == "order":  # one word by each distance, the longest first
            assert moved == list(range(degree, 0, -1))
        else:
            assert sum(moved) == degree


def test_shared_items_are_in_all_questionnaires_and_the_others_in_one(published: Created) -> None:
    seen = Counter(item["id"] for shown in published.lists for item in shown)
    assert {*seen} == {*published.items}
    for name, count in seen.items():
        assert count == (COUNT if published.items[name]["shared"] else 1)
    assert len(published.items) == 20 + 30 * COUNT


def test_the_pilot_changes_choice_and_order_of_as_many_words(pilot: Created) -> None:
    """`both` replaces `degree` words by those of the translation, then moves words by degree, ..., 1."""
    for shown in pilot.lists:
        translations = {item["id"] for item in shown if item["kind"] == "translation"}
        both = [item for item in shown if item["type"] == "both"]
        assert (len(shown), len(translations), len(both)) == (16, 8, 5)
        assert {item["type"] for item in shown if item["kind"] == "permutation"} == {
            "both",
            "order",
        }
        doubled = [
            base for base, count in Counter(item["base"] for item in both).items() if count == 2
        ]
        assert len(doubled) >= 1
        for item in both:
            assert item["base"] in translations
            degree = item["degree"]
            new, old = words(item["hypothesis"]), words(item["reference"])
            offered = words(pilot.texts[item["system"]][item["line"] - 1])
            came = Counter(new) - Counter(old)
            assert came.total() == (Counter(old) - Counter(new)).total() == degree
            assert {*came} <= {*offered}
            distances = [
                abs(step[1]) for step in item["steps"] if all(isinstance(at, int) for at in step)
            ]
            assert distances[-degree:] == list(range(degree, 0, -1))


@pytest.fixture(scope="module")
def example_pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pilot of examples/ and the texts of the example study, created."""
    folder = tmp_path_factory.mktemp("example") / "pilot"
    write_example(folder)
    for path in (ROOT / "examples" / "pilot").iterdir():
        copyfile(path, folder / path.name)
    password = folder / "password"
    password.write_text("a password for tests\n", encoding="utf-8")
    assert run(["survey", "check", str(folder)]) == 0
    assert run(["survey", "create", str(folder), "-q", "--password-file", str(password)]) == 0
    return folder


def test_the_example_of_the_pilot_has_its_kinds_of_items(example_pilot: Path) -> None:
    """Translations beside permutations of both words and order; the four types came with the main study."""
    items, questionnaires = read_design(example_pilot)
    assert len(questionnaires) == 3
    for questionnaire in questionnaires:
        shown = [items[name] for name in questionnaire.items]
        kinds = Counter(item.type or str(item.kind) for item in shown)
        assert kinds == {"translation": 8, "both": 5, "order": 3}


def test_the_example_of_the_pilot_shows_the_reference_first(example_pilot: Path) -> None:
    """Section 12.4: the hypothesis came first only after the pilot."""
    study = read_study(example_pilot)
    assert study.instrument.shows == ("reference", "hypothesis")
    assert [question.name for question in study.instrument.questions] == ["holistic", "order"]
    usual = read_instrument("word-order", example_pilot, languages=("en",))
    exchanged = {"first": "second", "second": "first"}
    for own, other in zip(study.instrument.questions, usual.questions, strict=True):
        assert (own.low, own.high) == (other.low, other.high)
        asked = re.sub("first|second", lambda at: exchanged[at[0]], other.text("en").ask)
        assert own.text("en").ask == asked


def test_the_example_of_the_pilot_can_be_answered_and_analysed(
    example_pilot: Path, tmp_path: Path
) -> None:
    made, report = tmp_path / "made", tmp_path / "report"
    assert run(["survey", "simulate", str(example_pilot), "-o", str(made), "--seed", "1"]) == 0
    options = ["-m", "bleu", "-o", str(report), "-q", "--no-png"]
    assert run(["survey", "analyse", str(made), *options]) == 0
    assert "how much does" in (report / "wording" / "table.md").read_text(encoding="utf-8").lower()
