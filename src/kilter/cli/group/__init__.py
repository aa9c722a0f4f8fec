"""Kinds of command groups."""
