"""Reordered sentences, made and scored."""
