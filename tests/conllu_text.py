"""Trees written as CoNLL-U, short enough for a test."""

from collections.abc import Sequence


def conllu(*sentences: Sequence[tuple[str, str, int, str]]) -> str:
    """Return the file of sentences whose words are (form, tag, one-based head, label)."""
    blocks = []
    for number, sentence in enumerate(sentences, start=1):
        rows = [
            f"{place}\t{form}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_"
            for place, (form, tag, head, label) in enumerate(sentence, start=1)
        ]
        blocks.append("\n".join([f"# sent_id = {number}", *rows]) + "\n\n")
    return "".join(blocks)


CATS = (
    ("Cats", "NOUN", 2, "nsubj"),
    ("chase", "VERB", 0, "root"),
    ("small", "ADJ", 4, "amod"),
    ("mice", "NOUN", 2, "obj"),
    ("at", "ADP", 6, "case"),
    ("night", "NOUN", 2, "obl"),
    (".", "PUNCT", 2, "punct"),
)
DOGS = (
    ("Dogs", "NOUN", 2, "nsubj"),
    ("sleep", "VERB", 0, "root"),
    (".", "PUNCT", 2, "punct"),
)
