"""Latency of systems: measures, intervals, tests, constructions; blocks and workers change nothing."""

import random
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.text_file import TextStream
from kilter.run import latency as module
from kilter.run.engine.choice import EngineChoice
from kilter.run.latency import LatencyFiles, file_latency, latency_result, measured_text
from tests.oracles import latency as oracle

SOURCE = ["gestern hat er das Haus gesehen", "der Regen hat aufgehört", "ja"]
TEXT = ["yesterday he saw the house", "the rain has stopped", "yes"]
LINKS = [[(0, 0), (2, 1), (1, 2), (5, 2), (3, 3), (4, 4)], [(0, 0), (1, 1), (2, 2), (3, 3)], []]
DELAYS = [[1, 3, 4, 6, 6], [2, 2, 4, 4], [1]]
FEW = kilter.Resampling(resamples=40)


def text(name: str = "system", *, delays: bool = True) -> kilter.DelayedText:
    return kilter.DelayedText.of(TEXT, SOURCE, delays=DELAYS if delays else None, name=name)


def test_measures_are_means_of_the_oracle() -> None:
    links = kilter.LinkBatch.of(LINKS)
    found = kilter.latency(text(), links=links, resampling=FEW).systems["system"]
    parts = [
        each
        for delays, some in zip(DELAYS, LINKS, strict=True)
        for each in oracle.parts([float(d) for d in delays], some)
    ]
    linked = [each for each in parts if each is not None]
    assert (found.segments, found.words) == (3, 10)
    for name in ("lag", "forced", "avoidable", "anticipated"):
        assert found.measures[name].value == pytest.approx(
            sum(e[name] for e in linked) / len(linked)
        )
    least = [each["needed"] - each["own"] for each in linked]
    assert found.measures["least lag"].value == pytest.approx(sum(least) / len(least))
    assert found.measures["guessed"].value == pytest.approx(
        sum(e["anticipated"] > 0 for e in linked) / len(linked)
    )
    assert found.measures["linked"].value == 0.9
    laal = [
        oracle.al([float(d) for d in delays], len(source.split()), len(delays))
        for delays, source in zip(DELAYS, SOURCE, strict=True)
    ]
    assert found.measures["LAAL"].value == pytest.approx(sum(laal) / 3)
    assert found.measures["LAAL"].bounds is not None


def test_a_text_without_delays_has_a_least_lag_only() -> None:
    links = kilter.LinkBatch.of(LINKS)
    result = kilter.latency({"reference": text("r", delays=False)}, links={"reference": links})
    assert result.measures == ["least lag", "least LAAL", "linked"]
    assert result.systems["reference"].measures["AL"].reason != ""


def test_two_systems_are_compared_in_what_both_have() -> None:
    links = kilter.LinkBatch.of(LINKS)
    later = kilter.DelayedText.of(TEXT, SOURCE, delays=[[6] * 5, [4] * 4, [1]])
    systems = {"early": text(), "late": later, "reference": text(delays=False)}
    result = kilter.latency(systems, links=dict.fromkeys(systems, links), resampling=FEW)
    of_lag = [each for each in result.differences if each.measure == "lag"]
    assert [(each.first, each.second) for each in of_lag] == [("early", "late")]
    (lag,) = of_lag
    values = [result.systems[name].measures["lag"].value for name in ("early", "late")]
    assert lag.difference.value == pytest.approx(values[1] - values[0])  # type: ignore[operator]
    least = [each for each in result.differences if each.measure == "least lag"]
    assert [each.p for each in least] == [1.0, 1.0, 1.0]
    twice = kilter.latency({"a": text(), "b": text()}, resampling=FEW)
    assert {each.difference.value for each in twice.differences} == {0.0}


def test_times_of_source_words_and_evenly_spread_ones() -> None:
    words = tuple(tuple(line.split()) for line in TEXT[1:2])
    spoken = kilter.DelayedText(
        name="s",
        words=words,
        delays=np.array([0.5, 1.0, 1.5, 2.5]),
        source_lengths=np.array([2.0]),
        unit="s",
    )
    links = kilter.LinkBatch.of([[(1, 0), (0, 1), (2, 2), (3, 3)]])
    even = kilter.latency(spoken, links=links, source=SOURCE[1:2], resampling=FEW)
    assert even.evenly
    assert even.words["s"].own.tolist() == [1.0, 0.5, 1.5, 2.0]
    timed = kilter.latency(
        spoken, links=links, source=SOURCE[1:2], times=[[0.2, 0.9, 1.6, 2.0]], resampling=FEW
    )
    assert not timed.evenly
    assert timed.words["s"].own.tolist() == [0.9, 0.2, 1.6, 2.0]
    assert timed.words["s"].needed.tolist() == [0.9, 0.9, 1.6, 2.0]
    with pytest.raises(InputError, match="times, segment 1: has 1 time for 4 source words"):
        kilter.latency(spoken, links=links, source=SOURCE[1:2], times=[[1.0]])
    with pytest.raises(InputError, match="times: has 0 segments, but the source has 1"):
        kilter.latency(spoken, links=links, source=SOURCE[1:2], times=[])
    with pytest.raises(OptionError, match="s does not hold its source"):
        kilter.latency(spoken, links=links)


def test_forced_lag_is_added_up_by_the_word_that_forces_it() -> None:
    trees = kilter.DependencyTreeColumn.of(
        [
            kilter.DependencyTree(
                SOURCE[0].split(), [5, 5, 5, 4, 5, -1],
                labels=["advmod", "aux", "nsubj", "det", "obj", "root"],
                tags=["ADV", "AUX", "PRON", "DET", "NOUN", "VERB"],
            ),
            kilter.DependencyTree(["der", "Regen", "hat", "aufgehört"], [1, 3, 3, -1]),
            kilter.DependencyTree(["ja"], [-1]),
        ]
    )  # fmt: skip
    links = kilter.LinkBatch.of(LINKS)
    plain = kilter.DelayedText.of(TEXT, SOURCE)
    result = kilter.latency(plain, links=links, trees=trees, resampling=FEW)
    first = result.constructions[0]
    # "the house" waits for "gesehen": 2 + 1 words.
    assert (first.by, first.name, first.words) == ("relation", "root", 1)
    assert (first.per_word.value, first.share.value) == (3.0, 1.0)
    (verb,) = [each for each in result.constructions if each.name == "VERB"]
    assert (verb.words, verb.per_word.value) == (1, 3.0)
    with pytest.raises(
        InputError, match="trees: the tree of segment 1 has 6 words, but the source has 1"
    ):
        kilter.latency(
            kilter.DelayedText.of(["a"], ["b"]), links=kilter.LinkBatch.of([[]]), trees=trees
        )


def test_what_does_not_fit_is_refused() -> None:
    links = kilter.LinkBatch.of(LINKS)
    with pytest.raises(OptionError, match="links names 'b', but the systems are: a"):
        kilter.latency({"a": text()}, links={"b": links})
    with pytest.raises(OptionError, match="there is nothing to measure"):
        kilter.latency({})
    with pytest.raises(InputError, match="different numbers of segments: a 3, b 1"):
        kilter.latency({"a": text(), "b": kilter.DelayedText.of(["x"], ["y"])})
    with pytest.raises(
        InputError, match="has 3 segments, but the source has 3 and the links have 1"
    ):
        kilter.latency(text(), links=kilter.LinkBatch.of([[]]))
    with pytest.raises(InputError, match="points past the 1 word"):
        kilter.latency(text(), links=kilter.LinkBatch.of([[], [], [(1, 0)]]))
    spoken = kilter.DelayedText(
        name="s", words=((),) * 3, delays=np.zeros(0), source_lengths=np.ones(3), unit="s"
    )
    with pytest.raises(InputError, match="different units: a words, b s"):
        kilter.latency({"a": text(), "b": spoken})


def test_blocks_and_workers_give_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    rows = [(rng.randint(1, 9), rng.randint(0, 9)) for _ in range(60)]
    written = {
        "source": [" ".join("s" * n) for n, _ in rows],
        "text": [" ".join("t" * m) for _, m in rows],
        "links": [
            " ".join(f"{rng.randrange(n)}-{j}" for j in range(m) if rng.random() < 0.7)
            for n, m in rows
        ],
        "delays": [
            " ".join(map(str, sorted(rng.randint(0, n) for _ in range(m)))) for n, m in rows
        ],
    }
    for name, lines in written.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def measured(workers: int) -> module.MeasuredLatency:
        text, source, links, delays = (
            TextStream(str(tmp_path / name)) for name in ("text", "source", "links", "delays")
        )
        files = LatencyFiles(name="text", text=text, source=source, links=links, delays=delays)
        return file_latency(files, engine=EngineChoice(workers=workers))

    whole = measured(1)
    monkeypatch.setattr(module, "PAIRS", 7)
    assert measured(1).sums.tolist() == whole.sums.tolist()
    assert measured(2).sums.tolist() == whole.sums.tolist()
    delayed = kilter.DelayedText.of(
        written["text"],
        written["source"],
        delays=[[float(x) for x in line.split()] for line in written["delays"]],
    )
    links = kilter.read_links(str(tmp_path / "links")).sure
    in_memory = measured_text(delayed, links=links, source=written["source"])
    assert in_memory.sums.tolist() == whole.sums.tolist()
    result = latency_result({"a": delayed}, {"a": in_memory}, resampling=FEW)
    assert result.systems["a"].segments == 60
