"""Structures drawn in characters."""
