"""One link: positions of a word of the first sentence and of a word of the second, counted from 0."""

Link = tuple[int, int]
