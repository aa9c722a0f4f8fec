"""Files of scores."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.study.judgments.score_file import read_scores
from kilter.study.judgments.study_table import read_export
from tests.study.analysis.studies import write

SCORES = "sentence,tool,variant,configuration,value\ns1,ours,x=1,a,0.5\ns2,ours,x=1,a,\ns1,ours,x=1,b,1\n"


def test_scores_of_the_export_and_of_other_files_are_joined(tmp_path: Path) -> None:
    study = read_export(write(tmp_path, scores=SCORES))
    assert [(tool.name, tool.configuration) for tool in study.tools] == [
        ("degree", ""),
        ("ours:x=1", "a"),
        ("ours:x=1", "b"),
    ]
    assert study.tools[1].values[0] == 0.5
    assert np.isnan(study.tools[1].values[1:]).all()
    path = tmp_path / "further.tsv"
    path.write_text("system\tsegment\tmetric\tscore\nsys\t2\tx:a=1\t0.25\nother\t1\tx:a=1\t1\n")
    (external,) = read_scores(path, study)
    assert (external.tool, external.variant, external.external) == ("x", "a=1", True)
    assert external.values[1] == 0.25
    assert np.isnan(external.values[[0, 2, 3]]).all()


def test_the_column_of_variants_goes_before_options_in_the_name_of_a_tool(tmp_path: Path) -> None:
    study = read_export(write(tmp_path))
    path = tmp_path / "further.csv"
    path.write_text("sentence,tool,variant,value\ns1,x:a=1,b=2,0.5\ns2,x:a=1,,0.25\n")
    found = {tool.variant: tool.values for tool in read_scores(path, study)}
    assert {*found} == {"b=2", "a=1"}
    assert (found["b=2"][0], found["a=1"][1]) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence,tool,value\ns9,x,1\n", ":2: 's9' is no sentence of the study"),
        ("sentence,tool,value\ns1,x,1\ns1,x,2\n", ":3: x scores 's1' twice, first at line 2"),
        ("sentence,tool,value\ns1,x,much\n", ":2: value is 'much', which is not a number"),
        ("sentence,tool,value\ns1,,1\n", ":2: tool is empty"),
        (
            "the cat saw the cat\na dog\n",
            ":1: is not a table of scores: its first line names none of",
        ),
        ("sentence,value\ns1,1\n", ":1: has no column 'tool' or 'metric'"),
        ("tool,value\nx,1\n", ":1: has no column 'sentence' or 'system'"),
    ],
)
def test_scores_that_fit_nothing_are_refused(tmp_path: Path, text: str, message: str) -> None:
    study = read_export(write(tmp_path))
    path = tmp_path / "external.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_scores(path, study)
    assert str(caught.value).startswith(f"{path}{message}")


def test_a_tool_that_is_called_like_a_metric_stays_apart_from_it(tmp_path: Path) -> None:
    study = read_export(write(tmp_path))
    path = tmp_path / "external.csv"
    path.write_text("sentence,tool,value\ns1,dted:variant=b,0.5\ns1,mine,0.25\n", encoding="utf-8")
    theirs, mine = read_scores(path, study)
    assert (theirs.name, mine.name) == ("dted (external):variant=b", "mine")
    assert (theirs.external, theirs.values[0]) == (True, 0.5)


TASK = """BLEU de-en newstest sys 1 0.5
BLEU de-en newstest other 1 0.75
METEOR de-en newstest newstest2014.de-en.sys 1 0.25
BLEU de-en newstest sys 9 1.0
BLEU cs-en newstest sys 2 0.125
BLEU fr-en newstest sys 2 0.875
"""


def test_files_of_metrics_tasks_are_read_by_pair_system_and_segment(tmp_path: Path) -> None:
    study = read_export(write(tmp_path))
    path = tmp_path / "metrics.seg.scr"
    for separator in (" ", "\t"):
        path.write_text(TASK.replace(" ", separator), encoding="utf-8")
        bleu, meteor = sorted(read_scores(path, study), key=lambda tool: tool.name)
        assert (bleu.name, meteor.name) == ("BLEU", "METEOR")
        assert bleu.external
        # s1 is segment 1 from German, s2 segment 2 from Czech; permutations are no translations.
        assert bleu.values.tolist()[:2] == [0.5, 0.125]
        assert meteor.values[0] == 0.25
        assert np.isnan(bleu.values[2:]).all()
        assert np.isnan(meteor.values[1:]).all()


def test_a_file_of_a_metrics_task_about_other_systems_is_refused(tmp_path: Path) -> None:
    study = read_export(write(tmp_path))
    path = tmp_path / "metrics.seg.scr"
    path.write_text("BLEU de-en newstest nobody 1 0.5\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"scores no translation of the study, which has sys \(cs-en\)"
    ):
        read_scores(path, study)
