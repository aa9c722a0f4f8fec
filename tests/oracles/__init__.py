"""Naive definitions that the fast code is compared with."""
