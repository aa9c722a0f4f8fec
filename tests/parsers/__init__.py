"""Tests of parsers."""
