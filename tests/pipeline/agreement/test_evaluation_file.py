"""Files that describe studies of several language pairs."""

from pathlib import Path

import numpy as np
import pytest

from kilter.pipeline.agreement.evaluation_file import read_study_file
from kilter.pipeline.agreement.evaluation_pair import StudyInputs, read_study


def test_every_path_of_a_study_is_relative_to_its_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        "metrics = 'bleu'\n[pairs.a]\njudgments = 'j.csv'\nreference = 'r.en'\nsystems = ['x.en', 'y']\n"
        "source = 's.de'\nscores = {z = 'z.tsv'}\nlower_is_better = 'z'\nthreshold = 2\nlowercase = true\n",
        encoding="utf-8",
    )
    found, shared = read_study_file(str(file))
    assert shared == {"metrics": ["bleu"]}
    assert found == {
        "a": StudyInputs(
            judgments=str(tmp_path / "j.csv"),
            references=(str(tmp_path / "r.en"),),
            systems=(str(tmp_path / "x.en"), str(tmp_path / "y")),
            source=str(tmp_path / "s.de"),
            scores={"z": str(tmp_path / "z.tsv")},
            lower_is_better=("z",),
            threshold=2.0,
            lowercase=True,
        )
    }


def test_texts_are_compared_in_the_case_that_was_asked_for(tmp_path: Path) -> None:
    texts = {"r": "One two three four.", "x": "ONE TWO THREE FOUR.", "y": "One two three four."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    judgments = tmp_path / "j.csv"
    judgments.write_text(
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n"
        "de,en,1,1,a,x,1,y,2\n",
        encoding="utf-8",
    )
    inputs = {
        "judgments": str(judgments),
        "references": (str(tmp_path / "r"),),
        "systems": (str(tmp_path / "x"), str(tmp_path / "y")),
    }
    plain, lowered = (
        read_study(StudyInputs(**inputs, lowercase=lower), ["bleu"], controls=False)  # type: ignore[arg-type]
        for lower in (False, True)
    )
    assert plain.judgments.systems == ("x", "y")
    assert np.ravel(lowered.metrics[0].scores).tolist() == pytest.approx([1.0, 1.0])
    assert plain.metrics[0].scores[0, 0] < 0.5
    assert plain.metrics[0].scores[1, 0] == pytest.approx(1.0)
