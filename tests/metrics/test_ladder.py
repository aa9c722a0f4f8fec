"""References with their words moved, beside real systems: the laws that both headline scores keep on real data."""

import pytest

import kilter
from kilter.run.ladder import RUNGS, ladder
from models.score.ladder import BELOW_KILTER, BELOW_ORDER, TextSet, text_sets
from tests.published_data import FOLDER, needs_data
from tests.thorough import some

SETS = (
    "wmt12-de-en",
    "wmt12-cs-en",
    "wmt12-es-en",
    "wmt12-fr-en",
    "wmt12-en-de",
    "wmt13-de-en",
    "wmt24-en-cs",
    "wmt24-en-ja",
)
"""All sets of texts; Japanese goes by characters."""
SEGMENTS = {False: 1000, True: 150}
"""So many segments at the beginning of each set: the model takes its time."""


def text_set(name: str) -> TextSet:
    return next(each for each in text_sets(FOLDER) if each.name == name)


@needs_data("order-evidence")
@pytest.mark.parametrize("model", some([False, True], quick=[False]))
@pytest.mark.parametrize("name", some(SETS, quick=SETS[:1]))
def test_law_moved_words_score_below_every_real_system(name: str, model: bool) -> None:  # noqa: FBT001
    chosen = text_set(name)
    if model and chosen.language != "en":
        pytest.skip("there is a model of English alone")
    scores = chosen.first(SEGMENTS[model]).scores(model=model)
    real = [own for system, own in scores.items() if not system.startswith("#")]
    for metric, rungs in (("order", BELOW_ORDER), ("kilter", BELOW_KILTER)):
        worst = min(own[metric] for own in real)
        for rung in rungs:
            assert scores[f"#{rung}"][metric] < worst, f"{metric} of {rung}"
    assert scores["#drop"]["order"] == 1.0
    assert scores["#substitute"]["order"] > max(own["order"] for own in real)


@needs_data("order-evidence")
@pytest.mark.parametrize("name", some(SETS[:-1], quick=SETS[:1]))
def test_law_without_its_order_part_swapped_words_go_from_the_last_rank_to_the_first(
    name: str,
) -> None:
    chosen = text_set(name).first(300)
    swapped = ladder(chosen.reference)["swap"]
    found = kilter.score(
        {**chosen.systems, "#swap": swapped},
        chosen.reference,
        metrics=["kilter", "kilter:order=0"],
        language=None if chosen.language == "en" else chosen.language,
        resampling=kilter.Resampling(resamples=2),
    )
    ranks = [
        sorted(found.systems, key=lambda system: found.systems[system][metric].score or 0.0)
        for metric in ("kilter", "kilter:order=0")
    ]
    assert (ranks[0][0], ranks[1][-1]) == ("#swap", "#swap")


@needs_data("order-evidence")
def test_a_jumbled_output_is_below_every_real_system_in_order_though_not_in_kilter() -> None:
    chosen = text_set("wmt12-de-en").first(SEGMENTS[False])
    whole = chosen.scores(model=False)
    real = {system: own for system, own in whole.items() if not system.startswith("#")}
    best = max(real, key=lambda system: real[system]["kilter"])
    rungs = ladder(chosen.systems[best])
    found = kilter.score(
        {rung: rungs[rung] for rung in ("swap", "half-swap", "shuffle")},
        chosen.reference,
        metrics=["order", "kilter"],
        resampling=kilter.Resampling(resamples=2),
    )
    lowest = {metric: min(own[metric] for own in real.values()) for metric in ("order", "kilter")}
    scores = {rung: {m: own[m].score or 0.0 for m in lowest} for rung, own in found.systems.items()}
    assert all(own["order"] < lowest["order"] for own in scores.values())
    assert scores["half-swap"]["kilter"] > lowest["kilter"]
    assert max(scores["swap"]["kilter"], scores["shuffle"]["kilter"]) < lowest["kilter"]


def test_rungs_move_words_and_leave_their_number() -> None:
    rungs = ladder(["a b c d e f g h i", "", "one"])
    assert list(rungs) == list(RUNGS)
    assert rungs["swap"] == ["b a d c f e h g i", "", "one"]
    assert rungs["half-swap"] == ["b a c d f e g h i", "", "one"]
    assert rungs["reverse"] == ["i h g f e d c b a", "", "one"]
    assert rungs["halves"] == ["e f g h i a b c d", "", "one"]
    assert rungs["drop"] == ["a b c d f g h i", "", "one"]
    assert sorted(rungs["shuffle"][0].split()) == list("abcdefghi")
    assert len(rungs["substitute"][0].split()) == 9
