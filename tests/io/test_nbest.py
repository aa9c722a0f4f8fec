"""N-best lists: read, written, refused."""

import gzip
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.io.nbest import NbestEntry, NbestForm, grouped, read_nbest, write_nbest
from kilter.io.stream import ByteSource
from tests.io.link_texts import Text
from tools.fuzz.lines import mutated

MOSES = b"0 ||| a b ||| lm= -1.5 tm= -1 -2 ||| -3 ||| 0-0 1-1\n0 ||| c ||| d: 0 -1 lm: -2 ||| 4e-1\n1 ||| ||| 0.5 x=2\n"
JSON = b'{"id": 0, "text": "a b", "features": {"lm": -1.5}, "score": -3}\n{"id": "1", "text": ""}\n'


def test_lists_of_moses_are_read_with_every_way_to_name_features() -> None:
    assert read_nbest(Text(MOSES)) == [
        NbestEntry(0, "a b", {"lm": -1.5, "tm_0": -1.0, "tm_1": -2.0}, -3.0, 1, ((0, 0), (1, 1))),
        NbestEntry(0, "c", {"d_0": 0.0, "d_1": -1.0, "lm": -2.0}, 0.4, 2),
        NbestEntry(1, "", {"feature_0": 0.5, "x": 2.0}, None, 3),
    ]


def test_json_lines_are_read() -> None:
    assert read_nbest(Text(JSON)) == [
        NbestEntry(0, "a b", {"lm": -1.5}, -3.0, 1),
        NbestEntry(1, "", {}, None, 2),
    ]


numbers = st.floats(-1e6, 1e6)
words = st.text("abc", min_size=1, max_size=3)
listed = st.lists(
    st.builds(
        NbestEntry,
        st.integers(0, 9),
        st.lists(words, max_size=4).map(" ".join),
        st.dictionaries(st.sampled_from(["lm", "tm_0", "x"]), numbers, max_size=3),
        st.none() | numbers,
        st.just(1),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("form", [NbestForm.MOSES, NbestForm.JSONL])
@given(listed)
def test_what_is_written_is_read_again(form: NbestForm, candidates: list[NbestEntry]) -> None:
    text = "".join(f"{line}\n" for line in write_nbest(candidates, form))
    again = [each._replace(line=1) for each in read_nbest(Text(text))]
    assert again == candidates


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "a b c",
            "links.txt:1: is no candidate; write id ||| text ||| features ||| score, or a JSON",
        ),
        ("x ||| a", "links.txt:1: id is 'x'; segments are numbered from 0"),
        ("-1 ||| a", "links.txt:1: id is '-1'; segments are numbered from 0"),
        ("0 ||| a ||| lm= x", "links.txt:1: the feature lm is 'x', which is not a number"),
        ("0 ||| a ||| lm= nan", "links.txt:1: the feature lm is 'nan', which is not a number"),
        ("0 ||| a ||| ||| high", "links.txt:1: the score is 'high', which is not a number"),
        ('{"id": 0}', "links.txt:1: needs the keys id and text"),
        ('{"id": true, "text": ""}', "links.txt:1: id is True; segments are numbered from 0"),
        (
            '{"id": 0, "text": "", "score": [1]}',
            "links.txt:1: the score is [1], which is not a number",
        ),
        (
            '{"id": 0, "text": "a\\nb"}',
            "links.txt:1: has a line break in a cell; one cell is one segment",
        ),
        (
            '{"id": 0, "text": "a\\ud800"}',
            "links.txt:1: holds the lone surrogate U+D800 (\\ud800), which is no",
        ),
        ("{", "links.txt:1: is not JSON: "),
    ],
)
def test_what_is_no_candidate_is_refused_with_its_line(line: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_nbest(Text(f"{line}\n"))
    assert str(raised.value).startswith(message)


def test_an_id_far_beyond_the_others_takes_no_memory() -> None:
    lists = [NbestEntry(segment, "a", {}, 0.0, line) for line, segment in ((1, 0), (2, 2**31 - 1))]
    with pytest.raises(InputError, match="has no candidate of segment 1, counted from 0"):
        grouped(lists, 2**31, where="lists")


def test_every_segment_needs_a_candidate() -> None:
    candidates = read_nbest(Text(MOSES))
    assert [len(group) for group in grouped(candidates, 2, where="l")] == [2, 1]
    with pytest.raises(
        InputError, match=r"^l:3: id is 1, but there are references of 1 segment, numbered from 0"
    ):
        grouped(candidates, 1, where="l")
    with pytest.raises(InputError, match=r"^l: has no candidate of segment 2, counted from 0"):
        grouped(candidates, 3, where="l")


@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")  # of a byte-order mark
@pytest.mark.parametrize("data", [MOSES, JSON])
def test_mutated_lists_are_read_or_refused_with_their_file(data: bytes, tmp_path: Path) -> None:
    chance = random.Random(7)
    path = tmp_path / "list"
    for _ in range(300):
        path.write_bytes(mutated(mutated(data, chance), chance))
        try:
            read_nbest(ByteSource(str(path)))
        except InputError as error:
            told = str(error)
        else:
            continue
        assert told.startswith(f"{path}:")


def test_links_of_source_and_translation_follow_the_score(tmp_path: Path) -> None:
    lines = [
        "0 ||| a b ||| lm= -1 ||| -2 ||| 0-1 1-0",
        "0 ||| a b ||| lm= -1 ||| -2 ||| 0-1=0-1 ||| 0-0 1-1",
        "0 ||| a b ||| lm= -1 ||| -2 ||| ",
        "0 ||| a b ||| lm= -1 ||| -2 ||| 0-1=0-1",
        "0 ||| a b ||| lm= -1 ||| -2",
        '{"id": 0, "text": "a b", "alignment": "1-0"}',
    ]
    path = tmp_path / "list"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = read_nbest(ByteSource(str(path)))
    both = ((0, 1), (1, 0)), ((0, 0), (1, 1))
    assert [each.links for each in found] == [*both, (), None, None, ((1, 0),)]
    for form in (NbestForm.MOSES, NbestForm.JSONL):
        written = "".join(f"{line}\n" for line in write_nbest(found[:3], form))
        path.write_text(written, encoding="utf-8")
        assert [each.links for each in read_nbest(ByteSource(str(path)))] == [*both, ()]
    path.write_text('{"id": 0, "text": "a b", "alignment": "1:0"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="alignment is '1:0'; write links"):
        read_nbest(ByteSource(str(path)))


def test_a_file_that_is_no_list_takes_no_memory(tmp_path: Path) -> None:
    """A packed file of 2 MB took 10 GiB before its first line was refused; its last bytes are still looked at."""
    path = tmp_path / "list.gz"
    for end, told in ((b"", ":1: is no candidate"), (b"\xff\n", ":500001: byte 0xff")):
        path.write_bytes(gzip.compress(b"a b c d e\n" * 500_000 + end, 1))
        tracemalloc.start()
        with pytest.raises(InputError, match=told):
            read_nbest(ByteSource(str(path)))
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
        tracemalloc.stop()
