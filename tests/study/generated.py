"""Corpora made of a small grammar, with their trees, and studies over them."""

import random
from pathlib import Path

NOUNS = [
    "tree",
    "river",
    "house",
    "letter",
    "window",
    "garden",
    "baker",
    "sailor",
    "teacher",
    "ladder",
    "bridge",
    "engine",
]
ADJECTIVES = [
    "old",
    "green",
    "heavy",
    "quiet",
    "famous",
    "broken",
    "early",
    "cheap",
    "round",
    "sharp",
]
VERBS = ["sees", "paints", "lifts", "sells", "follows", "repairs", "forgets", "admires"]
PREPOSITIONS = ["behind", "near", "above", "under", "beside"]

Token = tuple[str, str, int]


def sentence(chance: random.Random) -> list[Token]:
    """Return words with tags and heads (from 1, 0 for the root): a clause with two to four phrases."""
    tokens: list[Token] = []

    def phrase(head: int, *, preposition: bool) -> None:
        adjectives = chance.randint(0, 2)
        noun = len(tokens) + 1 + preposition + 1 + adjectives
        if preposition:
            tokens.append((chance.choice(PREPOSITIONS), "ADP", noun))
        tokens.append((chance.choice(["the", "a", "this", "every"]), "DET", noun))
        tokens.extend((chance.choice(ADJECTIVES), "ADJ", noun) for _ in range(adjectives))
        tokens.append((chance.choice(NOUNS), "NOUN", head))

    phrase(-1, preposition=False)
    verb = len(tokens) + 1
    tokens.append((chance.choice(VERBS), "VERB", 0))
    phrase(verb, preposition=False)
    for _ in range(chance.randint(0, 2)):
        phrase(verb, preposition=True)
    tokens.append((".", "PUNCT", verb))
    return [(word, tag, verb if head == -1 else head) for word, tag, head in tokens]


def text_of(tokens: list[Token]) -> str:
    words = [word for word, _, _ in tokens]
    text = " ".join(words[:-1]) + words[-1]
    return text[0].upper() + text[1:]


def conllu(sentences: list[list[Token]]) -> str:
    blocks = []
    for number, tokens in enumerate(sentences, start=1):
        lines = [f"# sent_id = {number}", f"# text = {text_of(tokens)}"]
        words = [*text_of(tokens).removesuffix(".").split(), "."]
        lines += [
            f"{place}\t{word}\t_\t{tag}\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_"
            for place, (word, (_, tag, head)) in enumerate(zip(words, tokens, strict=True), start=1)
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n\n"


HEADER = """schema = "kilter.study/1"
name = "made"
title = "A study of generated sentences"
questionnaires = {questionnaires}
{options}

[documents]
researcher = "R"
institution = "I"
minutes = "5"
reward = "none"
contact = "c@example.org"
complaints = "d@example.org"

[pool]
sentences = {pool}
"""
CORPUS = """
[[corpus]]
system = "{name}"
pair = "de-en"
hypothesis = "{name}.en"
reference = "reference.en"
trees_reference = "reference.conllu"
trees_hypothesis = "{name}.conllu"
"""


def write_study(
    folder: Path,
    *,
    lines: int = 40,
    systems: int = 2,
    questionnaires: int = 2,
    options: str = "",
    rest: str = "",
    pool: int = 450,
) -> Path:
    """Write a study over generated corpora and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(lines)
    references = [sentence(chance) for _ in range(lines)]
    files = {"reference": references}
    files |= {f"sys{number}": [sentence(chance) for _ in range(lines)] for number in range(systems)}
    for name, sentences in files.items():
        text = "\n".join(text_of(tokens) for tokens in sentences) + "\n"
        (folder / f"{name}.en").write_text(text, encoding="utf-8")
        (folder / f"{name}.conllu").write_text(conllu(sentences), encoding="utf-8")
    study = HEADER.format(questionnaires=questionnaires, options=options, pool=pool)
    study += "".join(CORPUS.format(name=f"sys{number}") for number in range(systems)) + rest
    (folder / "study.toml").write_text(study, encoding="utf-8")
    return folder


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """Change every occurrence of some words in the file of a study, and return its folder."""
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return folder
