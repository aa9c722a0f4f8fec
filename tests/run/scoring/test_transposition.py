"""References in the other nesting."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from kilter.adapters.evaluate import compute
from kilter.run.demo import SAMPLE, SYSTEMS
from kilter.run.scoring.corpus import texts_from_api
from kilter.run.scoring.score import score
from kilter.run.scoring.text_note import transposition_note
from tests.thorough import some, tried

HYPOTHESES = ["the cat sat on the mat", "dogs bark at night"]
STREAMS = [
    ["a cat was sitting on the mat", "at night the dogs bark"],
    ["on the mat sat the cat", "dogs are barking at night"],
]


def note(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> str | None:
    return transposition_note(texts_from_api(hypotheses, references))


def transposed(references: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(group) for group in zip(*references, strict=True)]


def sample(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def test_the_result_notes_references_that_fit_better_transposed() -> None:
    result = score(HYPOTHESES, STREAMS, metrics=["f1"])
    assert result.notes[0] == (
        "references: their lists share 1 word with the hypotheses, transposed 10; if there is one list "
        "per reference, pass one per hypothesis, [list(group) for group in zip(*references)]"
    )
    right = score(HYPOTHESES, transposed(STREAMS), metrics=["f1"])
    assert right.notes == result.notes[1:]  # there are few segments either way


def test_the_note_reaches_users_of_evaluate() -> None:
    found = compute(predictions=HYPOTHESES, references=STREAMS, metrics=["f1"])
    assert found["notes"][0].startswith("references: ")
    right = compute(predictions=HYPOTHESES, references=transposed(STREAMS), metrics=["f1"])
    assert right["notes"] == found["notes"][1:]


@pytest.mark.parametrize("system", some(SYSTEMS, quick=["verb"]))
@pytest.mark.parametrize("size", [2, 3])
def test_the_sample_gives_no_false_alarm_and_is_noticed_transposed(system: str, size: int) -> None:
    hypotheses = sample(f"{system}.en")
    references = [sample("reference.en"), sample("reference2.en"), hypotheses][:size]
    noticed = 0
    chosen = list(combinations(range(48), size))[:: 1 if size == 2 else 40]
    for places in chosen:
        lines = [hypotheses[place] for place in places]
        streams = [[stream[place] for place in places] for stream in references]
        assert note(lines, transposed(streams)) is None
        noticed += note(lines, streams) is not None
    assert noticed > 0.7 * len(chosen)


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize(("vocabulary", "longest"), [(3, 9), (20, 30), (2000, 40)])
def test_random_text_gives_no_false_alarm(vocabulary: int, longest: int, size: int) -> None:
    chance = random.Random(7)

    def sentence() -> str:
        return " ".join(
            f"w{chance.randrange(vocabulary)}" for _ in range(chance.randint(0, longest))
        )

    for _ in range(tried(300, quick=60)):
        references = [[sentence() for _ in range(size)] for _ in range(size)]
        assert note([sentence() for _ in range(size)], references) is None


def test_only_a_square_can_be_read_both_ways() -> None:
    assert note(HYPOTHESES, [["x"], ["y"]]) is None
    assert note(["a b c"], [["a b c"]]) is None
    assert note(HYPOTHESES, ["x", "y"]) is None


def test_many_references_are_not_compared() -> None:
    lines = [f"w{k} v{k} u{k} t{k}" for k in range(60)]
    assert note(lines[:50], [lines[:50]] * 50) is not None
    assert note(lines, [lines] * 60) is None
