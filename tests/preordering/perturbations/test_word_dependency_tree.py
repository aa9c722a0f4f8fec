"""Trees over the words that blanks separate."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.conllu import Treebank, read_conllu
from kilter.io.stream import ByteSource
from kilter.preordering.perturbations.word_dependency_tree import (
    TagColumn,
    treebank_texts,
    word_trees,
)

ROWS = """# sent_id = 1
# text = The dog doesn't "bark", at cats.
1 The the DET DT _ 2 det _ _
2 dog dog NOUN NN _ 6 nsubj _ _
3-4 doesn't _ _ _ _ _ _ _ _
3 does do AUX VBZ _ 6 aux _ _
4 n't not PART RB _ 6 advmod _ _
5 " " PUNCT `` _ 6 punct _ _
6 bark bark VERB VB _ 0 root _ _
6.1 then then ADV _ _ _ _ 6:advmod _
7 " " PUNCT '' _ 6 punct _ _
8 , , PUNCT , _ 6 punct _ _
9 at at ADP IN _ 10 case _ _
10 cats cat NOUN NNS _ 6 obl _ _
11 . . PUNCT . _ 6 punct _ _
"""


def bank(folder: Path, rows: str = ROWS) -> Treebank:
    path = folder / "trees.conllu"
    lines = [
        line if line.startswith("#") else line.replace(" ", "\t") for line in rows.splitlines()
    ]
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return read_conllu(ByteSource(str(path)))


def test_tokens_are_joined_to_the_words_of_the_text(tmp_path: Path) -> None:
    treebank = bank(tmp_path)
    texts = treebank_texts(treebank)
    (tree,) = word_trees(treebank, texts, text_name="text")
    assert tree.words == ("The", "dog", "doesn't", '"bark",', "at", "cats.")
    assert tree.heads == (1, 3, 3, -1, 5, 3)
    assert tree.tags == ("DET", "NOUN", "AUX", "VERB", "ADP", "NOUN")


def test_the_tags_of_a_language_can_be_taken(tmp_path: Path) -> None:
    treebank = bank(tmp_path)
    (tree,) = word_trees(treebank, treebank_texts(treebank), text_name="text", tags=TagColumn.XPOS)
    assert tree.tags == ("DT", "NN", "VBZ", "VB", "IN", "NNS")


def test_punctuation_never_becomes_a_head(tmp_path: Path) -> None:
    rows = "# text = - so it\n1 - - PUNCT _ _ 0 root _ _\n2 so so ADV _ _ 1 dep _ _\n"
    treebank = bank(tmp_path, rows + "3 it it PRON _ _ 2 dep _ _\n")
    (tree,) = word_trees(treebank, treebank_texts(treebank), text_name="text")
    assert tree.heads == (-1, 0, 1)


def test_a_word_that_hangs_from_punctuation_hangs_from_the_head_of_it(tmp_path: Path) -> None:
    rows = (
        "# text = we - they - left\n1 we we PRON _ _ 5 nsubj _ _\n2 - - PUNCT _ _ 5 punct _ _\n"
        "3 they they PRON _ _ 2 dep _ _\n4 - - PUNCT _ _ 2 punct _ _\n5 left leave VERB _ _ 0 root _ _\n"
    )
    treebank = bank(tmp_path, rows)
    (tree,) = word_trees(treebank, treebank_texts(treebank), text_name="text")
    assert tree.heads == (4, 4, 4, 4, -1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The dog barks", "do not spell the word 'barks' in line 1 of text"),
        ("The dog doesn't", "the tree goes on with '\"' behind the last word"),
    ],
)
def test_a_text_that_the_tokens_do_not_spell_is_refused(
    text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message) as error:
        word_trees(bank(tmp_path), [text], text_name="text")
    assert "trees.conllu:1 (sentence 1)" in str(error.value)


def test_numbers_of_sentences_must_agree(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="trees for 1 segment, but text has 2 lines"):
        word_trees(bank(tmp_path), ["a", "b"], text_name="text")


def test_a_treebank_without_texts_says_how_to_give_them(tmp_path: Path) -> None:
    rows = "\n".join(line for line in ROWS.splitlines() if "# text" not in line)
    with pytest.raises(InputError, match="add it, or give the text in a file of its own"):
        treebank_texts(bank(tmp_path, rows))
