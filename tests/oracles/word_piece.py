"""Word pieces by their definition: the longest piece of the vocabulary, again and again."""


def longest_matches(part: str, vocabulary: set[str]) -> list[str] | None:
    """Return the pieces of a part, or None if a rest is in no way a piece."""
    pieces: list[str] = []
    rest = part
    while rest:
        mark = "##" if pieces else ""
        fitting = [rest[:k] for k in range(1, len(rest) + 1) if mark + rest[:k] in vocabulary]
        if not fitting:
            return None
        longest = max(fitting, key=len)
        pieces.append(mark + longest)
        rest = rest[len(longest) :]
    return pieces
