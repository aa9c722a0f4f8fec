"""Readers and writers of files, and the one place that writes them."""
