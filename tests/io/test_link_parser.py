"""Links in every format: what is read, and every mistake with its line."""

import pytest

from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.io.link_format import LinkFormat
from kilter.io.link_parser import PhraseLinks, TraceFault, read_trace, written_trace
from kilter.io.links import link_problems, read_links
from tests.io.link_texts import METEOR, READ, Text, lengths, segments


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(("form", "text", "expected"), READ)
def test_each_format_is_read_and_detected(
    form: str, text: str, expected: list[list[tuple[int, int]]], size: int
) -> None:
    named = read_links(Text(text, size), form=form)
    assert segments(named) == expected
    assert named.possible.links.size == 0
    if form != "pharaoh-1":
        found = read_links(Text(text, size))
        assert (found.form, segments(found)) == (LinkFormat(form), expected)


@pytest.mark.parametrize("form", ["sure-possible", "sure-possible-1", "talp"])
def test_possible_links_are_kept_apart_and_sure_ones_win(form: str) -> None:
    base = int(form != "sure-possible")
    pairs = [(0, 0, "-"), (0, 1, "p"), (1, 0, "?"), (2, 2, "p"), (2, 2, "-")]
    text = " ".join(f"{first + base}{sign}{second + base}" for first, second, sign in pairs)
    found = read_links(Text(f"{text}\n\n"), form=form)
    assert segments(found) == [[(0, 0), (2, 2)], []]
    assert found.possible.segment(0) == [(0, 1), (1, 0)]
    assert found.all().segment(0) == [(0, 0), (0, 1), (1, 0), (2, 2)]


def test_naacl_knows_marks_confidences_and_segments_without_links() -> None:
    text = "0003 1 2\n1 1 1 S 0.5\n1 2 1 P\n1 2 2 0.25\n\n"
    found = read_links(Text(text), segments=4)
    assert found.form is LinkFormat.NAACL
    assert segments(found) == [[(0, 0), (1, 1)], [], [(0, 1)], []]
    assert found.possible.segment(0) == [(1, 0)]


def test_talp_knows_sure_signs_and_a_null_word_on_request() -> None:
    assert segments(read_links(Text("1s1 2-3 3p3\n"))) == [[(0, 0), (1, 2)]]
    assert segments(read_links(Text("1s1 0-3\n"), null_word=True)) == [[(0, 0)]]
    with pytest.raises(
        InputError, match="0-3 has a 0, but talp counts from 1; if 0 stands for the"
    ):
        read_links(Text("1s1 0-3\n"))
    with pytest.raises(OptionError, match="pharaoh counts from 0"):
        read_links(Text("0-0\n"), null_word=True)


def test_phrases_are_read_as_asked() -> None:
    text = "0-1=2-4\n"
    diagonal = read_links(Text(text), phrases=PhraseLinks.DIAGONAL)
    assert segments(diagonal) == [[(0, 2), (1, 3)]]
    assert len(read_links(Text(text)).sure.links) == 6
    every = read_links(Text(METEOR), phrases="all")
    assert segments(every)[0] == [(1, 1), (2, 2), (2, 3), (2, 4)]


def pair(number: int, source: int, target: int) -> str:
    sizes = f"source length {source} target length {target}"
    return f"# Sentence pair ({number}) {sizes} alignment score : 1\n"


WRONG = [
    (
        "pharaoh",
        "a b\nc\n",
        [":1: 'a' is not a link, and neither is any other word that was read; write"],
    ),
    ("pharaoh", "a -1-0\n", [":1: 'a' is not a link; write", ":1: link '-1-0' has a negative"]),
    (
        "pharaoh",
        "0-0\n1-x 2\n",
        ["links.txt:2: '1-x' is not a link; write", "links.txt:2: '2' is not a link"],
    ),
    (
        "pharaoh",
        "-1-0 1--2\n",
        [":1: link '-1-0' has a negative", ":1: link '1--2' has a negative"],
    ),
    (
        "pharaoh",
        "0-99999999999\n",
        ["links.txt:1: link '0-99999999999' has a position that is too large"],
    ),
    (
        "pharaoh",
        "\n0p1 1s1\n",
        [":2: link 0p1 has the sign 'p'; name the format sure-", ":2: link 1s1 has the sign 's'"],
    ),
    (
        "pharaoh-1",
        "\n1-0\n",
        ["links.txt:2: link 1-0 has a 0, but pharaoh-1 counts from 1; name the format pharaoh if"],
    ),
    (
        "sure-possible-1",
        "0p1\n",
        ["1: link 0-1 has a 0, but sure-possible-1 counts from 1; name the format sure-possible"],
    ),
    (
        "target-lists",
        "1,x,-2\n",
        [":1: 'x' for target word 1 is no", ":1: '-2' for target word 2 is no"],
    ),
    (
        "naacl",
        "1 1\n1 1 1 X\n9 1 1\n0 1 1\n1 0 1\n",
        [
            ":1: '1 1' is not a link",
            ":2: '1 1 1 X' is not a link",
            ":3: there is no segment 9; there are 2",
            ":4: there is no segment 0",
            ":5: link 0-1 has a 0, but naacl",
        ],
    ),
    (
        "moses",
        "0-=1 2-1=0 0-999=1 1-2\n",
        [
            "'0-=1' is no pair",
            "'2-1=0' a phrase ends before",
            "'0-999=1' a phrase is longer than 255",
            "'1-2' is no pair",
        ],
    ),
    (
        "fast-align",
        "0-0 ||| a\n1-x 2 ||| -1\na b ||| c ||| 0-0 3--1\n",
        [
            ":1: '0-0 ||| a' has a text beside its links; write links, or source ||| target ||| links",
            ":2: '1-x' is not a link; write links such as 0-0 1-2",
            ":2: '2' is not a link",
            ":3: '3--1' is not a link",
        ],
    ),
    (
        "giza",
        "".join(
            [
                "hello\n",
                pair(2, 1, 2) + "a\nNULL ({ }) x ({ 2 y })\n",
                pair(2, 2, 1) + "a\nNULL ({ }) x ({ 1 })\n",
                pair(3, 1, 1) + "a\nx ({ 1 })\n",
                pair(4, 1, 1) + "a\nNULL ({ }) x 1\n",
                pair(5, 1, 1) + "a\n",
            ]
        ),
        [
            ":1: 'hello' stands where a block begins; GIZA++ writes # Sentence pair (1) source length 3",
            ":2: sentence pair 2 stands where 1 is expected; pairs count from 1, none may be missing",
            ":3: the target has 1 word; the line before gives it 2",
            ":4: '2' is no target word of this block; they are numbered from 1 to 1",
            ":4: 'y' is no target word of this block",
            ":7: the source has 1 word; its block gives it 2",
            ":10: the first source word is 'x'; it must be NULL",
            ":13: 'x' has no list of target words; write it as word ({ 1 2 })",
            ":15: the file ends inside a block; it was cut off",
        ],
    ),
    (
        "meteor",
        "0:1 0:1 0 1.0\nAlignment 2\na\nb\nc\n0:2 0:1 0 1.0\nx\nAlignment 2\n",
        [
            ":1: '0:1 0:1 0 1.0' is no match",
            ":2: block '2' stands where block 1",
            ":5: 'c' stands where 'Line2Start",
            ":6: match '0:2' '0:1' points outside the block's sentences of 1",
            ":7: 'x' is no match",
            ":8: the file ends inside a block",
        ],
    ),
]


@pytest.mark.parametrize(("form", "text", "reasons"), WRONG)
def test_every_mistake_is_named_with_its_line(form: str, text: str, reasons: list[str]) -> None:
    count = {"naacl": 2}.get(form)
    found = [str(p) for p in link_problems(Text(text), form=form, segments=count)]
    assert len(found) == len(reasons)
    assert all(reason in problem for reason, problem in zip(reasons, found, strict=True))
    with pytest.raises(InputError) as caught:
        read_links(Text(text), form=form, segments=count)
    assert str(caught.value) == found[0]


MARK, WINDOWS = "starts with a byte-order mark", "ends in a carriage return"


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("form", ["pharaoh", None])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0-0\n\ufeff1-1\n", [(2, MARK)]),
        ("0-0\n1-1\r\n2-2\r\n", [(2, WINDOWS)]),
        ("0-0\n1-1\r", [(2, WINDOWS)]),
        ("0-0\r\n\ufeff0-9\r\n", [(1, WINDOWS), (2, "link 0-9 points past"), (2, MARK)]),
    ],
)
def test_links_are_text_without_marks_and_windows_line_ends(
    text: str, expected: list[tuple[int, str]], form: str | None, size: int
) -> None:
    three = lengths(*[(3, 3)] * len(text.splitlines()))
    found = [str(p) for p in link_problems(Text(text, size), form=form, lengths=three)]
    assert len(found) == len(expected)
    for problem, (line, message) in zip(found, expected, strict=True):
        assert problem.startswith(f"links.txt:{line}: {message}")
    with pytest.raises(InputError, match=expected[0][1]):
        read_links(Text(text, size), form=form)


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("form", ["pharaoh", None])
def test_a_byte_order_mark_at_the_start_of_links_is_dropped_with_one_note(
    form: str | None, size: int
) -> None:
    with pytest.warns(KilterWarning, match="the byte-order mark at its start was dropped") as told:
        found = read_links(Text("\ufeff0-0\n1-1\n", size), form=form)
    assert found.sure.links.tolist() == [[0, 0], [1, 1]]
    assert len(told) == 1


@pytest.mark.parametrize("form", ["meteor", "naacl", "target-lists", "moses"])
def test_windows_line_ends_hide_no_other_problem(form: str) -> None:
    text = {
        "meteor": METEOR.replace("2:3", "x"),
        "naacl": "1 1 1\n1 x 1\n",
        "target-lists": "0\nx\n",
        "moses": "0=0\nx\n",
    }[form]
    clean, windows = (
        [str(p) for p in link_problems(Text(each), form=form, segments=2)]
        for each in (text, text.replace("\n", "\r\n"))
    )
    assert len(clean) == 1
    assert windows == [windows[0], *clean]
    assert windows[0].startswith("links.txt:1: ends in a carriage return")


# Translations of Moses with their source phrases: what is wrong with a line, and bars in words.


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"the |0-0| house", "no source phrase follows 'house'"),
        (b"the house |1-0|", r"'\|1-0\|' is no source phrase"),
        (b"the |0-0,wa=0-1|", "the link 0-1 points past its phrase"),
        (b"the |0-0,wa=x|", "'x' is not a link"),
        (b"the house ||| 0-0 1", "'1' is not a link"),
        (b"the |0-300|", "longer than 255"),
        (b"the |0-99999999999|", "is no source phrase"),
        (b"a |2-4| b |0-2|", r"'\|0-2\|' and '\|2-4\|' both translate source word 2"),
    ],
)
def test_faults_say_what_would_be_right(line: bytes, fault: str) -> None:
    with pytest.raises(TraceFault, match=fault):
        read_trace(line)


def test_a_word_with_a_bar_is_no_phrase() -> None:
    line = written_trace(["a", "b"], ["|0-1|", "c"], [(1, 0)])
    assert line == "&#124;0-1&#124; c |0-1,wa=1-0|"
    assert read_trace(line.encode()) == ([(1, 0)], 2)
    assert read_trace(b"a| |0-0|") == ([(0, 0)], 1)
    assert read_trace(b"a b |0-1, wa=1-0, total=-1.5|") == ([(1, 0)], 2)
    assert read_trace(b"a b |0-1|", diagonal=True) == ([(0, 0), (1, 1)], 2)
