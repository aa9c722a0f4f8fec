"""Sentences in CoNLL-U: what is no tree is refused with its line."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io import conllu
from kilter.io.conllu import checked_trees, read_conllu, read_trees, write_conllu
from tests.io.conllu_files import SENTENCE, word, written


def refusal(folder: Path, text: str) -> str:
    source = written(folder, text)
    with pytest.raises(InputError) as raised:
        read_conllu(source)
    listed = [str(error) for error in checked_trees(source)[1]]
    assert listed[0] == str(raised.value)
    with pytest.raises(InputError):
        read_trees(source)
    return str(raised.value).removeprefix(source.name)


def test_empty_nodes_after_one_word_are_counted(tmp_path: Path) -> None:
    nodes = "".join(f"1.{count}{word(1, '_')[1:]}" for count in (1, 2, 3))
    text = word(1, 0) + nodes + word(2, 1) + "\n"
    assert "".join(write_conllu(read_conllu(written(tmp_path, text)))) == text


def test_further_roots_are_attached_and_counted(tmp_path: Path) -> None:
    column = read_trees(written(tmp_path, word(1, 0) + word(2, 0)))
    assert column.joined == (0,)
    assert column.tree(0).labels == ("dep", "dep")
    assert column.heads.tolist() == [-1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (word(1, 2) + word(2, 1), ":1: words 1 -> 2 -> 1 hang from one another in a cycle"),
        (word(1, 1), ":1: words 1 -> 1 hang from one another in a cycle"),
        (word(1, 0) + word(2, 7), ":2: the head of word 2 is 7, but the sentence has 2 words"),
        (word(1, "_"), ":1: word 1 has no head; column HEAD holds a number, 0 for the root"),
        (word(1, "x"), ":1: the head of word 1 is 'x', which is no number"),
        (word(1, "01"), ":1: the head of word 1 is '01', which is no number"),
        (word(1, "9" * 5000), ":1: the head of word 1 is 9999"),
        (word(2, 0), ":1: the id is 2, but 1 is expected; words are numbered 1, 2, 3"),
        (word(1, 0) + word(1, 0), ":2: the id is 1, but 2 is expected"),
        ("x" + word(1, 0), ":1: the id is 'x1'; it must be a word (3), a multiword token (3-4)"),
        ("1 w _ X _ _ 0 dep _ _\n", ":1: has 1 column; CoNLL-U has 10, separated by tabs"),
        (word(1, 0)[:-3] + "\n", ":1: has 9 columns"),
        (word(1, 0, ""), ":1: column FORM is empty; write _ where there is nothing"),
        (word(1, 0) + "# late\n", ":2: a comment stands below words"),
        ("# sent_id = s\n" + word(1, 3), ":2 (sentence s): the head of word 1 is 3"),
        ("\n" + word(1, 0), ":1: an empty line ends a sentence, but there is none before it"),
        (word(1, 0) + "\n\n" + word(1, 0), ":3: an empty line ends a sentence"),
        ("# note\n\n" + word(1, 0), ":1: comments without words"),
        (
            word(1, 0) + "\n# sent_id = 2\n# text",
            ":3 (sentence 2): the file ends before the first word of a sentence",
        ),
        (word(1, 0) + "\n0.1\ta" + "\t_" * 8, ":3: the file ends before the first word"),
        (
            word(1, 0) + "\n# text = a\n",
            ":3: the file ends before the first word of a sentence, it may have been cut off",
        ),
        ("2-3" + word(1, 0)[1:] + word(1, 0), ":1: the multiword token 2-3 must stand before"),
        ("1-2" + word(1, 0)[1:] + word(1, 0), ":1: the multiword token 1-2 must stand before"),
        ("1.1" + word(1, 0)[1:] + word(1, 0), ":1: the empty node 1.1 must be numbered 0.1"),
        (
            word(1, 0) + 2 * ("1.1" + word(1, "_")[1:]),
            ":3: the empty node 1.1 must be numbered 1.2",
        ),
        ("# parse = 2\n" + word(1, 0), ":1: parse 2 follows no other parse; number the parses"),
        ("# parse = best\n" + word(1, 0), ":1: parse is 'best'; number the parses"),
        (word(1, 0) + "\n\ufeff" + word(1, 0), ":3: starts with a byte-order mark"),
        (word(1, 0).replace("\n", "\r\n"), ":1: ends in a carriage return"),
        ("", ": the file is empty; it must hold trees in CoNLL-U"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, text).startswith(message)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (f"# sent_id = b\n# parse = 2\n{word(1, 0)}", "parse 2 has another sent_id than parse 1"),
        (f"# sent_id = a\n# parse = 3\n{word(1, 0)}", "parse 3 follows parse 1; number"),
        (f"# sent_id = a\n# parse = 2\n{word(1, 0)}\n" * 2, "parse 2 follows parse 2; number"),
        (f"# sent_id = a\n# parse = 2\n{word(1, 0, 'x')}", "the words are not those of parse 1"),
    ],
)
def test_parses_that_do_not_belong_together_are_refused(
    second: str, message: str, tmp_path: Path
) -> None:
    text = f"# sent_id = a\n# parse = 1\n{word(1, 0)}\n{second}"
    assert message in refusal(tmp_path, text)


def test_every_wrong_sentence_is_listed_once_in_the_order_of_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [word(1, 2), SENTENCE.strip() + "\n", word(1, 1), word(2, 2), word(1, "_")]
    source = written(tmp_path, "\n".join(blocks))
    listed = [str(error) for error in checked_trees(source)[1]]
    assert [int(entry.split(":")[1]) for entry in listed] == [1, 14, 16, 18]
    monkeypatch.setattr(conllu, "_PIECE", 1)
    assert [str(error) for error in checked_trees(source)[1]] == listed
