"""Parsers and rule sets against reference reorderings."""
