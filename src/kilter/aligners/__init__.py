"""Aligners: links between the words of two sentences, by name."""
