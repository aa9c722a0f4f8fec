"""Sentence permutations as the rules say them, on plain lists of [opening, core, closing]."""


def split(word: str) -> list[str]:
    """Return a word in its parts."""
    begin = 0
    while begin < len(word) and word[begin] in "('`\"":
        begin += 1
    end = len(word)
    while end > begin and word[end - 1] in ".?!:,;)'`\"":
        end -= 1
    if begin == end:
        return ["", word, ""]
    return [word[:begin], word[begin:end], word[end:]]


def sets_of_phrases(phrases: list[tuple[int, int]], degree: int) -> set[frozenset[tuple[int, int]]]:
    """Return every set of disjoint phrases (start, length) with so many words in all."""
    found = {frozenset[tuple[int, int]]()}
    for start, length in phrases:
        for chosen in tuple(found):
            if all(start + length <= other or other + size <= start for other, size in chosen):
                found.add(chosen | {(start, length)})
    return {chosen for chosen in found if sum(length for _, length in chosen) == degree}


def order_is_possible(size: int, degree: int) -> bool:
    """Return whether some sequence of legal moves of different words exists, by trying them all."""

    def search(tokens: tuple[int, ...], moved: frozenset[int], distance: int) -> bool:
        if distance == 0:
            return True
        for position, token in enumerate(tokens):
            if token in moved:
                continue
            rest = tokens[:position] + tokens[position + 1 :]
            for target in (position - distance, position + distance):
                if 0 <= target < size and search(
                    (*rest[:target], token, *rest[target:]), moved | {token}, distance - 1
                ):
                    return True
        return False

    return search(tuple(range(size)), frozenset(), degree)
