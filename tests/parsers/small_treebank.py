"""A treebank of a made-up language, small enough to be learned at once: subject, object, verb."""

import numpy as np

NOUNS = ["lama", "Tiru", "beko", "samu", "dola", "riva", "Mono", "kuse"]
VERBS = ["gati", "poti", "luti", "zeti"]
WORDS_OF = {"DET": ["an"], "ADJ": ["rok", "tak"]}


def sentences(count: int, seed: int = 5) -> str:
    """Return so many trees as CoNLL-U."""
    chance = np.random.default_rng(seed)
    return "".join(_sentence(chance) for _ in range(count))


def _sentence(chance: np.random.Generator) -> str:
    words: list[tuple[str, str, str]] = []
    heads: list[int] = []
    nouns = []
    for _ in ("subject", "object"):
        before = len(words)
        if chance.random() < 0.5:
            words.append(("an", "DET", "det"))
        if chance.random() < 0.5:
            words.append((str(chance.choice(WORDS_OF["ADJ"])), "ADJ", "amod"))
        heads += [len(words) + 1] * (len(words) - before)
        nouns.append(len(words))
        label = "obj" if len(nouns) > 1 else "nsubj"
        words.append((str(chance.choice(NOUNS)), "NOUN", label))
        heads.append(-1)
    verb = len(words) + 1
    for noun in nouns:
        heads[noun] = verb
    words.append((str(chance.choice(VERBS)), "VERB", "root"))
    heads.append(0)
    words.append((".", "PUNCT", "punct"))
    heads.append(verb)
    rows = [
        f"{k + 1}\t{word}\t_\t{tag}\t{tag[:1]}\t_\t{head}\t{label}\t_\t_\n"
        for k, ((word, tag, label), head) in enumerate(zip(words, heads, strict=True))
    ]
    return "".join(rows) + "\n"
