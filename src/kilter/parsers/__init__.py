"""Dependency parsers: words in, trees out."""
