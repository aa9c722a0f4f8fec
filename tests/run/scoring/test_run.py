"""Models of aligners in a run, and the number of threads."""

from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.run.demo import sample_texts
from kilter.run.scoring.score import score, score_texts
from kilter.run.scoring.settings import Settings
from tests.run.scoring.scored import FEW, HYPOTHESIS, REFERENCE


def test_the_number_of_threads_changes_nothing() -> None:
    documents = [
        score_texts(
            sample_texts(), Settings(metrics=["all"], language="en", jobs=jobs, resampling=FEW)
        )
        for jobs in (1, 2)
    ]
    assert documents[0].to_dict() == documents[1].to_dict()
    assert (documents[0].segments["score"] == documents[1].segments["score"]).all()
    with pytest.raises(OptionError, match=r"jobs is 0"):
        score(["a"], ["a"], jobs=0)


def test_several_systems_share_no_model_that_is_not_trained_yet(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    aligner = f"ibm1:symmetrize=intersection,model={path}"
    systems = {"one": [HYPOTHESIS, "a cat"], "other": [REFERENCE, "the mat"]}
    references = [REFERENCE, "a mat"]
    for hypotheses, pairs in (
        (systems, references),
        (systems["one"], [[each, each] for each in references]),
    ):
        with pytest.raises(OptionError, match="2 pairs of texts would share"):
            score(hypotheses, pairs, metrics="kendall", aligner=aligner)
        assert not path.exists()
    assert score(systems, references, metrics="bleu", aligner=aligner).systems.keys() == {*systems}


def test_a_model_is_signed_alike_when_it_is_trained_and_when_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    aligner = f"ibm1:symmetrize=intersection,model={path}"
    texts = [HYPOTHESIS, "a cat"], [REFERENCE, "a mat"]
    first, again = (
        score(*texts, metrics="kendall", aligner=aligner, resampling=FEW).system["kendall"]
        for _ in range(2)
    )
    assert first == again
    assert f"model:{path}#" in first.signature


def test_what_learns_from_all_texts_signs_how_many_pairs_it_saw() -> None:
    systems = {"one": [HYPOTHESIS, "a cat"], "other": [REFERENCE, "the mat"]}
    aligners = "match:stages=exact+learned", "match:stages=exact"
    several, alone, usual = (
        score(
            given, [REFERENCE, "a mat"], aligner=aligner, metrics="kendall", resampling=FEW
        ).signatures["kendall"]
        for given, aligner in (
            (systems, aligners[0]),
            (systems["one"], aligners[0]),
            (systems, aligners[1]),
        )
    )
    assert "stages:exact+learned" in several
    assert ",pairs:4)" in several
    assert ",pairs:2)" in alone
    assert "pairs:" not in usual
