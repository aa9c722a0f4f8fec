"""Answers out to files and in from paper."""
