"""Metrics beside human judgments."""
