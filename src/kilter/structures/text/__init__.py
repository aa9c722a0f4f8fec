"""Texts as columns of words."""
