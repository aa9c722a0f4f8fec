"""Results of a check of tightness."""

from kilter.results.tightness_result import LooseStep, TightnessResult

STEP = LooseStep(
    permutation=(1, 3, 2),
    coarse="<1,3,2>",
    coarse_complexity=1.0,
    fine="<1,2>",
    fine_complexity=2.0,
)


def test_it_is_tight_if_all_permutations_are() -> None:
    found = TightnessResult(
        metric="max-op",
        complexity="its longest operator",
        longest=4,
        permutations=28,
        tight=27,
        semi_tight=28,
        against_tight=STEP,
        against_semi_tight=None,
    )
    assert (found.is_tight, found.is_semi_tight) == (False, True)
    document = found.to_dict()
    assert document["against_tight"] == {
        "permutation": [1, 3, 2],
        "coarse": "<1,3,2>",
        "coarse_complexity": 1.0,
        "fine": "<1,2>",
        "fine_complexity": 2.0,
    }
    assert document["against_semi_tight"] is None
    assert (document["tight"], document["semi_tight"], document["permutations"]) == (27, 28, 28)
    assert (document["is_tight"], document["is_semi_tight"]) == (False, True)
    assert (document["metric"], document["longest"]) == ("max-op", 4)
    assert document["complexity"] == "its longest operator"
