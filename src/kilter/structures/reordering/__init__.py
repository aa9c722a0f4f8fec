"""Sentences in another order."""
