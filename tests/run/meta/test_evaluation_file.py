"""Files that describe evaluations of several language pairs."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.link_format import LinkFormat
from kilter.results.meta_result import AgreementMeasure
from kilter.run.meta.evaluation_file import read_evaluation_file
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.scoring.corpus import EmptyLines
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling


def test_every_path_of_an_evaluation_is_relative_to_its_file(tmp_path: Path) -> None:
    file = tmp_path / "evaluation.toml"
    file.write_text(
        "metrics = 'bleu'\n[pairs.a]\njudgments = 'j.csv'\nreference = 'r.en'\nsystems = ['x.en', 'y']\n"
        "source = 's.de'\nscores = {z = 'z.tsv'}\nlower_is_better = 'z'\nthreshold = 2\nlowercase = true\n",
        encoding="utf-8",
    )
    found = read_evaluation_file(str(file))
    assert found.measures == ()
    assert found.pairs == {
        "a": EvaluationInputs(
            judgments=str(tmp_path / "j.csv"),
            references=(str(tmp_path / "r.en"),),
            systems=(str(tmp_path / "x.en"), str(tmp_path / "y")),
            source=str(tmp_path / "s.de"),
            scores={"z": str(tmp_path / "z.tsv")},
            lower_is_better=("z",),
            threshold=2.0,
            settings=Settings(metrics=("bleu",), lowercase=True),
        )
    }


def test_settings_hold_where_the_file_says_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "evaluation.toml"
    file.write_text(
        "measures = ['pearson', 'accuracy', 'pearson']\n"
        "[pairs.a]\njudgments = 'j'\nlanguage = 'de'\n[pairs.b]\njudgments = 'j'\n",
        encoding="utf-8",
    )
    drawn = Resampling(resamples=7)
    given = Settings(metrics="pef", language="en", tokenize="none", resampling=drawn, jobs=2)
    found = read_evaluation_file(str(file), given)
    assert found.measures == (AgreementMeasure.PEARSON, AgreementMeasure.ACCURACY)
    a, b = (found.pairs[name].settings for name in ("a", "b"))
    assert b == given
    assert a == Settings(metrics="pef", language="de", tokenize="none", resampling=drawn, jobs=2)
    changed = found.with_metrics(("bleu",))
    assert [each.settings.specifications for each in changed.pairs.values()] == [("bleu",)] * 2
    assert changed.pairs["a"].settings.language == "de"
    assert changed.measures == found.measures


def test_settings_before_the_pairs_are_those_of_pairs_that_say_nothing_else(
    tmp_path: Path,
) -> None:
    file = tmp_path / "evaluation.toml"
    file.write_text(
        "aligner = ['match', 'ribes']\nlowercase = true\nrule = 'mean'\n"
        "[pairs.a]\njudgments = 'j'\nrule = 'birch'\n[pairs.b]\njudgments = 'j'\n",
        encoding="utf-8",
    )
    a, b = (each.settings for each in read_evaluation_file(str(file)).pairs.values())
    assert b == Settings(metrics=(), aligner=["match", "ribes"], lowercase=True, rule="mean")
    assert a == Settings(metrics=(), aligner=["match", "ribes"], lowercase=True, rule="birch")
    file.write_text("systems = 'a'\n[pairs.a]\njudgments = 'j'\n", encoding="utf-8")
    with pytest.raises(InputError, match="systems is unknown; "):
        read_evaluation_file(str(file))


def test_a_language_pair_takes_every_input_of_a_score(tmp_path: Path) -> None:
    file = tmp_path / "evaluation.toml"
    file.write_text(
        "[pairs.a]\njudgments = 'j'\nlinks = ['l', 'm']\nsource_hypothesis = 'h'\n"
        "source_reference = 'r'\nthrough_source = true\nlink_format = 'naacl'\ntrees = 't'\n"
        "trees_reference = ['u']\ntrees_source = 'v'\naligner = ['match', 'ribes']\n"
        "parser = 'perceptron'\nempty = 'stop'\nrule = 'birch'\n",
        encoding="utf-8",
    )
    (pair,) = read_evaluation_file(str(file)).pairs.values()
    assert pair == EvaluationInputs(
        judgments=str(tmp_path / "j"),
        links=(str(tmp_path / "l"), str(tmp_path / "m")),
        source_hypothesis=(str(tmp_path / "h"),),
        source_reference=(str(tmp_path / "r"),),
        through_source=True,
        link_format=LinkFormat.NAACL,
        trees=(str(tmp_path / "t"),),
        trees_reference=(str(tmp_path / "u"),),
        trees_source=str(tmp_path / "v"),
        settings=Settings(
            metrics=(),
            aligner=("match", "ribes"),
            parser=("perceptron",),
            empty=EmptyLines.STOP,
            rule="birch",
        ),
    )


def test_both_directions_of_links_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "evaluation.toml"
    file.write_text(
        "[pairs.a]\njudgments = 'j'\nlinks = ['a::b', '::c', 'd::e::union']\nsource_reference = 'f'\n",
        encoding="utf-8",
    )
    found = read_evaluation_file(str(file)).pairs["a"]
    here = str(tmp_path)
    assert found.links == (f"{here}/a::{here}/b", f"::{here}/c", f"{here}/d::{here}/e::union")
    assert found.source_reference == (f"{here}/f",)
    (tmp_path / "a::b").touch()  # a file whose own name is written so
    assert read_evaluation_file(str(file)).pairs["a"].links[0] == f"{here}/a::b"
