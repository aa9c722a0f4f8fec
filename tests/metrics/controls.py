"""Texts on which metrics are compared with their controls."""

REFERENCE = ["the old man saw the small dog", "we eat fish", "nobody came"]


IN_ORDER = ["the old man saw a dog", "we eat fish", "rain fell"]


MIXED = ["dog a saw man old the", "fish eat we", "fell rain"]
