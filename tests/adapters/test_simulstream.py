"""Latency scorers of simulstream that know what word order forces."""

import os
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.adapters.simulstream import MEASURES, delayed_text, mean_lag, register
from kilter.core.errors import InputError, MissingToolError, OptionError
from tests.cli.sample import written

ROOT = Path(__file__).parents[2]
LOG = ROOT / "tests" / "golden" / "latency_logs" / "simulstream_1"
SOURCE = "one two three\nfour five six seven\n"
LINKS = "0-0 2-1 1-2\n0-1 3-0 1-3 2-5\n"


def samples() -> list[SimpleNamespace]:
    """Return a recording of two segments as simulstream hands it over."""
    said = [("w", 1.0), ("x", 2.0), ("y", 4.0), ("z", 5.5)]
    return [
        SimpleNamespace(
            audio_name="rec",
            hypothesis=SimpleNamespace(
                ideal_delays=[time for _, time in said],
                computational_aware_delays=[time + 0.5 for _, time in said],
                text_items=lambda unit: [word for word, _ in said] if unit == "word" else [],
            ),
            reference=[
                SimpleNamespace(content="w x", start_time=0.0, duration=2.0),
                SimpleNamespace(content="y z", start_time=2.0, duration=4.0),
            ],
        )
    ]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return written(tmp_path, "source", "a b\nc d\n"), written(
        tmp_path, "links", "0-1 1-0\n0-0 1-1\n"
    )


def test_recordings_are_cut_and_each_part_of_the_lag_is_a_mean_over_linked_words(
    files: tuple[str, str],
) -> None:
    text = delayed_text(samples())
    assert text.words == (("w", "x"), ("y", "z"))
    assert text.delays is not None
    assert text.delays.tolist() == [1.0, 2.0, 2.0, 3.5]
    # Source words are heard at 1, 2 and 2, 4: w and z are said before their source, x waits for that of w.
    source, links = files
    found = {name: mean_lag(samples(), name, source=source, links=links) for name in MEASURES}
    assert found == {"lag": -0.125, "forced": 0.25, "avoidable": 0.0, "anticipated": 0.375}
    later = mean_lag(samples(), "lag", source=source, links=links, elapsed=True)
    assert later == found["lag"] + 0.5


def test_a_source_of_another_length_is_refused(files: tuple[str, str], tmp_path: Path) -> None:
    short = written(tmp_path, "short", "a b\n")
    with pytest.raises(InputError, match="has 1 line for 2 segments"):
        mean_lag(samples(), "lag", source=short, links=files[1])


def test_without_simulstream_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simulstream", None)
    with pytest.raises(MissingToolError, match="pip install simulstream"):
        register()


def test_scorers_are_registered_and_score(
    monkeypatch: pytest.MonkeyPatch, files: tuple[str, str]
) -> None:
    known: dict[str, Any] = {}

    class Scorer:
        def __init__(self, args: Namespace) -> None:
            self.args = args

    door = ModuleType("simulstream.metrics.scorers.latency")
    vars(door).update(
        LatencyScorer=Scorer,
        LatencyScores=lambda ideal, aware: (ideal, aware),
        register_latency_scorer=lambda name: lambda scorer: known.setdefault(name, scorer),
    )
    scorers = ModuleType("simulstream.metrics.scorers")
    vars(scorers).update(latency=door)
    for name in ("simulstream", "simulstream.metrics"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "simulstream.metrics.scorers", scorers)
    assert register() == [*known] == [f"kilter_{measure}" for measure in MEASURES]
    parser = ArgumentParser()
    known["kilter_forced"].add_arguments(parser)
    args = parser.parse_args(["--source", files[0], "--links", files[1]])
    args.latency_unit = "word"
    scorer = known["kilter_forced"](args)
    assert scorer.requires_reference()
    assert scorer.score(samples()) == (0.25, 0.25)
    args.latency_unit = "char"
    with pytest.raises(OptionError, match="--latency-unit word"):
        scorer.score(samples())


@pytest.mark.skipif(find_spec("simulstream") is None, reason="simulstream is not installed")
@pytest.mark.parametrize("measure", MEASURES)
def test_simulstream_itself_prints_what_kilter_finds_in_its_log(
    measure: str, tmp_path: Path
) -> None:
    source, links = written(tmp_path, "source", SOURCE), written(tmp_path, "links", LINKS)
    config = written(tmp_path, "eval.yaml", "detokenizer_type: simuleval\nlatency_unit: word\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "kilter.adapters.simulstream", "--eval-config", config),
            *("--log-file", str(LOG / "metrics.jsonl"), "--reference", str(LOG / "ref.txt")),
            *("--audio-definition", str(LOG / "audio.yaml"), "--scorer", f"kilter_{measure}"),
            *("--source", source, "--links", links),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
    )
    printed = re.findall(r"latency=([^,)]+)", done.stdout)
    assert len(printed) == 2, done.stderr
    for value, elapsed in zip(printed, (False, True), strict=True):
        text = kilter.read_delays(
            str(LOG / "metrics.jsonl"),
            elapsed=elapsed,
            references=(LOG / "ref.txt").read_text(encoding="utf-8").splitlines(),
            audio=kilter.read_audio(str(LOG / "audio.yaml")),
            name="log",
        )
        lines = SOURCE.splitlines()
        sizes = [len(line.split()) for line in lines], np.diff(text.offsets)
        read = kilter.read_links(links, lengths=(np.array(sizes[0]), sizes[1]))
        found = kilter.latency(text, links=read.sure, source=lines).systems["log"]
        assert float(value) == pytest.approx(found.measures[measure].value, abs=1e-12)
