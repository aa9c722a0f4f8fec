"""Tests of the embedded network and its files."""
