"""Logs of simultaneous translation: what is read, and what is refused with its line."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.latency_log import read_audio, read_delays, segment_words
from kilter.stats.latency import Rows, published_latencies
from tests.oracles import latency as oracle

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = GOLDEN / "latency_logs"


def means(text: kilter.DelayedText) -> dict[str, float]:
    assert text.delays is not None
    found = published_latencies(
        text.delays,
        Rows(text.offsets),
        source_lengths=text.source_lengths,
        reference_lengths=text.reference_lengths,
        ends=text.ends,
    )
    return {name: float(np.nanmean(values)) for name, values in found.items()}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_a_log_of_simuleval_has_the_means_that_it_prints() -> None:
    folder = LOGS / "simuleval_1"
    _, head, row = lines(folder / "tool_output.txt")
    printed = dict(zip(head.split(), row.split()[1:], strict=True))
    found = means(read_delays(str(folder / "instances.log"), elapsed=True))
    for name in ("AL", "LAAL", "AP", "DAL"):
        assert round(found[name], 3) == float(printed[name])
    assert means(read_delays(str(folder / "instances.log")))["AL"] < found["AL"]


@pytest.mark.parametrize(("elapsed", "called"), [(False, "CU"), (True, "CA")])
def test_segments_of_omnisteval_have_the_means_that_it_prints(elapsed: bool, called: str) -> None:  # noqa: FBT001
    folder = LOGS / "omnisteval_1" / "out"
    printed = dict(line.split("\t") for line in lines(folder / "scores.tsv"))
    found = means(read_delays(str(folder / "instances.resegmented.jsonl"), elapsed=elapsed))
    for name, value in found.items():
        assert f"{value:.4f}" == printed[f"Long{name} ({called})"]


@pytest.mark.parametrize(("elapsed", "called"), [(False, "ideal"), (True, "computational_aware")])
def test_a_log_of_simulstream_has_the_mean_that_it_prints(elapsed: bool, called: str) -> None:  # noqa: FBT001
    folder = LOGS / "simulstream_1"
    text = read_delays(
        str(folder / "metrics.jsonl"),
        elapsed=elapsed,
        references=lines(folder / "ref.txt"),
        audio=read_audio(str(folder / "audio.yaml")),
    )
    assert f"{called}_latency={means(text)['LAAL']}"[:30] in lines(folder / "tool_output.txt")[1]


def test_recordings_are_cut_where_simulstream_cuts_them(tmp_path: Path) -> None:
    golden = json.loads((GOLDEN / "latency_simulstream.json").read_text(encoding="utf-8"))
    for case in golden["cases"]:
        log = tmp_path / "log.jsonl"
        log.write_text(
            "".join(json.dumps(each) + "\n" for each in case["input"]["log_lines"]),
            encoding="utf-8",
        )
        segments, expected = case["input"]["segments"], case["output"]
        for elapsed, key in ((False, "ideal"), (True, "computational_aware")):
            text = read_delays(
                str(log),
                elapsed=elapsed,
                references=[each["reference"] for each in segments],
                audio=segments,
            )
            cut = [h["final_text"].split() for r in expected["resegmented"] for h in r["hyps"]]
            assert [list(words) for words in text.words] == cut
            found = means(text)["LAAL"]
            assert found == pytest.approx(expected["StreamLAAL"][f"{key}_latency"], rel=1e-12)


def test_long_form_scores_of_omnisteval(tmp_path: Path) -> None:
    golden = json.loads((GOLDEN / "latency_omnisteval.json").read_text(encoding="utf-8"))
    log = tmp_path / "log.jsonl"
    for case in golden["longform_cases"]:
        rows = case["output"]["resegmented"]
        log.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
        for elapsed, prefix in ((False, "long_"), (True, "ca_long_")):
            for name, value in means(read_delays(str(log), elapsed=elapsed)).items():
                expected = case["output"]["scores"][prefix + name.lower()]
                assert value == pytest.approx(expected, rel=1e-12)


WORDS = st.lists(st.sampled_from("abc"), max_size=6)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_cuts_have_the_fewest_word_edits(words: list[str], references: list[list[str]]) -> None:
    cuts = segment_words(words, references)
    assert cuts == sorted(cuts)
    found = oracle.edits(words, references, cuts)
    flat = [word for each in references for word in each]
    assert found == oracle.edits(words, [flat], [])


def test_a_list_of_segments_is_read_in_both_styles(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(
        "[{duration: 2.5, offset: 0.5, wav: 'a.wav'}, {duration: 1, offset: 3, wav: b}]\n"
    )
    other.write_text(
        "- duration: 2.5\n  offset: 0.5\n  wav: a.wav\n- {duration: 1, offset: 3, wav: b}\n"
    )
    expected = [
        {"duration": 2.5, "offset": 0.5, "wav": "a.wav"},
        {"duration": 1.0, "offset": 3.0, "wav": "b"},
    ]
    assert read_audio(str(one)) == expected
    other.write_text(
        "- duration: 2.5\n  offset: 0.5\n  wav: a.wav\n- duration: 1\n  offset: 3\n  wav: b\n"
    )
    assert read_audio(str(other)) == expected
    one.write_text("nothing\n")
    with pytest.raises(InputError, match="lists no segment"):
        read_audio(str(one))
    one.write_text("[{duration: x, offset: 0, wav: a}]\n")
    with pytest.raises(InputError, match="duration is 'x', which is not a number"):
        read_audio(str(one))


GOOD = {
    "prediction": "a b",
    "delays": [1, 2],
    "elapsed": [1, 3],
    "source_length": 3,
    "reference": "a",
}
STREAM = [
    {"id": 0, "metadata": {"wav_name": "r.wav"}},
    {
        "id": 0,
        "total_audio_processed": 1.0,
        "computation_time": 0.5,
        "generated_tokens": ["a"],
        "deleted_tokens": [],
    },
]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"x": 1}], ":1: is no log of SimulEval, OmniSTEval or simulstream"),
        ([GOOD, GOOD | {"delays": [1]}], ":2: has 1 delay for 2 words"),
        ([GOOD | {"delays": [2, 1]}], ":1: has the delay 1 after 2; delays never fall"),
        ([GOOD | {"delays": "1 2"}], "must be a list of numbers"),
        ([GOOD | {"delays": [1, None]}], "a delay is None, which is not a number"),
        ([GOOD | {"prediction": 3}], "prediction is 3; it must be a text"),
        ([GOOD | {"source_length": "long"}], "source_length is 'long', which is not a number"),
        ([GOOD, {k: v for k, v in GOOD.items() if k != "reference"}], ":2: has no reference"),
        ([GOOD, {"prediction": "a", "delays": [1]}], ":2: has no source_length"),
    ],
)
def test_what_is_wrong_with_a_log_is_told_with_its_line(
    rows: list[object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_delays(str(path))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": 1, **STREAM[1]} | {"id": 1}], "has the id 1, but no line before it names"),
        ([STREAM[0], STREAM[1] | {"deleted_tokens": ["b"]}], ":2: deletes 'b'"),
        ([STREAM[0], STREAM[1] | {"generated_tokens": ["\u2581a"]}], "only logs of whole words"),
        ([{"id": 0, "metadata": {"wav_name": "other"}}], "holds nothing of the recording r"),
    ],
)
def test_what_is_wrong_with_a_log_of_recordings(
    rows: list[object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    audio = [{"wav": "r.wav", "offset": 0.0, "duration": 2.0}]
    with pytest.raises(InputError, match=message):
        read_delays(str(path), references=["a"], audio=audio)


def test_recordings_need_references_and_segments_that_follow_one_another(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(row) + "\n" for row in STREAM), encoding="utf-8")
    with pytest.raises(OptionError, match="give the references and the YAML file"):
        read_delays(str(path))
    audio = [{"wav": wav, "offset": 0.0, "duration": 2.0} for wav in ("r", "q", "r")]
    with pytest.raises(InputError, match="do not follow one another"):
        read_delays(str(path), references=["a", "b", "c"], audio=audio)
    with pytest.raises(InputError, match="has 3 segments, but there are 1 of reference"):
        read_delays(str(path), references=["a"], audio=audio)


def test_texts_with_delays_are_checked() -> None:
    text = kilter.DelayedText.of(
        ["a b", ""], ["x y z", "x"], delays=[[1, 3], []], references=["a", "b"]
    )
    assert text.delays is not None
    assert (text.delays.tolist(), text.source_lengths.tolist()) == ([1, 3], [3, 1])
    with pytest.raises(InputError, match="has 2 segments, but there are 1 of source"):
        kilter.DelayedText.of(["a", "b"], ["x"])
    with pytest.raises(InputError, match="system:1: has 1 delay for 2 words"):
        kilter.DelayedText.of(["a b"], ["x"], delays=[[1]])
    with pytest.raises(InputError, match="every word needs one"):
        kilter.DelayedText(name="a", words=(("a",),), delays=np.zeros(2), source_lengths=np.ones(1))
