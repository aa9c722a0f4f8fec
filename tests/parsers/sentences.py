"""Sentences for all parsers, written for these tests, and what they must survive."""

from kilter.core.corpus import Vocabulary
from kilter.parsers.parser import Parses
from kilter.parsers.registry import parser

HARD = {
    "empty": "",
    "one word": "Yes",
    "one sign": "!",
    "only signs": ". . , ; ( ) - !",
    "headline": "POLICE SEEK WITNESSES AFTER HARBOUR FIRE",
    "lower case": "the minister of finance said on monday that taxes will rise",
    "raw translation": "The with the house red man the yesterday bought it it .",
    "Cyrillic": "Завтра мы поедем в город .",
    "Chinese": "我们 明天 去 城里 。",
    "Arabic": "سوف نذهب إلى المدينة غدا",
    "Hindi": "हम कल शहर जाएंगे",
    "emoji": "Great 😀 job 👩‍👩‍👧 ! 🇩🇪",
    "zero width": "a\u200bb \u200d \ufeff c",
    "marks alone": "\u0301 \u0308 x",
    "long word": "x" * 5000,
    "long address": "see https://example.org/" + "a/b-" * 300 + " now",
    "200 words": " ".join(["the", "old", "dog", "barked", "and"] * 40),
    "same word": " ".join(["ha"] * 150),
    "separators": "a\u2028b \u0085 c",
    "surrogate range": "\U0010ffff \ue000",
}


def parsed(name: str, *texts: str, jobs: int = 1) -> Parses:
    """Return the parses of texts whose words stand between blanks."""
    vocabulary = Vocabulary()
    words = vocabulary.column([text.split(" ") if text else [] for text in texts])
    return parser(name).parse(words, vocabulary, jobs=jobs)


def tree_lines(found: Parses, segment: int = 0) -> list[str]:
    """Return a tree as lines of word, tag, head's word and label."""
    tree = found.trees.tree(segment)
    return [
        f"{word} {tag} {tree.words[head] if head >= 0 else '-'} {label}"
        for word, tag, head, label in zip(
            tree.words, tree.tags, tree.heads, tree.labels, strict=True
        )
    ]
